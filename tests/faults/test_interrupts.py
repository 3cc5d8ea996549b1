"""Ctrl-C and SIGTERM while the tool waits for something: it waits no longer, and tells the truth."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.faults.desk import EXAMPLE, Worlds, acknowledged, converge, desk
from tests.faults.gateway import Gateway, gateway
from tests.faults.test_process import Ended, environ

LATER = {"code": "UNAVAILABLE", "message": "Later."}
AT_LEISURE = {"code": "RESOURCE_EXHAUSTED", "message": "Later.", "retryAfter": 100}
"""So many seconds the tool would wait: longer than these tests do."""

PATIENCE = 60
"""Seconds after which a process that does not end has failed its test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A process in a group of its own; it writes to files, for nobody reads while it runs."""

    process: subprocess.Popen[str]
    folder: Path

    def signal(self, number: int) -> None:
        os.killpg(self.process.pid, number)

    @property
    def err(self) -> str:
        return (self.folder / "err").read_text()

    def end(self) -> Ended:
        try:
            code = self.process.wait(PATIENCE)
        finally:
            self.process.kill()
        return Ended(code=code, out=(self.folder / "out").read_text(), err=self.err)


def begin(folder: Path, address: str, *words: str) -> Running:
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "cesplan", *words, "--format", "json"],
            cwd=EXAMPLE,
            env=environ(address),
            stdout=out,
            stderr=err,
            encoding="utf-8",
            start_new_session=True,
        )
    return Running(process=process, folder=folder)


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
    worlds: Worlds, tmp_path: Path, with_signal: int, fault: dict[str, Any], outcome: str, unfinished: int
) -> None:
    """For another try, for the turn of the whole run, for a long operation; a re-run does the rest."""
    world = worlds()
    world.emulator.break_with(fault)
    running = begin(tmp_path, world.emulator.address, "apply", "--auto-approve")
    wait_until(lambda: world.emulator.faults.report()[0]["hits"])
    running.signal(with_signal)
    done = running.end()
    assert done.code == 130, done.err
    assert done.document["exit_code"] == 130
    outcomes = [item["outcome"] for item in done.document["outcomes"]]
    assert {outcome} <= set(outcomes) <= {"applied", "skipped", outcome}
    assert sum(item["writes"] for item in done.document["outcomes"]) == acknowledged(world) - unfinished
    world.emulator.faults.clear()
    converge(world, desk())


@pytest.mark.parametrize("words", [("plan",), ("apply", "--auto-approve")])
def test_ctrl_c_while_reading(worlds: Worlds, tmp_path: Path, words: tuple[str, ...]) -> None:
    """One list of many is late, in a thread of its own; nothing was written, and the document says 130 too."""
    world = worlds()
    converge(world, desk())
    world.forget()
    world.emulator.break_with({"method": "ListAgents", "times": 1000, "status": LATER})
    running = begin(tmp_path, world.emulator.address, *words)
    wait_until(lambda: world.emulator.faults.report()[0]["hits"])
    running.signal(signal.SIGINT)
    done = running.end()
    assert (done.code, done.document["exit_code"]) == (130, 130), done.err
    assert world.methods() == {"GET"}


def test_a_second_ctrl_c_waits_for_no_answer(worlds: Worlds, tmp_path: Path) -> None:
    """A request hangs: what became of it is unknown, and told so; counts are those of known answers."""
    world = worlds()
    started = threading.Event()
    begun: list[Running] = []

    def strike() -> None:
        assert started.wait(PATIENCE)
        begun[0].signal(signal.SIGINT)
        wait_until(lambda: "Stopping after the requests in flight." in begun[0].err)
        begun[0].signal(signal.SIGINT)
        begun[0].process.wait(PATIENCE)

    with gateway(Gateway(upstream=world.emulator.address, number=30, strike=strike, after=True)) as before:
        begun.append(begin(tmp_path, before.address, "apply", "--auto-approve"))
        started.set()
        done = begun[0].end()
    assert done.code == 130, done.err
    outcomes = [item["outcome"] for item in done.document["outcomes"]]
    assert set(outcomes) == {"applied", "skipped", "unknown"}
    told = sum(item["writes"] for item in done.document["outcomes"])
    assert told < acknowledged(world) <= told + outcomes.count("unknown")
    converge(world, desk())
