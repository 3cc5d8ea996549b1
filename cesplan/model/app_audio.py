"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Deprecated, LanguageKeys, LongText, OneOf
from cesplan.model.scalars import Double, Duration


class PrebuiltAmbientNoise(StrEnum):
    """TODO"""

    PREBUILT_AMBIENT_NOISE_UNSPECIFIED = "PREBUILT_AMBIENT_NOISE_UNSPECIFIED"
    RETAIL_STORE = "RETAIL_STORE"
    CONVENTION_HALL = "CONVENTION_HALL"
    OUTDOOR = "OUTDOOR"


class SynthesizeSpeechConfig(Message):
    """TODO"""

    MESSAGE = "SynthesizeSpeechConfig"

    voice: str | None = None
    voice_sample_gcs_uri: Annotated[str | None, Deprecated()] = None
    speaking_rate: Double | None = None
    model: str | None = None
    instruction: Annotated[str | None, LongText("markdown")] = None
    consent_audio_gcs_uri: Annotated[str | None, Deprecated()] = None


class BargeInConfig(Message):
    """TODO"""

    MESSAGE = "BargeInConfig"

    disable_barge_in: Annotated[bool | None, Deprecated()] = None
    barge_in_awareness: bool | None = None


class AmbientSoundConfig(Message):
    """TODO"""

    MESSAGE = "AmbientSoundConfig"

    prebuilt_ambient_noise: Annotated[PrebuiltAmbientNoise | None, OneOf("source"), Deprecated()] = None
    gcs_uri: Annotated[str | None, OneOf("source")] = None
    prebuilt_ambient_sound: Annotated[str | None, OneOf("source")] = None
    volume_gain_db: Double | None = None


class AudioProcessingConfig(Message):
    """TODO"""

    MESSAGE = "AudioProcessingConfig"

    synthesize_speech_configs: Annotated[dict[str, SynthesizeSpeechConfig] | None, LanguageKeys()] = None
    barge_in_config: BargeInConfig | None = None
    inactivity_timeout: Duration | None = None
    ambient_sound_config: AmbientSoundConfig | None = None
