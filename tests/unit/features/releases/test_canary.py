"""What conversations tell, and what is due: nothing that is not told speaks for the candidate."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from cesplan.domain.features.release import NO_WORSE, CanaryCondition, CanaryMetric, CanaryStep
from cesplan.features.releases.canary import Due, SeenConversation, judge_step, seen_of
from tests.unit.features.odd_shapes import odd_bodies

APP = "projects/acme-dev/locations/us/apps/help-desk"
WEB = f"{APP}/deployments/web-chat"
BEGAN = datetime(2026, 11, 20, 12, tzinfo=UTC)
NOW = BEGAN + timedelta(hours=2)
ERRORS, ESCALATIONS, UNFINISHED = CanaryMetric


def talk(*chunks: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A conversation that is over."""
    return {
        "name": f"{APP}/conversations/c1",
        "deployment": WEB,
        "appVersion": f"{APP}/versions/r2",
        "startTime": "2026-11-20T12:30:00Z",
        "endTime": "2026-11-20T12:31:00Z",
        "source": "LIVE",
        "turns": [{"messages": [{"role": "agent", "chunks": [{"text": "Hello"}, *chunks]}]}],
        **more,
    }


END = {"toolCall": {"displayName": "end_session", "args": {"session_escalated": False}}}
ESCALATED = {"toolCall": {"displayName": "end_session", "args": {"session_escalated": True}}}
BY_NAME = {"toolCall": {"tool": f"{APP}/tools/end_session", "args": {"session_escalated": True}}}
BROKEN = {"toolResponse": {"displayName": "lookup", "response": {"error": "No such order."}}}
FINE = {"toolResponse": {"displayName": "lookup", "response": {"order": "7"}}}


@pytest.mark.parametrize(
    ("conversation", "told"),
    [
        (talk(FINE, END), (False, False, False)),
        (talk(BROKEN, END), (True, False, False)),
        (talk(ESCALATED), (False, True, False)),
        (talk(BY_NAME), (False, True, False)),
        (talk(), (False, False, True)),
        (talk(endTime=""), (False, None, None)),
        (talk(turns=[], messages=[]), (None, None, None)),
        (talk(turns=[{"rootSpan": {"childSpans": [{"attributes": {"error": "boom"}}]}}]), (True, False, True)),
        (talk(turns=[{"rootSpan": {"attributes": {"status": "OK"}}}]), (False, False, True)),
        (talk(turns=[{"rootSpan": {"attributes": {"status": "INTERNAL"}}}]), (True, False, True)),
        (talk(turns="junk", messages=[{"chunks": "junk"}, 7]), (False, False, True)),
    ],
)
def test_a_conversation_tells_what_happened_in_it(
    conversation: dict[str, Any], told: tuple[bool | None, ...]
) -> None:
    """Errors, escalations and whether the agent ended it; None: it does not tell."""
    seen = seen_of(conversation, WEB, BEGAN)
    assert seen is not None
    assert (seen.has_error, seen.is_escalated, seen.is_unfinished) == told


@pytest.mark.parametrize(
    "other",
    [
        {"source": "EVAL"},
        {"source": "SIMULATOR"},
        {"deployment": f"{APP}/deployments/phone"},
        {"deployment": ""},
        {"appVersion": ""},
        {"startTime": "2026-11-20T11:59:59Z"},
        {"startTime": "soon"},
    ],
)
def test_a_conversation_of_something_else_does_not_count(other: dict[str, str]) -> None:
    """Runs of evaluations and simulators are no users; what began before the step is of the step before."""
    assert seen_of(talk(END, **other), WEB, BEGAN) is None


def crowd(version: str, number: int, errors: int = 0, escalated: int = 0) -> list[SeenConversation]:
    return [
        SeenConversation(
            version=version, has_error=at < errors, is_escalated=at < escalated, is_unfinished=False
        )
        for at in range(number)
    ]


def due(step: CanaryStep, seen: list[SeenConversation], now: datetime = NOW) -> Due:
    return judge_step(step, seen, candidate="r2", served="r1", began=BEGAN, now=now).due


STEP = CanaryStep(percent=5, hold=timedelta(hours=1), conversations=20)


