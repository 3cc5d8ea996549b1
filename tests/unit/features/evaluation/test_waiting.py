"""Waiting for a run: its operation and its state decide, and time is bounded."""

import pytest

from cesplan.domain.errors import NotFound
from cesplan.features.evaluation.starting import StartedRun
from cesplan.features.evaluation.waiting import await_run

STARTED = StartedRun(name="r", operation="o")


class Service:
    """Answers the states and operations in turn, the last ones for ever; time passes by resting."""

    def __init__(self, states, operations=({"done": True},)):
        self.states, self.operations = list(states), list(operations)
        self.now, self.reads = 0.0, 0

    def read(self, name):
        self.reads += name == STARTED.name
        answers = self.states if name == STARTED.name else self.operations
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        if found is None:
            raise NotFound(summary="forgotten")
        return {"state": found} if name == STARTED.name else found

    def rest(self, seconds):
        self.now += seconds


def waited(service, timeout=1000.0):
    seen = []
    found = await_run(
        STARTED,
        service.read,
        timeout=timeout,
        monotonic=lambda: service.now,
        rest=service.rest,
        on_progress=lambda run, seconds: seen.append(run["state"]),
    )
    return found, seen


@pytest.mark.parametrize("state", ["COMPLETED", "ERROR", "CANCELLED", "NEWER"])
def test_a_run_that_has_ended_is_not_waited_for(state):
    found, _ = waited(Service([state]))
    assert (found.run, found.gave_up) == ({"state": state}, "")


def test_both_the_operation_and_the_run_must_have_ended():
    """Which of them ends first is not documented."""
    service = Service(["QUEUED", "RUNNING", "COMPLETED"], [{}, {"done": True}])
    assert waited(service)[1] == ["QUEUED", "RUNNING", "COMPLETED"]
    service = Service(["COMPLETED"], [{}, {}, {"done": True}])
    assert waited(service)[1] == ["COMPLETED"] * 3


def test_an_operation_that_is_forgotten_is_done():
    assert waited(Service(["COMPLETED"], [None]))[0].gave_up == ""


def test_time_is_bounded_and_pauses_grow():
    """An hour takes hundreds of requests, not thousands."""
    service = Service(["RUNNING"])
    found, _ = waited(service, timeout=3600)
    assert found.gave_up == "it did not end within 3600 s"
    assert 300 < service.reads < 400
    assert service.now <= 3600


def test_a_failed_operation_does_not_hold_the_wait():
    """The run says nothing more, so nobody waits until the timeout."""
    service = Service(["RUNNING"], [{"done": True, "error": {"code": 13}}])
    found, _ = waited(service)
    assert found.gave_up == "its operation failed, but the run did not end"
    assert service.now < 60
