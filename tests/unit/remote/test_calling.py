"""When a call is sent again, when it is not, and what is raised in the end."""

from dataclasses import replace

import pytest

from cesplan.domain import errors
from cesplan.domain.field_path import mask_path
from cesplan.domain.service.quota import Quotas
from cesplan.domain.service.waits import Waits
from cesplan.model.kinds import kind_of
from cesplan.remote import calls
from cesplan.remote.clock import Halt
from cesplan.remote.throttle import Throttles
from cesplan.remote.transport import NoAnswer, NotSent

APP = "projects/acme-dev/locations/us/apps/support-desk"
AGENTS = kind_of("agents")
READ = calls.get(AGENTS, f"{APP}/agents/front-desk")
CREATE = calls.create(AGENTS, APP, "front-desk", {"displayName": "Front desk"})
UPDATE = calls.update(AGENTS, f"{APP}/agents/front-desk", {}, (mask_path("instruction"),))
DELETE = calls.delete(AGENTS, f"{APP}/agents/front-desk", "e1", False)
RUN = calls.run_session(f"{APP}/sessions/s1", {})
WRITES = [CREATE, UPDATE, DELETE]


class Tokens:
    """Credentials whose first token is stale."""

    def __init__(self):
        self.token = 1
        self.renewed = []

    def headers(self):
        return {"authorization": f"Bearer {self.token}"}

    def renew(self, refused):
        self.renewed.append(refused)
        self.token += 1


def test_an_answer_is_its_body(calling, answered):
    """One request, one body."""
    made, sender = calling(answered(200, {"name": "n"}))
    assert made.call(READ) == {"name": "n"}
    assert sender.sent == [READ]


def test_an_empty_answer_is_an_empty_body(calling, answered):
    """Deletes may answer with nothing at all."""
    made, _ = calling(answered(200, b""))
    assert made.call(DELETE) == {}


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_reads_are_repeated_after_whatever_may_pass(calling, answered, status):
    """A read changes nothing, so every failure of the moment is worth another try."""
    made, sender = calling(answered(status, b"later"), answered(200, {"name": "n"}))
    assert made.call(READ) == {"name": "n"}
    assert len(sender.sent) == 2


@pytest.mark.parametrize("failure", [NotSent("refused"), NoAnswer("reset")])
def test_reads_are_repeated_after_lost_connections(calling, answered, failure):
    """It does not matter whether the first one arrived."""
    made, sender = calling(failure, answered(200, {"name": "n"}))
    assert made.call(READ) == {"name": "n"}
    assert len(sender.sent) == 2


def test_reads_are_repeated_after_half_an_answer(calling, answered):
    """A body that is not a JSON object is not a response."""
    made, sender = calling(answered(200, b'{"na'), answered(200, b"[]"), answered(200, {"name": "n"}))
    assert made.call(READ) == {"name": "n"}
    assert len(sender.sent) == 3


@pytest.mark.parametrize("body", [b"", b"<title>Log in</title>", b"[]"])
def test_a_page_in_the_place_of_an_answer_is_no_answer(calling, answered, body):
    """Least of all an empty one, which would say that nothing is there; what to look at is said."""
    made, _ = calling(*[answered(200, body)] * 20)
    with pytest.raises(errors.Unavailable, match="no usable response") as caught:
        made.call(READ)
    assert "not from the service. Check the endpoint" in caught.value.detail


@pytest.mark.parametrize("call", WRITES)
@pytest.mark.parametrize("status", [429, 503])
def test_writes_are_repeated_when_the_service_says_that_it_is_busy(calling, refused, answered, call, status):
    """429 and 503 come before the service acts."""
    made, sender = calling(refused(status, "X"), answered(200, {"name": "n"}))
    assert made.call(call) == {"name": "n"}
    assert len(sender.sent) == 2


@pytest.mark.parametrize("call", WRITES)
def test_writes_are_repeated_when_nothing_was_sent(calling, answered, call):
    """A connection that never came about leaves no doubt."""
    made, sender = calling(NotSent("refused"), answered(200, {}))
    made.call(call)
    assert len(sender.sent) == 2


