"""Hundreds of evaluations, a person at a terminal, and two people at once."""

import json
import os
import select
import signal
import time

from tests.cli.conftest import BegunAtTerminal
from tests.evaluation.conftest import APP, PASS, Desk

TURN = {
    "steps": [
        {"userInput": {"text": "Where is order 7? " * 20}},
        {"expectation": {"toolCall": {"tool": f"{APP}/tools/lookup-order", "args": {"order": "7"}}}},
        {"expectation": {"agentResponse": {"role": "front-desk", "chunks": [{"text": "On its way. " * 20}]}}},
    ]
}


def many(desk: Desk, number: int, turns: int) -> None:
    desk.emulator.seed(
        *(
            {
                "name": f"{APP}/evaluations/case-{index:04}",
                "displayName": f"Case {index}",
                "golden": {"turns": [TURN] * turns},
            }
            for index in range(number)
        )
    )


def test_requests_grow_with_results_and_with_nothing_else(desk: Desk) -> None:
    """One for each result, and a fixed number beside: not one for each evaluation, however many there are."""
    desk.play(PASS)
    counts = {}
    for number in (20, 120):
        many(desk, number, 2)
        desk.emulator.journal.clear()
        ran = desk.evaluate("--name", "Case *", "--auto-approve", "--repeats", "2", "--format", "json")
        assert (ran.code, ran.json["summary"]["passed"]) == (0, number)
        counts[number] = desk.emulator.journal.count - 2 * number
    assert counts[20] == counts[120] <= 16


def test_a_report_of_many_failures_stays_readable(desk: Desk) -> None:
    """A comment fits its service; the text names every evaluation; JSON has all."""
    many(desk, 60, 2)
    desk.play({"evaluation": "*", "outcome": "FAIL"})
    report = ("--report", "markdown=r.md", "--report", "json=r.json")
    ran = desk.evaluate("--name", "Case *", "--auto-approve", *report)
    assert ran.code == 5
    assert ran.out.count("evaluations/case-") == 60
    assert len((desk.root / "r.md").read_text(encoding="utf-8")) < 65_536
    assert len(json.loads((desk.root / "r.json").read_text(encoding="utf-8"))["evaluations"]) == 60


def test_a_person_approves_watches_and_leaves_with_ctrl_c(
    desk: Desk, begun_at_terminal: BegunAtTerminal
) -> None:
    """At a real terminal: the question, the progress in one line, and the way back."""
    desk.play(PASS, running=10_000)
    child, terminal = begun_at_terminal("evaluate", "--all")
    shown = _until(terminal, "to start:")
    assert "expected: at least 3 sessions" in shown
    os.write(terminal, b"yes\n")
    shown = _until(terminal, "The run is running")
    child.send_signal(signal.SIGINT)
    shown = _until(terminal, "--run")
    assert child.wait(30) == 130
    os.close(terminal)
    assert f"cesplan evaluate --run {desk.runs[0]['name'].rpartition('/')[2]}" in shown
    assert len(desk.runs) == 1


def test_two_people_at_once_have_a_run_each(desk: Desk) -> None:
    """Nobody waits for the run of the other, or reports it."""
    desk.play(PASS, running=1)
    both = [desk.process("--all", "--auto-approve", "--format", "json") for _ in range(2)]
    found = []
    for child in both:
        out, err = child.communicate(timeout=60)
        assert child.returncode == 0, err
        found.append(json.loads(out))
    assert {item["run"] for item in found} == {run["name"] for run in desk.runs}
    assert len(desk.runs) == 2


def _until(terminal: int, wanted: str) -> str:
    """All that is shown until a text is; AssertionError after half a minute."""
    shown, end = "", time.monotonic() + 30
    while wanted not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 1.0)[0]:
            try:
                shown += os.read(terminal, 4096).decode("utf-8", "replace")
            except OSError:
                break
    assert wanted in shown, shown
    return shown
