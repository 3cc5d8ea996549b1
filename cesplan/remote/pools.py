"""Connection pools, with the system's TLS trust and the proxies from the environment."""

import urllib.request
from urllib.parse import unquote, urlsplit

import urllib3

from cesplan.domain.service.endpoint import SERVICE, Endpoint
from cesplan.remote.deadlines import ANSWER_SECONDS, pool_classes

CONNECTIONS = 16
"""At least the number of workers, so that none opens a new connection for each request."""


def pool(endpoint: Endpoint = SERVICE, size: int = CONNECTIONS) -> urllib3.PoolManager:
    """
    A pool that keeps `size` connections to an endpoint; by default, for Google's token endpoints.

    It respects HTTPS_PROXY, ALL_PROXY, and NO_PROXY in upper or lower case, as curl and requests do.
    """
    proxy = _proxy_for(endpoint)
    if not proxy:
        return direct_pool(size=size)
    address = proxy if "://" in proxy else f"http://{proxy}"
    manager = urllib3.ProxyManager(address, maxsize=size, proxy_headers=_proxy_headers(address))
    manager.pool_classes_by_scheme = pool_classes()
    return manager


def direct_pool(answer_seconds: float = ANSWER_SECONDS, size: int = CONNECTIONS) -> urllib3.PoolManager:
    """A pool that never uses a proxy. `answer_seconds` is the time limit of a whole response."""
    manager = urllib3.PoolManager(maxsize=size)
    manager.pool_classes_by_scheme = pool_classes(answer_seconds)
    return manager


def _proxy_for(endpoint: Endpoint) -> str:
    # Plain HTTP is only used to this machine, and must not go through a proxy.
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
