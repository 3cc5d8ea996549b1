"""TODO"""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import OneOf, OutputOnly, Reference, Required
from cesplan.model.scalars import Bytes, Opaque, Struct, Timestamp


class Blob(Message):
    """TODO"""

    MESSAGE = "Blob"

    mime_type: Annotated[str | None, Required()] = None
    data: Annotated[Bytes | None, Required()] = None


class Image(Message):
    """TODO"""

    MESSAGE = "Image"

    mime_type: Annotated[str | None, Required()] = None
    data: Annotated[Bytes | None, Required()] = None


class ToolsetTool(Message):
    """TODO"""

    MESSAGE = "ToolsetTool"

    toolset: Annotated[str | None, Required(), Reference(("toolsets",))] = None
    tool_id: str | None = None


class ToolCall(Message):
    """TODO"""

    MESSAGE = "ToolCall"

    tool: Annotated[str | None, OneOf("tool_identifier"), Reference(("tools",))] = None
    toolset_tool: Annotated[ToolsetTool | None, OneOf("tool_identifier")] = None
    id: str | None = None
    display_name: Annotated[Opaque, OutputOnly()] = None
    args: Struct | None = None


class ToolResponse(Message):
    """TODO"""

    MESSAGE = "ToolResponse"

    tool: Annotated[str | None, OneOf("tool_identifier"), Reference(("tools",))] = None
    toolset_tool: Annotated[ToolsetTool | None, OneOf("tool_identifier")] = None
    id: str | None = None
    display_name: Annotated[Opaque, OutputOnly()] = None
    response: Annotated[Struct | None, Required()] = None


class AgentTransfer(Message):
    """TODO"""

    MESSAGE = "AgentTransfer"

    target_agent: Annotated[str | None, Required(), Reference(("agents",))] = None
    display_name: Annotated[Opaque, OutputOnly()] = None


class Chunk(Message):
    """TODO"""

    MESSAGE = "Chunk"

    text: Annotated[str | None, OneOf("data")] = None
    transcript: Annotated[str | None, OneOf("data")] = None
    blob: Annotated[Blob | None, OneOf("data")] = None
    payload: Annotated[Struct | None, OneOf("data")] = None
    image: Annotated[Image | None, OneOf("data")] = None
    tool_call: Annotated[ToolCall | None, OneOf("data")] = None
    tool_response: Annotated[ToolResponse | None, OneOf("data")] = None
    agent_transfer: Annotated[AgentTransfer | None, OneOf("data")] = None
    updated_variables: Annotated[Struct | None, OneOf("data")] = None
    default_variables: Annotated[Struct | None, OneOf("data")] = None


class ConversationMessage(Message):
    """TODO"""

    MESSAGE = "Message"

    role: str | None = None
    chunks: list[Chunk] | None = None
    event_time: Timestamp | None = None


class Span(Message):
    """TODO"""

    MESSAGE = "Span"

    name: Annotated[Opaque, OutputOnly()] = None
    start_time: Annotated[Opaque, OutputOnly()] = None
    end_time: Annotated[Opaque, OutputOnly()] = None
    duration: Annotated[Opaque, OutputOnly()] = None
    attributes: Annotated[Opaque, OutputOnly()] = None
    child_spans: Annotated[Opaque, OutputOnly()] = None
