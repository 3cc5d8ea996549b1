"""
Rechecking: does a reviewed plan still fit the live state?

All resources that the plan writes are read again before the first write. An operation is valid if its change is
still the reviewed one: everything that its writes replace is unchanged, whatever else moved. An operation that
is already done has nothing left to do. Anything else makes the whole plan stale.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace

from cesplan.domain.address import APPS, Address, AppKey, KindName, app_address
from cesplan.domain.errors import NotFound
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.plan import Action, Operation, Plan, Reason, steps_of
from cesplan.domain.reviewed import Moved, Movement, Reviewed
from cesplan.domain.service.side_by_side import result_of, side_by_side
from cesplan.domain.value import Body, Secret, known_secrets
from cesplan.engine.applying.forced_references import newcomers, referrers_of
from cesplan.engine.applying.ports import Reader
from cesplan.engine.comparing.copies import contents_of, moved_contents, moved_copies
from cesplan.engine.comparing.normalize import references
from cesplan.engine.comparing.resource_names import Target, target_of
from cesplan.engine.comparing.snapshot import (
    CHILDREN,
    Answered,
    copied_by,
    is_in_snapshots,
    is_written_whole,
    makes_version,
    snapshot_base,
    snapshot_of,
    unlike_snapshot,
)
from cesplan.engine.comparing.stamp import without_stamp
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.reviewing.logged import deletes_contents
from cesplan.engine.reviewing.operation_recheck import Again, recheck_operation
from cesplan.engine.reviewing.stamp import restamped
from cesplan.model.kinds import KINDS, Kind, app_kinds, kind_of
from cesplan.model.system_tools import NEVER_MANAGED

_WORKERS = 8
"""The number of concurrent reads, as many as the writes of an apply."""
_MANY = 10
"""From this number of resources of one collection on, they are read with a list; a page holds up to 1,000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rechecked:
    """
    A reviewed plan, compared with the current live state.

    `plan` has only the remaining operations, with the bodies just read as `seen`. `moved` is why it must not be
    applied. `done` are operations that are already done. `refreshed` are operations whose resource moved but
    whose change is still the same. `live` are the apps of the plan, with as much content as the guard needs.
    """

    plan: Plan
    live: Live = field(default_factory=Live)
    moved: tuple[Moved, ...] = ()
    done: tuple[Operation, ...] = ()
    refreshed: tuple[Operation, ...] = ()


def recheck(reviewed: Reviewed, reader: Reader) -> Rechecked:
    """Read everything that the plan writes or newly refers to, and recheck each operation."""
    plan = reviewed.plan
    targets = {id(item): target_of(plan, item) for item in plan.operations}
    found = _read({item.name: item.kind for item in _wanted(plan, targets)}, reader)
    redactor = ValueRedactor(secrets_of(plan))
    copied = {item.address.app for item in plan.operations if makes_version(item)}
    rechecked: dict[int, Again] = {}
    for item in plan.operations:
        if item.reason is not Reason.STAMP:
            target = targets[id(item)]
            whole = item.address.app in copied and is_written_whole(item)
            rechecked[id(item)] = recheck_operation(
                item, target, found[target.name], reviewed, redactor, whole=whole
            )
    rechecked |= _versions_again(reviewed, targets, found, rechecked, redactor)
    for item in plan.operations:
        if item.reason is Reason.STAMP:
            own = next((one for one in rechecked.values() if one.operation.address == item.address), None)
            rechecked[id(item)] = restamped(item, found[targets[id(item)].name], own, redactor)
    results = _without_idle_ends([rechecked[id(item)] for item in plan.operations])
    left = [item.operation for item in results if item.is_left]
    live = _live(plan, left, found, reader)
    making = {item.address.app for item in left if makes_version(item)}
    bases = {app: snapshot_base(live.apps.get(app)) for app in sorted(making)}
    going = [item for item in left if deletes_contents(item)]
    contents = {app: contents_of(live.apps[app]) for app in sorted({item.address.app for item in going})}
    return Rechecked(
        plan=replace(
            plan,
            operations=tuple(left),
            snapshot_base=bases,
            contents=contents,
            named_versions=_named_versions(plan, left, targets, found),
        ),
        live=live,
        moved=(
            *(item.moved for item in results if item.moved),
            *_lost_references(plan, targets, found),
            *_remade(reviewed, targets, found),
            *_referred_since(plan, left, reader),
            *_moved_copies(reviewed, left, bases, redactor),
            *_moved_contents(reviewed, going, contents, redactor),
        ),
        done=tuple(item.operation for item in results if item.is_done and not item.operation.is_frame),
        refreshed=tuple(
            item.operation
            for item in results
            if item.is_left and item.is_refreshed and not item.operation.is_frame
        ),
    )


