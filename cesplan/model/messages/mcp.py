"""Tools of MCP servers: a toolset that reads them, and the tools that come of it."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Falls, Guards, KeyedBy, OutputOnly, Protects, Required, Secrecy, Sensitive
from cesplan.model.messages.authentication import ApiAuthentication
from cesplan.model.messages.connection import ServiceDirectoryConfig, TlsConfig
from cesplan.model.messages.schema import Schema
from cesplan.model.scalars import Opaque


class McpTool(Message):
    """A tool of an MCP server. It comes from an MCP toolset and cannot be created or changed itself."""

    MESSAGE = "McpTool"

    name: Annotated[str | None, Required(refused=True)] = None
    """The name that the model sees."""
    name_override: str | None = None
    """Its other name, where the toolset gives one."""
    description: str | None = None
    """What the tool does, for the model."""
    input_schema: Schema | None = None
    """Its arguments."""
    output_schema: Schema | None = None
    """Its result."""
    server_address: Annotated[str | None, Required()] = None
    """The URL of the server; streamable HTTP only."""
    api_authentication: Annotated[
        ApiAuthentication | None, Protects(Guards.AUTHENTICATION, Falls.WHEN_GONE)
    ] = None
    """How calls are authenticated. A bearer token serves calls only, so listing must work without."""
    tls_config: TlsConfig | None = None
    """Certificates to trust."""
    service_directory_config: ServiceDirectoryConfig | None = None
    """A private address inside a VPC Service Controls perimeter."""
    custom_headers: Annotated[dict[str, str] | None, Sensitive(Secrecy.VARIABLE_ONLY)] = None
    """Headers of every request; each value is `$context.variables.<name>`."""
    state: Annotated[Opaque, OutputOnly()] = None
    """Whether the server still offers it."""


class McpToolOverride(Message):
    """Another name or description for one tool of a toolset."""

    MESSAGE = "McpToolOverride"

    tool: Annotated[str | None, Required()] = None
    """The tool, by the name that the server gives it."""
    name_override: str | None = None
    """Its name for the model."""
    description_override: str | None = None
    """Its description for the model."""
    snapshot: Annotated[Opaque, OutputOnly()] = None
    """The pinned definition, where the tool is pinned."""


class McpToolset(Message):
    """All tools of an MCP server."""

    MESSAGE = "McpToolset"

    server_address: Annotated[str | None, Required()] = None
    """The URL of the server; streamable HTTP only. Servers made with the MCP SDK end in `/mcp/`."""
    api_authentication: Annotated[
        ApiAuthentication | None, Protects(Guards.AUTHENTICATION, Falls.WHEN_GONE)
    ] = None
    """How calls are authenticated. A bearer token serves calls only, so listing must work without."""
    service_directory_config: ServiceDirectoryConfig | None = None
    """A private address inside a VPC Service Controls perimeter."""
    tls_config: TlsConfig | None = None
    """Certificates to trust."""
    custom_headers: Annotated[dict[str, str] | None, Sensitive(Secrecy.VARIABLE_ONLY)] = None
    """Headers of every request; each value is `$context.variables.<name>`."""
    tool_overrides: Annotated[list[McpToolOverride] | None, KeyedBy(("tool",))] = None
    """Other names and descriptions. Found by tool; order means nothing."""
