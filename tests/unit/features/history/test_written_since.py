"""What moved between a plan and its apply is told with the entry that moved it, or with none."""

from dataclasses import replace
from typing import Any

from cesplan.domain.change import EditKind, LiveEdit
from cesplan.domain.errors import PermissionDenied
from cesplan.domain.reviewed import Moved, Movement
from cesplan.domain.value import Body
from cesplan.features.history.written_since import with_editors
from tests.unit.render.builders import create

_NAME = "projects/acme-prod/locations/us/apps/desk/agents/one"
_MOVED = Moved(
    operation=create("desk/agents/one"),
    movement=Movement.CHANGED,
    resource=_NAME,
    updated="2026-11-20T14:02:00.123456789Z",
)


class Log:
    """A change log of these entries, newest first."""

    def __init__(self, *entries: Body, is_closed: bool = False) -> None:
        self.entries, self.is_closed, self.lists = entries, is_closed, 0

    def list_changes(self, app_name: str, *, at_most: int) -> tuple[Body, ...]:
        self.lists += 1
        if self.is_closed:
            raise PermissionDenied(summary="ces.changelogs.list is denied")
        return self.entries[:at_most]


def _entry(author: str, time: str, action: str = "Update", resource: str = _NAME) -> Body:
    return {"author": author, "createTime": time, "action": action, "resource": resource}


def _edit(moved: Moved, *entries: Body, **log: Any) -> LiveEdit | None:
    (found,) = with_editors([moved], Log(*entries, **log))  # type: ignore[arg-type]
    return found.edit


def test_the_editor_is_who_wrote_what_is_live_now() -> None:
    """By the newest entry about the resource, under either spelling of the project."""
    by_number = _NAME.replace("acme-prod", "123456")
    entries = [
        _entry("carol", "2026-11-20T14:09:00Z", resource=_NAME.replace("one", "two")),
        _entry("alice", "2026-11-20T14:02:00.5Z", resource=by_number),
        _entry("bob", "2026-11-20T09:00:00Z"),
    ]
    expected = LiveEdit(kind=EditKind.UPDATED, author="alice", time="2026-11-20T14:02:00.5Z")
    assert _edit(_MOVED, *entries) == expected


def test_nobody_is_blamed_by_a_log_that_lags() -> None:
    """An older entry is about an older write, and an update is not a delete."""
    assert _edit(_MOVED, _entry("bob", "2026-11-20T09:00:00Z")) is None
    deleted = replace(_MOVED, movement=Movement.DELETED)
    assert _edit(deleted, _entry("bob", "2026-11-20T14:03:00Z")) is None
    found = _edit(deleted, _entry("bob", "2026-11-20T14:03:00Z", "Delete"))
    assert found == LiveEdit(kind=EditKind.DELETED, author="bob", time="2026-11-20T14:03:00Z")
    assert _edit(_MOVED) is None
    assert _edit(_MOVED, is_closed=True) is None


def test_one_page_of_the_log_tells_of_all_that_moved_in_an_app() -> None:
    log = Log(_entry("bob", "2026-11-20T14:02:01Z"))
    found = [*with_editors([_MOVED, _MOVED, replace(_MOVED, resource="")], log)]  # type: ignore[arg-type]
    assert [item.edit.author if item.edit else None for item in found] == ["bob", "bob", None]
    assert log.lists == 1
