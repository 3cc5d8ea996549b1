"""
Snapshots: does the snapshot in a new version contain exactly what was reviewed?

A version copies the whole app. Between the review and the version, anyone may have changed any part of it, even
one that the plan does not write, and a deployment must not serve that. Resources that the plan wrote are
compared with the responses to its writes, and everything else with the live state at planning.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cesplan.domain.address import KindName
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.plan import Action, Operation, Reason
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body
from cesplan.engine.comparing.bodies import without
from cesplan.engine.comparing.convergence import shortfalls
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.dropped_references import without_references
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.resource_names import Target
from cesplan.engine.comparing.stamp import without_stamp
from cesplan.model.kinds import KINDS, Kind, kind_of

CHILDREN = tuple(kind.name for kind in KINDS.values() if kind.in_snapshot)
"""The members of an AppSnapshot besides the app itself (message AppSnapshot)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """
    A completed operation of the same app: its resource, and the last response.

    References to `deleted` resources, which were deleted by force since then, are ignored.
    """

    operation: Operation
    target: Target
    answer: Body | None
    deleted: frozenset[str] = frozenset()


def app_of_snapshot(snapshot: Mapping[str, object]) -> LiveApp:
    """The app in a version's snapshot (message AppSnapshot)."""
    return LiveApp(
        app=LiveResource(kind=KindName("apps"), body=dict(snapshot["app"])),  # type: ignore[call-overload]
        children={kind: tuple(_listed(kind, snapshot.get(str(kind)))) for kind in CHILDREN},
    )


def snapshot_base(live: LiveApp | None) -> tuple[LiveResource, ...]:
    """The live resources that a version of an app would copy."""
    if live is None:
        return ()
    children = (item for kind in CHILDREN for item in live.children.get(kind_of(kind).name, ()))
    return (live.app, *(item for item in children if not kind_of(item.kind).is_made_by_service(item.body)))


def copied_by(snapshot: Body) -> tuple[LiveResource, ...]:
    """The resources in a snapshot, except those that the service creates itself."""
    found = (LiveResource(kind=kind_of(kind).name, body=body) for kind, body in _resources(snapshot))
    return tuple(item for item in found if not kind_of(item.kind).is_made_by_service(item.body))


def snapshot_of(version: Body) -> Body | None:
    """The snapshot in the response to creating a version; None if there is none."""
    snapshot = version.get("snapshot")
    return snapshot if isinstance(snapshot, dict) and snapshot else None


def unlike_snapshot(snapshot: Body, applied: Iterable[Answered]) -> tuple[str, ...]:
    """Where a snapshot differs from what was applied: `agents/front-desk instruction`, in plan order."""
    held = _by_id(snapshot)
    return tuple(text for item in applied for text in _differences(held, item))


