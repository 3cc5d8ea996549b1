"""
Repeated versions: a new version that would have exactly the content of the newest one.

The service creates a new version only if something has changed. A version file that would only repeat the
newest version is satisfied by it, and deployments that refer to the file get that version. Snapshots are large,
so the newest one is read only if necessary.
"""

from collections.abc import Iterable
from typing import Any

from cesplan.domain.address import AppKey
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.plan import Plan
from cesplan.domain.text.times import sortable
from cesplan.domain.value import Body, comparable
from cesplan.engine.comparing.match import Match
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.snapshot import makes_version
from cesplan.engine.comparing.stamp import without_stamp
from cesplan.model.kinds import KINDS, Kind, kind_of

SNAPSHOT = "snapshot"


def wants_newest(plan: Plan) -> tuple[AppKey, ...]:
    """The apps in which only a new version, and references to it, are planned."""
    apps = sorted({item.address.app for item in plan.shown if makes_version(item)})
    return tuple(
        app
        for app in apps
        if all(kind_of(item.address.kind).is_late for item in plan.shown if item.address.app == app)
    )


def newest_of(live: LiveApp) -> LiveResource | None:
    """The newest of the listed versions, or None; ids break ties."""
    versions = [item for kind in _snapshot_kinds() for item in live.children.get(kind.name, ())]
    return max(versions, key=lambda item: (sortable(item.body.get("createTime")), item.id), default=None)


def satisfied_file(
    matches: Iterable[Match], live: LiveApp, newest: LiveResource, naming: Naming
) -> Match | None:
    """The new version file that the newest version already satisfies, if there is one."""
    new = [item for item in matches if kind_of(item.desired.address.kind).is_snapshot and not item.live]
    if len(new) != 1 or not _is_snapshot_of(newest.body.get(SNAPSHOT), live, naming):
        return None
    return new[0]


def _snapshot_kinds() -> list[Kind]:
    return [kind for kind in KINDS.values() if kind.is_snapshot]


def _is_snapshot_of(snapshot: Any, live: LiveApp, naming: Naming) -> bool:
    if not isinstance(snapshot, dict) or not isinstance(snapshot.get("app"), dict):
        return False
    if _text(live.app.kind, snapshot["app"], naming) != _text(live.app.kind, live.app.body, naming):
        return False
    lists = [kind for kind in live.children if kind in snapshot or not _is_outside(kind)]
    return all(
        _texts(kind, snapshot.get(kind) or [], naming)
        == _texts(kind, [item.body for item in live.children[kind]], naming)
        for kind in lists
    )


def _is_outside(kind: str) -> bool:
    """True for kinds that are not part of a version."""
    return not kind_of(kind).in_snapshot


def _texts(kind: str, bodies: Iterable[Body], naming: Naming) -> dict[str, str]:
    row = kind_of(kind)
    ours = (body for body in bodies if not row.is_made_by_service(body))
    return {str(body.get("name")): _text(kind, body, naming) for body in ours}


def _text(kind: str, body: Body, naming: Naming) -> str:
    return comparable(without_stamp(normalize(kind_of(kind).spec, body, naming).body))
