"""
Endpoints: the addresses that may receive requests, and who must confirm one before it receives a token.

A text is parsed into an Endpoint once, by one strict grammar. Checks and connections use that value, never the
text. The grammar excludes everything that URL parsers interpret differently: user names, backslashes, `127.1`,
zone ids, other alphabets. Sources: RFC 3986 section 3.2, RFC 1123 section 2.1 for host names, and the rule of
the WHATWG URL Standard that a host ending in a number is an IPv4 address.
"""

import re
from collections.abc import Iterable

from cesplan.domain.frozen import dataclass

REGIONAL = "regional"
"""The setting for the regional endpoint of the location."""

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_URL = re.compile(
    r"(?:(?P<scheme>https?)://)?"
    r"(?:\[(?P<v6>[0-9A-Fa-f:.]{2,45})\]|(?P<host>[A-Za-z0-9.-]{1,253}))"
    r"(?::(?P<port>[0-9]{1,5}))?/?"
)
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
_DEFAULT_PORTS = {"https": 443, "http": 80}
_GOOGLE = ".googleapis.com"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """
    Where requests go. `scheme` is `https` or `http`. `host` is a lowercase name or an IP address, IPv6 without
    brackets. `port` is a number from 1 to 65535.
    """

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        """The canonical URL of this endpoint, without the default port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"

    @property
    def is_google(self) -> bool:
        """True for Google API hosts over TLS: these may receive a token without confirmation by the user."""
        return self.scheme == "https" and self.port == 443 and self.host.endswith(_GOOGLE)

    @property
    def is_loopback(self) -> bool:
        return self.host in _LOOPBACK


SERVICE = Endpoint(scheme="https", host="ces.googleapis.com", port=443)
"""The documented global endpoint of the service (discovery document, `rootUrl`)."""


def parse_endpoint(text: str, *, scheme: str = "https") -> Endpoint:
    """
    Parse `host`, `host:port`, or a URL without a path. `scheme` is the default scheme.

    Raises ValueError for any other text, and for plain HTTP to another machine if `scheme` is `https`.
    """
    found = _URL.fullmatch(text)
    if found is None:
        raise ValueError("write a host, or a URL such as https://host or https://host:port, without a path")
    given = found["scheme"] or scheme
    port = int(found["port"]) if found["port"] else _DEFAULT_PORTS[given]
    if not 0 < port < 65536:
        raise ValueError(f"{port} is not a port")
    endpoint = Endpoint(scheme=given, host=_host(found["host"], found["v6"]), port=port)
    if endpoint.scheme == "http" and scheme == "https" and not endpoint.is_loopback:
        raise ValueError("it is not encrypted; credentials are only sent over https")
    return endpoint


def canonical_endpoint(text: str) -> str:
    """
    The canonical spelling of the setting `endpoint`: empty for the default, `regional`, or a URL.

    Raises ValueError for an invalid text.
    """
    return text if text in ("", REGIONAL) else _spelled(parse_endpoint(text))


def parse_endpoints(text: str) -> frozenset[str]:
    """Parse a list of endpoints, separated by commas or white space. Raises ValueError for an invalid one."""
    return frozenset(canonical_endpoint(item) for item in re.split(r"[,\s]+", text) if item)


def endpoint_of(setting: str, location: str) -> Endpoint:
    """The endpoint for a setting in a location. Raises ValueError for an invalid setting."""
    match setting:
        case "":
            return SERVICE
        case _ if setting == REGIONAL:
            return parse_endpoint(f"ces.{location}.rep.googleapis.com")
    return parse_endpoint(setting)


def is_confirmed(endpoint: Endpoint, confirmed: Iterable[str]) -> bool:
    """Whether an endpoint may receive a token: Google's always, any other only if the user named it."""
    return endpoint.is_google or _spelled(endpoint) in confirmed


def _spelled(endpoint: Endpoint) -> str:
    return "" if endpoint == SERVICE else str(endpoint)


def _host(name: str | None, v6: str | None) -> str:
    from ipaddress import IPv4Address, IPv6Address  # slow to import, and most trees set no endpoint

    if v6 is not None:
        return str(IPv6Address(v6))
    host = (name or "").lower()
    if not _HOST.fullmatch(host):
        raise ValueError(f"`{name}` is not a host name")
    if _NUMBER.fullmatch(host.rpartition(".")[2]):
        return str(IPv4Address(host))
    return host
