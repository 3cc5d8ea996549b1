"""From settings to a client: the endpoint, the credentials, and the rate of requests."""

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
"""The number of connections that several clients share. Each client lists its kinds concurrently."""


class Shared:
    """
    Everything that the clients of one run share: connections, the quotas of each service, one login, the stop
    request.

    A quota belongs to a project, not to a client. Safe to share between threads.
    """

    def __init__(self) -> None:
        self.clock = Clock()
        self._lock = threading.Lock()
        self._pools: dict[tuple[str, bool], PoolManager] = {}
        self._throttles: dict[tuple[str, Quotas], Throttles] = {}
        self._logins: dict[str, Authorizer] = {}

    def pool(self, endpoint: Endpoint, *, direct: bool) -> PoolManager:
        """The connections to one service. `direct` ones never use a proxy."""
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
        """The throttles that keep the requests to one service within its quotas."""
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
    A client for the service in the settings. Nothing is sent yet, except to get credentials.

    `emulator` is `host:port`: plain HTTP, no credentials, no quotas. `impersonate` is a service account.
    `quota_project` pays for the requests (x-goog-user-project). A `read_only` client raises ForbiddenMethod
    instead of writing; `custom` are the custom methods that it may call. `log` is called for every exchange.
    `secrets` are texts that no error may contain. `confirmed` are endpoints that the user named. `shared` is
    what this client shares with others. `read_seconds` is the longest silence before and during a response.
    `waits` records the waits before retries. Raises UsageError for an invalid endpoint, Refused for one that is
    neither Google's nor confirmed, and NotAuthenticated.
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
    A client over a transport: the second half of `connect`, after endpoint and credentials are known.

    Without `throttles`, requests are not limited.
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