@pytest.mark.parametrize("call", WRITES)
def test_a_write_without_an_answer_is_lost_and_not_repeated(calling, call):
    """It may have arrived: anyone who asked must look."""
    made, sender = calling(NoAnswer("connection reset"))
    with pytest.raises(errors.LostResponse) as caught:
        made.call(call)
    assert len(sender.sent) == 1
    assert "connection reset" in caught.value.summary
    assert "may have taken effect" in caught.value.detail
    assert caught.value.resource == call.resource


@pytest.mark.parametrize(
    ("status", "body"), [(502, b"<title>Bad gateway</title>"), (504, b""), (500, b"oops"), (200, b"{")]
)
def test_a_write_that_a_gateway_gave_up_on_is_lost(calling, answered, status, body):
    """Who answered was not the service, or not wholly."""
    made, sender = calling(answered(status, body))
    with pytest.raises(errors.LostResponse):
        made.call(CREATE)
    assert len(sender.sent) == 1


def test_a_deadline_of_the_service_is_a_lost_write(calling, refused):
    """DEADLINE_EXCEEDED says nothing about what happened."""
    made, _ = calling(refused(504, "DEADLINE_EXCEEDED", "Too slow."))
    with pytest.raises(errors.LostResponse) as caught:
        made.call(UPDATE)
    assert (caught.value.status, caught.value.http_status) == ("DEADLINE_EXCEEDED", 504)


@pytest.mark.parametrize(
    ("status", "code", "is_lost"),
    [(500, "INTERNAL", True), (503, "UNAVAILABLE", True), (501, "UNIMPLEMENTED", False)],
)
def test_after_an_error_of_the_server_a_custom_method_may_have_run(calling, refused, status, code, is_lost):
    """Not if the service says that it has no such method: nothing ran."""
    made, sender = calling(refused(status, code, "Sorry."))
    with pytest.raises(errors.ApiError) as caught:
        made.call(RUN)
    assert isinstance(caught.value, errors.LostResponse) == is_lost
    assert ("may have taken effect" in caught.value.detail) == is_lost
    assert len(sender.sent) == 1


def test_an_internal_error_of_the_service_is_an_answer(calling, refused):
    """The service itself says that it failed: no repetition of a write, and no doubt about who spoke."""
    made, sender = calling(refused(500, "INTERNAL", "Internal error encountered."))
    with pytest.raises(errors.ApiError, match="Internal error encountered") as caught:
        made.call(CREATE)
    assert not isinstance(caught.value, errors.LostResponse)
    assert len(sender.sent) == 1


@pytest.mark.parametrize(
    ("call", "code", "http"),
    [
        (CREATE, "ALREADY_EXISTS", 409),
        (CREATE, "FAILED_PRECONDITION", 400),
        (UPDATE, "ABORTED", 409),
        (DELETE, "NOT_FOUND", 404),
    ],
)
def test_after_a_503_the_sign_of_having_acted_proves_nothing(calling, refused, call, code, http):
    """The first try may have acted after all; then the second one meets its traces."""
    made, _ = calling(refused(503, "UNAVAILABLE"), refused(http, code, "Traces."))
    with pytest.raises(errors.LostResponse, match=r"Traces\."):
        made.call(call)


@pytest.mark.parametrize(
    ("call", "code", "http", "expected"),
    [
        (CREATE, "ALREADY_EXISTS", 409, errors.AlreadyExists),
        (UPDATE, "ABORTED", 409, errors.Conflict),
        (DELETE, "NOT_FOUND", 404, errors.NotFound),
    ],
)
def test_after_a_429_the_same_answers_mean_what_they_say(calling, refused, call, code, http, expected):
    """Over quota nothing was done, so the refusal of the second try is its own."""
    made, _ = calling(refused(429, "RESOURCE_EXHAUSTED"), refused(http, code))
    with pytest.raises(expected):
        made.call(call)


