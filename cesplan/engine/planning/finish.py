"""Finishing the plan of an app after its operations are known: the stamp and the lock."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from cesplan.domain.address import APPS, app_address
from cesplan.domain.app_metadata.stamp import Stamp, id_mark
from cesplan.domain.desired import Desired
from cesplan.domain.plan import Operation
from cesplan.domain.value import as_object
from cesplan.engine.comparing.stamp import Contact, new_stamp, stamp_operation
from cesplan.engine.planning.context import AppContext
from cesplan.engine.planning.lock import Lock, with_lock
from cesplan.engine.planning.versions.recorded import marks, newly_named
from cesplan.model.kinds import kind_of


def finish(
    context: AppContext,
    operations: tuple[Operation, ...],
    desired: Desired,
    *,
    complete: bool,
    sequence: int | None = None,
) -> tuple[Operation, ...]:
    """Add the stamp, and the lock around all operations."""
    resource_id = context.matched.naming.app_id
    stamps = marks(context.matched.matches, context.remade_versions, context.stamp, newly_named(operations))
    stamp = new_stamp(context.app, desired, context.matched, sequence, _writes(context, operations), stamps)
    if _is_stamped(context, operations, stamp, complete=complete):
        after = tuple(sorted(step.id for item in operations for step in item.steps))
        metadata = context.redactor.redact(_metadata(context, operations))
        own = stamp_operation(context.app, resource_id, context.live, metadata, stamp, after)
        operations = (*operations, replace(own, before=context.redactor.redact(own.before)))
    lock = Lock(
        address=app_address(context.app.key),
        resource_id=resource_id,
        live=context.live,
        desired=bool(context.app.app.body.get(kind_of("apps").lock_field)),
    )
    return with_lock(operations, lock)


def _writes(context: AppContext, operations: Iterable[Operation]) -> Counter[str]:
    """The number of writes of each resource before the stamp, by the mark of its id."""
    found: Counter[str] = Counter()
    for item in operations:
        found[id_mark(item.address.kind, item.resource_id)] += len(item.steps)
    if found and context.live is not None and context.live.app.body.get(kind_of(APPS).lock_field):
        found[id_mark(APPS, context.matched.naming.app_id)] += 1  # it is unlocked first
    return found


def _is_stamped(
    context: AppContext, operations: tuple[Operation, ...], stamp: Stamp, *, complete: bool
) -> bool:
    """
    Whether this run writes the stamp. A run that writes does, unless first contact held something back; with
    `adopt`, it always does.

    A run for only a part of the changes never does. A run with nothing to write does if the stamp is out of
    date, which finishes an apply that was killed just before its last write. The lock is not opened just for
    that.
    """
    if not context.settings.stamp or not context.options.choice.is_everything:
        return False
    first = context.live is not None and context.contact is not Contact.OURS
    if operations:
        return complete or not first
    return (first and context.adopts) or (complete and not _is_up_to_date(context, stamp))


def _is_up_to_date(context: AppContext, stamp: Stamp) -> bool:
    if context.live is None or context.live.app.body.get(kind_of("apps").lock_field):
        return True
    return context.stamp.says_the_same(stamp)


def _metadata(context: AppContext, operations: Iterable[Operation]) -> dict[str, str]:
    """The app's metadata after the operations."""
    name = kind_of("apps").stamp_field
    own = next((item for item in operations if item.address == app_address(context.app.key)), None)
    body = own.after if own and own.after is not None else context.live.app.body if context.live else {}
    return dict(as_object(body.get(name)))
