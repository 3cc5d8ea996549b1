"""
Where requests go.

The service's documented address is `ces.googleapis.com`, for every location; beside it each location has a
regional address (both from the discovery document, FACTS §1). The setting `endpoint` chooses: nothing for
the first, `regional` for the other, or a host or URL of one's own (Private Service Connect, a test double).
"""

from urllib.parse import urlsplit

from cesplan.domain.errors import UsageError
from cesplan.domain.settings import Settings

GLOBAL = "https://ces.googleapis.com"
REGIONAL = "regional"

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def service_url(settings: Settings) -> str:
    """
    The base URL of the service.

    Raises UsageError for what is no URL, and for plain HTTP to another machine: a token would travel in clear.
    """
    match settings.endpoint:
        case "":
            return GLOBAL
        case _ if settings.endpoint == REGIONAL:
            return f"https://ces.{settings.place.location}.rep.googleapis.com"
    return _checked(settings.endpoint if "://" in settings.endpoint else f"https://{settings.endpoint}")


def emulator_url(address: str) -> str:
    """The base URL of an emulator at `host:port`. Raises UsageError for anything else."""
    url = address if "://" in address else f"http://{address}"
    parts = _split(url)
    if parts is None or parts[0] != "http":
        raise UsageError(
            summary=f"`{address}` is no address of an emulator.", detail="Write host:port, as in 127.0.0.1:8470"
        )
    return url


def _checked(url: str) -> str:
    parts = _split(url)
    if parts is None or parts[0] not in ("http", "https"):
        raise UsageError(
            summary=f"`{url}` is no endpoint.",
            detail=f"Write a host, a URL that begins with https://, or `{REGIONAL}`.",
        )
    if parts[0] == "http" and parts[1] not in _LOOPBACK:
        raise UsageError(
            summary=f"The endpoint `{url}` is not encrypted.",
            detail="Credentials are only sent over https. For an emulator use --emulator or CES_EMULATOR_HOST.",
        )
    return url


def _split(url: str) -> tuple[str, str] | None:
    """Scheme and host, or None where there are none."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it checks it
    except ValueError:
        return None
    return (parts.scheme, parts.hostname) if parts.hostname else None
