"""Tools of MCP servers: a toolset that lists them, and the tools in it."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import KeyedBy, OutputOnly, Required, Secrecy, Sensitive
from cesplan.model.messages.authentication import GuardedAuthentication
from cesplan.model.messages.connection import ServiceDirectoryConfig, TlsConfig
from cesplan.model.messages.schema import Schema
from cesplan.model.scalars import Opaque


class McpTool(Message):
    """A tool of an MCP server. It comes from an MCP toolset and cannot be created or changed directly."""

    MESSAGE = "McpTool"

    name: Annotated[str | None, Required(refused=True)] = None
    """The name that the model sees."""
    name_override: str | None = None
    """Its new name, if the toolset overrides it."""
    description: str | None = None
    """What the tool does, for the model."""
    input_schema: Schema | None = None
    """Its arguments."""
    output_schema: Schema | None = None
    """Its result."""
    server_address: Annotated[str | None, Required()] = None
    """The URL of the server; streamable HTTP only."""
    api_authentication: GuardedAuthentication = None
    """How calls are authenticated. A bearer token is only sent with calls, so listing must work without one."""
    tls_config: TlsConfig | None = None
    """Certificates to trust."""
    service_directory_config: ServiceDirectoryConfig | None = None
    """A private address inside a VPC Service Controls perimeter."""
    custom_headers: Annotated[dict[str, str] | None, Sensitive(Secrecy.VARIABLE_ONLY)] = None
    """Headers for every request; each value is `$context.variables.<name>`."""
    state: Annotated[Opaque, OutputOnly()] = None
    """Whether the server still offers it."""


class McpToolOverride(Message):
    """Overrides the name or description of one tool in a toolset."""

    MESSAGE = "McpToolOverride"

    tool: Annotated[str | None, Required()] = None
    """The tool, by its name on the server."""
    name_override: str | None = None
    """Its name for the model."""
    description_override: str | None = None
    """Its description for the model."""
    snapshot: Annotated[Opaque, OutputOnly()] = None
    """The pinned definition, if the tool is pinned."""


class McpToolset(Message):
    """All tools of an MCP server."""

    MESSAGE = "McpToolset"

    server_address: Annotated[str | None, Required()] = None
    """The URL of the server; streamable HTTP only. URLs of servers built with the MCP SDK end in `/mcp/`."""
    api_authentication: GuardedAuthentication = None
    """How calls are authenticated. A bearer token is only sent with calls, so listing must work without one."""
    service_directory_config: ServiceDirectoryConfig | None = None
    """A private address inside a VPC Service Controls perimeter."""
    tls_config: TlsConfig | None = None
    """Certificates to trust."""
    custom_headers: Annotated[dict[str, str] | None, Sensitive(Secrecy.VARIABLE_ONLY)] = None
    """Headers for every request; each value is `$context.variables.<name>`."""
    tool_overrides: Annotated[list[McpToolOverride] | None, KeyedBy(("tool",))] = None
    """Overrides of names and descriptions. Identified by tool; order does not matter."""
