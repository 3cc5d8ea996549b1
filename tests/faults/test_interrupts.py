"""Ctrl-C and SIGTERM while the tool waits for something: it waits no longer, and tells the truth."""

import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.faults.desk import Worlds, acknowledged, converge, desk
from tests.faults.gateway import Gateway, gateway
from tests.faults.processes import APPLY, PATIENCE, Begin, Running

LATER = {"code": "UNAVAILABLE", "message": "Later."}
AT_LEISURE = {"code": "RESOURCE_EXHAUSTED", "message": "Later.", "retryAfter": 100}
"""So many seconds the tool would wait: longer than these tests do."""


def wait_until(condition: Callable[[], Any]) -> None:
    """Look again and again, for a while."""
    tick = threading.Event()
    assert any(condition() or tick.wait(0.02) for _ in range(50 * PATIENCE))


@pytest.mark.parametrize("with_signal", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("fault", "outcome", "unfinished"),
    [
        ({"method": "CreateGuardrail", "times": 1000, "status": LATER}, "failed", 0),
        ({"method": "CreateGuardrail", "status": AT_LEISURE}, "failed", 0),
        ({"method": "CreateApp", "late": {"code": "INTERNAL", "polls": 9999}}, "unknown", 1),
    ],
)
def test_a_signal_ends_the_wait(
    worlds: Worlds, begun: Begin, with_signal: int, fault: dict[str, Any], outcome: str, unfinished: int
) -> None:
    """For another try, for the turn of the whole run, for a long operation; a re-run does the rest."""
    world = worlds()
    world.emulator.break_with(fault)
    running = begun(world.emulator.address, *APPLY, "--format", "json")
    wait_until(lambda: world.emulator.faults.report()[0]["hits"])
    running.process.send_signal(with_signal)
    done = running.end()
    assert done.code == 130, done.err
    assert done.document["exit_code"] == 130
    outcomes = [item["outcome"] for item in done.document["outcomes"]]
    assert {outcome} <= set(outcomes) <= {"applied", "skipped", outcome}
    assert sum(item["writes"] for item in done.document["outcomes"]) == acknowledged(world) - unfinished
    world.emulator.faults.clear()
    converge(world, desk())


@pytest.mark.parametrize("words", [("plan",), ("apply", "--auto-approve")])
def test_ctrl_c_while_reading(worlds: Worlds, begun: Begin, words: tuple[str, ...]) -> None:
    """One list of many is late, in a thread of its own; nothing was written, and the document says 130 too."""
    world = worlds()
    converge(world, desk())
    world.forget()
    world.emulator.break_with({"method": "ListAgents", "times": 1000, "status": LATER})
    running = begun(world.emulator.address, *words, "--format", "json")
    wait_until(lambda: world.emulator.faults.report()[0]["hits"])
    running.process.send_signal(signal.SIGINT)
    done = running.end()
    assert (done.code, done.document["exit_code"]) == (130, 130), done.err
    assert world.methods() == {"GET"}


def test_a_second_ctrl_c_waits_for_no_answer(worlds: Worlds, begun: Begin) -> None:
    """A request hangs: what became of it is unknown, and told so; counts are those of known answers."""
    world = worlds()
    started = threading.Event()
    running: list[Running] = []

    def strike() -> None:
        assert started.wait(PATIENCE)
        running[0].process.send_signal(signal.SIGINT)
        wait_until(lambda: "Stopping after the requests in flight." in running[0].err)
        running[0].process.send_signal(signal.SIGINT)
        running[0].process.wait(PATIENCE)

    with gateway(Gateway(upstream=world.emulator.address, number=30, strike=strike, after=True)) as before:
        running.append(begun(before.address, *APPLY, "--format", "json"))
        started.set()
        done = running[0].end()
    assert done.code == 130, done.err
    outcomes = [item["outcome"] for item in done.document["outcomes"]]
    assert set(outcomes) == {"applied", "skipped", "unknown"}
    told = sum(item["writes"] for item in done.document["outcomes"])
    assert told < acknowledged(world) <= told + outcomes.count("unknown")
    converge(world, desk())
