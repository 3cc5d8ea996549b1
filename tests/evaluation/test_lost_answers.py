"""A run is started once: lost replies, kills and Ctrl-C at the start and in the wait."""

import os
import signal
import time

import pytest

from tests.evaluation.conftest import ALL, PASS

LOST = {
    "reset after": {"reset": {"after": True}},
    "500 after": {"status": {"code": "INTERNAL", "after": True}},
    "503 after": {"status": {"code": "UNAVAILABLE", "after": True}},
}


def starts(desk):
    """How many requests to start a run the service got."""
    return sum("runEvaluation" in item["path"] for item in desk.emulator.journal.summary()["requests"])


@pytest.mark.parametrize("fault", LOST.values(), ids=LOST)
def test_a_lost_reply_is_resolved_by_looking_for_the_run(desk, fault):
    """The run is found by its display name, and only one request was sent."""
    desk.play(PASS)
    desk.emulator.break_with({"method": "RunEvaluation", **fault})
    ran = desk.evaluate(*ALL)
    assert (ran.code, len(desk.runs), starts(desk)) == (0, 1, 1)
    assert "the run was found by its name" in ran.err


def test_a_request_that_was_never_carried_out_is_not_sent_again(desk):
    """Nothing proves that it will not be carried out: an error, with the name to look for."""
    desk.play(PASS)
    desk.emulator.break_with({"method": "RunEvaluation", "status": {"code": "UNAVAILABLE"}})
    ran = desk.evaluate(*ALL)
    assert (ran.code, desk.runs, starts(desk)) == (1, [], 1)
    assert "Whether the evaluation run was started is unknown" in ran.err
    assert "cesplan evaluate --run 'cesplan " in ran.err


def test_a_service_that_is_busy_is_asked_again(desk):
    """429 says that nothing was done."""
    desk.play(PASS)
    desk.emulator.break_with({"method": "RunEvaluation", "status": {"code": "RESOURCE_EXHAUSTED"}})
    assert (desk.evaluate(*ALL).code, len(desk.runs), starts(desk)) == (0, 1, 2)


def test_nothing_but_the_start_is_written(desk):
    """Of all requests one is not a GET."""
    desk.play(PASS, running=2)
    desk.emulator.journal.clear()
    desk.evaluate(*ALL)
    sent = [item for item in desk.emulator.journal.summary()["requests"] if item["method"] != "GET"]
    assert [item["path"].rpartition(":")[2] for item in sent] == ["runEvaluation"]


def _until_started(desk):
    for _ in range(300):
        if desk.runs:
            return
        time.sleep(0.05)
    raise AssertionError("no run was started")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_outlives_the_command_and_is_resumed(desk, number):
    """After Ctrl-C or a kill in the wait, `--run` with the display name finishes the same run."""
    desk.play(PASS, running=50)
    child = desk.process(*ALL)
    _until_started(desk)
    time.sleep(0.5)
    os.kill(child.pid, number)
    _, err = child.communicate(timeout=30)
    name = desk.runs[0]["displayName"]
    assert f"Starting the run `{name}`." in err
    if number == signal.SIGINT:
        assert child.returncode == 130
        assert f"cesplan evaluate --run {desk.runs[0]['name'].rpartition('/')[2]}" in err
    again = desk.evaluate("--run", name)
    assert (again.code, len(desk.runs), starts(desk)) == (0, 1, 1)


def test_a_wait_that_fails_says_how_to_go_on(desk):
    """An error of the service in the wait loses nothing."""
    desk.play(PASS)
    desk.emulator.break_with({"method": "GetEvaluationRun", "status": {"code": "PERMISSION_DENIED"}})
    ran = desk.evaluate(*ALL)
    assert ran.code == 6
    run_id = desk.runs[0]["name"].rpartition("/")[2]
    assert f"cesplan evaluate --run {run_id}" in ran.err
    assert desk.evaluate("--run", run_id).code == 0