@pytest.mark.parametrize("status", [400, 403, 404, 409, 412])
@pytest.mark.parametrize("call", [READ, CREATE])
def test_refusals_are_final(calling, refused, call, status):
    """What the service refuses it will refuse again."""
    made, sender = calling(refused(status, "", "No."))
    with pytest.raises(errors.ApiError):
        made.call(call)
    assert len(sender.sent) == 1


def test_tries_end(calling, refused, hourglass):
    """After seven tries the last error is raised, with what it took."""
    made, sender = calling(*[refused(503, "UNAVAILABLE", "Down.") for _ in range(7)])
    with pytest.raises(errors.Unavailable) as caught:
        made.call(READ)
    assert len(sender.sent) == 7
    assert hourglass.slept == [0.5, 1, 2, 4, 8, 16]
    assert caught.value.detail == "Tried 7 times in 32 s."


def test_retry_after_is_honoured(calling, refused, answered, hourglass):
    """The service may ask for more time than the back-off would take."""
    busy = answered(503, b"", retry_after="9")
    made, _ = calling(busy, answered(200, {}))
    made.call(READ)
    assert hourglass.slept == [9]


def test_a_wait_that_is_too_long_is_not_begun(calling, answered, hourglass):
    """Asked to come back in an hour, we say so at once."""
    made, _ = calling(answered(429, b"", retry_after="3600"))
    with pytest.raises(errors.RateLimited) as caught:
        made.call(READ)
    assert hourglass.slept == []
    assert caught.value.retry_after == 3600


def test_over_quota_everybody_waits(calling, refused, answered, hourglass):
    """A 429 holds back what others want to send under the same quota, not only the call that was refused."""
    slept = []

    def sleep(seconds):
        slept.append(seconds)
        if len(slept) == 1:
            another.call(UPDATE)
            assert slept == [0.5]
            another.call(READ)
        hourglass.clock.sleep(seconds)

    clock = replace(hourglass.clock, sleep=sleep)
    throttles = Throttles(Quotas(), clock)
    one, _ = calling(refused(429, "X"), answered(200, {}), clock=clock, throttles=throttles)
    another, sender = calling(answered(200, {}), answered(200, {}), clock=clock, throttles=throttles)
    one.call(READ)
    assert slept == [0.5, 0.5]
    assert len(sender.sent) == 2


def test_a_401_renews_the_token_once(calling, refused, answered):
    """Then the same call goes out with the new one, writes too: a 401 comes before anything is done."""
    tokens = Tokens()
    made, sender = calling(refused(401, "UNAUTHENTICATED"), answered(200, {}), credentials=tokens)
    made.call(CREATE)
    assert [dict(sent) for sent in sender.headers] == [
        {"authorization": "Bearer 1"},
        {"authorization": "Bearer 2"},
    ]
    assert tokens.renewed == [{"authorization": "Bearer 1"}]


def test_a_second_401_is_the_end(calling, refused):
    """No loop: the person is reported how to log in."""
    made, sender = calling(
        refused(401, "UNAUTHENTICATED"), refused(401, "UNAUTHENTICATED", "Expired."), credentials=Tokens()
    )
    with pytest.raises(errors.NotAuthenticated) as caught:
        made.call(READ)
    assert len(sender.sent) == 2
    assert "Expired." in caught.value.summary
    assert "gcloud auth application-default login" in caught.value.detail


def test_an_emulator_that_is_not_there_is_told_at_once(calling, hourglass):
    """No tries: nobody will start it meanwhile, and what to do is known."""
    made, sender = calling(NotSent("connection refused"), unreachable="Start it.")
    with pytest.raises(errors.Unavailable) as caught:
        made.call(READ)
    assert (len(sender.sent), hourglass.slept) == (1, [])
    assert caught.value.detail == "Start it."


def test_what_cannot_pass_is_not_repeated(calling):
    """A certificate that is not trusted stays so."""
    made, sender = calling(NotSent("certificate", permanent=True))
    with pytest.raises(errors.Unavailable):
        made.call(READ)
    assert len(sender.sent) == 1


