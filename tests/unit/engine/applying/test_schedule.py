"""Steps go out in the order of what they wait for; failures reach what builds on them and nothing else."""

from collections.abc import Sequence
from dataclasses import replace

from cesplan.domain.plan import Operation
from cesplan.engine.applying.schedule import STAMP_LEFT, STUCK, Schedule, Task
from tests.unit.engine.plans import create, lock, stamp, step_id

LOCKED = {"name": "app", "etag": "1", "locked": True}


def taken(schedule: Schedule) -> list[Task]:
    """Everything that may be sent now."""
    found: list[Task] = []
    while (task := schedule.next_task()) is not None:
        found.append(task)
    return found


def names(tasks: Sequence[Task]) -> list[str]:
    return [str(task.step.id).removeprefix("shop-desk/") for task in tasks]


def ends(schedule: Schedule) -> dict[str, str]:
    """What finished, each with why it was skipped."""
    return {str(i.operation.address).removeprefix("shop-desk/"): i.skipped_for for i in schedule.finished()}


def run(schedule: Schedule, *failing: str) -> list[str]:
    """Take and end one step after another; the named ones fail."""
    order: list[str] = []
    while (task := schedule.next_task()) is not None:
        (name,) = names([task])
        order.append(name)
        schedule.failed(task) if name in failing else schedule.done(task)
    return order


def chain(*links: tuple[str, list[str]]) -> list[Operation]:
    return [create(name, after=after) for name, after in links]


def test_what_waits_for_nothing_is_taken_in_the_order_of_the_plan() -> None:
    schedule = Schedule(chain(("tools/b-tool", []), ("tools/a-tool", []), ("agents/desk", ["tools/a-tool"])))
    assert names(taken(schedule)) == ["tools/b-tool", "tools/a-tool"]
    assert schedule.running == 2


def test_a_step_is_taken_once_all_it_waits_for_is_done() -> None:
    schedule = Schedule(chain(("tools/a", []), ("tools/b", []), ("agents/c", ["tools/a", "tools/b"])))
    first, second = taken(schedule)
    schedule.done(first)
    assert taken(schedule) == []
    schedule.done(second)
    assert names(taken(schedule)) == ["agents/c"]


def test_what_is_not_in_the_plan_is_not_waited_for() -> None:
    assert run(Schedule(chain(("agents/c", ["tools/elsewhere"])))) == ["agents/c"]


def test_a_failure_skips_everything_that_builds_on_it_and_names_its_root() -> None:
    operations = chain(("tools/a", []), ("agents/b", ["tools/a"]), ("agents/c", ["agents/b"]), ("agents/d", []))
    schedule = Schedule(operations)
    assert run(schedule, "tools/a") == ["tools/a", "agents/d"]
    assert ends(schedule) == {
        "tools/a": "",
        "agents/b": "shop-desk/tools/a",
        "agents/c": "shop-desk/tools/a",
        "agents/d": "",
    }
    assert schedule.is_over


def test_the_later_steps_of_an_operation_build_on_its_earlier_ones() -> None:
    link = replace(create("agents/desk").steps[0], id=step_id("agents/desk:link"))
    schedule = Schedule([create("agents/desk", link=link)])
    assert run(schedule, "agents/desk") == ["agents/desk"]
    assert schedule.is_over


def test_steps_of_one_resource_never_overlap() -> None:
    one = create("agents/desk")
    other = replace(one, steps=(replace(one.steps[0], id=step_id("agents/desk:link")),))
    schedule = Schedule([one, other])
    (task,) = taken(schedule)
    schedule.done(task)
    assert names(taken(schedule)) == ["agents/desk (link)"]


def test_a_halt_lets_what_runs_end_and_skips_the_rest() -> None:
    schedule = Schedule(chain(("tools/a", []), ("tools/b", ["tools/a"])))
    (task,) = taken(schedule)
    schedule.halt("interrupted")
    assert not schedule.is_over
    schedule.done(task)
    assert schedule.is_over
    assert ends(schedule) == {"tools/b": "interrupted", "tools/a": ""}


