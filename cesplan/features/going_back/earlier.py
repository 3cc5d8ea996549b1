"""
The version that a deployment goes back to, if the user names none. The change log has every earlier state. The
target is the newest earlier state in which a single version served, older than the newest version serving now;
so a canary goes back to where it began. If the newest change already went back, nothing more happens: running
the command twice goes back once.
"""

from collections.abc import Mapping, Sequence

from cesplan.domain.errors import UsageError
from cesplan.domain.features.going_back import RollbackTarget, VersionTitle
from cesplan.domain.features.serving import Share, shares_of
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.times import sortable, when
from cesplan.domain.value import Body

_MOST_NAMES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PastChange:
    """A change of a deployment: its body before and after, the author, and the time (RFC 3339)."""

    before: Body
    after: Body
    author: str = ""
    time: str = ""


def earlier_target(
    now: Sequence[Share], past: Sequence[PastChange], versions: Mapping[str, VersionTitle]
) -> RollbackTarget:
    """
    The target of a deployment. `past` is newest first; `versions` are by id.

    Raises UsageError if the past does not determine a version: the user must then name it.
    """
    moves = [change for change in past if _ids(change.before) != _ids(change.after)]
    current = [share.version for share in now]
    if not moves or _ids(moves[0].after) != set(current) or not _ids(moves[0].before) <= versions.keys():
        # The log lags behind, or a deleted version may have been newer or older: do not guess.
        raise _unknown(now, versions)
    if len(current) == 1 and current[0] in versions and _went_back(moves[0], versions):
        why = f"it went back{_by(moves[0])}; to go further back, name a version with --to"
        return RollbackTarget(version=versions[current[0]], why=why, is_back=True)
    newest = max((_age(item, versions) for item in current), default="")
    for change in moves:
        served = shares_of(change.before)
        if len(served) != 1 or served[0].version not in versions:
            continue
        version = versions[served[0].version]
        if sortable(version.create_time) < newest:
            return RollbackTarget(version=version, why=f"served until{_by(change)}")
    raise _unknown(now, versions)


def _unknown(now: Sequence[Share], versions: Mapping[str, VersionTitle]) -> UsageError:
    return UsageError(
        summary="The version that the deployment served before is unknown.",
        detail=_named(now, versions),
    )


def _went_back(change: PastChange, versions: Mapping[str, VersionTitle]) -> bool:
    """Whether the newest version was taken out of service while older ones stayed."""
    before, after = (
        max((_age(item, versions) for item in _ids(body)), default="") for body in (change.before, change.after)
    )
    return bool(after) and after < before


def _ids(deployment: Body) -> set[str]:
    return {share.version for share in shares_of(deployment)}


def _age(version: str, versions: Mapping[str, VersionTitle]) -> str:
    """When a version was created, as a sortable text; empty for a deleted one."""
    return sortable(versions[version].create_time) if version in versions else ""


def _by(change: PastChange) -> str:
    """` 2026-11-22 12:13 UTC, changed by bob@acme.example`."""
    time = f" {when(change.time)}" if change.time else " an unknown time"
    return f"{time}, changed by {change.author}" if change.author else time


def _named(now: Sequence[Share], versions: Mapping[str, VersionTitle]) -> str:
    serving = {share.version for share in now}
    listed = sorted(versions.values(), key=lambda item: sortable(item.create_time), reverse=True)
    rows = [
        f"    {item.title}   {when(item.create_time)}{'   serves now' if item.id in serving else ''}"
        for item in listed[:_MOST_NAMES]
    ]
    if not rows:
        return "The app has no versions."
    return "\n".join(["The change log does not show it. Name a version with --to, newest first:", *rows])
