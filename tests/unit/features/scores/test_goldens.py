"""Goldens of CES as turns of ADK: the scores that google-adk gives them, and what is not comparable."""

from typing import Any

import pytest

from cesplan.domain.features.scores import (
    RESPONSE_MATCH,
    TRAJECTORY,
    Criterion,
    MatchType,
    NotEvaluated,
    ScoreStatus,
)
from cesplan.domain.value import as_object
from cesplan.features.scores.adk.invocations import invocation_of
from cesplan.features.scores.goldens import (
    Names,
    expected_turns,
    first_state,
    observed_turns,
    outcomes_of,
    score_mapped,
)
from cesplan.features.scores.scoring import score_case
from cesplan.features.scores.vertex.trajectories import trajectory_exact_match, trajectory_of
from tests.unit.features.odd_shapes import odd_bodies
from tests.unit.features.scores.reference import cases

CASES = cases("mapping")
APP = "projects/p/locations/us/apps/desk"
NAMES = Names(
    tools={f"{APP}/tools/t-lookup": "lookup_order", f"{APP}/tools/t-refund": "refund_quote"},
    agents={f"{APP}/agents/a-billing": "billing"},
    author="desk",
)


def mapped(case: dict[str, Any]) -> tuple[Any, Any]:
    """Expected and observed turns of a case."""
    golden = {"turns": case["turns"]}
    return expected_turns(golden, NAMES), observed_turns(golden, case["observed"], NAMES)


def plain(invocation: dict[str, Any]) -> dict[str, Any]:
    """An invocation without its id and without empty lists, which mean nothing."""
    data = {key: value for key, value in invocation["intermediate_data"].items() if value}
    rest = {key: value for key, value in invocation.items() if key != "invocation_id"}
    return {**rest, "intermediate_data": data}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_goldens_and_observations_are_these_invocations(case: dict[str, Any]) -> None:
    """Transfers are calls; the last message is the answer, earlier ones are intermediate."""
    expected, observed = mapped(case)
    assert [plain(invocation_of(item.turn, "")) for item in expected] == case["adk_expected"]
    assert [plain(invocation_of(item.turn, "")) for item in observed] == case["adk_actual"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_they_score_as_in_google_adk(case: dict[str, Any]) -> None:
    """Of all turns, as ADK counts them: also those that are not comparable."""
    from cesplan.domain.features.scores import ExpectedCase, ObservedCase

    expected, observed = mapped(case)
    criteria = {
        **{
            f"trajectory {match_type}": Criterion(metric=TRAJECTORY, threshold=1.0, match_type=match_type)
            for match_type in MatchType
        },
        "response_match_score": Criterion(metric=RESPONSE_MATCH, threshold=0.8),
    }
    one = ExpectedCase(eval_id="x", turns=[item.turn for item in expected])
    run = ObservedCase(eval_id="x", turns=[item.turn for item in observed])
    found = score_case(one, [run], list(criteria.values())).metrics
    scores = {name: item.score for name, item in zip(criteria, found, strict=True)}
    assert scores == pytest.approx(case["scores"], abs=1e-6)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_they_are_these_instances_for_vertex(case: dict[str, Any]) -> None:
    """A turn without calls has no score: the service refuses it."""
    expected, observed = mapped(case)
    pairs = [
        {
            "predictedTrajectory": trajectory_of(ours.turn),
            "referenceTrajectory": trajectory_of(theirs.turn),
        }
        for theirs, ours in zip(expected, observed, strict=True)
    ]
    if isinstance(case["vertex_trajectory"], str):
        with pytest.raises(NotEvaluated, match="which the service refuses"):
            [trajectory_exact_match(*pair.values()) for pair in pairs]
    else:
        assert pairs == case["vertex_trajectory"]


def golden(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"turns": [{"steps": [*steps]}]}


def said(text: str) -> dict[str, Any]:
    return {"role": "agent", "chunks": [{"text": text}]}


HELLO = {"userInput": {"text": "Hello"}}
ANSWER = {"expectation": {"agentResponse": said("Hi")}}


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([HELLO, ANSWER], {}),
        (
            [{"userInput": {"event": {"event": "start"}}}, ANSWER],
            {
                TRAJECTORY: "the user sends `event`, which a turn of ADK cannot hold",
                RESPONSE_MATCH: "the user sends `event`, which a turn of ADK cannot hold",
            },
        ),
        ([HELLO], {RESPONSE_MATCH: "no answer is expected"}),
        (
            [HELLO, {"expectation": {"agentResponse": {"chunks": [{"text": "Hi"}, {"payload": {}}]}}}],
            {RESPONSE_MATCH: "an answer holds more than text"},
        ),
        (
            [HELLO, ANSWER, {"expectation": {"toolCall": {"tool": "x"}, "skipEvaluation": True}}],
            {TRAJECTORY: "an expectation is skipped"},
        ),
    ],
)
def test_what_a_turn_of_adk_cannot_hold_is_not_comparable(
    steps: list[dict[str, Any]], told: dict[str, str]
) -> None:
    """By metric, with the reason."""
    (turn,) = expected_turns(golden(*steps), NAMES)
    assert turn.incomparable == told


