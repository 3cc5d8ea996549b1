"""
Classes: the meaning of each difference between the tree, live, and the last applied state. The plan has the
differences between the tree and live; its origins say which side changed. Equal changes on both sides are not
in a plan; comparing live with the last applied state finds them.
"""

from collections.abc import Iterator
from dataclasses import replace

from cesplan.domain.address import Address
from cesplan.domain.change import EditKind, FieldChange, LiveEdit, Origin
from cesplan.domain.features.drift import UNKNOWN_ORIGIN, AppDrift, DriftClass, DriftItem, DriftKind, class_of
from cesplan.domain.field_path import FieldPath
from cesplan.domain.live import LiveResource
from cesplan.domain.plan import Action, Operation, Plan
from cesplan.domain.text.times import moment
from cesplan.domain.value import secret_variables
from cesplan.engine.comparing.match import Match
from cesplan.engine.comparing.resource_names import target_of
from cesplan.engine.comparing.stamp import Contact, digest
from cesplan.engine.planning.context import AppContext
from cesplan.engine.planning.prune import surplus, unmanaged
from cesplan.features.history.live_edits import AppHistory, history_of
from cesplan.features.history.sources import Sources
from cesplan.features.merge.fields import merge_resource
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import FieldRedactor, redactor_of, redactor_over

MERGES = "merges cleanly"

_REMOVED = "removed from the tree"
_BY_HAND = "to keep it, edit the file: pull --merge does not write it"


def app_drift(context: AppContext, plan: Plan, sources: Sources) -> AppDrift:
    """
    The drift of one app. `plan` covers this app only and has no origins yet.

    Reads the history only if live or the tree differs from the last applied state.
    """
    app = context.app
    if context.live is None:
        items: tuple[DriftItem, ...] = (_missing_app(plan),)
        return AppDrift(app=app.key, items=items, notices=plan.notices)
    operations = [item for item in plan.operations if not item.is_frame]
    history = _history(context, operations, sources)
    if history is None:
        items = tuple(item for one in operations for item in _pending(one, plan))
    else:
        items = tuple(_Classes(plan, context, history).all(operations))
    items = tuple(sorted(items, key=_by_address))
    return AppDrift(
        app=app.key,
        name=context.live.app.name,
        items=items,
        managed=sum(1 for match in context.matched.matches if match.live is not None) + _leaving(items),
        unmanaged=_unmanaged(context, items),
        commit=context.stamp.commit if context.contact is Contact.OURS else "",
        applied_at=_applied_at(history, items),
        base=_base_of(context, history),
        notices=(*_contact_notices(context), *plan.notices, *plan.refusals, *_known(history)),
    )


def location_drift(plan: Plan, location: str, name: str) -> AppDrift:
    """The drift of the resources that exist once per location. No stamp tells which side changed."""
    items = tuple(item for one in plan.shown for item in _of_location(one, plan))
    is_unknown = any(item.origin is Origin.UNKNOWN for item in items)
    notice = (
        f"@{location}: a location has no stamp, and no app's stamp names a commit with its last applied"
        " state: its differences are listed as pending"
    )
    return AppDrift(
        app=f"@{location}",
        name=name,
        items=items,
        managed=plan.unchanged + len(plan.shown),
        notices=(*plan.notices, *([notice] if is_unknown else [])),
    )


