"""Scores of cases over their runs: means, thresholds, and what does not pass because it was not evaluated."""

from typing import Any

import pytest

from cesplan.domain.features.scores import (
    RESPONSE_MATCH,
    TRAJECTORY,
    Criterion,
    ExpectedCase,
    MatchType,
    ObservedCase,
    ScoreStatus,
    ToolUse,
    Turn,
    overall,
)
from cesplan.features.scores.scoring import score_case, scored
from tests.unit.features.scores.judge import judged
from tests.unit.features.scores.reference import cases, turns

F, G = ToolUse(name="f", args={}), ToolUse(name="g", args={})
EXACT = Criterion(metric=TRAJECTORY, threshold=1.0)
HALF = Criterion(metric=TRAJECTORY, threshold=0.5)
JUDGED = Criterion(metric="safety_v1", threshold=0.8, unsupported="needs a judge")
CASE = ExpectedCase(eval_id="x", turns=(Turn(calls=(F,)), Turn(calls=(G,))))
RIGHT = ObservedCase(eval_id="x", turns=CASE.turns)
HALF_RIGHT = ObservedCase(eval_id="x", turns=(Turn(calls=(F,)), Turn()))


@pytest.mark.parametrize(
    "threshold", cases("trajectory")["thresholds"], ids=lambda item: str(item["threshold"])
)
def test_a_case_passes_from_its_threshold_on(threshold: dict[str, Any]) -> None:
    """The mean of the turns is at least the threshold, to the last bit."""
    (case,) = [item for item in cases("trajectory")["cases"] if item["id"] == threshold["case"]]
    expected, actual = turns(case, "expected"), turns(case, "actual")
    criterion = Criterion(metric=TRAJECTORY, threshold=threshold["threshold"])
    found = score_case(
        ExpectedCase(eval_id="x", turns=expected), [ObservedCase(eval_id="x", turns=actual)], [criterion]
    )
    assert (found.metrics[0].score, found.status) == (threshold["score"], threshold["status"].lower())
    assert judged(criterion, actual, expected) == (threshold["score"], threshold["status"].lower())


@pytest.mark.parametrize("case", cases("response_match")["conversations"], ids=lambda case: case["id"])
def test_conversations_have_the_mean_of_their_turns(case: dict[str, Any]) -> None:
    """A turn without an answer scores 0, also where none is expected."""
    sides = [
        [
            Turn(response="\n".join(filter(None, [said] if isinstance(said, str) else said or [])))
            for said in (turn[side] for turn in case["turns"])
        ]
        for side in ("reference", "candidate")
    ]
    criterion = Criterion(metric=RESPONSE_MATCH, threshold=case["threshold"])
    found = score_case(
        ExpectedCase(eval_id="x", turns=sides[0]), [ObservedCase(eval_id="x", turns=sides[1])], [criterion]
    ).metrics[0]
    assert found.score == pytest.approx(case["overall"], abs=1e-9)
    assert found.runs == (pytest.approx(tuple(case["scores"]), abs=1e-9),)
    assert found.status == case["status"].lower()


def test_runs_have_the_mean_of_all_turns_of_all_runs() -> None:
    """Three of four turns: 0.75."""
    found = score_case(CASE, [RIGHT, HALF_RIGHT], [EXACT, HALF])
    assert [(item.score, item.status) for item in found.metrics] == [
        (0.75, ScoreStatus.FAILED),
        (0.75, ScoreStatus.PASSED),
    ]
    assert found.metrics[0].runs == ((1.0, 1.0), (1.0, 0.0))


