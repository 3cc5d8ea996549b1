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
    """Tools from one source that follow its changes."""

    MESSAGE = "Toolset"

    mcp_toolset: Annotated[McpToolset | None, OneOf("toolset_type")] = None
    """The tools of an MCP server."""
    open_api_toolset: Annotated[OpenApiToolset | None, OneOf("toolset_type")] = None
    """The operations of an HTTP API."""
    connector_toolset: Annotated[ConnectorToolset | None, OneOf("toolset_type")] = None
    """Actions on a connection."""
    name: Annotated[str | None, Identifier()] = None
    """The resource name. It is derived from the path of the file; do not set it in a file."""
    display_name: str | None = None
    """The display name; unique in the app."""
    description: str | None = None
    """The purpose of its tools."""
    timeout: Duration | None = None
    """The timeout of a tool, such as `10s`. The default is 30 s if the conversation waits, else 60 s."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last updated."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write. cesplan manages it; do not set it in a file."""
    execution_type: ExecutionType | None = None
    """Whether the conversation waits for its tools; SYNCHRONOUS if absent."""
    tool_fake_config: ToolFakeConfig | None = None
    """What responds instead of the tools in tests."""
