"""
Live edits in a plan: for every difference, which side changed since the last apply, and who edited live.
Applying a plan reverts what someone changed live, deletes what someone created, and re-creates what someone
deleted. This module marks each operation that does so, for people, the guard, and rules.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from cesplan.domain.address import Address
from cesplan.domain.change import EditKind, FieldAction, FieldChange, LiveEdit, Origin
from cesplan.domain.desired import Desired, DesiredResource
from cesplan.domain.live import Live
from cesplan.domain.options import PlanOptions
from cesplan.domain.plan import Action, Operation, Plan, Reason
from cesplan.domain.text.times import sortable
from cesplan.domain.value import Body, comparable, secret_variables
from cesplan.engine.applying.partial import body_digest, was_written
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.origins import field_origins, together
from cesplan.engine.comparing.resource_names import target_of
from cesplan.engine.comparing.stamp import Contact
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.planning.context import AppContext, context_of
from cesplan.features.history.base import Base, BaseApp
from cesplan.features.history.edit_log import EditLog, attributed
from cesplan.features.history.half_writes import is_half_unlocked, without_going
from cesplan.features.history.last_applied import BaseQuery, find_base
from cesplan.features.history.lost_stamps import with_lost_stamp
from cesplan.features.history.sources import Sources
from cesplan.features.history.three_states import ThreeStates, three_states
from cesplan.model.kinds import kind_of


def with_live_edits(plan: Plan, desired: Desired, live: Live, options: PlanOptions, sources: Sources) -> Plan:
    """
    The plan with the origin of every operation and field, and with notices about missing information. Only apps
    that this tree was applied to have a base; if a plan changes nothing, nothing is read.
    """
    redactor = ValueRedactor(plan.secrets)
    explained: dict[int, Operation] = {}
    notices: list[str] = []
    by_app: dict[str, list[Operation]] = {}
    for item in plan.shown:
        by_app.setdefault(item.address.app, []).append(item)
    for app in desired.apps:
        operations = by_app.get(app.key, [])
        if not operations or app.key not in live.apps or app.key in live.unclear:
            continue
        then, lost = with_lost_stamp(live, app.key, desired, sources.client)
        notices += lost
        context = context_of(app, desired, then, options, redactor)
        if context.contact is not Contact.OURS:
            continue
        history = history_of(context, sources)
        for item in operations:
            explained[id(item)] = history.explained(item, plan)
        notices += history.notices()
    operations_now = tuple(explained.get(id(item), item) for item in plan.operations)
    return replace(plan, operations=tuple(map(_framed, operations_now)), notices=(*plan.notices, *notices))


def history_of(context: AppContext, sources: Sources) -> "AppHistory":
    """The known history of one live app."""
    assert context.live is not None
    log = EditLog(sources.client, context.live.app.name, context.stamp)
    query = BaseQuery(
        sources=sources,
        tree=context.app,
        live=context.live,
        matched=context.matched,
        naming=context.matched.naming,
        log=log,
    )
    return AppHistory(context, find_base(query), log)


class AppHistory:
    """The past of one app: its base and its edit log."""

    def __init__(self, context: AppContext, base: BaseApp, log: EditLog) -> None:
        self.context = context
        self.base = base
        self.log = log
        self._files = {item.address: item for item in context.app.all()}
        self._has_unknown = False
        self._has_reverts = False

    def explained(self, operation: Operation, plan: Plan) -> Operation:
        """An operation with its origins."""
        if operation.is_frame:
            return operation
        base = self.base.of(operation.address, operation.resource_id)
        if operation.seen is not None and self.was_written(operation.address, operation.seen):
            return _of_tree(operation)
        match operation.action:
            case Action.CREATE:
                explained = self._create(operation, plan, base)
            case Action.DELETE:
                explained = self._delete(operation, plan, base)
            case Action.UPDATE:
                explained = self._update(operation, plan, base)
        self._has_reverts |= explained.reverts
        self._has_unknown |= explained.origin is Origin.UNKNOWN and explained.reverts
        return explained

    def edits(self, file: DesiredResource, base: Base, live: Body) -> tuple[FieldChange, ...]:
        """The live edits since the base, as changes that lead back to it."""
        states = self._states(file, base, live)
        return states.live_edits

    def was_written(self, address: Address, live: Body) -> bool:
        """Whether a live resource is in the state that an incomplete apply of this tree left."""
        stamp = self.context.stamp
        if not stamp.partial:
            return False
        naming = self.context.matched.naming
        digest = body_digest(kind_of(address.kind), live, naming.place, naming.app_id, self.context.redactor)
        return was_written(stamp, digest)

    def notices(self) -> Iterator[str]:
        """Missing information, and how to provide it."""
        key = self.context.app.key
        if self.base.weaker and self._has_reverts:
            yield (
                f"{key}: the tree of the last apply is not available ({self.base.weaker}); "
                f"live edits are found from {self.base.source or 'nothing else'}"
            )
        if self._has_unknown and self.context.stamp.commit:
            yield (
                f"{key}: differences of unknown origin count as live edits; to distinguish them, fetch the"
                f" commit of the last apply: git fetch origin {self.context.stamp.commit}"
            )
        if self.log.trouble:
            yield f"{key}: live edits have no author, because the change log cannot be read: {self.log.trouble}"
        yield from (f"{key}: {text}" for text in self.base.notices)

    def _create(self, operation: Operation, plan: Plan, base: Base | None) -> Operation:
        if operation.reason is Reason.ID_CHANGED or (base is not None and not base.exists):
            return _of_tree(operation)
        if base is None:
            return replace(operation, origin=Origin.UNKNOWN)
        file = self._files[operation.address]
        states = self._states(file, base, {})
        origin = Origin.BOTH if states.tree_edits else Origin.LIVE
        return replace(
            operation,
            origin=origin,
            reverts=True,
            edit=self._edit(operation, plan, EditKind.DELETED),
        )

    def _delete(self, operation: Operation, plan: Plan, base: Base | None) -> Operation:
        if base is None:
            return replace(operation, origin=Origin.UNKNOWN, reverts=True)
        if not base.exists:
            edit = self._edit(operation, plan, EditKind.CREATED)
            return replace(operation, origin=Origin.LIVE, reverts=True, edit=edit)
        kind, naming = kind_of(operation.address.kind), self.context.matched.naming
        seen = operation.seen or {}
        there = {**normalize(kind.spec, seen, naming).body, "name": seen.get("name", "")}
        before, live = without_going(kind, base.body, there, self.context.app)
        base = replace(base, body=before)
        blank = DesiredResource(address=operation.address, body=before, file="", ownership=base.ownership)
        edits = self._states(blank, base, live).live_edits
        if not edits:
            return _of_tree(operation)
        edit = self._edit(operation, plan, EditKind.UPDATED, edits)
        return replace(operation, origin=Origin.BOTH, reverts=True, edit=edit)

    def _update(self, operation: Operation, plan: Plan, base: Base | None) -> Operation:
        if operation.reason is Reason.RESENT:
            return _of_tree(operation)
        if base is None or not base.exists:
            # Live has it and the base has not, or may not have had it: someone created it under this name.
            origin = Origin.UNKNOWN if base is None else Origin.BOTH
            if base is not None and all(map(_only_adds, operation.changes)):
                return _of_tree(operation)  # as after an apply that was killed between two writes of it
            edit = self._edit(operation, plan, EditKind.CREATED) if base else None
            changes = tuple(replace(item, origin=origin, edit=edit) for item in operation.changes)
            return replace(operation, changes=changes, origin=origin, reverts=True, edit=edit)
        file = self._files[operation.address]
        states = self._states(file, base, operation.seen or {})
        origins = field_origins(operation.changes, states.live_edits, states.tree_edits)
        changes = tuple(
            self._field(change, origin, operation, plan)
            for change, origin in zip(operation.changes, origins, strict=True)
        )
        origin = together(item.origin for item in changes) if changes else _of_extra(file, base, states)
        edits = [item.edit for item in changes if item.edit is not None]
        return replace(
            operation,
            changes=changes,
            origin=origin,
            reverts=origin is not Origin.TREE,
            edit=max(edits, key=lambda item: sortable(item.time), default=None),
        )

    def _field(self, change: FieldChange, origin: Origin, operation: Operation, plan: Plan) -> FieldChange:
        if origin is Origin.TREE:
            return replace(change, origin=origin)
        edit = self._edit(operation, plan, EditKind.UPDATED, (change,))
        if origin is Origin.LIVE and self._may_be_variable(change) and not edit.author:
            # The tree's value comes from a variable whose earlier value is unknown.
            known = self.log.is_complete
            return replace(change, origin=Origin.TREE if known else Origin.UNKNOWN)
        name = target_of(plan, operation).name
        if change.after is True and is_half_unlocked(
            kind_of(operation.address.kind), name, change.path, self.log
        ):
            return replace(change, origin=Origin.TREE)
        return replace(change, origin=origin, edit=edit)

    def _may_be_variable(self, change: FieldChange) -> bool:
        return not self.base.exact or bool(secret_variables(change.after))

    def _edit(
        self, operation: Operation, plan: Plan, kind: EditKind, changes: Iterable[FieldChange] = ()
    ) -> LiveEdit:
        return self.edit_of(operation.address, target_of(plan, operation).name, kind, changes)

    def edit_of(
        self, address: Address, name: str, kind: EditKind, changes: Iterable[FieldChange] = ()
    ) -> LiveEdit:
        """The live edit of a resource (by its full name) that these changes lead back from."""
        return attributed(self.log, kind_of(address.kind), name, kind, changes, self.context.matched.naming)

    def _states(self, file: DesiredResource, base: Base, live: Body) -> ThreeStates:
        return three_states(file, base, live, self.context.matched.naming)


def _of_extra(file: DesiredResource, base: Base, states: ThreeStates) -> Origin:
    """The origin of an update that changes only fields newer than the models."""
    moved = [name for name, value in file.extra.items() if base.extra.get(name) != value]
    edited = [name for name in file.extra if base.extra.get(name) != states.unknown.get(name)]
    if edited:
        return Origin.BOTH if moved else Origin.LIVE
    return Origin.TREE


def _only_adds(change: FieldChange) -> bool:
    """Whether a change keeps everything that is live."""
    if change.is_set:
        there, new = (Counter(map(comparable, value or [])) for value in (change.before, change.after))
        return there <= new
    return change.action is FieldAction.ADDED


def _of_tree(operation: Operation) -> Operation:
    changes = tuple(replace(item, origin=Origin.TREE) for item in operation.changes)
    return replace(operation, origin=Origin.TREE, changes=changes)


def _framed(operation: Operation) -> Operation:
    return replace(operation, origin=Origin.TREE) if operation.is_frame else operation