def test_errors_are_chained_to_their_cause(calling):
    """`--debug` shows where they come from."""
    cause = NotSent("no route", permanent=True)
    made, _ = calling(cause)
    with pytest.raises(errors.Unavailable) as caught:
        made.call(READ)
    assert caught.value.__cause__ is cause


class TestStops:
    """A clock on which the first sleep is ended by a stop."""

    @pytest.fixture
    def stopped(self, hourglass):
        halt = Halt()
        return replace(hourglass.clock, sleep=lambda seconds: halt.request(), halt=halt)

    @pytest.mark.parametrize(("status", "code"), [(503, "UNAVAILABLE"), (429, "RESOURCE_EXHAUSTED")])
    @pytest.mark.parametrize("call", [READ, *WRITES])
    def test_no_other_try_is_made(self, calling, refused, stopped, call, status, code):
        """What is raised is why another try was needed, and that it was not made."""
        made, sender = calling(refused(status, code, "Later."), clock=stopped)
        with pytest.raises(errors.ApiError, match=r"Later\.") as caught:
            made.call(call)
        assert caught.value.detail.endswith("Interrupted before the retry.")
        assert len(sender.sent) == 1

    def test_what_waits_for_its_turn_is_not_sent(self, calling, stopped):
        throttles = Throttles(Quotas(), stopped)
        throttles.of(UPDATE).pause(30)
        made, sender = calling(clock=stopped, throttles=throttles)
        with pytest.raises(errors.Interrupted, match=r"Could not update agents/front-desk: interrupted before"):
            made.call(UPDATE)
        assert sender.sent == []

    def test_what_is_asked_for_afterwards_is_tried_once(self, calling, refused, answered, hourglass):
        clock = hourglass.clock
        clock.halt.request()
        made, sender = calling(answered(200, {"name": "n"}), refused(503, "UNAVAILABLE"), clock=clock)
        assert made.call(READ) == {"name": "n"}
        with pytest.raises(errors.Unavailable):
            made.call(READ)
        assert (len(sender.sent), hourglass.slept) == (2, [])


@pytest.mark.parametrize("call", [UPDATE, DELETE])
@pytest.mark.parametrize("failure", [(429, "RESOURCE_EXHAUSTED"), (503, "UNAVAILABLE"), NotSent("refused")])
def test_a_write_is_verified_before_each_time_it_is_sent(calling, refused, answered, call, failure):
    """The etag of the last look goes with it."""
    first = failure if isinstance(failure, NotSent) else refused(*failure)
    made, sender = calling(first, answered(200, {}))
    etags = iter(["seen-1", "seen-2"])
    made.call(call, lambda: next(etags))
    assert [item.query.get("etag") or item.body["etag"] for item in sender.sent] == ["seen-1", "seen-2"]


@pytest.mark.parametrize(
    ("status", "code", "raised"),
    [(429, "RESOURCE_EXHAUSTED", errors.Conflict), (503, "UNAVAILABLE", errors.LostResponse)],
)
def test_what_verifying_raises_ends_the_write(calling, refused, status, code, raised):
    """After a 503 it proves nothing: what moved the resource may be the first try, so it must be looked at."""

    def verify():
        if sender.sent:
            raise errors.Conflict(summary="moved")
        return "e1"

    made, sender = calling(refused(status, code))
    with pytest.raises(raised, match="moved"):
        made.call(UPDATE, verify)
    assert len(sender.sent) == 1


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [
        (429, "RESOURCE_EXHAUSTED", "quota (429)"),
        (503, "UNAVAILABLE", "the service answered 503"),
    ],
)
def test_a_wait_says_why(calling, refused, answered, hourglass, status, code, said):
    """To whoever asks meanwhile; the longer one, where the service asks for it."""
    heard = []

    class Hearing(Waits):
        def note(self, reason, seconds):
            super().note(reason, seconds)
            heard.append(self.current())

    waits = Hearing(hourglass.clock.monotonic)
    refusal = replace(refused(status, code), headers={"retry-after": "7"})
    made, _ = calling(refusal, answered(200, {"name": "x"}), waits=waits)
    made.call(READ)
    assert heard == [(7.0, said)]
    assert waits.current() is None
