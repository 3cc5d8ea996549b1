"""
Rechecking one operation of a reviewed plan against the current resource.

The change is still the reviewed one if everything that its writes replace is unchanged, or all of the resource
if a version of the plan copies it. Values are compared, including secrets if their variables are available.
Values that cannot be compared count as unchanged only if the etag, or else the time of the last change, is the
same.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, assert_never

from cesplan.domain.app_metadata.lease import LEASE
from cesplan.domain.app_metadata.stamp import PARTIAL, SEQUENCE
from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.field_path import FieldPath, Index, MaskPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Action, Operation, Purpose, Step
from cesplan.domain.reviewed import Moved, Movement, Reviewed, Seen
from cesplan.domain.value import ABSENT, Body, Place, Secret, at_place, leaves, with_leaves
from cesplan.engine.comparing.bodies import replaced, take
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.normalize import Normalized, normalize
from cesplan.engine.comparing.resource_names import Target
from cesplan.engine.comparing.stamp import without_stamp
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.reviewing.record import is_touched, strangers, touched_by
from cesplan.model.spec import MessageSpec

_TRANSIENT = frozenset({SEQUENCE, PARTIAL, LEASE})
"""Metadata keys that change independently, and before the stamp of a complete apply is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """
    The result for an operation: left to do, as `operation` says, already done, or `moved`.

    `is_refreshed`: the resource moved, but the change is still the same.
    """

    operation: Operation
    is_done: bool = False
    is_refreshed: bool = False
    moved: Moved | None = None

    @property
    def is_left(self) -> bool:
        return not self.is_done and self.moved is None


def recheck_operation(
    operation: Operation,
    target: Target,
    live: Body | None,
    reviewed: Reviewed,
    redactor: ValueRedactor,
    *,
    whole: bool = False,
) -> Again:
    """
    Recheck an operation against the current resource (None: it does not exist).

    With `whole`, no part of the resource may have changed, whether or not the operation writes it.
    """
    seen = reviewed.seen.get(operation.address, Seen())
    recheck = _OperationRecheck(operation, target, seen, redactor, whole=whole)
    match operation.action:
        case Action.CREATE:
            return recheck.missing() if live is None else recheck.created(live)
        case Action.UPDATE:
            return recheck.moved(Movement.DELETED) if live is None else recheck.updated(live)
        case Action.DELETE:
            return Again(operation=operation, is_done=True) if live is None else recheck.deleted(live)
        case _:
            assert_never(operation.action)