def secrets_of(plan: Plan) -> tuple[Secret, ...]:
    """All secrets in a plan, and those that it lists."""
    bodies = [body for item in plan.operations for body in (item.before, item.after)]
    bodies += [step.body for step in steps_of(plan)]
    changed = [value for item in plan.operations for one in item.changes for value in (one.before, one.after)]
    return known_secrets(plan.secrets, *bodies, *changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    kind: Kind
    name: str


def _wanted(plan: Plan, targets: Mapping[int, Target]) -> Iterator[_Place]:
    """The names to read: resources to write, their apps, and new references."""
    for operation in plan.operations:
        target = targets[id(operation)]
        yield _Place(kind=target.kind, name=target.name)
        if target.naming.app_id:
            yield _Place(kind=kind_of(APPS), name=target.naming.app_name)
        for reference in _new_references(plan, operation, target):
            yield _Place(kind=kind_of(reference.partition("/")[0]), name=target.naming.to_name(reference))


def _read(kinds: Mapping[str, Kind], reader: Reader) -> dict[str, Body | None]:
    """
    The current state of each name; None if it does not exist. Apps are read first: a missing app is empty.

    If many resources of one collection are needed, a list takes fewer requests, unless it leaves fields out.
    """

    def get(name: str) -> Body | None:
        try:
            return reader.get(kinds[name], name)
        except NotFound:
            return None

    with side_by_side(_WORKERS, reader.interrupt) as pool:

        def read(names: list[str]) -> dict[str, Body | None]:
            # In the order of the names, so that which error is raised does not depend on timing.
            futures = [(name, pool.submit(get, name)) for name in names]
            return {name: result_of(future) for name, future in futures}

        found = read(sorted(name for name, kind in kinds.items() if kind.container))
        missing = tuple(f"{name}/" for name, body in found.items() if body is None)
        found |= {name: None for name in kinds if name.startswith(missing)}
        for (parent, kind), names in _collections(kinds, kinds.keys() - found.keys()).items():
            [listed] = reader.list_children(parent, [kind_of(kind)]).values()
            bodies = {str(item.body["name"]): item.body for item in listed}
            found |= {name: bodies.get(name) for name in names}
        return found | read(sorted(kinds.keys() - found.keys()))


def _collections(kinds: Mapping[str, Kind], names: Iterable[str]) -> dict[tuple[str, KindName], list[str]]:
    """The names that are read by lists, by app and kind."""
    by_collection: dict[tuple[str, KindName], list[str]] = {}
    for name in sorted(names):
        kind = kinds[name]
        if kind.prunable and not kind.expensive_fields:
            by_collection.setdefault((name.rpartition(f"/{kind.name}/")[0], kind.name), []).append(name)
    return {place: found for place, found in by_collection.items() if len(found) >= _MANY}


def _new_references(plan: Plan, operation: Operation, target: Target) -> tuple[str, ...]:
    """
    New references of an operation that the plan does not create. References that already dangle are allowed.
    """
    created = {item.address for item in plan.operations if item.action is Action.CREATE}
    spec = target.kind.spec
    old = {name for _, name in references(spec, operation.before or {})}
    new = {name for step in operation.steps for _, name in references(spec, step.body)}
    return tuple(
        name
        for name in sorted(new - old)
        if _is_resource(name, plan.settings.api_version) and operation.address.sibling(name) not in created
    )


def _is_resource(reference: str, api_version: str) -> bool:
    """False for references into the app's body, and for names that exist without being managed."""
    collection, _, key = reference.partition("/")
    kind = KINDS.get(KindName(collection))
    is_managed = key not in NEVER_MANAGED.get(collection, ())
    return kind is not None and api_version in kind.api_versions and is_managed


def _lost_references(
    plan: Plan, targets: Mapping[int, Target], found: Mapping[str, Body | None]
) -> Iterator[Moved]:
    created = {item.address for item in plan.operations if item.action is Action.CREATE}
    for operation in plan.operations:
        target = targets[id(operation)]
        names = _new_references(plan, operation, target)
        missing = {name: target.naming.to_name(name) for name in names}
        missing = {name: full for name, full in missing.items() if found[full] is None}
        app = app_address(operation.address.app)
        if target.naming.app_id and app not in created and found[target.naming.app_name] is None:
            missing = {str(app): target.naming.app_name} if operation.action is Action.CREATE else {}
        if missing:
            yield Moved(
                operation=operation,
                movement=Movement.REFERENCE_GONE,
                resource=next(iter(missing.values())),
                names=tuple(missing),
            )


def _versions_named(
    plan: Plan, operation: Operation, target: Target, found: Mapping[str, Body | None]
) -> Iterator[tuple[str, LiveResource]]:
    """The current versions that an operation will refer to, by their references."""
    for name in _new_references(plan, operation, target):
        kind, body = kind_of(name.partition("/")[0]), found[target.naming.to_name(name)]
        if kind.is_snapshot and body is not None:
            yield name, LiveResource(kind=kind.name, body=body)


def _named_versions(
    plan: Plan, left: Iterable[Operation], targets: Mapping[int, Target], found: Mapping[str, Body | None]
) -> dict[AppKey, tuple[LiveResource, ...]]:
    named: dict[AppKey, dict[str, LiveResource]] = {}
    steps = {item.address for item in left}
    for operation in plan.operations:
        if operation.address in steps:
            versions = _versions_named(plan, operation, targets[id(operation)], found)
            named.setdefault(operation.address.app, {}).update(versions)
    return {app: tuple(versions.values()) for app, versions in named.items() if versions}


def _remade(
    reviewed: Reviewed, targets: Mapping[int, Target], found: Mapping[str, Body | None]
) -> Iterator[Moved]:
    """Operations that would refer to a version that is not the reviewed one."""
    for operation in reviewed.plan.operations:
        target = targets[id(operation)]
        for name, version in _versions_named(reviewed.plan, operation, target, found):
            then, made = reviewed.versions.get(operation.address.sibling(name)), version.body.get("createTime")
            if then is not None and then != str(made or ""):
                yield Moved(
                    operation=operation,
                    movement=Movement.REMADE,
                    resource=version.name,
                    updated=str(made or ""),
                    names=(name,),
                )


def _referred_since(plan: Plan, left: Iterable[Operation], reader: Reader) -> Iterator[Moved]:
    """Forced deletes that would change resources that the plan does not list."""
    for operation in left:
        if not any(step.force for step in operation.steps):
            continue
        target = target_of(plan, operation)
        referrers = referrers_of(reader, operation.address, target, plan.settings.api_version)
        if strange := newcomers(operation, referrers):
            yield Moved(
                operation=operation,
                movement=Movement.REFERRED,
                resource=strange[0].target.name,
                updated=str(strange[0].before.get("updateTime") or ""),
                names=tuple(str(item.address) for item in strange),
            )


def _live(plan: Plan, left: Iterable[Operation], found: Mapping[str, Body | None], reader: Reader) -> Live:
    """
    The apps with remaining operations.

    If an app has deletes, all of it is listed, because the guard counts; if it gets a version, everything that
    the version copies; otherwise nothing.
    """
    apps: dict[AppKey, LiveApp] = {}
    by_app: dict[AppKey, list[Operation]] = {}
    for item in left:
        by_app.setdefault(item.address.app, []).append(item)
    for key, operations in by_app.items():
        naming = plan.namings.get(key)
        body = found.get(naming.app_name) if naming is not None and naming.app_id else None
        if naming is None or body is None:
            continue
        kinds: tuple[Kind, ...] = ()
        if any(item.action is Action.DELETE for item in operations):
            every = any(map(deletes_contents, operations))
            known = app_kinds(plan.settings.api_version)
            kinds = tuple(kind for kind in known if every or not kind.is_snapshot)
        elif any(map(makes_version, operations)):
            kinds = tuple(map(kind_of, CHILDREN))
        children = reader.list_children(naming.app_name, kinds) if kinds else {}
        apps[key] = LiveApp(app=LiveResource(kind=kind_of(APPS).name, body=body), children=children)
    return Live(apps=apps)


def _moved_copies(
    reviewed: Reviewed,
    left: Iterable[Operation],
    bases: Mapping[AppKey, tuple[LiveResource, ...]],
    redactor: ValueRedactor,
) -> Iterator[Moved]:
    """What the remaining versions would copy that was not reviewed."""
    plan = reviewed.plan
    for version in filter(makes_version, left):
        app = version.address.app
        written = _written(plan, app)
        then, naming = reviewed.copied.get(app, {}), plan.namings[app]
        yield from moved_copies(version, then, bases[app], naming, written, redactor)


def _moved_contents(
    reviewed: Reviewed,
    going: Iterable[Operation],
    contents: Mapping[AppKey, tuple[LiveResource, ...]],
    redactor: ValueRedactor,
) -> Iterator[Moved]:
    """
    Deletes of apps with contents that were not reviewed. Plan files of older versions do not record contents.
    """
    for operation in going:
        app = operation.address.app
        if app not in reviewed.copied:
            continue
        naming = reviewed.plan.namings[app]
        moved = moved_contents(reviewed.copied[app], contents[app], app, naming, redactor)
        if moved:
            first, body = next(iter(moved.items()))
            yield Moved(
                operation=operation,
                movement=Movement.CONTENT_CHANGED,
                resource=naming.to_name(first.within_app),
                updated=str(body.get("updateTime") or ""),
                names=tuple(address.within_app for address in moved),
            )


def _written(plan: Plan, app: AppKey) -> list[Address]:
    """The resources of an app that the plan writes and a version copies."""
    return [item.address for item in plan.operations if item.address.app == app and is_written_whole(item)]


def _versions_again(
    reviewed: Reviewed,
    targets: Mapping[int, Target],
    found: Mapping[str, Body | None],
    rechecked: Mapping[int, Again],
    redactor: ValueRedactor,
) -> dict[int, Again]:
    """An existing version counts as done only if its snapshot has the planned content."""
    plan = reviewed.plan
    again: dict[int, Again] = {}
    for operation in plan.operations:
        own = rechecked.get(id(operation))
        if own is None or not own.is_done or not targets[id(operation)].kind.is_snapshot:
            continue
        version = found[targets[id(operation)].name]
        if operation.action is Action.CREATE and not (
            _holds(plan, operation, version, targets, found, rechecked)
            and not any(_copies_of(reviewed, operation, version or {}, redactor))
        ):
            moved = Moved(
                operation=operation,
                movement=Movement.CREATED,
                resource=targets[id(operation)].name,
                updated=str((version or {}).get("updateTime") or (version or {}).get("createTime") or ""),
                names=("snapshot",),
            )
            again[id(operation)] = replace(own, is_done=False, moved=moved)
    return again


def _copies_of(reviewed: Reviewed, version: Operation, body: Body, redactor: ValueRedactor) -> Iterator[Moved]:
    """What an existing version has copied, besides the plan's writes, that was not reviewed."""
    app, plan = version.address.app, reviewed.plan
    written = _written(plan, app)
    base = copied_by(snapshot_of(body) or {})
    return moved_copies(version, reviewed.copied.get(app, {}), base, plan.namings[app], written, redactor)


def _holds(
    plan: Plan,
    version: Operation,
    body: Body | None,
    targets: Mapping[int, Target],
    found: Mapping[str, Body | None],
    rechecked: Mapping[int, Again],
) -> bool:
    waited = {before for step in version.steps for before in step.after}
    earlier = [
        item
        for item in plan.operations
        if is_in_snapshots(item) and any(step.id in waited for step in item.steps)
    ]
    if not all(rechecked[id(item)].is_done for item in earlier):
        return False
    snapshot = snapshot_of(body or {})
    if snapshot is None:
        return False
    applied = (
        Answered(
            # Live is already as planned, so it remains to compare the snapshot with live. The planned state
            # itself cannot be compared, because a plan file hides plain values next to secrets.
            operation=replace(item, after=None),
            target=targets[id(item)],
            answer=without_stamp(found[targets[id(item)].name] or {}),
        )
        for item in earlier
    )
    # A version is created before the stamp of its apply.
    app = {"app": without_stamp(snapshot["app"])} if isinstance(snapshot.get("app"), dict) else {}
    return not unlike_snapshot({**snapshot, **app}, applied)


def _without_idle_ends(results: Iterable[Again]) -> list[Again]:
    """
    The results without locks around nothing, and without a stamp if nothing else is left and a later apply has
    written its own.
    """
    everything = list(results)
    busy = {_app(item) for item in everything if item.is_left and not item.operation.is_frame}
    everything = [
        _ended(item, item.is_refreshed and _app(item) not in busy, Reason.STAMP) for item in everything
    ]
    busy |= {_app(item) for item in everything if item.is_left and item.operation.reason is Reason.STAMP}
    return [_ended(item, _app(item) not in busy, Reason.LOCKED) for item in everything]


def _ended(item: Again, ends: bool, reason: Reason) -> Again:
    return replace(item, is_done=True) if ends and item.operation.reason is reason else item


def _app(item: Again) -> AppKey:
    return item.operation.address.app