def unlike_planned(
    snapshot: Body, written: Iterable[tuple[Operation, Target]], deleted: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Where a snapshot differs from the planned state of these resources. `deleted` are deleted by force."""
    held = _by_id(snapshot)
    found: list[str] = []
    for operation, target in written:
        there = held.get((target.kind.name, target.resource_id))
        name = operation.address.in_words
        if operation.action is Action.DELETE or operation.after is None:
            found += [f"{name} is in it"] if there is not None else []
        elif there is None:
            found.append(f"{name} is missing")
        else:
            after = without_references(target.kind.spec, operation.after, deleted)
            is_new = operation.action is Action.CREATE  # in a new resource, the service sets some fields itself
            paths = unlike_paths(target.kind, after, there, target.naming, deleted, only_requested=is_new)
            found += [f"{name} {', '.join(paths)}"] if paths else []
    return tuple(found)


def unlike_base(
    snapshot: Body,
    base: Iterable[LiveResource],
    naming: Naming,
    written: Iterable[Target],
    deleted: frozenset[str] = frozenset(),
) -> tuple[str, ...]:
    """
    Where a snapshot differs from its base, except in `written` resources.

    `base` is the live state before. `deleted` are resources that were deleted by force since.
    """
    ours = {(target.kind.name, target.resource_id) for target in written}
    there = {
        key: body
        for key, body in _by_id(snapshot).items()
        if key not in ours and not kind_of(key[0]).is_made_by_service(body)
    }
    before = {(item.kind, item.id): item.body for item in base if (item.kind, item.id) not in ours}
    found: list[str] = []
    for key in sorted({*there, *before}):
        kind = kind_of(key[0])
        name = "the app" if kind.container else f"{key[0]}/{naming.key_of(*key)}"
        if key not in there:
            found.append(f"{name} was deleted outside cesplan")
        elif key not in before:
            found.append(f"{name} was created outside cesplan")
        elif paths := unlike_paths(kind, before[key], there[key], naming, deleted):
            found.append(f"{name} {', '.join(paths)}")
    return tuple(found)


def unlike_paths(
    kind: Kind,
    before: Body,
    now: Body,
    naming: Naming,
    deleted: frozenset[str] = frozenset(),
    *,
    only_requested: bool = False,
) -> tuple[str, ...]:
    """
    The fields that differ between two states of a resource, as sorted path texts.

    The stamp and the lock of an app, and references to `deleted`, do not count. With `only_requested`, neither
    do values that the service set where `before` has none.
    """
    one, other = (
        without_references(kind.spec, without_stamp(normalize(kind.spec, body, naming).body), deleted)
        for body in (before, now)
    )
    one, other = (without(body, (kind.lock_field,)) for body in (one, other))
    # In both directions, because a walk ignores values that only its live side has and the server may have set.
    changes = diff(kind.spec, one, other, Scope())
    if not only_requested:
        changes = (*changes, *diff(kind.spec, other, one, Scope()))
    return tuple(sorted({str(change.path) for change in changes}))


def makes_version(operation: Operation) -> bool:
    """True if the operation creates a version: a snapshot of everything."""
    return operation.action is Action.CREATE and kind_of(operation.address.kind).is_snapshot


def is_in_snapshots(operation: Operation) -> bool:
    """True if a snapshot shows the result of the operation. A stamp comes after all versions."""
    kind = kind_of(operation.address.kind)
    return (kind.container or kind.name in CHILDREN) and operation.reason is not Reason.STAMP


def is_written_whole(operation: Operation) -> bool:
    """True if an operation determines its whole resource in snapshots; one that only opens a lock does not."""
    return is_in_snapshots(operation) and operation.reason is not Reason.LOCKED


def _differences(held: Mapping[tuple[str, str], Body], item: Answered) -> Iterator[str]:
    operation, target = item.operation, item.target
    found = held.get((target.kind.name, target.resource_id))
    name = operation.address.within_app
    if operation.action is Action.DELETE:
        if found is not None:
            yield f"{name} is still there"
    elif found is None:
        yield f"{name} is missing"
    else:
        paths = _differing_paths(item, found)
        if paths:
            yield f"{name} {', '.join(paths)}"


def _differing_paths(item: Answered, found: Body) -> list[str]:
    """The paths of requested values that are missing, and of values that no response to us contained."""
    target, answer = item.target, item.answer
    # The lock opens before a version is created and closes after it.
    ignored = (FieldPath((target.kind.lock_field,)),) if target.kind.lock_field else ()
    requested = without_references(target.kind.spec, item.operation.after or {}, item.deleted)
    missing = shortfalls(target, requested, found, ignored=ignored)
    if answer is None:
        return [*missing]
    return sorted({*missing, *unlike_paths(target.kind, answer, found, target.naming, item.deleted)})


def _by_id(snapshot: Body) -> dict[tuple[str, str], Body]:
    return {(kind, last_id(str(item.get("name", "")))): item for kind, item in _resources(snapshot)}


def _resources(snapshot: Mapping[str, Any]) -> Iterator[tuple[str, Body]]:
    if isinstance(snapshot.get("app"), dict):
        yield "apps", snapshot["app"]
    for kind in CHILDREN:
        for item in snapshot.get(kind) or ():
            yield kind, item


def _listed(kind: KindName, listed: object) -> list[LiveResource]:
    items = listed if isinstance(listed, list) else []
    return [LiveResource(kind=kind, body=item) for item in items if isinstance(item, dict)]
