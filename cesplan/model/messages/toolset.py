"""Toolsets: many tools from one source."""

from typing import Annotated

from cesplan.model.base import Resource
from cesplan.model.marks import Etag, Identifier, OneOf, OutputOnly
from cesplan.model.messages.connector import ConnectorToolset
from cesplan.model.messages.enums import ExecutionType
from cesplan.model.messages.mcp import McpToolset
from cesplan.model.messages.open_api import OpenApiToolset
from cesplan.model.messages.tool_fake import ToolFakeConfig
from cesplan.model.scalars import Duration, Opaque


class Toolset(Resource):
    """Tools that come from one source and follow it."""

    MESSAGE = "Toolset"

    mcp_toolset: Annotated[McpToolset | None, OneOf("toolset_type")] = None
    """The tools of an MCP server."""
    open_api_toolset: Annotated[OpenApiToolset | None, OneOf("toolset_type")] = None
    """The operations of an HTTP API."""
    connector_toolset: Annotated[ConnectorToolset | None, OneOf("toolset_type")] = None
    """Actions on a connection."""
    name: Annotated[str | None, Identifier()] = None
    """The resource name; it follows from where the file is, and is never written there."""
    display_name: str | None = None
    """The name that people see; unique in the app."""
    description: str | None = None
    """What its tools are for."""
    timeout: Duration | None = None
    """The longest a tool may take, such as `10s`; 30 s when the conversation waits, else 60 s."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last changed."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write; kept by cesplan, never written in a file."""
    execution_type: ExecutionType | None = None
    """Whether the conversation waits for its tools; it does when absent."""
    tool_fake_config: ToolFakeConfig | None = None
    """What answers instead of them in tests."""
