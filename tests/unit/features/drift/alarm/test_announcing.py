"""
Each receiver hears once: when drift appears, when it changes, when it is gone; whatever fails or comes between.
"""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cesplan.domain.errors import CesplanError, Interrupted
from cesplan.domain.features.drift import DriftReport
from cesplan.features.drift.alarm.announcement import Announcement
from cesplan.features.drift.alarm.announcing import Time, announce
from cesplan.features.drift.alarm.memory import AlarmMemory, Announced, Claim, Kept, WrittenMeanwhile
from cesplan.features.drift.alarm.receivers import StateFile
from tests.unit.features.drift.reports import app, created, field_drift, report

QUIET = report(app())
DRIFT = report(app(field_drift()))
OTHER = report(app(field_drift("Be ruder.")))


@dataclass
class Hook:
    """A receiver that remembers, and fails as often as it is asked to."""

    name: str = "hooks.example.com"
    failures: int = 0
    heard: list[Announcement] = field(default_factory=list)

    def post(self, message: Announcement) -> str:
        if self.failures:
            self.failures -= 1
            return "it answered 503; tried 4 times"
        self.heard.append(message)
        return ""

    @property
    def occasions(self) -> list[str]:
        return [message.occasion.value for message in self.heard]


@dataclass
class Shelf:
    """A keeper in memory. `rivals` are texts that another run writes before our writes, one after the other."""

    text: str | None = None
    number: int = 0
    rivals: list[str] = field(default_factory=list)
    name: str = "state.json"

    def read(self) -> Kept:
        return Kept(text=self.text, version=str(self.number))

    def write(self, text: str, version: str) -> str:
        if self.rivals:
            self.put(self.rivals.pop(0))
        if version != str(self.number):
            raise WrittenMeanwhile
        self.put(text)
        return str(self.number)

    def put(self, text: str) -> None:
        self.text, self.number = text, self.number + 1


@dataclass
class Day:
    """A clock that moves by resting. `sleeps` is how often it may rest before a stop is asked for."""

    now: datetime = datetime(2026, 11, 21, 6, tzinfo=UTC)
    sleeps: int = 10_000
    rested: int = 0

    @property
    def time(self) -> Time:
        return Time(now=lambda: self.now, rest=self._rest)

    def _rest(self, seconds: float) -> bool:
        self.now += timedelta(seconds=seconds)
        self.rested += 1
        return self.rested < self.sleeps


def run(found: DriftReport, shelf: Shelf, *hooks: Hook, day: Day | None = None) -> list[str]:
    """One run of cron; what became of each message."""
    return [
        delivery.problem or delivery.occasion.value
        for delivery in announce(found, hooks, shelf, (day or Day()).time)
    ]


def test_each_change_of_the_drift_is_told_once() -> None:
    """Drift, the same, the same, other, none, none, drift again."""
    shelf, hook = Shelf(), Hook()
    told = [run(found, shelf, hook) for found in (QUIET, DRIFT, DRIFT, DRIFT, OTHER, QUIET, QUIET, DRIFT)]
    assert told == [[], ["appeared"], [], [], ["changed"], ["gone"], [], ["appeared"]]
    assert hook.occasions == ["appeared", "changed", "gone", "appeared"]
    assert len({message.id for message in hook.heard}) == 4 or hook.heard[0].id == hook.heard[3].id


def test_a_run_with_nothing_to_tell_writes_nothing() -> None:
    shelf = Shelf()
    run(QUIET, shelf, Hook())
    assert shelf.text is None
    run(DRIFT, shelf, Hook())
    before = shelf.number
    run(DRIFT, shelf, Hook())
    assert shelf.number == before


def test_what_failed_is_told_by_the_next_run_under_the_same_id() -> None:
    """The memory is not advanced; the other receiver does not hear of it again."""
    shelf, broken, sound = Shelf(), Hook("a", failures=1), Hook("b")
    assert run(DRIFT, shelf, broken, sound) == ["it answered 503; tried 4 times", "appeared"]
    assert run(DRIFT, shelf, broken, sound) == ["appeared"]
    assert (broken.occasions, sound.occasions) == (["appeared"], ["appeared"])
    assert broken.heard[0].id == sound.heard[0].id


def test_drift_that_appeared_and_went_while_a_receiver_was_away_is_not_told() -> None:
    shelf, hook = Shelf(), Hook(failures=1)
    assert run(DRIFT, shelf, hook) == ["it answered 503; tried 4 times"]
    assert run(QUIET, shelf, hook) == []


def test_a_new_receiver_hears_of_drift_that_others_know() -> None:
    shelf, old, new = Shelf(), Hook("a"), Hook("b")
    run(DRIFT, shelf, old)
    assert run(DRIFT, shelf, old, new) == ["appeared"]
    assert new.occasions == ["appeared"]


def test_an_app_that_could_not_be_checked_is_not_gone() -> None:
    """Its drift counts as it was announced, until the app can be read again."""
    shelf, hook = Shelf(), Hook()
    other = app(created(), key="other")
    run(report(app(field_drift()), other), shelf, hook)
    failed = app(error="The service did not answer.", exit_code=1)
    assert run(report(failed, other), shelf, hook) == []
    assert run(report(failed, app(key="other")), shelf, hook) == ["changed"]
    assert run(report(app(), app(key="other")), shelf, hook) == ["gone"]