class _Classes:
    """Classifies the differences of an app that this tree was applied to."""

    def __init__(self, plan: Plan, context: AppContext, history: AppHistory) -> None:
        self._plan = plan
        self._context = context
        self._history = history
        self._files = {item.address: item for item in context.app.all()}

    def all(self, operations: list[Operation]) -> Iterator[DriftItem]:
        explained = [self._history.explained(item, self._plan) for item in operations]
        for item in explained:
            yield from self._operation(item)
        by_address = {item.address: item for item in explained}
        if not self._is_applied:
            for match in self._context.matched.matches:
                yield from self._converged(match, by_address.get(match.desired.address))
            yield from self._converged_deletes(by_address)
        yield from self._appeared(by_address)

    @property
    def _is_applied(self) -> bool:
        """Whether the tree is the last applied state: then nothing can have converged."""
        return self._context.stamp.digest == digest(self._context.app)

    def _operation(self, operation: Operation) -> Iterator[DriftItem]:
        if operation.changes and operation.action is Action.UPDATE:
            redactor = redactor_of(operation)
            is_both = any(change.origin is Origin.BOTH for change in operation.changes)
            collisions = self._collisions(operation) if is_both else None
            for change in operation.changes:
                yield self._field(operation, change, redactor, collisions)
            return
        yield self._resource(operation)

    def _resource(self, operation: Operation) -> DriftItem:
        """A resource that is missing on one side, or an update without a field to show."""
        kinds = {
            (Action.CREATE, Origin.LIVE): DriftKind.DELETED,
            (Action.CREATE, Origin.BOTH): DriftKind.DELETED,
            (Action.CREATE, Origin.TREE): DriftKind.CREATED,
            (Action.CREATE, Origin.UNKNOWN): DriftKind.CREATED,
            (Action.DELETE, Origin.LIVE): DriftKind.CREATED,
            (Action.DELETE, Origin.TREE): DriftKind.DELETED,
            (Action.DELETE, Origin.UNKNOWN): DriftKind.CREATED,
        }
        return _item(
            operation,
            self._plan,
            drift_class=class_of(operation.origin, reverts=operation.reverts),
            kind=kinds.get((operation.action, operation.origin), DriftKind.CHANGED),
            origin=operation.origin,
            edit=operation.edit,
            note=self._note(operation),
        )

    def _note(self, operation: Operation) -> str:
        match operation.action, operation.origin:
            case Action.DELETE, Origin.BOTH:
                return _REMOVED
            case Action.CREATE, Origin.BOTH:
                return "changed in the tree"
            case Action.CREATE, Origin.UNKNOWN:
                return "new in the tree, or deleted live: the last applied state is unknown"
            case _, Origin.UNKNOWN:
                return UNKNOWN_ORIGIN
        return ""

    def _field(
        self,
        operation: Operation,
        change: FieldChange,
        redactor: FieldRedactor,
        collisions: tuple[FieldPath, ...] | None,
    ) -> DriftItem:
        drift_class = class_of(change.origin, reverts=operation.reverts)
        note = UNKNOWN_ORIGIN if change.origin is Origin.UNKNOWN and operation.reverts else ""
        merges = (
            drift_class is DriftClass.CONFLICT
            and collisions is not None
            and not any(path.is_inside(change.path) or change.path.is_inside(path) for path in collisions)
        )
        return _item(
            operation,
            self._plan,
            drift_class=DriftClass.DRIFT if merges else drift_class,
            origin=change.origin,
            change=_wrapped(change, redactor),
            edit=change.edit,
            merges=merges,
            note=MERGES if merges else note,
        )

    def _collisions(self, operation: Operation) -> tuple[FieldPath, ...] | None:
        """The fields where the edits of both sides collide, as in `pull --merge`; None if unknown."""
        base = self._history.base.of(operation.address, operation.resource_id)
        file = self._files.get(operation.address)
        if base is None or not base.exists or file is None or operation.seen is None:
            return None
        spec, naming = kind_of(operation.address.kind).spec, self._context.matched.naming
        merged = merge_resource(spec, base, file, operation.seen, naming)
        return tuple(item.path for item in merged.fields if item.is_open)

    def _converged(self, match: Match, operation: Operation | None) -> Iterator[DriftItem]:
        """Live edits that the tree already contains."""
        live, file = match.live, match.desired
        if live is None or (operation is not None and operation.action is not Action.UPDATE):
            return
        base = self._history.base.of(file.address, live.id)
        if base is None or self._history.was_written(file.address, live.body):
            return
        if not base.exists:
            if operation is None:
                edit = self._history.edit_of(file.address, live.name, EditKind.CREATED)
                yield self._agreed(match, live, DriftKind.CREATED, edit)
            return
        redactor = redactor_over(kind_of(file.address.kind).spec, (file.body,))
        for change in self._history.edits(file, base, live.body):
            if operation is not None and _meets(change, operation):
                continue
            if self._may_be_variable(change, live):
                continue
            edit = self._history.edit_of(file.address, live.name, EditKind.UPDATED, (change,))
            yield replace(self._agreed(match, live, DriftKind.CHANGED, edit), change=_wrapped(change, redactor))

    def _agreed(self, match: Match, live: LiveResource, kind: DriftKind, edit: LiveEdit) -> DriftItem:
        return DriftItem(
            address=match.desired.address,
            drift_class=DriftClass.CONVERGED,
            kind=kind,
            origin=Origin.BOTH,
            display_name=self._context.redactor.name(kind_of(live.kind).display_name_in(live.body)),
            resource=live.name,
            edit=edit,
        )

    def _may_be_variable(self, change: FieldChange, live: LiveResource) -> bool:
        """Whether a difference may come from a variable whose earlier value is unknown."""
        uncertain = not self._history.base.exact or bool(secret_variables((change.before, change.after)))
        return uncertain and not self._history.log.foreign(live.name)

    def _converged_deletes(self, operations: dict[Address, Operation]) -> Iterator[DriftItem]:
        """Resources that were removed from the tree and already deleted live by someone."""
        context = self._context
        here = {match.desired.address for match in context.matched.matches}
        here |= {context.address(item) for item in context.matched.live_only} | {*operations}
        here |= {file.address for doubt in context.matched.unclear for file in doubt.files}
        for address in sorted({*self._history.base.found} - here):
            name = context.matched.naming.to_name(address.within_app)
            edit = self._history.edit_of(address, name, EditKind.DELETED)
            if edit.author:
                yield DriftItem(
                    address=address,
                    drift_class=DriftClass.CONVERGED,
                    kind=DriftKind.DELETED,
                    origin=Origin.BOTH,
                    edit=edit,
                )

    def _appeared(self, operations: dict[Address, Operation]) -> Iterator[DriftItem]:
        """Unmanaged resources that were created since the last apply."""
        context = self._context
        why = {item.address: item.why for item in unmanaged(context)}
        for live in context.matched.live_only if why else ():
            address = context.address(live)
            if address not in why or address in operations or not self._is_new(live):
                continue
            yield DriftItem(
                address=address,
                drift_class=DriftClass.DRIFT,
                kind=DriftKind.CREATED,
                origin=Origin.LIVE,
                display_name=context.redactor.name(kind_of(live.kind).display_name_in(live.body)),
                resource=live.name,
                edit=self._history.edit_of(address, live.name, EditKind.CREATED),
                note=f"not managed: {why[address]}",
            )

    def _is_new(self, live: LiveResource) -> bool:
        created, applied = moment(live.body.get("createTime")), self._history.log.stamp_time()
        return created is not None and applied is not None and created > applied


