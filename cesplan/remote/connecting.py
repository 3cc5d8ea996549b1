"""From settings to a client: where to send requests, with whose credentials, how fast."""

import threading
from collections.abc import Collection

from urllib3 import PoolManager

from cesplan.domain.errors import UsageError
from cesplan.domain.service.endpoint import Endpoint
from cesplan.domain.service.quota import Quotas
from cesplan.domain.service.waits import Waits
from cesplan.domain.settings import Settings
from cesplan.remote.calling import Authorizer, Calling
from cesplan.remote.client import Client
from cesplan.remote.clock import Backoff, Clock
from cesplan.remote.credentials import default_credentials
from cesplan.remote.endpoints import emulator_endpoint, service_endpoint
from cesplan.remote.exchange import Log
from cesplan.remote.fetching import Fetching
from cesplan.remote.long_running import LongRunning, Pace
from cesplan.remote.pools import direct_pool, pool
from cesplan.remote.throttle import Throttles
from cesplan.remote.transport import READ_SECONDS, READING, WRITING, Transport

_NO_EMULATOR = (
    "No emulator is running at {0}. Start one:\n\n"
    "    cesplan emulator serve\n\n"
    "or correct CES_EMULATOR_HOST, or unset it to use the service."
)


_SHARED = 64
"""Connections that several clients keep: each lists its kinds side by side."""


class Shared:
    """
    What the clients of one run share: connections, the quotas of each service, one login, the request to stop.

    The quota is of a project, not of a client. Safe to share between threads.
    """

    def __init__(self) -> None:
        self.clock = Clock()
        self._lock = threading.Lock()
        self._pools: dict[tuple[str, bool], PoolManager] = {}
        self._throttles: dict[tuple[str, Quotas], Throttles] = {}
        self._logins: dict[str, Authorizer] = {}

    def pool(self, endpoint: Endpoint, *, direct: bool) -> PoolManager:
        """The connections to one service; `direct` ones never go through a proxy."""
        with self._lock:
            key = (str(endpoint), direct)
            if key not in self._pools:
                self._pools[key] = direct_pool(size=_SHARED) if direct else pool(endpoint, _SHARED)
            return self._pools[key]

    def close(self) -> None:
        """Close all connections."""
        for found in self._pools.values():
            found.clear()

    def throttles(self, endpoint: str, quotas: Quotas) -> Throttles:
        """What keeps the requests to one service within its quotas."""
        with self._lock:
            return self._throttles.setdefault((endpoint, quotas), Throttles(quotas, self.clock))

    def login(self, impersonate: str) -> Authorizer:
        """The credentials. Raises NotAuthenticated if there are none."""
        with self._lock:
            if impersonate not in self._logins:
                self._logins[impersonate] = default_credentials(impersonate)
            return self._logins[impersonate]


def connect(
    settings: Settings,
    *,
    emulator: str = "",
    impersonate: str = "",
    quota_project: str = "",
    read_only: bool = True,
    custom: frozenset[str] = frozenset(),
    log: Log | None = None,
    secrets: Collection[str] = (),
    confirmed: Collection[str] = (),
    shared: Shared | None = None,
    read_seconds: float = READ_SECONDS,
    waits: Waits | None = None,
) -> Client:
    """
    A client for the service that the settings name; nothing is sent yet but for credentials.

    `emulator` is `host:port`: plain HTTP, no credentials, no quotas. `impersonate` is a service account.
    `quota_project` pays for the requests (x-goog-user-project). A client that is `read_only` raises
    ForbiddenMethod before it would write; `custom` are the custom methods that it may call. `log` hears of
    every exchange. `secrets` are texts that no error may repeat. `confirmed` are endpoints that the user named.
    `shared` is what this client has in common with others. `read_seconds` is the longest silence before and in
    an answer. `waits` hears of waits before retries. Raises NotAuthenticated; before that UsageError for an
    endpoint that cannot be one, and Refused for one that is neither Google's nor confirmed.
    """
    if problem := settings.problem:
        raise UsageError(summary=f"{problem[0].upper()}{problem[1:]}.")
    endpoint = emulator_endpoint(emulator) if emulator else service_endpoint(settings, confirmed)
    transport = Transport(
        endpoint=endpoint,
        pool=_pool(endpoint, shared, direct=bool(emulator)),
        keeps_pool=shared is not None,
        methods=READING if read_only else WRITING,
        custom=custom,
        api_version=settings.api_version,
        headers={"x-goog-user-project": quota_project} if quota_project else {},
        log=log,
        read_seconds=read_seconds,
    )
    common = shared or Shared()
    return assemble(
        transport,
        credentials=None if emulator else common.login(impersonate),
        api_version=settings.api_version,
        throttles=common.throttles(str(endpoint), Quotas() if emulator else settings.quotas),
        clock=common.clock,
        unreachable=_NO_EMULATOR.format(emulator) if emulator else "",
        secrets=secrets,
        waits=waits,
    )


def _pool(endpoint: Endpoint, shared: Shared | None, *, direct: bool) -> PoolManager:
    if shared is not None:
        return shared.pool(endpoint, direct=direct)
    return direct_pool() if direct else pool(endpoint)


def assemble(
    transport: Transport,
    *,
    credentials: Authorizer | None,
    api_version: str,
    clock: Clock,
    throttles: Throttles | None = None,
    unreachable: str = "",
    secrets: Collection[str] = (),
    waits: Waits | None = None,
) -> Client:
    """
    A client over a transport: what `connect` does once it knows where and who.

    Without `throttles` there is no limit on requests.
    """
    calling = Calling(
        transport=transport,
        credentials=credentials,
        throttles=throttles or Throttles(Quotas(), clock),
        clock=clock,
        backoff=Backoff(),
        unreachable=unreachable,
        secrets=secrets,
        waits=waits,
    )
    return Client(
        transport=transport,
        calling=calling,
        fetching=Fetching(calling=calling, api_version=api_version, clock=clock),
        long_running=LongRunning(calling=calling, clock=clock, pace=Pace()),
        halt=clock.halt,
    )
