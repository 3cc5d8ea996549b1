"""Conflicts: who wrote a resource that an apply therefore did not overwrite, by the app's change log."""

from collections.abc import Callable

from cesplan.domain.change import EditKind, LiveEdit
from cesplan.domain.errors import ApiError, Conflict
from cesplan.domain.outcome import Failed
from cesplan.domain.plan import Plan, Reason
from cesplan.domain.resource_name import parse_name
from cesplan.domain.value import Body
from cesplan.features.history.edit_log import is_delete, number_of, tail
from cesplan.remote.client import Client


def editors(plan: Plan, client: Client) -> Callable[[Failed], None]:
    """
    What adds to each conflict of an apply who wrote the resource, and when.

    One page of the log is read for each app, at the first conflict in it. Where the log cannot be read, or says
    nothing, a conflict stays as it is.
    """
    pages: dict[str, tuple[Body, ...]] = {}

    def page_of(app_name: str) -> tuple[Body, ...]:
        if app_name not in pages:
            try:
                pages[app_name] = client.list_changes(app_name)
            except ApiError:
                pages[app_name] = ()
        return pages[app_name]

    def explain(failed: Failed) -> None:
        error = failed.error
        # The metadata of the app are written by every apply, this one included.
        if not isinstance(error, Conflict) or failed.operation.reason is Reason.STAMP:
            return
        parts = parse_name(error.resource)
        if parts is None or not parts.app:
            return
        since = plan.sequences.get(failed.operation.address.app, -1)
        entries = page_of("/".join(error.resource.split("/")[:6]))
        found = next((item for item in entries if _is_about(item, error.resource, since)), None)
        if found is not None:
            _name_editor(error, found)

    return explain


def _is_about(entry: Body, name: str, since: int) -> bool:
    return tail(str(entry.get("resource", ""))) == tail(name) and number_of(entry) > since


def _name_editor(error: Conflict, entry: Body) -> None:
    kind = EditKind.DELETED if is_delete(entry) else EditKind.UPDATED
    author, time = str(entry.get("author", "")), str(entry.get("createTime", ""))
    edit = LiveEdit(kind=kind, author=author, time=time)
    if edit.by:
        error.edit, error.detail = edit, f"Last written by {edit.by}.\n{error.detail}"
