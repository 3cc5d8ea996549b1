"""Long-running operations, on a clock that only moves by sleeping."""

from dataclasses import replace

import pytest

from cesplan.domain import errors
from cesplan.model.kinds import kind_of
from cesplan.remote import calls
from cesplan.remote.clock import Halt
from cesplan.remote.long_running import LongRunning, Pace

PLACE = "projects/acme-dev/locations/us"
NAME = f"{PLACE}/operations/op-1"
CREATE = calls.create(kind_of("apps"), PLACE, "support-desk", {})
PENDING = {"name": NAME, "metadata": {"@type": "type.googleapis.com/x"}}
APP = {"name": f"{PLACE}/apps/support-desk"}
DONE = {**PENDING, "done": True, "response": {"@type": "type.googleapis.com/App", **APP}}


def _waiting(calling, hourglass, *replies, pace=None):
    made, sender = calling(*replies)
    return LongRunning(calling=made, clock=hourglass.clock, pace=pace or Pace()), sender


def test_a_finished_operation_needs_no_question(calling, hourglass):
    """Its response is the answer, without `@type`."""
    waiting, sender = _waiting(calling, hourglass)
    assert waiting.result(CREATE, DONE, lambda _: None) == APP
    assert (sender.sent, hourglass.slept) == ([], [])


def test_questions_come_slower_and_slower(calling, hourglass, answered):
    """0.15 s, half as much again each time; the one who waits hears the seconds so far."""
    replies = [answered(200, PENDING), answered(200, PENDING), answered(200, DONE)]
    waiting, sender = _waiting(calling, hourglass, *replies)
    told = []
    assert waiting.result(CREATE, PENDING, told.append) == APP
    assert hourglass.slept == pytest.approx([0.15, 0.225, 0.3375])
    assert told == pytest.approx([0.0, 0.15, 0.375])
    assert [call.target("v1beta") for call in sender.sent] == [f"/v1beta/{NAME}"] * 3


def test_never_slower_than_the_longest(calling, hourglass, answered):
    """Every 5 s at the latest."""
    replies = [answered(200, PENDING)] * 20 + [answered(200, DONE)]
    waiting, _ = _waiting(calling, hourglass, *replies)
    waiting.result(CREATE, PENDING, lambda _: None)
    assert max(hourglass.slept) == 5.0


def test_the_error_of_an_operation_is_raised(calling, hourglass, answered):
    """`operation.error` is a google.rpc.Status with the code as a number."""
    failed = {**PENDING, "done": True, "error": {"code": 6, "message": "App exists."}}
    waiting, _ = _waiting(calling, hourglass, answered(200, failed))
    with pytest.raises(errors.AlreadyExists, match=r"Could not create apps/support-desk: App exists\."):
        waiting.result(CREATE, PENDING, lambda _: None)


def test_a_delete_ends_in_nothing(calling, hourglass):
    """google.protobuf.Empty, or no response at all."""
    waiting, _ = _waiting(calling, hourglass)
    empty = {"@type": "type.googleapis.com/google.protobuf.Empty"}
    assert waiting.result(CREATE, {"name": NAME, "done": True, "response": empty}, lambda _: None) == {}
    assert waiting.result(CREATE, {"name": NAME, "done": True}, lambda _: None) == {}


def test_patience_ends(calling, hourglass, answered):
    """After a quarter of an hour it is a lost response that names the operation."""
    waiting, _ = _waiting(calling, hourglass, *[answered(200, PENDING)] * 500)
    with pytest.raises(errors.LostResponse) as caught:
        waiting.result(CREATE, PENDING, lambda _: None)
    assert "still running after 15 minutes" in caught.value.summary
    assert NAME in caught.value.detail


def test_not_hearing_of_the_end_is_a_lost_response(calling, hourglass, refused):
    """The write was accepted: an operation that cannot be read any more is not a failed write."""
    waiting, _ = _waiting(calling, hourglass, refused(404, "NOT_FOUND", "No such operation."))
    with pytest.raises(errors.LostResponse, match="No such operation") as caught:
        waiting.result(CREATE, PENDING, lambda _: None)
    assert isinstance(caught.value.__cause__, errors.NotFound)


def test_an_operation_without_a_name_is_a_lost_response(calling, hourglass):
    """Nothing to ask about."""
    waiting, _ = _waiting(calling, hourglass)
    with pytest.raises(errors.LostResponse, match="no operation name"):
        waiting.result(CREATE, {}, lambda _: None)


def test_hiccups_while_waiting_are_overcome(calling, hourglass, refused, answered):
    """Questions are reads, and repeated like any read."""
    waiting, sender = _waiting(calling, hourglass, refused(503, "UNAVAILABLE"), answered(200, DONE))
    assert waiting.result(CREATE, PENDING, lambda _: None) == APP
    assert len(sender.sent) == 2


def test_a_stop_ends_the_wait(calling, hourglass):
    """The service goes on with it; the error says so, and under which name."""
    halt = Halt()
    made, sender = calling()
    clock = replace(hourglass.clock, sleep=lambda seconds: halt.request(), halt=halt)
    waiting = LongRunning(calling=made, clock=clock, pace=Pace())
    with pytest.raises(errors.LostResponse, match="the wait was interrupted") as caught:
        waiting.result(CREATE, PENDING, lambda _: None)
    assert caught.value.accepted
    assert NAME in caught.value.detail
    assert sender.sent == []
