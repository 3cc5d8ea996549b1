"""Parts of conversations in examples and evaluations: messages, tool calls and their results."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Choices, OneOf, OutputOnly, Reference, Required
from cesplan.model.scalars import Bytes, Opaque, Struct, Timestamp


class Blob(Message):
    """Data of any type."""

    MESSAGE = "Blob"

    mime_type: Annotated[str | None, Required()] = None
    """Its MIME type."""
    data: Annotated[Bytes | None, Required()] = None
    """The data as base64."""


class Image(Message):
    """A picture."""

    MESSAGE = "Image"

    mime_type: Annotated[str | None, Required(), Choices(("image/png", "image/jpeg", "image/webp"))] = None
    """`image/png`, `image/jpeg`, or `image/webp`."""
    data: Annotated[Bytes | None, Required()] = None
    """The picture as base64."""
    alt_text: str | None = None
    """A description of the picture."""


class ToolsetTool(Message):
    """A tool that comes from a toolset."""

    MESSAGE = "ToolsetTool"

    toolset: Annotated[str | None, Required(), Reference(("toolsets",))] = None
    """The toolset, by key."""
    tool_id: str | None = None
    """Its id in the toolset (operationId or MCP name)."""


class ToolCall(Message):
    """A call of a tool."""

    MESSAGE = "ToolCall"

    tool: Annotated[str | None, OneOf("tool_identifier"), Reference(("tools",))] = None
    """The tool, by key; or a system tool by its name."""
    toolset_tool: Annotated[ToolsetTool | None, OneOf("tool_identifier")] = None
    """A tool of a toolset."""
    id: str | None = None
    """Ties the call to its response."""
    display_name: Annotated[Opaque, OutputOnly()] = None
    """The display name."""
    args: Struct | None = None
    """The arguments."""
    agent_name: Annotated[Opaque, OutputOnly()] = None
    """The agent that called."""
    parent_tool_call_id: Annotated[Opaque, OutputOnly()] = None
    """The call within which it was made."""


class ToolResponse(Message):
    """The result of a call."""

    MESSAGE = "ToolResponse"

    tool: Annotated[str | None, OneOf("tool_identifier"), Reference(("tools",))] = None
    """The tool, by key; or a system tool by its name."""
    toolset_tool: Annotated[ToolsetTool | None, OneOf("tool_identifier")] = None
    """A tool of a toolset."""
    id: str | None = None
    """The id of the call."""
    display_name: Annotated[Opaque, OutputOnly()] = None
    """The display name."""
    response: Annotated[Struct | None, Required()] = None
    """The result: under `output`, errors under `error`; without either key the whole is the result."""
    agent_name: Annotated[Opaque, OutputOnly()] = None
    """The agent that called."""
    parent_tool_call_id: Annotated[Opaque, OutputOnly()] = None
    """The call within which it was made."""


class AgentTransfer(Message):
    """A hand-over to another agent."""

    MESSAGE = "AgentTransfer"

    target_agent: Annotated[str | None, Required(), Reference(("agents",))] = None
    """The agent that takes over, by key."""
    display_name: Annotated[Opaque, OutputOnly()] = None
    """The name of the agent."""


class Chunk(Message):
    """A piece of a message; exactly one of its kinds."""

    MESSAGE = "Chunk"

    text: Annotated[str | None, OneOf("data")] = None
    """Words."""
    transcript: Annotated[str | None, OneOf("data")] = None
    """What was said in audio."""
    blob: Annotated[Blob | None, OneOf("data")] = None
    """Data of any type."""
    payload: Annotated[Struct | None, OneOf("data")] = None
    """A structure of your own."""
    image: Annotated[Image | None, OneOf("data")] = None
    """A picture."""
    tool_call: Annotated[ToolCall | None, OneOf("data")] = None
    """A call of a tool."""
    tool_response: Annotated[ToolResponse | None, OneOf("data")] = None
    """The result of a call."""
    agent_transfer: Annotated[AgentTransfer | None, OneOf("data")] = None
    """A hand-over."""
    updated_variables: Annotated[Struct | None, OneOf("data")] = None
    """Variables that change here, by name."""
    default_variables: Annotated[Struct | None, OneOf("data")] = None
    """Variables as the conversation begins, by name."""


class ConversationMessage(Message):
    """What someone says in one go."""

    MESSAGE = "Message"

    role: str | None = None
    """Who, such as `user` or `agent`."""
    chunks: list[Chunk] | None = None
    """What, piece by piece, in order."""
    event_time: Timestamp | None = None
    """When. Not for examples."""


class Span(Message):
    """A measured step of processing; there is nothing to set."""

    MESSAGE = "Span"

    name: Annotated[Opaque, OutputOnly()] = None
    """What was measured."""
    start_time: Annotated[Opaque, OutputOnly()] = None
    """When it began."""
    end_time: Annotated[Opaque, OutputOnly()] = None
    """When it ended."""
    duration: Annotated[Opaque, OutputOnly()] = None
    """How long it took."""
    attributes: Annotated[Opaque, OutputOnly()] = None
    """Details."""
    child_spans: Annotated[Opaque, OutputOnly()] = None
    """Steps inside it."""
