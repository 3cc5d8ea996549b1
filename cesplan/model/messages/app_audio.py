"""Audio of an app: voices, interruptions and background sound."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Choices, Deprecated, Form, LanguageKeys, LongText, OneOf, OutputOnly, Within
from cesplan.model.scalars import Double, Duration, Opaque

PREBUILT_SOUNDS = (
    "coffee_shop", "keyboard", "keypad", "hum", "office_1", "office_2", "office_3", "room_1", "room_2",
    "room_3", "room_4", "room_5", "air_conditioner",
)  # fmt: skip


class PrebuiltAmbientNoise(StrEnum):
    """The older choice of background sounds."""

    PREBUILT_AMBIENT_NOISE_UNSPECIFIED = "PREBUILT_AMBIENT_NOISE_UNSPECIFIED"
    RETAIL_STORE = "RETAIL_STORE"
    CONVENTION_HALL = "CONVENTION_HALL"
    OUTDOOR = "OUTDOOR"


class SynthesizeSpeechConfig(Message):
    """How the agent's voice is made."""

    MESSAGE = "SynthesizeSpeechConfig"

    voice: str | None = None
    """A voice of Cloud Text-to-Speech; chosen by language when absent."""
    voice_sample_gcs_uri: Annotated[
        str | None, Deprecated(), Form(r"gs://\S+", "an object such as gs://bucket/object")
    ] = None
    """A recording to clone the voice from, `gs://…`, mono WAV at 24 kHz."""
    speaking_rate: Annotated[Double | None, Within(0.25, 2)] = None
    """Speed from 0.25 to 2.0, 1.0 being the voice's own; others are refused."""
    model: str | None = None
    """The speech model; Chirp 3 HD when absent."""
    instruction: Annotated[str | None, LongText("markdown")] = None
    """How to speak, for generative speech models."""
    consent_audio_gcs_uri: Annotated[
        str | None, Deprecated(), Form(r"gs://\S+", "an object such as gs://bucket/object")
    ] = None
    """A recording of the speaker's consent to cloning, `gs://…`."""


class BargeInConfig(Message):
    """What happens when the user speaks over the agent."""

    MESSAGE = "BargeInConfig"

    disable_barge_in: Annotated[bool | None, Deprecated("defaultChannelProfile.disableBargeInControl")] = None
    """True ignores what the user says meanwhile."""
    barge_in_awareness: bool | None = None
    """
    True lets the agent assume that its last message was not heard to the end. Not for channels that show it
    as text.
    """


class AmbientSoundConfig(Message):
    """Sound behind the agent's voice. One source at most."""

    MESSAGE = "AmbientSoundConfig"

    prebuilt_ambient_noise: Annotated[
        PrebuiltAmbientNoise | None, OneOf("source"), Deprecated("prebuiltAmbientSound")
    ] = None
    """One of the older sounds."""
    gcs_uri: Annotated[
        str | None, OneOf("source"), Form(r"gs://\S+", "an object such as gs://bucket/object")
    ] = None
    """A sound of your own, `gs://…`, mono WAV at 16 kHz, readable by the CES service agent."""
    prebuilt_ambient_sound: Annotated[str | None, OneOf("source"), Choices(PREBUILT_SOUNDS)] = None
    """One of the sounds that come with the service."""
    volume_gain_db: Annotated[Double | None, Within(-96, 16)] = None
    """Louder or softer, from −96 to 16 dB; 0 is the sound as it is. Above 10 little is gained."""


class VoiceInstructionMode(StrEnum):
    """Where the instruction for a custom voice comes from."""

    VOICE_INSTRUCTION_MODE_UNSPECIFIED = "VOICE_INSTRUCTION_MODE_UNSPECIFIED"
    NO_INSTRUCTION = "NO_INSTRUCTION"
    GENERATE_INSTRUCTION = "GENERATE_INSTRUCTION"
    CUSTOM_INSTRUCTION = "CUSTOM_INSTRUCTION"


class CustomVoiceSample(Message):
    """A recording of a voice that the app may speak with."""

    MESSAGE = "CustomVoiceSample"

    name: str | None = None
    """Its name."""
    voice_sample_gcs_uri: Annotated[str | None, Form(r"gs://\S+", "an object such as gs://bucket/object")] = (
        None
    )
    """The recording, `gs://…`."""
    consent_audio_gcs_uri: Annotated[str | None, Form(r"gs://\S+", "an object such as gs://bucket/object")] = (
        None
    )
    """A recording of the speaker's consent, `gs://…`."""
    voice_instruction_mode: VoiceInstructionMode | None = None
    """Where the instruction comes from."""
    voice_instruction: Annotated[str | None, LongText("markdown")] = None
    """How to speak."""
    preview_text: Annotated[str | None, LongText("markdown")] = None
    """What a preview says."""
    preview_audio_content: Annotated[Opaque, OutputOnly()] = None
    """A preview."""
    warnings: Annotated[Opaque, OutputOnly()] = None
    """What the service finds wrong with the recording."""


class AudioProcessingConfig(Message):
    """How an app sounds and listens."""

    MESSAGE = "AudioProcessingConfig"

    synthesize_speech_configs: Annotated[dict[str, SynthesizeSpeechConfig] | None, LanguageKeys()] = None
    """The voice for each language code, case ignored; `en` serves `en-GB` where that has none."""
    barge_in_config: BargeInConfig | None = None
    """What happens when the user speaks over the agent."""
    inactivity_timeout: Duration | None = None
    """Silence after which the agent asks again, such as `10s`; never when absent."""
    ambient_sound_config: AmbientSoundConfig | None = None
    """Sound behind the agent's voice."""
    custom_voice_samples: list[CustomVoiceSample] | None = None
    """Voices of your own."""
