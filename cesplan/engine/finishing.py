"""
Finishing: what every plan of an app ends with, once its operations stand: the stamp, and the lock.
"""

from collections.abc import Iterable

from cesplan.domain.address import app_address
from cesplan.domain.desired import Desired
from cesplan.domain.plan import Operation
from cesplan.engine.context import AppContext
from cesplan.engine.locking import Lock, with_lock
from cesplan.engine.stamping import has_stamp, stamp, stamp_operation
from cesplan.model.kinds import kind_of


def finish(
    context: AppContext, operations: tuple[Operation, ...], desired: Desired, *, complete: bool
) -> tuple[Operation, ...]:
    """Add the stamp, and the lock around everything."""
    resource_id = context.matched.naming.app_id
    if _is_stamped(context, operations, complete=complete):
        after = tuple(sorted(step.id for item in operations for step in item.steps))
        values = stamp(context.app, desired.source, context.settings)
        metadata = _metadata(context, operations)
        operations = (
            *operations,
            stamp_operation(context.app, resource_id, context.live, metadata, values, after),
        )
    lock = Lock(
        address=app_address(context.app.key),
        resource_id=resource_id,
        live=context.live,
        desired=bool(context.app.app.body.get(kind_of("apps").lock_field)),
    )
    return with_lock(operations, lock)


def _is_stamped(context: AppContext, operations: tuple[Operation, ...], *, complete: bool) -> bool:
    """
    A run that writes leaves the stamp, unless first contact held something back; `adopt` always does.

    One that was asked for a part only never does.
    """
    if not context.settings.stamp or not context.options.choice.is_everything:
        return False
    first = context.live is not None and not has_stamp(context.live)
    return (bool(operations) and (complete or not first)) or (first and context.adopts)


def _metadata(context: AppContext, operations: Iterable[Operation]) -> dict[str, str]:
    """What the app's metadata hold once the operations are done."""
    name = kind_of("apps").stamp_field
    own = next((item for item in operations if item.address == app_address(context.app.key)), None)
    body = own.after if own and own.after is not None else context.live.app.body if context.live else {}
    return dict(body.get(name) or {})
