"""
Where requests are sent, and whether credentials may be sent there too.

The documented global endpoint is `ces.googleapis.com`, and each location also has a regional endpoint (both
from the discovery document). The setting `endpoint` selects one: empty for the global one, `regional`, or a
custom host or URL (Private Service Connect, a test double). A tree or a plan file may name any endpoint, but
only the command line and the environment can allow credentials to leave Google.
"""

from collections.abc import Collection

from cesplan.domain.errors import Refused, UsageError
from cesplan.domain.service.endpoint import REGIONAL, Endpoint, endpoint_of, is_confirmed, parse_endpoint
from cesplan.domain.settings import Settings


def service_endpoint(settings: Settings, confirmed: Collection[str] = ()) -> Endpoint:
    """
    The endpoint of the service. `confirmed` are the endpoints that the user named, in canonical spelling.

    Raises UsageError for an invalid endpoint and for plain HTTP to another machine, where a token would be sent
    unencrypted. Raises Refused for a host that is neither Google's nor confirmed by the user.
    """
    try:
        found = endpoint_of(settings.endpoint, settings.place.location)
    except ValueError as error:
        raise UsageError(
            summary=f"`{settings.endpoint}` is not a usable endpoint: {error}.",
            detail=f"Write a host, a URL that begins with https://, or `{REGIONAL}`. "
            "For an emulator, use --emulator or CES_EMULATOR_HOST.",
        ) from error
    if not is_confirmed(found, confirmed):
        raise Refused(
            summary=f"The endpoint {found} is not confirmed. Nothing was sent.",
            reasons=(
                f"{found} is outside googleapis.com and would receive your access token.",
                f"If you trust it: --endpoint {found}, or CESPLAN_ENDPOINT={found} in the environment.",
            ),
        )
    return found


def emulator_endpoint(address: str) -> Endpoint:
    """The endpoint of an emulator at `host:port`. Raises UsageError for anything else."""
    try:
        found = parse_endpoint(address, scheme="http")
    except ValueError as error:
        raise _not_an_emulator(address) from error
    if found.scheme != "http":
        raise _not_an_emulator(address)
    return found


def _not_an_emulator(address: str) -> UsageError:
    return UsageError(
        summary=f"`{address}` is not a valid emulator address.",
        detail="Use host:port, for example 127.0.0.1:8470",
    )
