"""Proxies, as the environment names them."""

import urllib3

from cesplan.domain.service.endpoint import SERVICE, parse_endpoint
from cesplan.remote.pools import direct_pool, pool

NAMES = [
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
]


def _clean(monkeypatch, **environment):
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)


def test_without_a_proxy_connections_are_direct(monkeypatch):
    """A plain pool that verifies certificates."""
    _clean(monkeypatch)
    made = pool(SERVICE)
    assert type(made) is urllib3.PoolManager
    assert made.connection_pool_kw.get("cert_reqs", "CERT_REQUIRED") == "CERT_REQUIRED"


def test_https_proxy_is_used_with_its_login(monkeypatch):
    """User and password of the URL become a header for the proxy alone."""
    _clean(monkeypatch, HTTPS_PROXY="http://me:p%40ss@proxy.example:3128")
    made = pool(SERVICE)
    assert isinstance(made, urllib3.ProxyManager)
    assert (made.proxy.host, made.proxy.port) == ("proxy.example", 3128)
    assert made.proxy_headers == {"proxy-authorization": "Basic bWU6cEBzcw=="}


def test_a_proxy_without_a_scheme_is_http(monkeypatch):
    """As curl reads it."""
    _clean(monkeypatch, https_proxy="proxy.example:3128")
    made = pool(SERVICE)
    assert isinstance(made, urllib3.ProxyManager)
    assert made.proxy.scheme == "http"


def test_no_proxy_is_heeded(monkeypatch):
    """Hosts that NO_PROXY names are reached directly, and so is every emulator."""
    _clean(monkeypatch, HTTPS_PROXY="http://proxy.example", NO_PROXY=".googleapis.com")
    assert type(pool(SERVICE)) is urllib3.PoolManager
    assert type(direct_pool()) is urllib3.PoolManager


def test_plain_http_takes_no_way_round(monkeypatch):
    """It only reaches this machine; a proxy would see the token."""
    _clean(monkeypatch, HTTP_PROXY="http://proxy.example", ALL_PROXY="http://proxy.example")
    assert type(pool(parse_endpoint("http://127.0.0.1:8080"))) is urllib3.PoolManager


def test_the_pool_holds_a_connection_for_every_worker(monkeypatch):
    """Fewer would mean a new connection for many a request."""
    _clean(monkeypatch)
    assert pool(SERVICE).connection_pool_kw["maxsize"] >= 8
