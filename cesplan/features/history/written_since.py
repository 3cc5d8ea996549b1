"""
Written since: what the change log shows about a reviewed plan, between the plan and its apply.

It finds edits that an apply would revert although live looks unchanged, and names the authors of changes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from cesplan.domain.address import AppKey
from cesplan.domain.app_metadata.stamp import NO_STAMP
from cesplan.domain.change import LiveEdit
from cesplan.domain.plan import Operation, Plan
from cesplan.domain.resource_name import within_app
from cesplan.domain.reviewed import Moved, Movement
from cesplan.domain.text.times import moment
from cesplan.domain.value import Body
from cesplan.engine.comparing.resource_names import target_of
from cesplan.engine.comparing.stamp import stamp_mark
from cesplan.engine.reviewing.logged import deletes_contents, undoes
from cesplan.engine.reviewing.recheck import Rechecked
from cesplan.features.history.edit_log import EditLog
from cesplan.features.history.log_entries import app_name_of, is_delete, live_edit_of, resource_of

if TYPE_CHECKING:
    from cesplan.remote.client import Client

_SLACK = timedelta(seconds=5)
"""A change-log entry may be written a little before or after its resource."""
_MOST_NAMES = 20
_DELETIONS = (Movement.DELETED, Movement.REFERENCE_GONE, Movement.COPIED_DELETED)


def written_since(plan: Plan, again: Rechecked, client: "Client") -> Iterator[Moved]:
    """
    The remaining operations of a plan that would revert what was written since the plan, by the change log.

    If the log is not enough and another complete apply has run, all of them might.
    """
    addresses = {item.address for item in again.plan.operations if not item.is_frame}
    left: dict[AppKey, list[Operation]] = {}
    for operation in plan.operations:  # with all their steps, also those that are done
        if operation.address in addresses and not operation.is_frame:
            left.setdefault(operation.address.app, []).append(operation)
    for key, operations in sorted(left.items()):
        app = again.live.apps.get(key)
        if app is None:
            continue
        log = EditLog.since(client, app.app.name, plan.sequences.get(key))
        whole = [item for item in operations if deletes_contents(item)]
        if whole:
            yield from (_gone_with(plan, item, log) for item in whole if log.entries or not log.reaches_back)
            continue
        is_applied = stamp_mark(app.app.body, app.app.name) != plan.stamps.get(key, "")
        if not log.reaches_back or (is_applied and not log.on(app.app.name)):
            if is_applied:
                yield from (_moved(plan, item, Movement.APPLIED) for item in operations)
            continue
        for operation in operations:
            yield from _undone(plan, operation, log)


def with_editors(moved: Iterable[Moved], client: "Client") -> Iterator[Moved]:
    """The stale operations with their editors, as far as the change log has them."""
    logs: dict[str, EditLog] = {}
    for item in moved:
        app = app_name_of(item.resource)
        if app and app not in logs:
            logs[app] = EditLog(client, app, NO_STAMP)
        yield item if item.edit or not app else replace(item, edit=_editor(item, logs[app]))


def _gone_with(plan: Plan, operation: Operation, log: EditLog) -> Moved:
    """The writes in an app since its deletion was reviewed, certain or possible."""
    if not (log.entries and log.reaches_back):
        return _moved(plan, operation, Movement.UNCLEAR)
    names = tuple(sorted({within_app(resource_of(item)) for item in log.entries}))[:_MOST_NAMES]
    moved = _moved(plan, operation, Movement.CONTENT_CHANGED)
    return replace(moved, names=names, edit=live_edit_of(log.entries[0]))


def _undone(plan: Plan, operation: Operation, log: EditLog) -> Iterator[Moved]:
    """The newest entry that an operation would revert."""
    target = target_of(plan, operation)
    for entry in log.on(target.name):
        if undoes(operation, target, log.read(entry)):
            yield replace(_moved(plan, operation, Movement.WRITTEN), edit=live_edit_of(entry))
            return


def _moved(plan: Plan, operation: Operation, movement: Movement) -> Moved:
    return Moved(operation=operation, movement=movement, resource=target_of(plan, operation).name)


def _editor(moved: Moved, log: EditLog) -> LiveEdit | None:
    """The newest entry that explains what happened."""
    found = (live_edit_of(entry) for entry in log.on(moved.resource) if _explains(entry, moved))
    return next(found, None)


def _explains(entry: Body, moved: Moved) -> bool:
    is_gone = moved.movement is Movement.CONTENT_CHANGED and not moved.updated
    if moved.movement in _DELETIONS or is_gone:
        return is_delete(entry)
    when, since = moment(entry.get("createTime")), moment(moved.updated)
    return not is_delete(entry) and when is not None and since is not None and when >= since - _SLACK
