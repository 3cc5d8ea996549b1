"""The edit log: which entries are edits, who made one, and what its silence means."""

from typing import Any

import pytest

from cesplan.domain.app_metadata.stamp import Stamp, id_mark, stamp_texts
from cesplan.domain.app_metadata.wrote import Wrote
from cesplan.domain.change import EditKind, LiveEdit
from cesplan.domain.errors import PermissionDenied
from cesplan.domain.value import Body
from cesplan.features.history.edit_log import MOST_ENTRIES, EditLog

APP = "projects/acme/locations/us/apps/desk"
BY_NUMBER = "projects/4711/locations/us/apps/desk"
AGENT, RAIL = f"{APP}/agents/front", f"{APP}/guardrails/cards"
CI, BOB = "ci@acme.example", "bob@acme.example"


class Log:
    """A change log that counts what is read of it."""

    def __init__(self) -> None:
        self.entries: list[Body] = []
        self.whole: dict[str, Body] = {}
        self.is_closed = False
        self.lists = 0
        self.reads = 0

    def add(self, author: str, resource: str, before: Any = None, after: Any = None, **more: Any) -> int:
        number = len(self.entries) + 1
        action = "Create" if before is None else "Delete" if after is None else "Update"
        entry = {
            "name": f"{APP}/changelogs/{number}",
            "sequenceNumber": str(number),
            "author": author,
            "resource": resource,
            "action": action,
            "createTime": f"2026-11-20T10:{number // 60:02}:{number % 60:02}Z",
        }
        self.entries.insert(0, entry)
        self.whole[entry["name"]] = {**entry, "originalResource": before, "newResource": after, **more}
        return number

    def list_changes(self, app_name: str, *, at_most: int = 1000) -> tuple[Body, ...]:
        self.lists += 1
        if self.is_closed:
            raise PermissionDenied(summary="ces.changelogs.list is denied")
        return tuple(self.entries[:at_most])

    def read(self, name: str) -> Body:
        self.reads += 1
        return self.whole[name]


def _log(log: Log, *wrote: str, sequence: int | None = 0, digest: str = "d1") -> EditLog:
    """Of a stamp that says which resources its apply wrote, each once."""
    marks: dict[str, int] = {}
    for name in wrote:
        mark = id_mark(*name.split("/")[-2:])
        marks[mark] = marks.get(mark, 0) + 1
    return EditLog(log, APP, Stamp(digest=digest, app=APP, sequence=sequence, wrote=Wrote.of(marks)))  # type: ignore[arg-type]


def _stamped(log: Log, author: str = CI, digest: str = "d1", sequence: int = 0, **more: Any) -> None:
    metadata = {**stamp_texts(Stamp(digest=digest, app=APP, sequence=sequence)), **more}
    log.add(author, APP, {"displayName": "Desk"}, {"displayName": "Desk", "metadata": metadata})


def test_an_edit_is_of_who_made_it() -> None:
    log = Log()
    _stamped(log)
    log.add(BOB, AGENT, {"description": "a"}, {"description": "b"})
    found = _log(log).edit(AGENT, EditKind.UPDATED, lambda before, after: before != after)
    assert found == LiveEdit(kind=EditKind.UPDATED, author=BOB, time="2026-11-20T10:00:02Z")


def test_the_log_is_read_once_and_only_when_it_is_asked() -> None:
    log = Log()
    _stamped(log)
    made = _log(log)
    assert log.lists == 0
    assert (made.foreign(AGENT), made.foreign(RAIL), made.is_complete) == ((), (), True)
    assert (log.lists, log.reads) == (1, 1)


@pytest.mark.parametrize("editor", [BOB, CI])
def test_before_the_stamp_only_what_the_apply_wrote_is_its_own(editor: str) -> None:
    """The same person may have edited something else while it ran, or the same resource before."""
    log = Log()
    log.add(editor, AGENT, {"description": ""}, {"description": "by hand"})
    log.add(CI, AGENT, {"displayName": "Front"}, {"displayName": "Desk"})
    log.add(editor, RAIL, {"enabled": True}, {})
    _stamped(log)
    made = _log(log, AGENT)
    assert [item["sequenceNumber"] for item in made.foreign_entries()] == ["3", "1"]


def test_an_edit_of_what_the_apply_wrote_is_of_its_author() -> None:
    """Bob came after the write and before the stamp: the write is the one of who applied."""
    log = Log()
    log.add(CI, AGENT, {"displayName": "Front"}, {"displayName": "Desk"})
    log.add(BOB, AGENT, {"displayName": "Desk"}, {"displayName": "By hand"})
    _stamped(log)
    assert [item["author"] for item in _log(log, AGENT).foreign_entries()] == [BOB]


def test_after_the_stamp_everything_is_an_edit() -> None:
    log = Log()
    _stamped(log)
    log.add(CI, AGENT, {"displayName": "Front"}, {"displayName": "Desk"})
    assert len(_log(log, AGENT).foreign(AGENT)) == 1


def test_a_lease_and_a_record_are_no_edits_of_the_app() -> None:
    """They change nothing but the metadata of cesplan."""
    log = Log()
    old, new = {"metadata": {"team": "web"}}, {"metadata": {"team": "web", "cesplan-lease": "1 2"}}
    log.add(CI, APP, {**old, "etag": "1"}, {**new, "etag": "2"})
    log.add(CI, APP, {**new, "description": ""}, {**new, "description": "By hand"})
    _stamped(log)
    assert [item["sequenceNumber"] for item in _log(log).foreign(APP)] == ["2"]