def test_a_tree_that_could_not_be_read_leaves_all_as_it_was() -> None:
    """Which apps it has is not known."""
    shelf, hook = Shelf(), Hook()
    run(DRIFT, shelf, hook)
    broken = app(key="", error="The configuration has errors.", exit_code=7)
    assert run(report(broken), shelf, hook) == []
    assert run(report(broken, app(key="other")), shelf, hook) == []
    assert run(report(app(key="other")), shelf, hook) == ["gone"]


def test_ignored_drift_is_not_told() -> None:
    assert run(report(app(field_drift(ignored="tuned live"))), Shelf(), Hook()) == []


def claimed(day: Day, seconds: int = 120, told: dict[str, Announced] | None = None) -> str:
    """The memory while another run is posting."""
    claim = Claim(run="other", at=day.now.isoformat(), seconds=seconds)
    return AlarmMemory.of(told or {}, claim).text()


def told(found: DriftReport) -> dict[str, Announced]:
    """What the memory has once a report was announced."""
    shelf = Shelf()
    run(found, shelf, Hook())
    return AlarmMemory.model_validate_json(shelf.text or "").receivers


def test_two_runs_at_once_do_not_both_tell() -> None:
    """Whichever writes first posts; the other one waits until it is done, and finds nothing left to tell."""
    day = Day()
    shelf, hook = Shelf(rivals=[claimed(day)]), Hook()

    def finish(seconds: float) -> bool:
        shelf.put(AlarmMemory.of(told(DRIFT)).text())
        return True

    assert announce(DRIFT, [hook], shelf, Time(now=lambda: day.now, rest=finish)) == ()
    assert hook.heard == []


def test_a_run_that_was_killed_holds_up_the_next_one_for_as_long_as_it_said() -> None:
    day = Day()
    shelf, hook = Shelf(text=claimed(day, seconds=120)), Hook()
    assert run(DRIFT, shelf, hook, day=day) == ["appeared"]
    assert day.rested == 120
    assert AlarmMemory.model_validate_json(shelf.text or "").claim is None


def test_a_claim_of_yesterday_holds_up_nothing() -> None:
    yesterday = Day(now=datetime(2026, 11, 20, 6, tzinfo=UTC))
    day, hook = Day(), Hook()
    assert run(DRIFT, Shelf(text=claimed(yesterday)), hook, day=day) == ["appeared"]
    assert day.rested == 0


def test_a_claim_from_a_clock_that_is_ahead_ends_too() -> None:
    tomorrow = Day(now=datetime(2026, 11, 22, 6, tzinfo=UTC))
    day, hook = Day(), Hook()
    assert run(DRIFT, Shelf(text=claimed(tomorrow, seconds=90)), hook, day=day) == ["appeared"]
    assert day.rested == 90


def test_an_interrupt_while_waiting_posts_nothing() -> None:
    day, hook = Day(sleeps=2), Hook()
    with pytest.raises(Interrupted):
        run(DRIFT, Shelf(text=claimed(day)), hook, day=day)
    assert hook.heard == []


def test_an_interrupt_while_posting_remembers_what_was_delivered() -> None:
    shelf, hook = Shelf(), Hook("a")

    class Stopped(Hook):
        def post(self, message: Announcement) -> str:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(DRIFT, shelf, hook, Stopped("b"))
    assert run(DRIFT, shelf, hook, Hook("b")) == ["appeared"]
    assert hook.occasions == ["appeared"]


def test_a_run_that_lost_its_claim_says_so() -> None:
    shelf, hook = Shelf(), Hook()

    class Slow(Hook):
        def post(self, message: Announcement) -> str:
            shelf.put(AlarmMemory.of({}).text())
            return ""

    with pytest.raises(CesplanError, match="was written by another run while this one posted"):
        run(DRIFT, shelf, Slow())
    assert hook.heard == []


@pytest.mark.parametrize("text", ["", "hello", "{}", '{"format_version": "2.0"}', "[]"])
def test_a_file_that_is_not_ours_is_neither_used_nor_overwritten(tmp_path: Path, text: str) -> None:
    path, hook = tmp_path / "state.json", Hook()
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CesplanError, match="is not a state file of the drift alarm"):
        announce(DRIFT, [hook], StateFile(path), Day().time)
    assert (path.read_text(encoding="utf-8"), hook.heard) == (text, [])


def test_the_file_is_private_whole_and_without_values(tmp_path: Path) -> None:
    """It holds neither live values nor webhook URLs nor authors."""
    path = tmp_path / "state.json"
    announce(DRIFT, [Hook()], StateFile(path), Day().time)
    assert path.stat().st_mode & 0o777 == 0o600
    text = path.read_text(encoding="utf-8")
    assert [word for word in ("Be rude", "bob@", "https://") if word in text] == []
    document = json.loads(text)
    assert document["receivers"]["hooks.example.com"]["at"] == "2026-11-21T06:00:00Z"
    assert list(document["receivers"]["hooks.example.com"]["apps"]) == ["acme-prod/us/prod/desk"]
    assert "claim" not in document
    assert sorted(item.name for item in tmp_path.iterdir()) == [".state.json.lock", "state.json"]


def test_a_file_that_cannot_be_written_is_an_error_before_anything_is_posted(tmp_path: Path) -> None:
    hook = Hook()
    with pytest.raises(CesplanError, match="cannot be written"):
        announce(DRIFT, [hook], StateFile(tmp_path / "nowhere" / "state.json"), Day().time)
    assert hook.heard == []


def test_a_file_written_in_between_is_not_overwritten(tmp_path: Path) -> None:
    state = StateFile(tmp_path / "state.json")
    version = state.write("one", state.read().version)
    with pytest.raises(WrittenMeanwhile):
        state.write("two", "another version")
    assert state.read() == Kept(text="one", version=version)
