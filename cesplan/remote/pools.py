"""Connection pools: TLS as the system trusts it, and the proxies that the environment names."""

import urllib.request
from urllib.parse import unquote, urlsplit

import urllib3

CONNECTIONS = 16
"""At least the number of workers, so that none opens a connection of its own for each request."""


def pool(url: str = "") -> urllib3.PoolManager:
    """
    A pool for an address; an empty one stands for the internet.

    HTTPS_PROXY, ALL_PROXY and NO_PROXY are heeded, in either case (as curl and requests do).
    """
    proxy = _proxy_for(url or "https://googleapis.com")
    if not proxy:
        return urllib3.PoolManager(maxsize=CONNECTIONS)
    address = proxy if "://" in proxy else f"http://{proxy}"
    return urllib3.ProxyManager(address, maxsize=CONNECTIONS, proxy_headers=_proxy_headers(address))


def direct_pool() -> urllib3.PoolManager:
    """A pool that never goes through a proxy: for the emulator."""
    return urllib3.PoolManager(maxsize=CONNECTIONS)


def _proxy_for(url: str) -> str:
    parts = urlsplit(url)
    # Plain HTTP only reaches this machine, and what goes there must not take a way round.
    if parts.scheme != "https" or not parts.hostname or urllib.request.proxy_bypass(parts.hostname):
        return ""
    found = urllib.request.getproxies()
    return found.get("https") or found.get("all") or ""


def _proxy_headers(address: str) -> dict[str, str]:
    parts = urlsplit(address)
    if not parts.username:
        return {}
    login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return dict(urllib3.make_headers(proxy_basic_auth=login))
