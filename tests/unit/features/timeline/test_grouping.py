"""Entries of a change log as applies and the edits between them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cesplan.domain.address import AppKey
from cesplan.domain.app_metadata.stamp import Stamp, id_mark, stamp_texts
from cesplan.domain.app_metadata.wrote import Wrote
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place
from cesplan.features.timeline.grouping import Past, happenings
from cesplan.features.timeline.naming import EntryNames
from cesplan.features.timeline.values import Event, Happening

PLACE = Place(project="acme", location="us")
APP = PLACE.app("desk1")
ROBOT = "robot@acme.example"
KEYS = [f"agent-{number}" for number in range(4)]
Body = dict[str, Any]


@dataclass
class Log:
    """A change log that is written forward, and read backward with the states of each entry."""

    entries: list[Body] = field(default_factory=list)
    whole: dict[str, Body] = field(default_factory=dict)
    metadata: Body = field(default_factory=dict)
    reads: int = 0

    def write(self, key: str, author: str, action: str = "Update") -> None:
        self._add(f"{APP}/agents/{key}", author, action, {}, {})

    def keep_books(self, author: str, metadata: Body) -> None:
        before, self.metadata = self.metadata, metadata
        self._add(APP, author, "Update", {"metadata": before}, {"metadata": metadata})

    def apply(
        self, wrote: list[str], *, during: tuple[tuple[str, str], ...] = (), commit: str = "c" * 40
    ) -> None:
        """An apply by the robot, in the middle of which others may edit."""
        sequence = len(self.entries)
        for key in wrote:
            self.write(key, ROBOT)
        for key, author in during:
            self.write(key, author)
        times = Counter(id_mark("agents", key) for key in wrote)
        stamp = Stamp(digest=f"d{sequence}", app=APP, commit=commit, sequence=sequence, wrote=Wrote.of(times))
        self.keep_books(ROBOT, stamp_texts(stamp))

    def apply_in_part(self, wrote: list[str]) -> None:
        for key in wrote:
            self.write(key, ROBOT)
        records = " ".join(f"{len(self.entries) * 100 + place:032x}" for place, _ in enumerate(wrote))
        old = self.metadata.get("cesplan-partial", "")
        self.keep_books(ROBOT, {**self.metadata, "cesplan-partial": f"{old} {records}".strip()})

    def newest(self) -> Iterator[Body]:
        for entry in reversed(self.entries):
            self.reads += 1
            yield entry

    def events(self) -> list[Happening]:
        return [*happenings(self.past, self.newest())]

    @property
    def past(self) -> Past:
        return Past(
            app_name=APP,
            names=EntryNames(AppKey("desk")),
            naming=Naming(place=PLACE, app_id="desk1"),
            read=lambda entry: self.whole[entry["name"]],
        )

    def _add(self, resource: str, author: str, action: str, before: Body, after: Body) -> None:
        number = len(self.entries) + 1
        entry = {
            "name": f"{APP}/changelogs/{number}",
            "sequenceNumber": str(number),
            "author": author,
            "action": action,
            "resource": resource,
            "createTime": f"2026-11-20T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}Z",
        }
        self.entries.append(entry)
        self.whole[entry["name"]] = {**entry, "originalResource": before, "newResource": after}


def _shown(events: list[Happening]) -> list[tuple[str, str, dict[str, int]]]:
    return [
        (str(item.event), item.author.partition("@")[0], {one.address.key: one.times for one in item.touched})
        for item in events
    ]


def test_an_edit_during_an_apply_is_no_write_of_it() -> None:
    """Not even on the same resource; and the applier's own edit before the plan is one."""
    log = Log()
    log.write("agent-0", ROBOT)
    log.apply(["agent-0", "agent-1"], during=(("agent-0", "bob@acme.example"),))
    assert _shown(log.events()) == [
        ("apply", "robot", {"agent-0": 1, "agent-1": 1}),
        ("edit", "bob", {"agent-0": 1}),
        ("edit", "robot", {"agent-0": 1}),
    ]


def test_a_restored_stamp_is_no_apply() -> None:
    """It takes the place of a later one."""
    log = Log()
    log.apply(["agent-0"])
    old = log.metadata
    log.apply(["agent-1"])
    log.keep_books("bob@acme.example", old)
    assert [item.event for item in log.events()] == [Event.EDIT, Event.APPLY, Event.APPLY]


def test_a_stamp_that_is_put_back_ends_no_apply() -> None:
    """Restoring a version takes it away, and what was written since the apply is not of the apply."""
    log = Log()
    log.apply(["agent-0"])
    old = log.metadata
    log.apply(["agent-1"])
    stamp = log.metadata
    log.write("agent-1", ROBOT)
    log.keep_books(ROBOT, old)
    log.keep_books(ROBOT, stamp)
    assert _shown(log.events()) == [
        ("edit", "robot", {"desk": 1, "agent-1": 1}),
        ("apply", "robot", {"agent-1": 1}),
        ("apply", "robot", {"agent-0": 1}),
    ]


def test_deletions_count_to_the_apply_in_part_that_ends_with_them() -> None:
    """They have no record of their own."""
    log = Log()
    log.apply(["agent-0", "agent-1", "agent-2"])
    log.write("agent-0", ROBOT)
    log.write("agent-2", ROBOT, "Delete")
    log.keep_books(ROBOT, {**log.metadata, "cesplan-partial": "0" * 32})
    assert _shown(log.events())[0] == ("partial_apply", "robot", {"agent-0": 1, "agent-2": 1})


def test_events_come_while_the_log_is_read() -> None:
    """Of a log of 10,000 entries only the newest are read for the newest events."""
    log = Log()
    for turn in range(1000):
        for key in KEYS:
            log.write(key, f"person-{turn % 3}@acme.example")
        log.apply(KEYS, commit=f"{turn:040x}")
    assert len(log.entries) == 9000
    events = happenings(log.past, log.newest())
    first = [next(events) for _ in range(4)]
    assert [item.event for item in first] == [Event.APPLY, Event.EDIT] * 2
    assert log.reads < 30
    assert len([*events]) == 1996


_WRITES = st.lists(st.sampled_from(KEYS), max_size=5)
_EDITS = st.lists(
    st.tuples(st.sampled_from(KEYS), st.sampled_from(["bob@x.example", "eve@x.example"])), max_size=4
)


@given(st.lists(st.tuples(_EDITS, _WRITES, _EDITS, st.booleans()), max_size=6))
def test_every_entry_is_in_one_event(turns: list[tuple[Any, list[str], Any, bool]]) -> None:
    """Whoever wrote when; and each apply has exactly what it wrote."""
    log = Log()
    applied: list[Counter[str]] = []
    for before, wrote, during, complete in turns:
        for key, author in before:
            log.write(key, author)
        if complete:
            log.apply(wrote, during=tuple(during))
            applied.append(Counter(wrote))
        elif wrote:
            distinct = [*dict.fromkeys(wrote)]
            log.apply_in_part(distinct)
            applied.append(Counter(distinct))
    events = log.events()
    written = sum(item["resource"] != APP for item in log.entries)
    assert sum(one.times for item in events for one in item.touched) == written
    assert [
        Counter({one.address.key: one.times for one in item.touched}) for item in events if item.is_apply
    ] == applied[::-1]
    assert [item.number for item in events if item.is_apply] == sorted(
        (item.number for item in events if item.is_apply), reverse=True
    )
