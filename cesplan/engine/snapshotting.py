"""
Snapshotting: does the snapshot in a new version hold what this run applied?

Between our last write and the version somebody may have changed the app; a deployment must not serve that.
Only resources of the plan can be judged, and the version file says nothing about the others.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cesplan.domain.plan import Action, Operation, Reason
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body
from cesplan.engine.converging import shortfalls
from cesplan.engine.dropping import without_references
from cesplan.engine.normalizing import normalize
from cesplan.engine.targeting import Target
from cesplan.model.kinds import KINDS, kind_of

CHILDREN = tuple(kind.name for kind in KINDS.values() if kind.in_snapshot)
"""What AppSnapshot holds beside the app itself (message AppSnapshot, api notes)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """
    An operation of the same app that is done: its resource, and the last answer about it.

    References to `gone`, deleted by force since, are in no resource any more.
    """

    operation: Operation
    target: Target
    answer: Body | None
    gone: frozenset[str] = frozenset()


def snapshot_of(version: Body) -> Body | None:
    """The snapshot in the answer to the create of a version, or None where it holds none."""
    snapshot = version.get("snapshot")
    return snapshot if isinstance(snapshot, dict) and snapshot else None


def unlike_snapshot(snapshot: Body, applied: Iterable[Applied]) -> tuple[str, ...]:
    """Where a snapshot is not what was applied: `agents/front-desk instruction`, in the order of the plan."""
    held = _by_id(snapshot)
    return tuple(text for item in applied for text in _unlike(held, item))


def is_in_snapshots(operation: Operation) -> bool:
    """True for operations whose result a snapshot shows; a stamp comes after all versions."""
    kind = kind_of(operation.address.kind)
    return (kind.contains_others or kind.name in CHILDREN) and operation.reason is not Reason.STAMP


def _unlike(held: Mapping[tuple[str, str], Body], item: Applied) -> Iterator[str]:
    operation, target = item.operation, item.target
    found = held.get((target.kind.name, target.resource_id))
    name = operation.address.within_app
    if operation.action is Action.DELETE:
        if found is not None:
            yield f"{name} is still there"
    elif found is None:
        yield f"{name} is missing"
    else:
        paths = _unlike_paths(item, found)
        if paths:
            yield f"{name} {', '.join(paths)}"


def _unlike_paths(item: Applied, found: Body) -> list[str]:
    """What was asked and is not there, and what is there and no answer to us ever showed."""
    target, answer = item.target, item.answer
    # The lock opens before a version is made and closes after it.
    ignored = frozenset({target.kind.lock_field})
    asked = without_references(target.kind.spec, item.operation.after or {}, item.gone)
    missing = shortfalls(target, asked, found, ignored=ignored)
    if answer is None:
        return [*missing]
    shown = normalize(target.kind.spec, found, target.naming).body
    return sorted({*missing, *shortfalls(target, shown, answer, ignored=ignored)})


def _by_id(snapshot: Body) -> dict[tuple[str, str], Body]:
    return {(kind, last_id(str(item.get("name", "")))): item for kind, item in _resources(snapshot)}


def _resources(snapshot: Mapping[str, Any]) -> Iterator[tuple[str, Body]]:
    if isinstance(snapshot.get("app"), dict):
        yield "apps", snapshot["app"]
    for kind in CHILDREN:
        for item in snapshot.get(kind) or ():
            yield kind, item