def _history(context: AppContext, operations: list[Operation], sources: Sources) -> AppHistory | None:
    """The history of the app; None if no apply of this tree is known, or if none is needed."""
    if context.contact is not Contact.OURS:
        return None
    is_equal = not operations and context.stamp.digest == digest(context.app)
    return None if is_equal and not any(unmanaged(context)) else history_of(context, sources)


def _pending(operation: Operation, plan: Plan) -> Iterator[DriftItem]:
    """The differences of an app if it is unknown which side changed."""
    kinds = {Action.CREATE: DriftKind.CREATED, Action.DELETE: DriftKind.DELETED}
    if operation.changes and operation.action is Action.UPDATE:
        redactor = redactor_of(operation)
        for change in operation.changes:
            yield _item(operation, plan, drift_class=DriftClass.PENDING, change=_wrapped(change, redactor))
        return
    kind = kinds.get(operation.action, DriftKind.CHANGED)
    yield _item(operation, plan, drift_class=DriftClass.PENDING, kind=kind)


def _of_location(operation: Operation, plan: Plan) -> Iterator[DriftItem]:
    if operation.origin is Origin.UNKNOWN:
        yield from _pending(operation, plan)
        return
    redactor = redactor_of(operation)
    for change in operation.changes:
        yield _item(
            operation,
            plan,
            drift_class=class_of(change.origin, reverts=True),
            origin=change.origin,
            change=_wrapped(change, redactor),
            edit=change.edit,
            note="" if change.origin is Origin.TREE else _BY_HAND,
        )