class _OperationRecheck:
    """One operation, its resource, and its secrets."""

    def __init__(
        self, operation: Operation, target: Target, seen: Seen, redactor: ValueRedactor, *, whole: bool
    ) -> None:
        self._operation = operation
        self._target = target
        self._seen = seen
        self._redactor = redactor
        self._spec: MessageSpec = target.kind.spec
        # No path means all. A whole update is checked like a delete, which removes everything.
        self._touched = () if whole else touched_by(operation, self._spec)
        self._whole = whole

    def moved(
        self,
        movement: Movement,
        found: Body | None = None,
        changes: Iterable[FieldChange] = (),
        names: Iterable[str] = (),
    ) -> Again:
        moved = Moved(
            operation=self._operation,
            movement=movement,
            resource=self._target.name,
            updated=str((found or {}).get("updateTime") or ""),
            changes=tuple(changes),
            names=tuple(names),
        )
        return Again(operation=self._operation, moved=moved)

    def missing(self) -> Again:
        """The result for a resource that must still be created."""
        return Again(operation=replace(self._operation, after=self._intended({})))

    def created(self, found: Body) -> Again:
        """The result for a resource that exists: done if it is exactly as planned, no matter who created it."""
        live = self._live(found)
        changes = [*self._differences(self._intended({}), live)]
        if not changes:
            return Again(operation=self._operation, is_done=True)
        links = tuple(step for step in self._operation.steps if step.id.purpose is Purpose.LINK)
        create = next((step for step in self._operation.steps if step.action is Action.CREATE), None)
        if links and create and not [*self._differences(self._canonical(create.body), live)]:
            after = self._intended({})
            rest = replace(self._operation, steps=links, after=after, seen=found, etag=_etag(found))
            return Again(operation=rest, is_refreshed=True)
        return self.moved(Movement.CREATED, found, changes)

    def updated(self, found: Body) -> Again:
        live = self._live(found)
        before = with_live_secrets(self._operation.before or {}, live.body)
        changes = [item for item in self._moves(before, live.body) if _meets(item, self._touched)]
        unclear = self._unclear(found, live, self._touched)
        if not changes and not unclear:
            return self._again(found, live)
        if self._is_done(live):
            return Again(operation=self._operation, is_done=True)
        return self.moved(Movement.CHANGED if changes else Movement.UNCLEAR, found, changes, unclear)

    def _moves(self, before: Body, now: Body) -> Iterator[FieldChange]:
        """The changes since the plan saw it. A different stamp matters only if the update replaces it."""
        stamped = MaskPath((self._target.kind.stamp_field,))
        if self._whole and not is_touched(stamped, touched_by(self._operation, self._spec)):
            before, now = map(without_stamp, (before, now))
        return self._foreign(*(self._settled(body) for body in (before, now)))

    def _settled(self, body: Body) -> Body:
        """An app without what running or interrupted applies leave in its metadata."""
        name = self._target.kind.stamp_field
        metadata = body.get(name)
        if not isinstance(metadata, dict):
            return body
        kept = {key: value for key, value in metadata.items() if key not in _TRANSIENT}
        return {**body, name: kept} if kept else {key: item for key, item in body.items() if key != name}

    def deleted(self, found: Body) -> Again:
        """The result for a delete, which removes everything, so nothing may have changed."""
        live = self._live(found)
        changes = [*self._foreign(with_live_secrets(self._operation.before or {}, live.body), live.body)]
        unclear = self._unclear(found, live, ())
        if not changes and not unclear:
            return self._again(found, live)
        return self.moved(Movement.CHANGED if changes else Movement.UNCLEAR, found, changes, unclear)

    def _again(self, found: Body, live: Normalized) -> Again:
        """The same change, based on the current live state."""
        operation = self._operation
        steps = tuple(replace(step, body=with_live_secrets(step.body, live.body)) for step in operation.steps)
        after = self._intended(live.body) if operation.action is Action.UPDATE else None
        fresh = replace(operation, steps=steps, before=live.body, after=after, seen=found, etag=_etag(found))
        return Again(operation=fresh, is_refreshed=operation.etag != fresh.etag)

    def _intended(self, live: Body) -> Body:
        """The canonical body after all steps on the live body."""
        body = dict(live)
        for step in self._operation.steps:
            sent = with_live_secrets(step.body, live)
            if step.action is Action.CREATE:
                body = self._canonical(sent)
            for path in step.mask:
                body = replaced(self._spec, body, path, take(sent, path.fields, ABSENT))
        return self._canonical(body)

    def _is_done(self, live: Normalized) -> bool:
        """True if live already is as the update would make it. Fields that are never returned do not count."""
        if any(self._never_comes_back(step) for step in self._operation.steps):
            return False
        base = with_live_secrets(self._operation.before or {}, live.body) if self._whole else live.body
        # The stamp of the apply that did it was written later.
        intended, there = map(without_stamp, (self._intended(base), live.body))
        changes = self._foreign(intended, there)
        return not any(_meets(item, self._touched) for item in changes)

    def _never_comes_back(self, step: Step) -> bool:
        normalized = normalize(self._spec, step.body, self._target.naming)
        return bool(normalized.input_only or normalized.unknown)

    def _live(self, found: Body) -> Normalized:
        live = normalize(self._spec, found, self._target.naming)
        return replace(live, body=self._redactor.redact(live.body))

    def _canonical(self, body: Body) -> Body:
        return normalize(self._spec, body, self._target.naming).body

    def _differences(self, planned: Body, live: Normalized) -> Iterator[FieldChange]:
        """The differences between the planned new resource and the live one."""
        scope = Scope(unknown=frozenset(path for path, _ in live.unknown))
        yield from map(_turned, diff(self._spec, planned, live.body, scope))

    def _foreign(self, before: Body, now: Body) -> Iterator[FieldChange]:
        """The changes since the plan saw it, ignoring values that the server may have set."""
        forth = diff(self._spec, now, before, Scope())
        yield from forth
        known = {item.path for item in forth}
        back = map(_turned, diff(self._spec, before, now, Scope()))
        yield from (item for item in back if item.path not in known)

    def _unclear(self, found: Body, live: Normalized, touched: tuple[MaskPath, ...]) -> list[str]:
        """Replaced places that cannot be compared, unless the etag or update time is unchanged."""
        if self._is_vouched_for(found):
            return []
        places = hidden_places(self._operation.before or {})
        hidden = {str(path) for path in places if is_touched(path, touched)}
        strange = {*self._seen.strangers, *strangers(self._target, self._operation, live)}
        return sorted(hidden | strange)

    def _is_vouched_for(self, found: Body) -> bool:
        etag, updated = _etag(found), str(found.get("updateTime") or "")
        if etag or self._operation.etag:
            return etag == self._operation.etag
        return bool(updated) and updated == self._seen.updated


def with_live_secrets(planned: Any, live: Any) -> Any:
    """A planned value with live's values in place of hidden ones that no variable provides."""

    def leaf(place: Place, item: Any) -> Any:
        return at_place(live, place) if isinstance(item, Secret) and not item.variables else item

    return with_leaves(planned, leaf)


def hidden_places(body: Any) -> Iterator[MaskPath]:
    """The fields with hidden live values, or the lists or maps that contain them."""
    for at, leaf in leaves(body):
        if isinstance(leaf, Secret) and not leaf.variables:
            yield MaskPath(tuple(part for part in at if isinstance(part, str)))


def _meets(change: FieldChange, touched: tuple[MaskPath, ...]) -> bool:
    return is_touched(change.mask, touched) or is_touched(change.path.mask, touched)


def _turned(change: FieldChange) -> FieldChange:
    actions = {FieldAction.ADDED: FieldAction.REMOVED, FieldAction.REMOVED: FieldAction.ADDED}
    action = actions.get(change.action, change.action)
    path = change.path
    if action is FieldAction.MOVED:
        path = FieldPath((*path.segments[:-1], Index(change.before)))
    return replace(change, path=path, before=change.after, after=change.before, action=action)


def _etag(body: Body) -> str:
    return str(body.get("etag") or "")
