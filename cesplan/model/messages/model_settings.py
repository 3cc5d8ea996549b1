"""The choice of a language model."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Presence
from cesplan.model.scalars import Double


class ThinkingLevel(StrEnum):
    """How long a model may think."""

    THINKING_LEVEL_UNSPECIFIED = "THINKING_LEVEL_UNSPECIFIED"
    DEFAULT = "DEFAULT"
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


class ModelSettings(Message):
    """A language model and how freely it speaks."""

    MESSAGE = "ModelSettings"

    model: str | None = None
    """The model's id; that of the parent agent or app when absent."""
    temperature: Annotated[Double | None, Presence()] = None
    """Low is predictable, high is inventive. 0 is a value of its own, not the default."""
    thinking_level: ThinkingLevel | None = None
    """How long it may think before it answers."""