def _missing_app(plan: Plan) -> DriftItem:
    """One item for the whole app if it does not exist."""
    operation = next(item for item in plan.operations if item.address.is_app)
    found = sum(1 for item in plan.shown) - 1
    inside = f", and neither do its {found:,} other resources" if found else ""
    return _item(
        operation,
        plan,
        drift_class=DriftClass.PENDING,
        kind=DriftKind.CREATED,
        note=f"the app does not exist{inside}",
    )


def _item(operation: Operation, plan: Plan, *, drift_class: DriftClass, **facts: object) -> DriftItem:
    return DriftItem(
        address=operation.address,
        drift_class=drift_class,
        display_name=operation.display_name,
        resource=target_of(plan, operation).name if operation.seen is not None else "",
        **facts,  # type: ignore[arg-type]
    )


def _wrapped(change: FieldChange, redactor: FieldRedactor) -> FieldChange:
    """The change with every sensitive leaf wrapped: an item outlives the bodies that show where secrets are."""
    before, after = redactor.sides(change)
    return replace(change, before=before, after=after)


def _meets(change: FieldChange, operation: Operation) -> bool:
    place = change.place_live
    return any(
        item.place_live.is_inside(place) or place.is_inside(item.place_live) for item in operation.changes
    )


def _by_address(item: DriftItem) -> tuple[bool, Address]:
    return not item.address.is_app, item.address


def _leaving(items: tuple[DriftItem, ...]) -> int:
    """The number of live resources that have been removed from the tree since the last apply."""
    return sum(1 for item in items if item.change is None and item.resource and _is_leaving(item))


def _is_leaving(item: DriftItem) -> bool:
    is_deleted = item.drift_class is DriftClass.PENDING and item.kind is DriftKind.DELETED
    return is_deleted or item.note == _REMOVED


def _unmanaged(context: AppContext, items: tuple[DriftItem, ...]) -> tuple[Address, ...]:
    leaving = {item.address for item in items if item.change is None and _is_leaving(item)}
    found = {item.address for item in unmanaged(context)} | {item.address for item in surplus(context)}
    return tuple(sorted(found - leaving))


def _applied_at(history: AppHistory | None, items: tuple[DriftItem, ...]) -> str:
    """The time of the last complete apply; only if there are live edits, because it costs a read."""
    if history is None or not any(item.edit for item in items):
        return ""
    found = history.log.stamp_time()
    return found.isoformat().replace("+00:00", "Z") if found else ""


def _base_of(context: AppContext, history: AppHistory | None) -> str:
    if history is not None:
        return history.base.source
    if context.contact is not Contact.OURS:
        return ""
    return "the current tree, which is the last applied state"


def _contact_notices(context: AppContext) -> Iterator[str]:
    key = context.app.key
    match context.contact:
        case Contact.FIRST:
            yield (
                f"{key}: no complete apply left a stamp, so live edits cannot be distinguished from changes of"
                " the tree: all differences are listed as pending"
            )
        case Contact.FOREIGN:
            yield (
                f"{key}: live was applied from elsewhere, so live edits cannot be distinguished from changes of"
                " the tree: all differences are listed as pending"
            )
        case Contact.OURS:
            pass


def _known(history: AppHistory | None) -> Iterator[str]:
    if history is not None:
        yield from history.notices()
