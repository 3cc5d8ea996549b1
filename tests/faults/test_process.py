"""Killed, interrupted, terminated: a process of `cesplan apply`, struck at a write, and run again."""

import signal
import threading
from functools import partial
from pathlib import Path

import pytest

from tests.faults.desk import RESOURCES, Worlds, acknowledged, converge, desk, state, unlike
from tests.faults.gateway import Gateway, gateway
from tests.faults.processes import APPLY, Begin, Ended, Running, begin_ignoring
from tests.faults.test_crash import WRITES
from tests.properties.world import World, insist


def struck(begin: Begin, world: World, number: int, with_signal: int, *more: str, after: bool = False) -> Ended:
    """An apply that gets a signal at one of its writes."""
    started = threading.Event()
    running: list[Running] = []

    def strike() -> None:
        assert started.wait(30)
        running[0].process.send_signal(with_signal)
        if with_signal == signal.SIGKILL:
            running[0].process.wait(30)

    lost = with_signal == signal.SIGKILL and not after
    made = Gateway(upstream=world.emulator.address, number=number, strike=strike, after=after, lost=lost)
    with gateway(made) as before:
        running.append(begin(before.address, *APPLY, *more))
        started.set()
        return running[0].end()


@pytest.fixture(scope="module")
def wanted(worlds: Worlds) -> dict[str, object]:
    """The state after an apply on a good day."""
    world = worlds()
    insist(world.apply(world.plan(desk())))
    found = state(world)
    assert len(found) == RESOURCES
    return found


@pytest.mark.parametrize(("number", "after"), [(1, False), (1, True), (37, False), (WRITES - 1, True)])
def test_kill_9_leaves_nothing_that_a_re_run_does_not_finish(
    worlds: Worlds, wanted: dict[str, object], begun: Begin, number: int, after: bool
) -> None:
    """Before the service saw the write, or after it acted and before the process heard of it."""
    world = worlds()
    assert struck(begun, world, number, signal.SIGKILL, after=after).code == -signal.SIGKILL
    assert state(world) != wanted
    converge(world, desk())
    assert unlike(state(world), wanted) == []


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, WRITES + 1))
def test_kill_9_at_every_write_and_the_same_command_again(
    worlds: Worlds, wanted: dict[str, object], begun: Begin, number: int
) -> None:
    world = worlds()
    assert struck(begun, world, number, signal.SIGKILL, after=bool(number % 2)).code == -signal.SIGKILL
    assert begun(world.emulator.address, *APPLY).end().code == 0
    assert unlike(state(world), wanted) == []


@pytest.mark.parametrize("with_signal", [signal.SIGINT, signal.SIGHUP])
def test_what_is_ignored_from_the_start_stops_nothing(
    worlds: Worlds, wanted: dict[str, object], with_signal: int, tmp_path: Path
) -> None:
    """A Ctrl-C is for what runs in the foreground, and `nohup` lets the end of the terminal pass."""
    world = worlds()
    ended = struck(partial(begin_ignoring, tmp_path), world, 30, with_signal)
    assert (ended.code, "Stopping" in ended.err) == (0, False)
    assert state(world) == wanted


@pytest.mark.parametrize("with_signal", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("number", [1, 30])
def test_an_interrupt_finishes_what_is_in_flight_and_tells_the_truth(
    worlds: Worlds, wanted: dict[str, object], begun: Begin, with_signal: int, number: int
) -> None:
    """130 for both signals; every acknowledged write is in the report, and a re-run does the rest."""
    world = worlds()
    ended = struck(begun, world, number, with_signal, "--format", "json")
    assert ended.code == 130, ended.err
    document = ended.document
    assert document["exit_code"] == 130
    assert {item["outcome"] for item in document["outcomes"]} == {"applied", "skipped"}
    assert sum(item["writes"] for item in document["outcomes"]) == acknowledged(world) < WRITES
    assert "Stopping after the requests in flight." in ended.err
    converge(world, desk())
    assert unlike(state(world), wanted) == []


def test_the_same_command_again_goes_on(worlds: Worlds, wanted: dict[str, object], begun: Begin) -> None:
    """The whole of it from outside: killed in the middle, typed again, done."""
    world = worlds()
    assert struck(begun, world, 40, signal.SIGKILL).code == -signal.SIGKILL
    again = begun(world.emulator.address, *APPLY).end()
    assert (again.code, "Live matches the tree." in again.out) == (0, True)
    assert unlike(state(world), wanted) == []
