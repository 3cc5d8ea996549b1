"""
The answers of judges come to the scores of google-adk 2.13.0, run with a scripted judge.

Where ADK passes on what is not known, there is no score here. Every case in which the two differ is listed,
with what is said instead; all others agree in the score of each turn, the overall score and the status.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cesplan.domain.features.judges import FINAL_MATCH, HALLUCINATIONS, RESPONSE_RUBRICS
from cesplan.domain.features.scores import (
    Criterion,
    JudgeOptions,
    MetricScore,
    Rubric,
    ScoreStatus,
    Turn,
    overall,
)
from cesplan.features.judges.judging import judged
from tests.unit.features.judges.scripted import ONE_BY_ONE, Scripted, case_of

_CASES = json.loads((Path(__file__).parent / "cases" / "adk_judges.json").read_text(encoding="utf-8"))
_STATUS = {
    "PASSED": ScoreStatus.PASSED,
    "FAILED": ScoreStatus.FAILED,
    "NOT_EVALUATED": ScoreStatus.NOT_EVALUATED,
}
_RUBRICS = (
    Rubric(key="short", text="The response is short."),
    Rubric(key="polite", text="The response is polite."),
)

CLOSED = {
    # A turn whose judge failed or could not be read drops out of ADK's mean.
    "two-turns-one-void": (
        ScoreStatus.NOT_EVALUATED,
        "turn 2 of run 1: the judge answered 503",
    ),
    "two-turns-one-unreadable": (
        ScoreStatus.NOT_EVALUATED,
        "turn 2 of run 1: none of 3 answers is readable",
    ),
    # A rubric that was not answered drops out.
    "only-one-answered": (
        ScoreStatus.NOT_EVALUATED,
        "turn 1 of run 1: `polite`: the judge's answer is unreadable",
    ),
    "two-turns-uneven": (
        ScoreStatus.NOT_EVALUATED,
        "turn 2 of run 1: `polite`: the judge's answer is unreadable",
    ),
    # So does a sentence that was not checked, or has no known label.
    "fewer-blocks-than-sentences": (
        ScoreStatus.NOT_EVALUATED,
        "turn 1 of run 1: the judge checked 1 of 3 sentences",
    ),
    "unknown-label-is-left-out": (
        ScoreStatus.FAILED,
        "at most 0.6667 < 0.8; turn 1 of run 1: 1 of 3 sentences have no known label",
    ),
    # Samples that cannot be read leave the decision to the rest.
    "unreadable-does-not-vote": (
        ScoreStatus.NOT_EVALUATED,
        "turn 1 of run 1: no majority of 5 samples: 1 yes, 0 no, 4 unreadable",
    ),
    # A tie counts as no, also here; but nobody knows, so it has not failed either.
    "tie-of-two": (
        ScoreStatus.NOT_EVALUATED,
        "turn 1 of run 1: a tie of 1 yes and 1 no",
    ),
    "tie-counts-as-no": (
        ScoreStatus.NOT_EVALUATED,
        "turn 1 of run 1: `short`: a tie of 1 yes and 1 no",
    ),
    # "no, not yes" contains "yes".
    "verdict-yes-and-no": (
        ScoreStatus.NOT_EVALUATED,
        "turn 1 of run 1: `short`: the judge's answer is unreadable",
    ),
}
"""By the id of the case: the status here, and why."""


def judgment(metric: str, case: dict[str, Any], options: JudgeOptions) -> tuple[MetricScore, int]:
    """What the turns of a case come to, and how many requests it took."""
    turns = [Turn(user="hello", response="fine") for _ in case["answers"]]
    answers = [answer for of_turn in case["answers"] for answer in of_turn]
    judge = Scripted(answers)
    criterion = Criterion(metric=metric, threshold=case["threshold"], judge=options)
    report = judged([criterion], [case_of(turns, turns)], judge, ONE_BY_ONE)
    return report.cases[0].metrics[0], len(judge.asked)


def agrees(found: MetricScore, case: dict[str, Any]) -> None:
    if case["id"] in CLOSED:
        status, reason = CLOSED[case["id"]]
        assert (found.status, found.score, found.reason) == (status, None, reason)
        return
    assert found.status == _STATUS[case["status"]]
    assert (found.score is None) == (case["overall"] is None)
    assert found.score == pytest.approx(case["overall"], abs=1e-12)
    assert found.runs[0] == pytest.approx(tuple(case["turns"]), abs=1e-12)


@pytest.mark.parametrize("case", _CASES[FINAL_MATCH], ids=lambda case: case["id"])
def test_the_final_response_is_judged_by_a_majority(case: dict[str, Any]) -> None:
    samples = len(case["answers"][0])
    found, calls = judgment(FINAL_MATCH, case, JudgeOptions(samples=samples))
    agrees(found, case)
    assert calls == case["calls"]


@pytest.mark.parametrize("case", _CASES[RESPONSE_RUBRICS], ids=lambda case: case["id"])
def test_rubrics_have_a_majority_each(case: dict[str, Any]) -> None:
    options = JudgeOptions(samples=len(case["answers"][0]), rubrics=_RUBRICS)
    found, _ = judgment(RESPONSE_RUBRICS, case, options)
    agrees(found, case)
    if case["id"] not in CLOSED:
        scores: dict[str, list[float]] = {}
        for item in found.judgments:
            if item.score is not None:
                scores.setdefault(item.subject, []).append(item.score)
        assert {key: sum(each) / len(each) for key, each in scores.items()} == case["rubrics"]


@pytest.mark.parametrize("case", _CASES[HALLUCINATIONS], ids=lambda case: case["id"])
def test_hallucinations_are_the_share_of_sentences(case: dict[str, Any]) -> None:
    turns = [Turn(response=said(turn)) for turn in case["turns_in"]]
    answers: list[Any] = [answer for turn in case["turns_in"] for answer in turn["answers"]]
    judge = Scripted(answers or ["nothing is asked"])
    criterion = Criterion(metric=HALLUCINATIONS, threshold=case["threshold"])
    report = judged([criterion], [case_of(turns, turns)], judge, ONE_BY_ONE)
    agrees(report.cases[0].metrics[0], case)
    assert len(judge.asked) == case["calls"]


def said(turn: dict[str, Any]) -> str:
    """An answer whose sentences are those that the scripted judge found in it."""
    if "response" in turn:
        return ""
    return " ".join(re.findall("<sentence>(.*?)</sentence>", turn["answers"][0])) or "s0"


def test_only_what_ran_is_listed_as_different() -> None:
    """So that a case which agrees after all does not stay in the list."""
    ids = {case["id"] for name in (FINAL_MATCH, RESPONSE_RUBRICS, HALLUCINATIONS) for case in _CASES[name]}
    assert CLOSED.keys() <= ids


@pytest.mark.parametrize("case", _CASES["case_status"], ids=lambda case: "+".join(case["metrics"]) or "none")
def test_a_case_with_a_criterion_that_was_not_evaluated_has_not_passed(case: dict[str, Any]) -> None:
    """ADK passes it by its other criteria. Informational metrics are criteria without a score here."""
    found: Sequence[ScoreStatus] = [_STATUS.get(name, ScoreStatus.NOT_EVALUATED) for name in case["metrics"]]
    is_open = case["case"] == "PASSED" and set(case["metrics"]) != {"PASSED"}
    assert overall(found) == (ScoreStatus.NOT_EVALUATED if is_open else _STATUS[case["case"]])
