"""Connecting: which service to talk to, and as whom."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from typing import Any

from cesplan.domain.errors import UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.service.endpoint import canonical_endpoint
from cesplan.domain.service.waits import Waits
from cesplan.domain.settings import Settings
from cesplan.domain.value import Secret
from cesplan.remote.client import Client
from cesplan.remote.connecting import Shared, connect
from cesplan.remote.transport import READ_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """
    How to reach the service.

    `emulator` is `host:port` of an emulator; `endpoint` overrides that of cesplan.yaml; `impersonate` is a
    service account, or a chain of them; the quota of `quota_project` is used; `log` receives every exchange,
    without secrets. `confirmed` are the endpoints outside Google that the user named and that may receive
    credentials, as canonical URLs. `shared` is what all clients of one run have in common; its clock can stop
    them all. `waits` receives what waits for a retry. `allowed_secrets` are patterns of sources from which a
    tree may take secrets; `secret_values` are those that were read, by source, and are reused by everything
    that uses this connection.
    """

    emulator: str = ""
    endpoint: str = ""
    impersonate: str = ""
    quota_project: str = ""
    log: Callable[[Any], None] | None = None
    confirmed: frozenset[str] = frozenset()
    shared: Shared | None = None
    waits: Waits | None = None
    allowed_secrets: frozenset[str] = frozenset()
    secret_values: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    def at(self, settings: Settings) -> Settings:
        """The settings with the actual destination of requests. Raises UsageError for an invalid endpoint."""
        endpoint = self.endpoint or settings.endpoint
        try:
            chosen = canonical_endpoint(endpoint)
        except ValueError as error:
            raise UsageError(summary=f"`{endpoint}` is not a usable endpoint: {error}.") from error
        return replace(settings, endpoint=chosen, emulated=bool(self.emulator))


GOOGLE = Connection()
"""The service itself, with the default credentials."""


@contextmanager
def connected(
    connection: Connection,
    settings: Settings,
    *,
    read_only: bool,
    custom: frozenset[str] = frozenset(),
    secrets: Iterable[Secret] = (),
    shared: Shared | None = None,
    read_seconds: float = READ_SECONDS,
) -> Iterator[Client]:
    """
    A client that is closed at the end. A `read_only` one cannot write, except call these `custom` methods.

    Clients with the same `shared`, here or in the connection, share connections, request rate, and login.
    `read_seconds` is the longest pause before and within a response. Error messages of the service never repeat
    one of the `secrets`. Raises NotAuthenticated, Refused, and UsageError.
    """
    with connect(
        settings,
        emulator=connection.emulator,
        impersonate=connection.impersonate,
        quota_project=connection.quota_project,
        read_only=read_only,
        custom=custom,
        log=connection.log,
        secrets=frozenset(item.text for item in secrets),
        confirmed=connection.confirmed,
        shared=shared or connection.shared,
        waits=connection.waits,
        read_seconds=read_seconds,
    ) as client:
        yield client