@pytest.mark.parametrize(
    ("seen", "wanted"),
    [
        (crowd("r2", 20) + crowd("r1", 60), Due.ADVANCE),
        (crowd("r2", 19) + crowd("r1", 60), Due.HOLD),
        ([], Due.HOLD),
        (crowd("r2", 20), Due.ADVANCE),
        (crowd("r2", 20, errors=1) + crowd("r1", 60), Due.HOLD),
        (crowd("r2", 20, errors=1), Due.HOLD),
        (crowd("r2", 20, errors=9) + crowd("r1", 60), Due.ABORT),
        (crowd("r2", 5, errors=5) + crowd("r1", 60), Due.ABORT),
        (crowd("r2", 20, escalated=9) + crowd("r1", 60, escalated=3), Due.ABORT),
        (crowd("r2", 20, escalated=1) + crowd("r1", 60, escalated=9), Due.ADVANCE),
        ([SeenConversation(version="r2")] * 20 + crowd("r1", 60), Due.HOLD),
        (crowd("r3", 100) + crowd("r1", 60), Due.HOLD),
    ],
)
def test_what_is_due_follows_from_both_versions(seen: list[SeenConversation], wanted: Due) -> None:
    """Significantly worse: back, at once; worse by what may be chance, or too little to tell: hold."""
    assert due(STEP, seen) is wanted


def test_time_holds_whatever_was_seen_and_never_what_is_bad() -> None:
    early = BEGAN + timedelta(minutes=59, seconds=59)
    assert due(STEP, crowd("r2", 50) + crowd("r1", 50), early) is Due.HOLD
    assert due(STEP, crowd("r2", 20, errors=15) + crowd("r1", 50), early) is Due.ABORT
    report = judge_step(STEP, [], candidate="r2", served="r1", began=BEGAN, now=early)
    assert report.until == BEGAN + timedelta(hours=1)


def test_a_largest_share_needs_enough_conversations() -> None:
    """One of one is no share."""
    step = CanaryStep(
        percent=5, conversations=10, conditions=(CanaryCondition(metric=UNFINISHED, at_most=0.2),)
    )
    unfinished = SeenConversation(version="r2", is_unfinished=True)
    finished = SeenConversation(version="r2", is_unfinished=False)
    assert due(step, [unfinished]) is Due.HOLD
    assert due(step, [unfinished] * 3 + [finished] * 7) is Due.ABORT
    assert due(step, [unfinished] * 2 + [finished] * 8) is Due.ADVANCE


def test_an_increase_may_be_allowed() -> None:
    step = CanaryStep(percent=5, conditions=(CanaryCondition(metric=ERRORS, increase=0.5),))
    assert due(step, crowd("r2", 20, errors=9) + crowd("r1", 60)) is Due.ADVANCE


@pytest.mark.parametrize(
    ("left", "said"),
    [(timedelta(seconds=1), "2.0 s"), (timedelta(minutes=2), "2 min 1 s"), (timedelta(hours=26), "26 h 0 min")],
)
def test_how_long_a_step_still_lasts_is_in_words(left: timedelta, said: str) -> None:
    step = CanaryStep(percent=5, hold=timedelta(hours=26), conditions=())
    report = judge_step(step, [], candidate="r2", served="r1", began=BEGAN, now=BEGAN + step.hold - left)
    assert report.findings[0].text.endswith(f" UTC, another {said}.")


def test_without_conditions_only_time_and_numbers_count() -> None:
    step = CanaryStep(percent=5, hold=timedelta(hours=1), conditions=())
    assert due(step, crowd("r2", 3, errors=3)) is Due.ADVANCE


def test_with_conditions_one_conversation_at_least_must_tell() -> None:
    """An hour in which nobody talked to the candidate shows nothing."""
    assert due(CanaryStep(percent=5, hold=timedelta(hours=1), conditions=NO_WORSE), []) is Due.HOLD


def test_large_samples_are_compared_in_time() -> None:
    """Exact tests are bounded; more conversations are scaled down, which can only find less."""
    step = CanaryStep(percent=50, conversations=1_000)
    assert due(step, crowd("r2", 9_000, errors=900) + crowd("r1", 9_000, errors=90)) is Due.ABORT
    assert due(step, crowd("r2", 9_000, errors=90) + crowd("r1", 9_000, errors=90)) is Due.ADVANCE


def test_a_conversation_with_a_value_of_another_type_is_read_without_it() -> None:
    span = {"name": "end_session", "attributes": {"status": "OK", "error": ""}, "childSpans": [{"name": "x"}]}
    whole = talk(FINE, BROKEN, ESCALATED)
    whole["turns"].append({"rootSpan": span})
    for odd in odd_bodies(whole):
        seen = seen_of(odd, WEB, BEGAN)
        assert seen is None or seen.version
