"""Conflicts: finding in the app's change log who wrote a resource that an apply refused to overwrite."""

from collections.abc import Callable

from cesplan.domain.errors import Conflict
from cesplan.domain.outcome import Failed
from cesplan.domain.plan import Plan, Reason
from cesplan.features.history.edit_log import EditLog
from cesplan.features.history.log_entries import app_name_of
from cesplan.remote.client import Client


def editors(plan: Plan, client: Client) -> Callable[[Failed], None]:
    """
    A function that adds to each conflict of an apply who wrote the resource, and when.

    One page of the log is read for each app, at the first conflict in it. Where the log cannot be read, or says
    nothing, a conflict stays as it is.
    """
    logs: dict[str, EditLog] = {}

    def explain(failed: Failed) -> None:
        error = failed.error
        # The metadata of the app are written by every apply, this one included.
        if not isinstance(error, Conflict) or failed.operation.reason is Reason.STAMP:
            return
        name = app_name_of(error.resource)
        if not name:
            return
        if name not in logs:
            logs[name] = EditLog.since(client, name, plan.sequences.get(failed.operation.address.app))
        edit = logs[name].last_edit(error.resource)
        if edit is not None and edit.by:
            error.edit, error.detail = edit, f"Last written by {edit.by}.\n{error.detail}"

    return explain
