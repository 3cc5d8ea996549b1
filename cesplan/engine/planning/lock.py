"""
Locking: a locked app refuses changes to its contents, so its lock is opened first and closed last.

The lock is written after all other writes of the app, including the stamp.
"""

from collections.abc import Iterable
from dataclasses import replace

from cesplan.domain.address import Address
from cesplan.domain.field_path import MaskPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp
from cesplan.domain.plan import Action, Operation, Purpose, Reason, Step, StepId
from cesplan.engine.comparing.bodies import without
from cesplan.model.kinds import kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """The lock of one app: its live state, and its state afterwards."""

    address: Address
    resource_id: str
    live: LiveApp | None
    desired: bool

    @property
    def is_locked(self) -> bool:
        return bool(self.live and self.live.app.body.get(_field()))


def with_lock(operations: tuple[Operation, ...], lock: Lock) -> tuple[Operation, ...]:
    """The operations of one app, with steps to open and close its lock if necessary."""
    opens = lock.is_locked and bool(operations)
    closes = lock.desired and (opens or _writes_lock(operations))
    if not opens and not closes:
        return operations
    inner = tuple(_without_lock_field(item) if closes else item for item in operations)
    # If the lock is the only difference of an app, the closing step is the whole update.
    inner = tuple(item for item in inner if item.steps or (closes and item.changes and _is_own(item, lock)))
    if opens:
        inner = tuple(_after_unlock(item, lock) for item in inner)
    return _attach(inner, lock, opens=opens, closes=closes)


def _field() -> str:
    return kind_of("apps").lock_field


def _writes_lock(operations: Iterable[Operation]) -> bool:
    return any(_field() in step.body for item in operations for step in item.steps)


def _without_lock_field(operation: Operation) -> Operation:
    """Remove the field from the ordinary steps. An update of nothing else has no steps then."""
    if not operation.address.is_app or operation.reason is Reason.STAMP:
        return operation
    steps = tuple(
        replace(
            step,
            body=without(step.body, (_field(),)),
            mask=tuple(path for path in step.mask if path.fields != (_field(),)),
        )
        for step in operation.steps
    )
    kept = tuple(step for step in steps if step.action is not Action.UPDATE or step.mask)
    return replace(operation, steps=kept)


def _after_unlock(operation: Operation, lock: Lock) -> Operation:
    unlock = StepId(address=lock.address, purpose=Purpose.UNLOCK)
    steps = (replace(step, after=tuple(sorted({*step.after, unlock}))) for step in operation.steps)
    return replace(operation, steps=tuple(steps))


def _attach(
    operations: tuple[Operation, ...], lock: Lock, *, opens: bool, closes: bool
) -> tuple[Operation, ...]:
    """Add the lock's steps to the operation of the app, which is created if there is none."""
    everything = tuple(sorted(step.id for item in operations for step in item.steps))
    first = _step(lock, Purpose.UNLOCK, value=False, after=()) if opens else None
    last = _step(lock, Purpose.LOCK, value=True, after=(*([first.id] if first else []), *everything))
    own = next((item for item in operations if _is_own(item, lock)), None) or _own_operation(lock)
    steps = (*([first] if first else []), *own.steps, *([last] if closes else []))
    others = tuple(item for item in operations if not _is_own(item, lock))
    return (replace(own, steps=steps), *others)


def _step(lock: Lock, purpose: Purpose, *, value: bool, after: tuple[StepId, ...]) -> Step:
    return Step(
        id=StepId(address=lock.address, purpose=purpose),
        action=Action.UPDATE,
        body={_field(): True} if value else {},
        mask=(MaskPath((_field(),)),),
        after=after,
    )


def _is_own(operation: Operation, lock: Lock) -> bool:
    return operation.address == lock.address and operation.reason is not Reason.STAMP


def _own_operation(lock: Lock) -> Operation:
    return Operation(
        address=lock.address,
        action=Action.UPDATE,
        reason=Reason.LOCKED,
        steps=(),
        resource_id=lock.resource_id,
        before={_field(): True} if lock.is_locked else {},
        after={_field(): True} if lock.desired else {},
        seen=lock.live.app.body if lock.live else None,
        etag=lock.live.app.etag if lock.live else "",
    )
