"""
Who may call the emulator: programs on this machine, but no web pages.

Any page in a browser can send requests to 127.0.0.1. Three headers that a page cannot set reveal them:

- `Host` is the name that the page was loaded from, also after that name was made to resolve to 127.0.0.1
  (DNS rebinding). Only loopback names and addresses are accepted, and those of the switch `allowed_hosts`.
- `Origin` comes with every request but plain reads. No page is served here, so any origin but the
  emulator's own is foreign, `null` included.
- `Sec-Fetch-Site` comes with plain reads too (images, frames, links), in browsers since 2023.

No response has a CORS header, so a page could not read it either.
"""

import re
from collections.abc import Collection
from ipaddress import ip_address

from starlette.types import Scope

from cesplan.emulator.errors import Refused

# RFC 9110 §7.2: a host and an optional port. Nothing else is valid, in particular not `user@host`.
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::[0-9]{1,5})?", re.IGNORECASE | re.ASCII)
_OWN_SITE = ("same-origin", "none")


def check_caller(scope: Scope, allowed_hosts: Collection[str]) -> None:
    """Raise Refused (PERMISSION_DENIED) for a request that a web page may have sent."""
    hosts = _all(scope, b"host")
    if len(hosts) != 1 or not _is_own(hosts[0], allowed_hosts):
        raise _refused(
            f"the Host header is {', '.join(hosts) or 'missing'}, but it must be a loopback address, localhost,"
            " or a name in the switch allowed_hosts"
        )
    for origin in _all(scope, b"origin"):
        if origin not in (f"http://{hosts[0]}", f"https://{hosts[0]}"):
            raise _refused(f"it comes from a web page of {origin}")
    for site in _all(scope, b"sec-fetch-site"):
        if site not in _OWN_SITE:
            raise _refused("it comes from a web page of another site")


def _refused(why: str) -> Refused:
    return Refused("PERMISSION_DENIED", f"The request is refused: {why}.")


def _all(scope: Scope, header: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name == header]


def _is_own(host: str, allowed: Collection[str]) -> bool:
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    name = found[1].lower()
    if name == "localhost" or name in {one.lower() for one in allowed}:
        return True
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
