"""Tools: what agents can do. Each tool has one type; the smaller types are defined here."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.marks import (
    AsSet,
    AtMost,
    Etag,
    Identifier,
    LongText,
    OneOf,
    OutputOnly,
    Reference,
    Renamed,
    Required,
)
from cesplan.model.messages.connector import ConnectorTool
from cesplan.model.messages.data_store_tool import DataStoreTool
from cesplan.model.messages.enums import ExecutionType
from cesplan.model.messages.mcp import McpTool
from cesplan.model.messages.open_api import OpenApiTool
from cesplan.model.messages.python_function import PythonFunction
from cesplan.model.messages.remote_agent_tool import RemoteAgentTool
from cesplan.model.messages.schema import Schema
from cesplan.model.messages.tool_fake import ToolFakeConfig
from cesplan.model.messages.widget_tool import WidgetTool
from cesplan.model.scalars import Duration, Opaque


class CorpusType(StrEnum):
    """Who owns the files of a file search."""

    CORPUS_TYPE_UNSPECIFIED = "CORPUS_TYPE_UNSPECIFIED"
    """The same as FULLY_MANAGED."""
    USER_OWNED = "USER_OWNED"
    """You own the files."""
    FULLY_MANAGED = "FULLY_MANAGED"
    """The service creates and manages the files."""


class ClientFunction(Message):
    """A function that the client runs: the service calls it, and the client returns the result."""

    MESSAGE = "ClientFunction"

    name: Annotated[str | None, Required(refused=True)] = None
    """The name that the model sees; also the display name of the tool."""
    description: str | None = None
    """What it does, for the model."""
    parameters: Schema | None = None
    """Its arguments."""
    response: Schema | None = None
    """Its result."""


class SearchPromptConfig(Message):
    """How search results become answers."""

    MESSAGE = "GoogleSearchTool.PromptConfig"

    text_prompt: Annotated[str | None, LongText("markdown")] = None
    """For chat; a default prompt of the service if absent."""
    voice_prompt: Annotated[str | None, LongText("markdown")] = None
    """For voice; a default prompt of the service if absent."""


class GoogleSearchTool(Message):
    """A search of the web."""

    MESSAGE = "GoogleSearchTool"

    name: Annotated[str | None, Required(refused=True)] = None
    """The name that the model sees; also the display name of the tool."""
    description: str | None = None
    """When to use it, for the model."""
    context_urls: Annotated[list[str] | None, AsSet(), AtMost(20)] = None
    """Pages to read directly, at most 20. Order does not matter."""
    preferred_domains: Annotated[list[str] | None, AsSet(), AtMost(20)] = None
    """The only domains to search, at most 20. Order does not matter."""
    exclude_domains: Annotated[list[str] | None, AsSet(), AtMost(2000)] = None
    """Domains to exclude, at most 2000. Order does not matter."""
    prompt_config: SearchPromptConfig | None = None
    """How results become answers."""


class FileSearchTool(Message):
    """A search in files."""

    MESSAGE = "FileSearchTool"

    corpus_type: CorpusType | None = None
    """Who owns the files; FULLY_MANAGED if absent."""
    name: Annotated[str | None, Required(refused=True)] = None
    """The name that the model sees; also the display name of the tool."""
    description: str | None = None
    """What the tool can find. For the model."""
    file_corpus: Annotated[str | None, Reference(pattern="projects/*/locations/*/ragCorpora/*")] = None
    """Your own corpus, by resource name."""


class SystemTool(Message):
    """A built-in tool of the service, such as `end_session`. Referenced by name, never managed."""

    MESSAGE = "SystemTool"

    name: Annotated[str | None, Required(refused=True)] = None
    """Its name."""
    description: Annotated[Opaque, OutputOnly()] = None
    """What it does."""


class AgentTool(Message):
    """A tool that calls another agent and returns its response."""

    MESSAGE = "AgentTool"

    name: Annotated[str | None, Required(refused=True)] = None
    """The name that the model sees; also the display name of the tool."""
    description: str | None = None
    """When to use it, for the model."""
    agent: Annotated[str | None, Reference(("agents",)), Renamed("rootAgent")] = None
    """The agent to call, by key."""


class Tool(Resource):
    """Something that agents can do. It has exactly one type, which also provides its display name."""

    MESSAGE = "Tool"

    client_function: Annotated[ClientFunction | None, OneOf("tool_type")] = None
    """A function that the client runs."""
    open_api_tool: Annotated[OpenApiTool | None, OneOf("tool_type")] = None
    """An operation of an HTTP API."""
    google_search_tool: Annotated[GoogleSearchTool | None, OneOf("tool_type")] = None
    """A search of the web."""
    connector_tool: Annotated[ConnectorTool | None, OneOf("tool_type")] = None
    """An action on a connection."""
    data_store_tool: Annotated[DataStoreTool | None, OneOf("tool_type")] = None
    """A search in data stores."""
    python_function: Annotated[PythonFunction | None, OneOf("tool_type")] = None
    """A Python function."""
    mcp_tool: Annotated[McpTool | None, OneOf("tool_type")] = None
    """A tool of an MCP server; comes from a toolset, not from a file."""
    file_search_tool: Annotated[FileSearchTool | None, OneOf("tool_type")] = None
    """A search in files."""
    system_tool: Annotated[SystemTool | None, OneOf("tool_type")] = None
    """A built-in tool of the service; not for files."""
    agent_tool: Annotated[AgentTool | None, OneOf("tool_type")] = None
    """Another agent."""
    widget_tool: Annotated[WidgetTool | None, OneOf("tool_type")] = None
    """A widget shown to the user."""
    remote_agent_tool: Annotated[RemoteAgentTool | None, OneOf("tool_type")] = None
    """A remote agent."""
    name: Annotated[str | None, Identifier()] = None
    """The resource name. It is derived from the path of the file; do not set it in a file."""
    display_name: Annotated[Opaque, OutputOnly()] = None
    """The display name, from its type."""
    execution_type: ExecutionType | None = None
    """Whether the conversation waits for it; SYNCHRONOUS if absent."""
    timeout: Duration | None = None
    """The timeout, such as `10s`. The default is 30 s if the conversation waits, else 60 s."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last updated."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write. cesplan manages it; do not set it in a file."""
    generated_summary: Annotated[Opaque, OutputOnly()] = None
    """A description by the assistant, if it created the tool."""
    tool_fake_config: ToolFakeConfig | None = None
    """What responds instead of it in tests."""
    read_only: Annotated[Opaque, OutputOnly()] = None
    """True if it cannot be changed."""
