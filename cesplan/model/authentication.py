"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import AsSet, OneOf, Reference, Required, Secrecy, Sensitive


class RequestLocation(StrEnum):
    """TODO"""

    REQUEST_LOCATION_UNSPECIFIED = "REQUEST_LOCATION_UNSPECIFIED"
    HEADER = "HEADER"
    QUERY_STRING = "QUERY_STRING"


class OauthGrantType(StrEnum):
    """TODO"""

    OAUTH_GRANT_TYPE_UNSPECIFIED = "OAUTH_GRANT_TYPE_UNSPECIFIED"
    CLIENT_CREDENTIAL = "CLIENT_CREDENTIAL"


class ApiKeyConfig(Message):
    """TODO"""

    MESSAGE = "ApiKeyConfig"

    key_name: Annotated[str | None, Required()] = None
    api_key_secret_version: Annotated[
        str | None,
        Required(),
        Reference(pattern="projects/*/secrets/*/versions/*"),
        Sensitive(Secrecy.SECRET_NAME),
    ] = None
    request_location: Annotated[RequestLocation | None, Required()] = None


class OAuthConfig(Message):
    """TODO"""

    MESSAGE = "OAuthConfig"

    oauth_grant_type: Annotated[OauthGrantType | None, Required()] = None
    client_id: Annotated[str | None, Required()] = None
    client_secret_version: Annotated[
        str | None,
        Required(),
        Reference(pattern="projects/*/secrets/*/versions/*"),
        Sensitive(Secrecy.SECRET_NAME),
    ] = None
    token_endpoint: Annotated[str | None, Required()] = None
    scopes: Annotated[list[str] | None, AsSet()] = None


class ServiceAgentIdTokenAuthConfig(Message):
    """TODO"""

    MESSAGE = "ServiceAgentIdTokenAuthConfig"


class ServiceAccountAuthConfig(Message):
    """TODO"""

    MESSAGE = "ServiceAccountAuthConfig"

    service_account: Annotated[str | None, Required()] = None
    scopes: Annotated[list[str] | None, AsSet()] = None


class BearerTokenConfig(Message):
    """TODO"""

    MESSAGE = "BearerTokenConfig"

    token: Annotated[str | None, Required(), Sensitive(Secrecy.VARIABLE_ONLY)] = None


class ApiAuthentication(Message):
    """TODO"""

    MESSAGE = "ApiAuthentication"

    api_key_config: Annotated[ApiKeyConfig | None, OneOf("auth_config")] = None
    oauth_config: Annotated[OAuthConfig | None, OneOf("auth_config")] = None
    service_agent_id_token_auth_config: Annotated[
        ServiceAgentIdTokenAuthConfig | None, OneOf("auth_config")
    ] = None
    service_account_auth_config: Annotated[ServiceAccountAuthConfig | None, OneOf("auth_config")] = None
    bearer_token_config: Annotated[BearerTokenConfig | None, OneOf("auth_config")] = None


class Oauth2AuthCodeConfig(Message):
    """TODO"""

    MESSAGE = "EndUserAuthConfig.Oauth2AuthCodeConfig"

    oauth_token: Annotated[str | None, Required(), Sensitive(Secrecy.VARIABLE_ONLY)] = None


class Oauth2JwtBearerConfig(Message):
    """TODO"""

    MESSAGE = "EndUserAuthConfig.Oauth2JwtBearerConfig"

    issuer: Annotated[str | None, Required(), Sensitive(Secrecy.VARIABLE_ONLY)] = None
    subject: Annotated[str | None, Required(), Sensitive(Secrecy.VARIABLE_ONLY)] = None
    client_key: Annotated[str | None, Required(), Sensitive(Secrecy.VARIABLE_ONLY)] = None


class EndUserAuthConfig(Message):
    """TODO"""

    MESSAGE = "EndUserAuthConfig"

    oauth2_auth_code_config: Annotated[Oauth2AuthCodeConfig | None, OneOf("auth_config")] = None
    oauth2_jwt_bearer_config: Annotated[Oauth2JwtBearerConfig | None, OneOf("auth_config")] = None
