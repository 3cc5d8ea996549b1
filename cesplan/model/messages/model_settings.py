"""The choice of a language model."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Presence
from cesplan.model.scalars import Double


class ThinkingLevel(StrEnum):
    """How much a model thinks."""

    THINKING_LEVEL_UNSPECIFIED = "THINKING_LEVEL_UNSPECIFIED"
    DEFAULT = "DEFAULT"
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


class ModelSettings(Message):
    """A language model and its settings."""

    MESSAGE = "ModelSettings"

    model: str | None = None
    """The id of the model; the parent agent's or the app's if absent."""
    temperature: Annotated[Double | None, Presence()] = None
    """Low values are more predictable, high values more creative. 0 is a real value, not the default."""
    thinking_level: ThinkingLevel | None = None
    """How much it thinks before it responds."""
