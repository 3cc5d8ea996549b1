"""Audio of an app: voices, interruptions, and background sound."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Choices, Deprecated, Form, LanguageKeys, LongText, OneOf, OutputOnly, Within
from cesplan.model.scalars import Double, Duration, Opaque

PREBUILT_SOUNDS = (
    "coffee_shop", "keyboard", "keypad", "hum", "office_1", "office_2", "office_3", "room_1", "room_2",
    "room_3", "room_4", "room_5", "air_conditioner",
)  # fmt: skip

_OBJECT = Form(r"gs://\S+", "an object such as gs://bucket/object")


class PrebuiltAmbientNoise(StrEnum):
    """The older set of background sounds."""

    PREBUILT_AMBIENT_NOISE_UNSPECIFIED = "PREBUILT_AMBIENT_NOISE_UNSPECIFIED"
    RETAIL_STORE = "RETAIL_STORE"
    CONVENTION_HALL = "CONVENTION_HALL"
    OUTDOOR = "OUTDOOR"


class SynthesizeSpeechConfig(Message):
    """How the agent's voice is synthesized."""

    MESSAGE = "SynthesizeSpeechConfig"

    voice: str | None = None
    """A voice of Cloud Text-to-Speech; chosen by language if absent."""
    voice_sample_gcs_uri: Annotated[str | None, Deprecated(), _OBJECT] = None
    """A recording for voice cloning, `gs://…`, mono WAV at 24 kHz."""
    speaking_rate: Annotated[Double | None, Within(0.25, 2)] = None
    """The speed, from 0.25 to 2.0; 1.0 is the normal speed of the voice."""
    model: str | None = None
    """The speech model; Chirp 3 HD if absent."""
    instruction: Annotated[str | None, LongText("markdown")] = None
    """How to speak, for generative speech models."""
    consent_audio_gcs_uri: Annotated[str | None, Deprecated(), _OBJECT] = None
    """A recording of the speaker's consent to cloning, `gs://…`."""


class BargeInConfig(Message):
    """What happens when the user speaks over the agent."""

    MESSAGE = "BargeInConfig"

    disable_barge_in: Annotated[bool | None, Deprecated("defaultChannelProfile.disableBargeInControl")] = None
    """If true, the agent ignores what the user says meanwhile."""
    barge_in_awareness: bool | None = None
    """
    If true, the agent assumes that the user did not hear the end of its last message. Not for channels that
    show it as text.
    """


class AmbientSoundConfig(Message):
    """Background sound for the agent's voice. At most one source."""

    MESSAGE = "AmbientSoundConfig"

    prebuilt_ambient_noise: Annotated[
        PrebuiltAmbientNoise | None, OneOf("source"), Deprecated("prebuiltAmbientSound")
    ] = None
    """One of the older sounds."""
    gcs_uri: Annotated[str | None, OneOf("source"), _OBJECT] = None
    """A custom sound, `gs://…`, mono WAV at 16 kHz, readable by the CES service agent."""
    prebuilt_ambient_sound: Annotated[str | None, OneOf("source"), Choices(PREBUILT_SOUNDS)] = None
    """One of the built-in sounds of the service."""
    volume_gain_db: Annotated[Double | None, Within(-96, 16)] = None
    """The volume gain, from −96 to 16 dB; 0 leaves the sound unchanged. Values above 10 have little effect."""


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
    """The name of the voice."""
    voice_sample_gcs_uri: Annotated[str | None, _OBJECT] = None
    """The recording, `gs://…`."""
    consent_audio_gcs_uri: Annotated[str | None, _OBJECT] = None
    """A recording of the speaker's consent, `gs://…`."""
    voice_instruction_mode: VoiceInstructionMode | None = None
    """Where the instruction comes from."""
    voice_instruction: Annotated[str | None, LongText("markdown")] = None
    """How to speak."""
    preview_text: Annotated[str | None, LongText("markdown")] = None
    """The text of a preview."""
    preview_audio_content: Annotated[Opaque, OutputOnly()] = None
    """The preview."""
    warnings: Annotated[Opaque, OutputOnly()] = None
    """Problems that the service found with the recording."""


class AudioProcessingConfig(Message):
    """The audio settings of an app."""

    MESSAGE = "AudioProcessingConfig"

    synthesize_speech_configs: Annotated[dict[str, SynthesizeSpeechConfig] | None, LanguageKeys()] = None
    """The voices by language code, ignoring case. `en` also applies to `en-GB` if that has none."""
    barge_in_config: BargeInConfig | None = None
    """What happens when the user speaks over the agent."""
    inactivity_timeout: Duration | None = None
    """The duration of silence after which the agent asks again, such as `10s`; never if absent."""
    ambient_sound_config: AmbientSoundConfig | None = None
    """The background sound for the agent's voice."""
    custom_voice_samples: list[CustomVoiceSample] | None = None
    """Custom voices."""
