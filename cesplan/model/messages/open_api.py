"""Tools for HTTP APIs described by an OpenAPI document."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import LongText, Required, ServerDefaulted
from cesplan.model.messages.authentication import GuardedAuthentication
from cesplan.model.messages.connection import ServiceDirectoryConfig, TlsConfig


class OpenApiTool(Message):
    """One operation of an API."""

    MESSAGE = "OpenApiTool"

    open_api_schema: Annotated[str | None, Required(), LongText("yaml")] = None
    """The OpenAPI document, YAML or JSON. Best kept in a file."""
    name: Annotated[str | None, ServerDefaulted(derived="operation_id")] = None
    """The name that the model sees; the operationId if absent."""
    description: Annotated[str | None, ServerDefaulted(derived="operation_description")] = None
    """What the tool does. For the model; taken from the operation if absent."""
    api_authentication: GuardedAuthentication = None
    """How calls are authenticated."""
    tls_config: TlsConfig | None = None
    """Certificates to trust."""
    service_directory_config: ServiceDirectoryConfig | None = None
    """A private address inside a VPC Service Controls perimeter."""
    ignore_unknown_fields: bool | None = None
    """If true, unknown fields in responses are ignored."""
    url: str | None = None
    """Only in the environment file of an export: the server URL for `$env_var`."""


class OpenApiToolset(Message):
    """All operations of an API."""

    MESSAGE = "OpenApiToolset"

    open_api_schema: Annotated[str | None, Required(), LongText("yaml")] = None
    """The OpenAPI document, YAML or JSON. Best kept in a file."""
    api_authentication: GuardedAuthentication = None
    """How calls are authenticated."""
    tls_config: TlsConfig | None = None
    """Certificates to trust."""
    service_directory_config: ServiceDirectoryConfig | None = None
    """A private address inside a VPC Service Controls perimeter."""
    ignore_unknown_fields: bool | None = None
    """If true, unknown fields in responses are ignored."""
    url: str | None = None
    """Only in the environment file of an export: the server URL for `$env_var`."""