@pytest.mark.parametrize(
    ("expected", "observed", "runs", "why"),
    [
        (CASE, [], 0, "the case has no result"),
        (CASE, [RIGHT], 2, "the case has 1 of 2 runs"),
        (CASE, [RIGHT, RIGHT], 1, "the case has 2 runs where 1 is demanded"),
        (CASE, [RIGHT, RIGHT, RIGHT], 2, "the case has 3 runs where 2 are demanded"),
        (CASE, [ObservedCase(eval_id="x", turns=CASE.turns[:1])], 0, "2 turns are expected, but a run has 1"),
        (CASE, [RIGHT, ObservedCase(eval_id="x")], 0, "2 turns are expected, but a run has 0"),
        (CASE, [ObservedCase(eval_id="x", turns=CASE.turns, problem="of another set")], 0, "of another set"),
        (ExpectedCase(eval_id="x"), [ObservedCase(eval_id="x")], 0, "the case has no turns"),
        (ExpectedCase(eval_id="x", unsupported="a scenario"), [RIGHT], 0, "a scenario"),
        (
            ExpectedCase(eval_id="x", turns=(Turn(user="Hello"),)),
            [ObservedCase(eval_id="x", turns=(Turn(user="Bye"),))],
            0,
            "the user says something else in turn 1 of a run: the eval set changed since",
        ),
    ],
)
def test_what_cannot_be_compared_has_not_passed(
    expected: ExpectedCase, observed: list[ObservedCase], runs: int, why: str
) -> None:
    """Under no threshold, and with the reason."""
    found = score_case(expected, observed, [Criterion(metric=TRAJECTORY, threshold=0.0)], runs=runs)
    assert found.status is ScoreStatus.NOT_EVALUATED
    assert [item.reason for item in found.metrics] == [why]


def test_a_criterion_without_a_score_beside_one_that_passed_is_not_a_pass() -> None:
    """One service of ADK reports such a case as passed."""
    assert score_case(CASE, [RIGHT], [EXACT, JUDGED]).status is ScoreStatus.NOT_EVALUATED


def test_a_missed_threshold_wins_over_what_has_no_score() -> None:
    """It is certain that the case did not pass."""
    assert score_case(CASE, [HALF_RIGHT], [EXACT, JUDGED]).status is ScoreStatus.FAILED


@pytest.mark.parametrize(
    ("statuses", "told"),
    [
        ([], ScoreStatus.NOT_EVALUATED),
        ([ScoreStatus.PASSED], ScoreStatus.PASSED),
        ([ScoreStatus.PASSED, ScoreStatus.NOT_EVALUATED], ScoreStatus.NOT_EVALUATED),
        ([ScoreStatus.NOT_EVALUATED, ScoreStatus.FAILED], ScoreStatus.FAILED),
    ],
)
def test_nothing_at_all_is_not_a_pass(statuses: list[ScoreStatus], told: ScoreStatus) -> None:
    """Neither without cases nor without criteria."""
    assert overall(statuses) is told


def test_every_case_of_the_set_is_reported_and_others_are_named() -> None:
    """A case without results is there; a result without a case changes nothing and is said."""
    other = ExpectedCase(eval_id="y", turns=CASE.turns)
    report = scored("s", [CASE, other], [RIGHT, ObservedCase(eval_id="z")], [EXACT])
    assert [(case.eval_id, case.status) for case in report.cases] == [
        ("x", ScoreStatus.PASSED),
        ("y", ScoreStatus.NOT_EVALUATED),
    ]
    assert report.notices == ("`z` is not a case of the eval set",)
    assert report.status is ScoreStatus.NOT_EVALUATED


def test_calls_that_a_looser_match_lets_pass_are_said() -> None:
    """The score is 1, as it is defined; a reader should know what it does not show."""
    quiet = ExpectedCase(eval_id="x", turns=(Turn(), Turn(calls=(F,))))
    run = ObservedCase(eval_id="x", turns=(Turn(calls=(G,)), Turn(calls=(F,))))
    loose = Criterion(metric=TRAJECTORY, threshold=1.0, match_type=MatchType.IN_ORDER)
    found = score_case(quiet, [run], [loose])
    assert found.status is ScoreStatus.PASSED
    assert found.notices == ("turn 1 expects no call, and IN_ORDER lets any call pass",)


def test_a_recorded_score_that_is_another_is_said() -> None:
    """It is not trusted; that it differs shows an edit, other settings or another version."""
    run = ObservedCase(eval_id="x", turns=HALF_RIGHT.turns, recorded={TRAJECTORY: 1.0})
    found = score_case(CASE, [run], [HALF])
    assert found.metrics[0].score == 0.5
    (notice,) = found.notices
    assert notice.startswith(
        "the results record 1 as `tool_trajectory_avg_score` of run 1, which scores 0.5 here: "
    )


def test_a_threshold_that_every_score_meets_is_said() -> None:
    """A bar on the ground is no bar."""
    report = scored("s", [CASE], [HALF_RIGHT], [Criterion(metric=TRAJECTORY, threshold=0.0)])
    assert report.notices == ("every score meets the threshold 0 of `tool_trajectory_avg_score`",)
