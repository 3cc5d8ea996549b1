"""
Credentials: Google's application default credentials, and impersonation with them.

google-auth is imported only inside the functions of this module, so that runs against an emulator do not load
it.
"""

import os
import threading
import warnings
from collections.abc import Mapping
from typing import Any, Protocol

from cesplan.domain.errors import CesplanError, NotAuthenticated, Unavailable
from cesplan.remote.pools import pool

SCOPES = ("https://www.googleapis.com/auth/cloud-platform",)
"""
The API accepts this or its own `auth/ces` (docs/api-facts.md). Impersonation and user logins need this one.
"""

WHAT_TO_DO = (
    "Log in:\n\n"
    "    gcloud auth application-default login\n\n"
    "or set GOOGLE_APPLICATION_CREDENTIALS to a credentials file (a service account or workload identity), "
    "or use the emulator, which needs no account: --emulator"
)


class GoogleCredentials(Protocol):
    """The part of google.auth.credentials.Credentials in use; the library has no types."""

    @property
    def valid(self) -> bool: ...

    def refresh(self, request: Any) -> None: ...

    def apply(self, headers: dict[str, str]) -> None: ...


class Credentials:
    """Provides the authorization headers, and renews the token. Safe to share between threads."""

    def __init__(self, source: GoogleCredentials, *, http: Any = None) -> None:
        """`http` is a urllib3 pool for token endpoints; None uses google-auth's own."""
        from google.auth.transport import urllib3 as google_transport

        untyped: Any = google_transport
        self._source = source
        self._request = untyped.Request(pool() if http is None else http)
        self._lock = threading.Lock()

    def headers(self) -> Mapping[str, str]:
        """Authorization, and x-goog-user-project if the credentials name a quota project."""
        with self._lock:
            if not self._source.valid:
                self._refresh()
            headers: dict[str, str] = {}
            self._source.apply(headers)
            return headers

    def renew(self, refused: Mapping[str, str]) -> None:
        """Get a new token, unless another thread has done so since it returned these headers."""
        with self._lock:
            current: dict[str, str] = {}
            self._source.apply(current)
            if current == dict(refused):
                self._refresh()

    def _refresh(self) -> None:
        from google.auth.exceptions import GoogleAuthError

        try:
            self._source.refresh(self._request)
        except GoogleAuthError as error:
            raise _translated(error) from error


def default_credentials(impersonate: str = "") -> Credentials:
    """
    Application default credentials; `impersonate` is a service account, or a chain `delegate,…,account`.

    Raises NotAuthenticated if there are none.
    """
    from google.auth.exceptions import GoogleAuthError

    try:
        with warnings.catch_warnings():
            # It warns about user credentials without a quota project. The API reports this itself if it
            # matters.
            warnings.simplefilter("ignore", UserWarning)
            # It warns about credentials from strangers, but the file is the user's own.
            warnings.simplefilter("ignore", DeprecationWarning)
            source = _application_default()
    except GoogleAuthError as error:
        raise _translated(error) from error
    return Credentials(impersonated(source, impersonate) if impersonate else source)


def _application_default() -> GoogleCredentials:
    """
    Like `google.auth.default`, but without looking up a project, which cesplan does not need.

    To look it up, google.auth starts `gcloud` from the PATH, and on Windows from the current folder (which may
    be a tree from a stranger), or it needs `requests`, which is not a dependency.
    """
    import google.auth
    from google.auth import _cloud_sdk, credentials
    from google.auth.transport import urllib3 as google_transport

    untyped: Any = google.auth
    cloud_sdk: Any = _cloud_sdk
    scoping: Any = credentials
    transport: Any = google_transport
    login: str = cloud_sdk.get_application_default_credentials_path()
    file = os.environ.get("GOOGLE_APPLICATION_CREDENTIALS", "") or (login if os.path.isfile(login) else "")
    if file:
        source, _ = untyped.load_credentials_from_file(file, request=transport.Request(pool()))
    else:
        source, _ = untyped.default(scopes=SCOPES)
    scoped: GoogleCredentials = scoping.with_scopes_if_required(source, SCOPES)
    return scoped


def impersonated(source: GoogleCredentials, chain: str, *, endpoint: str = "") -> GoogleCredentials:
    """
    Short-lived credentials for the last account in the chain. The others are delegates, in order.

    `endpoint` replaces the URL of generateAccessToken (IAM Service Account Credentials API).
    """
    from google.auth import impersonated_credentials

    untyped: Any = impersonated_credentials
    *delegates, principal = [account.strip() for account in chain.split(",")]
    credentials: GoogleCredentials = untyped.Credentials(
        source_credentials=source,
        target_principal=principal,
        target_scopes=list(SCOPES),
        delegates=delegates,
        iam_endpoint_override=endpoint or None,
    )
    return credentials


def _translated(error: Exception) -> CesplanError:
    from google.auth.exceptions import DefaultCredentialsError, TransportError

    reason = str(error.args[0] if error.args else error).strip().partition("\n")[0]
    if isinstance(error, TransportError):
        return Unavailable(summary=f"Could not get an access token: {reason}", status="UNAVAILABLE")
    if isinstance(error, DefaultCredentialsError):
        return NotAuthenticated(summary="No usable Google credentials.", detail=f"{reason}\n{WHAT_TO_DO}")
    if "impersonated" in reason:
        needed = (
            "Your account needs roles/iam.serviceAccountTokenCreator on the service account to impersonate."
        )
        return NotAuthenticated(summary=reason, detail=needed)
    return NotAuthenticated(summary=f"The Google credentials were rejected: {reason}", detail=WHAT_TO_DO)
