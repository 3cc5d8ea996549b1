"""What the user does in a step of a replay: words, keys, audio, pictures, results, events."""

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
    """Something that happens without words."""

    MESSAGE = "Event"

    event: Annotated[str | None, Required()] = None
    """Its name, as the agent knows it."""
    variables: Struct | None = None
    """Variables of the session that it sets, by name."""


class RecordingControl(StrEnum):
    """Whether the conversation is recorded from here on."""

    RECORDING_CONTROL_UNSPECIFIED = "RECORDING_CONTROL_UNSPECIFIED"
    RECORDING_ENABLED = "RECORDING_ENABLED"
    RECORDING_DISABLED = "RECORDING_DISABLED"


class SessionInput(Message):
    """What the user does in a step; exactly one kind."""

    MESSAGE = "SessionInput"

    text: Annotated[str | None, OneOf("input_type")] = None
    """Says or types this."""
    dtmf: Annotated[str | None, OneOf("input_type")] = None
    """Presses these keys."""
    audio: Annotated[Bytes | None, OneOf("input_type")] = None
    """Speaks: audio as base64."""
    tool_responses: Annotated[ToolResponses | None, OneOf("input_type")] = None
    """Returns results of calls that the client was asked to make."""
    image: Annotated[Image | None, OneOf("input_type")] = None
    """Shows a picture."""
    blob: Annotated[Blob | None, OneOf("input_type")] = None
    """Sends data of any type."""
    variables: Annotated[Struct | None, OneOf("input_type")] = None
    """Sets variables of the session, by name."""
    event: Annotated[InputEvent | None, OneOf("input_type")] = None
    """Triggers an event."""
    will_continue: bool | None = None
    """True: more of the same input follows, so the agent waits. Not for audio and keys."""
    recording_control: RecordingControl | None = None
    """Starts or stops the recording."""
