"""Connection pools: TLS as the system trusts it, and the proxies that the environment names."""

import urllib.request
from urllib.parse import unquote, urlsplit

import urllib3

from cesplan.domain.service.endpoint import SERVICE, Endpoint
from cesplan.remote.deadlines import ANSWER_SECONDS, pool_classes

CONNECTIONS = 16
"""At least the number of workers, so that none opens a connection of its own for each request."""


def pool(endpoint: Endpoint = SERVICE, size: int = CONNECTIONS) -> urllib3.PoolManager:
    """
    A pool that keeps `size` connections to an endpoint; without one, for token endpoints of Google.

    HTTPS_PROXY, ALL_PROXY and NO_PROXY are heeded, in either case (as curl and requests do).
    """
    proxy = _proxy_for(endpoint)
    if not proxy:
        return direct_pool(size=size)
    address = proxy if "://" in proxy else f"http://{proxy}"
    made = urllib3.ProxyManager(address, maxsize=size, proxy_headers=_proxy_headers(address))
    made.pool_classes_by_scheme = pool_classes()
    return made


def direct_pool(answer_seconds: float = ANSWER_SECONDS, size: int = CONNECTIONS) -> urllib3.PoolManager:
    """A pool that never goes through a proxy; `answer_seconds` is the longest that a whole answer may take."""
    made = urllib3.PoolManager(maxsize=size)
    made.pool_classes_by_scheme = pool_classes(answer_seconds)
    return made


def _proxy_for(endpoint: Endpoint) -> str:
    # Plain HTTP only reaches this machine, and what goes there must not take a way round.
    if endpoint.scheme != "https" or urllib.request.proxy_bypass(endpoint.host):
        return ""
    found = urllib.request.getproxies()
    return found.get("https") or found.get("all") or ""


def _proxy_headers(address: str) -> dict[str, str]:
    parts = urlsplit(address)
    if not parts.username:
        return {}
    login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return dict(urllib3.make_headers(proxy_basic_auth=login))
