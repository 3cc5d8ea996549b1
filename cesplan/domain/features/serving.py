"""The versions that a deployment serves: one, or several with their shares of the traffic."""

from collections.abc import Iterator

from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body, as_list, as_object


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A version by its id, and its percentage of new sessions; None if unknown."""

    version: str
    percent: int | None


def shares_of(deployment: Body) -> tuple[Share, ...]:
    """
    The versions that may serve a session of a deployment, by their ids, in the order of the body.

    A traffic split names them with percentages; without one, `appVersion` has all the traffic. If both are set
    and differ, the API documents no precedence: all of them may serve, with unknown shares. The result is empty
    for a deployment that names no version.
    """
    own = last_id(str(deployment.get("appVersion") or ""))
    split = [(version, percent) for version, percent in _allocations(deployment) if percent > 0]
    if not split:
        return (Share(version=own, percent=100),) if own else ()
    shares: dict[str, int] = {}
    for version, percent in split:
        shares[version] = shares.get(version, 0) + percent
    if own and set(shares) != {own}:
        return tuple(Share(version=item, percent=None) for item in dict.fromkeys((own, *shares)))
    return tuple(Share(version=item, percent=percent) for item, percent in shares.items())


def _allocations(deployment: Body) -> Iterator[tuple[str, int]]:
    release = as_object(as_object(deployment.get("experimentConfig")).get("versionRelease"))
    found = release.get("trafficAllocations")
    for item in as_list(found):
        percent = as_object(item).get("trafficPercentage", 0)
        # A change-log entry holds the body as a Struct, whose numbers are doubles.
        is_whole = isinstance(percent, int) or (isinstance(percent, float) and percent.is_integer())
        number = int(percent) if is_whole else 0
        yield last_id(str(as_object(item).get("appVersion") or "")), number
