"""TODO"""

from typing import Annotated

from cesplan.model.authentication import ApiAuthentication
from cesplan.model.base import Message
from cesplan.model.connection import ServiceDirectoryConfig, TlsConfig
from cesplan.model.marks import LongText, Required


class OpenApiTool(Message):
    """TODO"""

    MESSAGE = "OpenApiTool"

    open_api_schema: Annotated[str | None, Required(), LongText("yaml")] = None
    name: str | None = None
    description: str | None = None
    api_authentication: ApiAuthentication | None = None
    tls_config: TlsConfig | None = None
    service_directory_config: ServiceDirectoryConfig | None = None
    ignore_unknown_fields: bool | None = None
    url: str | None = None


class OpenApiToolset(Message):
    """TODO"""

    MESSAGE = "OpenApiToolset"

    open_api_schema: Annotated[str | None, Required(), LongText("yaml")] = None
    api_authentication: ApiAuthentication | None = None
    tls_config: TlsConfig | None = None
    service_directory_config: ServiceDirectoryConfig | None = None
    ignore_unknown_fields: bool | None = None
    url: str | None = None