def test_a_project_has_two_spellings() -> None:
    log = Log()
    _stamped(log)
    log.add(BOB, AGENT.replace(APP, BY_NUMBER), {"description": "a"}, {"description": "b"})
    assert len(_log(log).foreign(AGENT)) == 1


def test_a_stamp_of_the_same_tree_at_another_commit_is_found() -> None:
    """Its digest is that of the one before; another edit of the app comes later."""
    log = Log()
    old = stamp_texts(Stamp(digest="d1", app=APP, sequence=0))
    new = stamp_texts(Stamp(digest="d1", app=APP, sequence=5))
    for _ in range(5):
        log.add(CI, RAIL, {}, {})
    log.add(CI, APP, {"metadata": old}, {"metadata": new})
    log.add(BOB, APP, {"metadata": new}, {"metadata": new, "description": "By hand"})
    made = _log(log, sequence=5)
    assert [item["author"] for item in made.foreign(APP)] == [BOB]
    assert made.is_complete


def test_a_log_that_cannot_be_read_is_silent_and_says_why() -> None:
    log = Log()
    log.is_closed = True
    made = _log(log)
    assert made.edit(AGENT, EditKind.DELETED) == LiveEdit(kind=EditKind.DELETED)
    assert (made.trouble, made.is_complete, log.lists) == ("ces.changelogs.list is denied", False, 1)


def test_a_log_that_lags_or_stops_is_not_complete() -> None:
    """Without the entry of the stamp, or with a full page, its silence proves nothing."""
    log = Log()
    log.add(BOB, AGENT, {"description": "a"}, {"description": "b"})
    assert not _log(log).is_complete
    _stamped(log)
    assert _log(log).is_complete
    for _ in range(MOST_ENTRIES):
        log.add(BOB, AGENT, {"description": "a"}, {"description": "b"})
    assert not _log(log).is_complete


def test_entries_before_the_apply_do_not_count() -> None:
    log = Log()
    log.add(BOB, AGENT, {"description": "a"}, {"description": "b"})
    _stamped(log, sequence=1)
    assert _log(log, sequence=1).entries == tuple(log.entries[:1])


def test_what_a_forced_delete_changed_is_of_who_deleted() -> None:
    log = Log()
    _stamped(log)
    log.add(BOB, RAIL, {"enabled": True}, None, dependentResources=[{"name": AGENT}])
    found = _log(log).edit(AGENT, EditKind.UPDATED, lambda before, after: True)
    assert (found.author, found.cause) == (BOB, RAIL)


def test_numbers_that_are_none_are_before_everything() -> None:
    log = Log()
    _stamped(log)
    log.entries.insert(0, {"name": "x", "resource": AGENT, "sequenceNumber": "٣" * 30, "author": BOB})
    assert _log(log).foreign(AGENT) == ()


@pytest.mark.parametrize("count", [1_500, 5_000])
def test_an_apply_that_wrote_more_than_a_page_holds_is_its_own(count: int) -> None:
    """The first apply of a large app: nothing of it is an edit, and an edit while it ran is one."""
    log = Log()
    log.add(BOB, RAIL, {"enabled": True}, {})
    names = [f"{APP}/agents/agent-{number:05}" for number in range(count)]
    for name in names:
        log.add(CI, name, None, {"displayName": "Desk"})
    _stamped(log)
    log.add(BOB, names[7], {"displayName": "Desk"}, {"displayName": "By hand"})
    made = _log(log, *names)
    assert made.is_complete
    assert [item["sequenceNumber"] for item in made.foreign_entries()] == [str(count + 3), "1"]
    assert log.lists == 2


def _applied_by(log: Log) -> None:
    """An apply that wrote the agent once and the app twice, and left its stamp."""
    log.add(CI, APP, {"locked": True}, {})
    log.add(CI, AGENT, {"displayName": "Front"}, {"displayName": "Desk"})
    log.add(CI, APP, {}, {"displayName": "Desk"})
    _stamped(log)


def test_a_page_with_the_apply_and_nothing_else_tells_that_it_is_quiet() -> None:
    """No entry is read for that; counting is enough."""
    log = Log()
    _applied_by(log)
    assert _log(log, APP, AGENT, APP).is_quiet
    assert (log.lists, log.reads) == (1, 0)


@pytest.mark.parametrize("author", [BOB, CI])
@pytest.mark.parametrize("name", [APP, AGENT, RAIL])
@pytest.mark.parametrize("when", ["before", "after"])
def test_an_edit_of_anything_by_anyone_is_not_quiet(author: str, name: str, when: str) -> None:
    log = Log()
    if when == "before":
        log.add(author, name, {"description": ""}, {"description": "by hand"})
    _applied_by(log)
    if when == "after":
        log.add(author, name, {"description": ""}, {"description": "by hand"})
    assert not _log(log, APP, AGENT, APP).is_quiet


@pytest.mark.parametrize("lost", [0, 1, 2, 3])
def test_a_page_that_lost_an_entry_is_not_quiet(lost: int) -> None:
    """Also where an edit of the same resource by somebody else makes up the number."""
    log = Log()
    _applied_by(log)
    gone = log.entries.pop(lost)
    assert not _log(log, APP, AGENT, APP).is_quiet
    log.add(BOB, gone["resource"], {"description": ""}, {"description": "by hand"})
    assert not _log(log, APP, AGENT, APP).is_quiet
    log.entries.pop(0)
    log.add(CI, RAIL, {"enabled": True}, {})
    assert not _log(log, APP, AGENT, APP).is_quiet
