"""TODO"""

from typing import Annotated

from cesplan.model.authentication import ApiAuthentication
from cesplan.model.base import Message
from cesplan.model.connection import ServiceDirectoryConfig, TlsConfig
from cesplan.model.marks import KeyedBy, OutputOnly, Required, Secrecy, Sensitive
from cesplan.model.scalars import Opaque
from cesplan.model.schema import Schema


class McpTool(Message):
    """TODO"""

    MESSAGE = "McpTool"

    name: Annotated[str | None, Required()] = None
    name_override: str | None = None
    description: str | None = None
    input_schema: Schema | None = None
    output_schema: Schema | None = None
    server_address: Annotated[str | None, Required()] = None
    api_authentication: ApiAuthentication | None = None
    tls_config: TlsConfig | None = None
    service_directory_config: ServiceDirectoryConfig | None = None
    custom_headers: Annotated[dict[str, str] | None, Sensitive(Secrecy.VARIABLE_ONLY)] = None
    state: Annotated[Opaque, OutputOnly()] = None


class McpToolOverride(Message):
    """TODO"""

    MESSAGE = "McpToolOverride"

    tool: Annotated[str | None, Required()] = None
    name_override: str | None = None
    description_override: str | None = None
    snapshot: Annotated[Opaque, OutputOnly()] = None


class McpToolset(Message):
    """TODO"""

    MESSAGE = "McpToolset"

    server_address: Annotated[str | None, Required()] = None
    api_authentication: ApiAuthentication | None = None
    service_directory_config: ServiceDirectoryConfig | None = None
    tls_config: TlsConfig | None = None
    custom_headers: Annotated[dict[str, str] | None, Sensitive(Secrecy.VARIABLE_ONLY)] = None
    tool_overrides: Annotated[list[McpToolOverride] | None, KeyedBy(("tool",))] = None