def test_an_operation_without_steps_is_over_at_once() -> None:
    schedule = Schedule([replace(create("tools/a"), steps=())])
    assert schedule.is_over
    assert ends(schedule) == {"tools/a": ""}


def test_steps_that_wait_for_each_other_are_given_up() -> None:
    schedule = Schedule(chain(("tools/a", ["tools/b"]), ("tools/b", ["tools/a"])))
    assert schedule.next_task() is None
    schedule.abandon()
    assert ends(schedule) == {"tools/a": STUCK, "tools/b": STUCK}


class TestLock:
    def test_it_opens_first_and_closes_last(self) -> None:
        operations = [lock(LOCKED, after=["tools/a"]), *chain(("tools/a", [":unlock"]))]
        assert run(Schedule(operations)) == ["shop-desk (unlock)", "tools/a", "shop-desk (lock)"]

    def test_it_closes_after_a_failure(self) -> None:
        operations = [
            lock(LOCKED, after=["tools/a", "agents/b"]),
            *chain(("tools/a", [":unlock"]), ("agents/b", [":unlock", "tools/a"])),
        ]
        order = run(Schedule(operations), "tools/a")
        assert order == ["shop-desk (unlock)", "tools/a", "shop-desk (lock)"]

    def test_it_closes_after_a_halt(self) -> None:
        schedule = Schedule([lock(LOCKED, after=["tools/a"]), *chain(("tools/a", [":unlock"]))])
        (unlock,) = taken(schedule)
        schedule.done(unlock)
        (running,) = taken(schedule)
        schedule.halt("interrupted")
        assert taken(schedule) == []
        schedule.done(running)
        assert names(taken(schedule)) == ["shop-desk (lock)"]

    def test_what_did_not_open_is_not_closed(self) -> None:
        schedule = Schedule([lock(LOCKED, after=["tools/a"]), *chain(("tools/a", [":unlock"]))])
        assert run(schedule, "shop-desk (unlock)") == ["shop-desk (unlock)"]
        assert schedule.is_over
        assert ends(schedule)["tools/a"] == "shop-desk"


class TestStamp:
    def test_it_comes_after_everything_even_what_it_does_not_name(self) -> None:
        operations = [stamp(), *chain(("tools/a", []), ("agents/b", ["tools/a"]))]
        assert run(Schedule(operations)) == ["tools/a", "agents/b", "shop-desk (stamp)"]

    def test_it_is_left_out_when_anything_failed(self) -> None:
        schedule = Schedule([*chain(("tools/a", []), ("agents/b", [])), stamp(after=["agents/b"])])
        assert run(schedule, "tools/a") == ["tools/a", "agents/b"]
        assert ends(schedule)["shop-desk"] == STAMP_LEFT

    def test_it_is_left_out_when_a_version_is_not_what_was_applied(self) -> None:
        schedule = Schedule([*chain(("versions/v1", [])), stamp()])
        (task,) = taken(schedule)
        schedule.done(task, taint="not what was applied")
        assert schedule.is_over

    def test_the_lock_closes_after_it(self) -> None:
        operations = [
            lock(LOCKED, after=["tools/a", ":stamp"]),
            *chain(("tools/a", [":unlock"])),
            stamp(after=["tools/a", ":unlock"]),
        ]
        assert run(Schedule(operations))[-2:] == ["shop-desk (stamp)", "shop-desk (lock)"]
        assert run(Schedule(operations), "tools/a")[-1] == "shop-desk (lock)"


def test_what_builds_on_a_tainted_step_is_skipped_for_that_reason() -> None:
    schedule = Schedule(chain(("versions/v1", []), ("deployments/web", ["versions/v1"])))
    (task,) = taken(schedule)
    schedule.done(task, taint="agents/desk differs")
    assert ends(schedule) == {"versions/v1": "", "deployments/web": "agents/desk differs"}
