"""User input in a step of a replay: text, keys, audio, pictures, results, events."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import (
    OneOf,
    Required,
)
from cesplan.model.messages.conversation import (
    Blob,
    Image,
    ToolResponse,
)
from cesplan.model.scalars import Bytes, Struct


class ToolResponses(Message):
    """Results of several calls."""

    MESSAGE = "ToolResponses"

    tool_responses: list[ToolResponse] | None = None
    """The results, in order."""


class InputEvent(Message):
    """An event, without text."""

    MESSAGE = "Event"

    event: Annotated[str | None, Required()] = None
    """The name of the event, as used by the agent."""
    variables: Struct | None = None
    """The session variables that it sets, by name."""


class RecordingControl(StrEnum):
    """Whether the conversation is recorded from here on."""

    RECORDING_CONTROL_UNSPECIFIED = "RECORDING_CONTROL_UNSPECIFIED"
    RECORDING_ENABLED = "RECORDING_ENABLED"
    RECORDING_DISABLED = "RECORDING_DISABLED"


class SessionInput(Message):
    """User input in a step; exactly one kind."""

    MESSAGE = "SessionInput"

    text: Annotated[str | None, OneOf("input_type")] = None
    """Text that the user says or types."""
    dtmf: Annotated[str | None, OneOf("input_type")] = None
    """The phone keys that the user presses (DTMF)."""
    audio: Annotated[Bytes | None, OneOf("input_type")] = None
    """Speech: audio as base64."""
    tool_responses: Annotated[ToolResponses | None, OneOf("input_type")] = None
    """The results of calls that the client was asked to make."""
    image: Annotated[Image | None, OneOf("input_type")] = None
    """A picture."""
    blob: Annotated[Blob | None, OneOf("input_type")] = None
    """Data of any type."""
    variables: Annotated[Struct | None, OneOf("input_type")] = None
    """Session variables to set, by name."""
    event: Annotated[InputEvent | None, OneOf("input_type")] = None
    """An event."""
    will_continue: bool | None = None
    """If true, more input follows, so the agent waits. Not for audio and keys."""
    recording_control: RecordingControl | None = None
    """Starts or stops the recording."""
