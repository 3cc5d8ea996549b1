"""
The split: the position of a release according to the live deployment, and the body of each next position. The
position is read only from the traffic. Until the last step, `appVersion` names the old version and the split
has both, so that the old version serves the rest whichever field the service uses. One update writes both
fields, so that there is no intermediate state.
"""

from enum import StrEnum
from typing import Any

from cesplan.domain.features.release import Release
from cesplan.domain.frozen import dataclass
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body

_ALL = 100
_LONGEST_ID = 128


class Stage(StrEnum):
    """Where a release is."""

    ABSENT = "absent"
    """The deployment does not exist."""
    NOT_STARTED = "not started"
    """The deployment serves another version, alone."""
    STEP = "step"
    """The candidate has the share of a step of the canary."""
    DONE = "done"
    """The candidate serves all traffic."""
    OTHER_CANDIDATE = "other candidate"
    """A release under this name gave a share to a version that is not the candidate."""
    FOREIGN = "foreign"
    """A split that no release made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrafficShare:
    """A part of the traffic; `version` is a reference such as `versions/v2`."""

    id: str
    version: str
    percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """
    Where a release is.

    `served` is the version that serves what the candidate does not, `step` the number of the step from 0.
    """

    stage: Stage
    served: str = ""
    percent: int = 0
    step: int = -1
    shares: tuple[TrafficShare, ...] = ()
    other: str = ""
    """The version that has the candidate's share but is not the candidate in the tree."""


def ids_of(release: Release) -> tuple[str, str]:
    """The ids of the two shares: the served version's, and the candidate's."""
    name = release.name[: _LONGEST_ID - len("cesplan--candidate")]
    return f"cesplan-{name}-served", f"cesplan-{name}-candidate"


def position_of(release: Release, deployment: Body | None, naming: Naming) -> Position:
    """The position of a release; `deployment` is the live body, None if it does not exist."""
    if deployment is None:
        return Position(stage=Stage.ABSENT)
    serves = naming.to_reference(str(deployment.get("appVersion") or ""))
    shares = _shares(deployment, naming)
    if not shares:
        stage = Stage.DONE if serves == release.candidate else Stage.NOT_STARTED
        return Position(stage=stage, served=serves, percent=_ALL if stage is Stage.DONE else 0)
    by_id = {item.id: item for item in shares}
    old_id, new_id = ids_of(release)
    old, new = by_id.get(old_id), by_id.get(new_id)
    is_ours = old is not None and new is not None and len(shares) == len(by_id) == 2
    if old is None or new is None or not is_ours or old.version != serves or old.percent + new.percent != _ALL:
        return Position(stage=Stage.FOREIGN, served=serves, shares=shares)
    if new.version != release.candidate:
        return Position(
            stage=Stage.OTHER_CANDIDATE,
            served=serves,
            percent=new.percent,
            shares=shares,
            other=new.version,
        )
    steps = [item.percent for item in release.canary]
    if new.percent not in steps:
        return Position(stage=Stage.FOREIGN, served=serves, percent=new.percent, shares=shares)
    return Position(
        stage=Stage.STEP,
        served=serves,
        percent=new.percent,
        step=steps.index(new.percent),
        shares=shares,
    )


def _split(deployment: Body) -> Body:
    return (deployment.get("experimentConfig") or {}).get("versionRelease") or {}


def _shares(deployment: Body, naming: Naming) -> tuple[TrafficShare, ...]:
    """The parts of the traffic; entries with 0% are ignored."""
    found = [
        TrafficShare(
            id=str(item.get("id") or ""),
            version=naming.to_reference(str(item.get("appVersion") or "")),
            percent=int(item.get("trafficPercentage") or 0),
        )
        for item in _split(deployment).get("trafficAllocations") or ()
    ]
    return tuple(item for item in found if item.percent)


def fields_at(release: Release, served: str, percent: int) -> dict[str, Any]:
    """The two fields of the deployment with this share for the candidate, as a tree file would have them."""
    if percent >= _ALL:
        return {"appVersion": release.candidate, "experimentConfig": None}
    old_id, new_id = ids_of(release)
    shares = [
        {"id": old_id, "trafficPercentage": _ALL - percent, "appVersion": served},
        {"id": new_id, "trafficPercentage": percent, "appVersion": release.candidate},
    ]
    return {
        "appVersion": served,
        "experimentConfig": {"versionRelease": {"state": "RUNNING", "trafficAllocations": shares}},
    }


def fields_of(deployment: Body, naming: Naming) -> dict[str, Any]:
    """The current values of the two fields, for recording and restoring them."""
    shares = [
        {**item, "appVersion": naming.to_reference(str(item.get("appVersion") or ""))}
        for item in _split(deployment).get("trafficAllocations") or ()
    ]
    state = _split(deployment).get("state")
    release: dict[str, Any] = {"state": state} if state else {}
    return {
        "appVersion": naming.to_reference(str(deployment.get("appVersion") or "")) or None,
        "experimentConfig": {"versionRelease": {**release, "trafficAllocations": shares}} if shares else None,
    }


def put_back(position: Position) -> dict[str, Any]:
    """The fields that give all traffic back to the version that serves the rest."""
    return {"appVersion": position.served, "experimentConfig": None}


def words_of(position: Position, release: Release) -> str:
    """The position of a release as text."""
    match position.stage:
        case Stage.ABSENT:
            return f"the deployment {release.deployment} does not exist"
        case Stage.NOT_STARTED:
            return f"{position.served or 'no version'} serves all traffic"
        case Stage.DONE:
            return f"{release.candidate} serves all traffic"
        case Stage.STEP:
            number = f"step {position.step + 1} of {len(release.canary)}"
            return f"{number}: {release.candidate} has {position.percent}%, {position.served} the rest"
        case Stage.OTHER_CANDIDATE:
            return f"{position.other} has {position.percent}%, {position.served} the rest"
        case Stage.FOREIGN:
            parts = ", ".join(f"{item.version} {item.percent}% (`{item.id}`)" for item in position.shares)
            return f"the split is not one of this release: {parts}"
