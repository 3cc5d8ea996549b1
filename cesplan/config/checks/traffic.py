"""CES066: traffic shares that do not add up to 100."""

from cesplan.config.checks.walking import FileWalk, Visit
from cesplan.config.manifest import AppTree, Finding

_SHARES = FileWalk(lambda _, field: field.name == "trafficAllocations")
_WHOLE = 100


def check_traffic(tree: AppTree) -> list[Finding]:
    """The shares must cover all traffic (product guide)."""
    return [finding for visit in _SHARES.over(*tree.of("deployments")) if (finding := _finding(visit))]


def _finding(visit: Visit) -> Finding | None:
    shares = [item.get("trafficPercentage") or 0 for _, item in visit.elements() if isinstance(item, dict)]
    if not shares or not all(isinstance(share, int) for share in shares) or sum(shares) == _WHOLE:
        return None
    summary = f"the traffic percentages add up to {sum(shares)}, not {_WHOLE}"
    detail = f"The sum is {' + '.join(map(str, shares))}. An allocation without a percentage counts as 0."
    return visit.finding("CES066", summary, detail, at_key=True)
