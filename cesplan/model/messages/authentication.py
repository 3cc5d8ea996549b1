"""Authentication of outgoing calls: of tools to their APIs, and of end users to connections."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import (
    AsSet,
    Falls,
    Guards,
    OneOf,
    Protects,
    Reference,
    Required,
    Secrecy,
    Sensitive,
)

SecretVersion = Annotated[
    str | None,
    Required(),
    Reference(pattern="projects/*/secrets/*/versions/*"),
    Sensitive(Secrecy.SECRET_NAME),
]
"""A version in Secret Manager, by its resource name."""


class RequestLocation(StrEnum):
    """Where an API key is sent."""

    REQUEST_LOCATION_UNSPECIFIED = "REQUEST_LOCATION_UNSPECIFIED"
    HEADER = "HEADER"
    QUERY_STRING = "QUERY_STRING"


class OauthGrantType(StrEnum):
    """The supported OAuth flows: only one."""

    OAUTH_GRANT_TYPE_UNSPECIFIED = "OAUTH_GRANT_TYPE_UNSPECIFIED"
    CLIENT_CREDENTIAL = "CLIENT_CREDENTIAL"


class ApiKeyConfig(Message):
    """An API key, sent with every request."""

    MESSAGE = "ApiKeyConfig"

    key_name: Annotated[str | None, Required()] = None
    """The name of the header or query parameter."""
    api_key_secret_version: SecretVersion = None
    """The Secret Manager version that holds the key; readable by the CES service agent."""
    request_location: Annotated[RequestLocation | None, Required()] = None
    """In a header or in the query."""


class OAuthConfig(Message):
    """A token from an OAuth provider, by client credentials."""

    MESSAGE = "OAuthConfig"

    oauth_grant_type: Annotated[OauthGrantType | None, Required()] = None
    """Always CLIENT_CREDENTIAL."""
    client_id: Annotated[str | None, Required()] = None
    """The client id at the provider."""
    client_secret_version: SecretVersion = None
    """The Secret Manager version that holds the client secret; readable by the CES service agent."""
    token_endpoint: Annotated[str | None, Required()] = None
    """The token endpoint URL."""
    scopes: Annotated[list[str] | None, AsSet()] = None
    """The scopes to request. Order does not matter."""


class ServiceAgentIdTokenAuthConfig(Message):
    """An ID token of the CES service agent; it has nothing to configure."""

    MESSAGE = "ServiceAgentIdTokenAuthConfig"


class ServiceAccountAuthConfig(Message):
    """An access token of your service account."""

    MESSAGE = "ServiceAccountAuthConfig"

    service_account: Annotated[str | None, Required()] = None
    """Its email address. The CES service agent needs `roles/iam.serviceAccountTokenCreator` on it."""
    scopes: Annotated[list[str] | None, AsSet()] = None
    """The scopes to request; `cloud-platform` if absent. Order does not matter."""


class BearerTokenConfig(Message):
    """A bearer token from a session variable."""

    MESSAGE = "BearerTokenConfig"

    token: Annotated[str | None, Required(), Sensitive(Secrecy.VARIABLE_ONLY)] = None
    """`$context.variables.<name>`: the variable that holds the token, never the token itself."""


class ApiAuthentication(Message):
    """How a tool authenticates to an API. At most one method."""

    MESSAGE = "ApiAuthentication"

    api_key_config: Annotated[ApiKeyConfig | None, OneOf("auth_config")] = None
    """By an API key."""
    oauth_config: Annotated[OAuthConfig | None, OneOf("auth_config")] = None
    """By OAuth client credentials."""
    service_agent_id_token_auth_config: Annotated[
        ServiceAgentIdTokenAuthConfig | None, OneOf("auth_config")
    ] = None
    """By an ID token of the CES service agent."""
    service_account_auth_config: Annotated[ServiceAccountAuthConfig | None, OneOf("auth_config")] = None
    """By a service account."""
    bearer_token_config: Annotated[BearerTokenConfig | None, OneOf("auth_config")] = None
    """By a token from a session variable."""


GuardedAuthentication = Annotated[ApiAuthentication | None, Protects(Guards.AUTHENTICATION, Falls.WHEN_GONE)]
"""The authentication of calls. To remove it weakens protection."""


class Oauth2AuthCodeConfig(Message):
    """A token that the end user obtained with an authorization code."""

    MESSAGE = "EndUserAuthConfig.Oauth2AuthCodeConfig"

    oauth_token: Annotated[str | None, Required(), Sensitive(Secrecy.VARIABLE_ONLY)] = None
    """`$context.variables.<name>`: the variable that holds the token."""


class Oauth2JwtBearerConfig(Message):
    """A JWT assertion on behalf of the end user. All values are names of session variables."""

    MESSAGE = "EndUserAuthConfig.Oauth2JwtBearerConfig"

    issuer: Annotated[str | None, Required(), Sensitive(Secrecy.VARIABLE_ONLY)] = None
    """`$context.variables.<name>`: the issuer."""
    subject: Annotated[str | None, Required(), Sensitive(Secrecy.VARIABLE_ONLY)] = None
    """`$context.variables.<name>`: the subject."""
    client_key: Annotated[str | None, Required(), Sensitive(Secrecy.VARIABLE_ONLY)] = None
    """`$context.variables.<name>`: the client key."""


class EndUserAuthConfig(Message):
    """Calls a connection as the end user instead of its administrator. At most one method."""

    MESSAGE = "EndUserAuthConfig"

    oauth2_auth_code_config: Annotated[Oauth2AuthCodeConfig | None, OneOf("auth_config")] = None
    """By an authorization code."""
    oauth2_jwt_bearer_config: Annotated[Oauth2JwtBearerConfig | None, OneOf("auth_config")] = None
    """By a JWT assertion."""