@pytest.mark.parametrize(
    ("expectation", "lost"),
    [
        ({"toolCall": {"toolsetTool": {"toolset": "s", "toolId": "t"}}}, "the toolset of a tool"),
        (
            {"toolCall": {"tool": "t", "args": {"n": 2**53 + 1}}},
            "integers above 2^53, which are doubles in CES",
        ),
        ({"mockToolResponse": {"tool": "t"}}, "responses of tools, which ADK does not replay"),
        ({"updatedVariables": {"a": 1}}, "variables that are expected after a turn"),
        (
            {"agentResponse": said("x"), "comparisonType": "CONTAINS"},
            "how an expectation is compared, and its thresholds",
        ),
    ],
)
def test_what_is_lost_is_said(expectation: dict[str, Any], lost: str) -> None:
    """The turn stays comparable."""
    (turn,) = expected_turns(golden(HELLO, ANSWER, {"expectation": expectation}), NAMES)
    assert turn.lost == (lost,)
    assert turn.incomparable == {}


def test_turns_that_are_not_comparable_are_left_out_of_the_mean_and_named() -> None:
    """A turn without an expected answer would score 0; one that is right and one that is left out score 1."""
    two = {"turns": [*golden(HELLO, ANSWER)["turns"], *golden(HELLO)["turns"]]}
    seen = observed_turns(
        two, [[{"observedAgentResponse": said("Hi")}], [{"observedAgentResponse": said("x")}]], NAMES
    )
    found = score_mapped(Criterion(metric=RESPONSE_MATCH, threshold=0.8), expected_turns(two, NAMES), seen)
    assert (found.metric.score, found.metric.status) == (1.0, ScoreStatus.PASSED)
    assert found.left_out == {2: "no answer is expected"}


@pytest.mark.parametrize("match_type", [MatchType.IN_ORDER, MatchType.ANY_ORDER])
def test_that_no_tool_may_be_called_is_demanded_by_exact_alone(match_type: MatchType) -> None:
    """A looser match would let any call pass: there is no score, and it is not a pass."""
    one = golden(HELLO, {"expectation": {"noToolCalls": True}})
    seen = observed_turns(one, [[{"observedToolCall": {"tool": "x"}}]], NAMES)
    loose = Criterion(metric=TRAJECTORY, threshold=1.0, match_type=match_type)
    found = score_mapped(loose, expected_turns(one, NAMES), seen)
    assert found.metric.status is ScoreStatus.NOT_EVALUATED
    assert found.left_out == {1: f"no call is allowed, and {match_type} lets any call pass"}
    exact = score_mapped(Criterion(metric=TRAJECTORY, threshold=1.0), expected_turns(one, NAMES), seen)
    assert exact.metric.score == 0.0


def test_a_run_with_fewer_turns_has_no_score() -> None:
    """What was not replayed cannot be passed over."""
    two = {"turns": golden(HELLO, ANSWER)["turns"] * 2}
    seen = observed_turns(two, [[{"observedAgentResponse": said("Hi")}]], NAMES)
    found = score_mapped(Criterion(metric=RESPONSE_MATCH, threshold=0.0), expected_turns(two, NAMES), seen)
    assert found.metric.status is ScoreStatus.NOT_EVALUATED
    assert found.metric.reason == "2 turns are expected and the run has 1"


def test_outcomes_and_state_are_found_in_bodies_of_the_service() -> None:
    """By turn, also where a turn has none."""
    result = {"goldenResult": {"turnReplayResults": [{"expectationOutcome": [{"outcome": "PASS"}]}, {}]}}
    assert outcomes_of(result) == ([{"outcome": "PASS"}], [])
    assert outcomes_of({}) == ()
    assert first_state(golden({"userInput": {"text": "x", "variables": {"vip": True}}})) == {"vip": True}
    assert first_state({}) == {}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_values_of_other_types_are_left_out(case: dict[str, Any]) -> None:
    """The golden comes from the service, and so does what was observed."""
    result = {
        "goldenResult": {"turnReplayResults": [{"expectationOutcome": turn} for turn in case["observed"]]}
    }
    for odd in odd_bodies({"golden": {"turns": case["turns"]}, **result}):
        golden = as_object(odd["golden"])
        expected_turns(golden, NAMES)
        first_state(golden)
        observed_turns(golden, outcomes_of(odd), NAMES)
