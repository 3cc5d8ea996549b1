"""
Whatever a judge writes: no turn, rubric or sentence is better here than in google-adk.

The evaluators of google-adk are run with the same answers. Where both have a score it is the same, to 1e-9; and
what passes here passes there.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cesplan.domain.features.judges import FINAL_MATCH, HALLUCINATIONS, RESPONSE_RUBRICS
from cesplan.domain.features.scores import Criterion, JudgeOptions, Rubric, ScoreStatus, Turn
from cesplan.features.judges.judging import judged
from tests.unit.features.judges.scripted import ONE_BY_ONE, Scripted, case_of

RUBRICS = (
    Rubric(key="short", text="The response is short."),
    Rubric(key="polite", text="The response is polite."),
)
LABELS = ["valid", "invalid", "true", "false", "almost", "partially", "VALID", "yes", "maybe", ""]
KEYS = ["is_the_agent_response_valid", "is_the_agent_response_invalid"]
MEMBERS = st.dictionaries(st.sampled_from(KEYS), st.sampled_from(LABELS), max_size=2)


@st.composite
def verdicts(draw: st.DrawFn) -> str:
    """An answer of a judge of final responses: mostly JSON, with one label or two, or nonsense."""
    members = draw(MEMBERS)
    text = json.dumps({"reasoning": "because", **members}, indent=draw(st.sampled_from([None, 1])))
    return draw(st.sampled_from([text, text, text, text.replace('"', ""), f"```json\n{text}\n```", "?", ""]))


@st.composite
def blocks(draw: st.DrawFn) -> str:
    """An answer about rubrics: blocks that are whole, lack a line, are repeated or name something else."""
    found = []
    for _ in range(draw(st.integers(0, 3))):
        key, text = draw(st.sampled_from([(item.key, item.text) for item in RUBRICS] + [("other", "Else.")]))
        verdict = draw(st.sampled_from(["yes", "no", "Yes.", "NO", "no, not yes", "unsure", "yes and no"]))
        lines = [f"ID: {key}", f"Property: {text}", "Evidence: e", "Rationale: r", f"Verdict: {verdict}"]
        left_out = draw(st.sampled_from([None, None, None, 0, 2, 3]))
        found.append("\n".join(line for number, line in enumerate(lines) if number != left_out))
    return "\n\n".join(found)


@st.composite
def checks(draw: st.DrawFn) -> tuple[str, str]:
    """What a segmenter and a validator say about three sentences, some of which are missing."""
    sentences = [f"Sentence {number}." for number in range(draw(st.integers(0, 3)))]
    labels = ["supported", "unsupported", "not_applicable", "contradictory", "disputed", "maybe", "Supported"]
    shown = [
        f"sentence: {text}\nlabel: {draw(st.sampled_from(labels))}\nrationale: r\nsupporting_excerpt: null\n"
        "contradicting_excerpt: null"
        for text in sentences
        if draw(st.integers(0, 5))
    ]
    return "\n".join(f"<sentence>{text}</sentence>" for text in sentences), "\n\n".join(shown)


def adk(metric: str, turns: Sequence[Turn], answers: Sequence[str], samples: int, threshold: float) -> Any:
    """The result of google-adk's evaluator, whose model writes these answers."""
    from google.adk.evaluation import eval_metrics
    from google.adk.evaluation.eval_case import Invocation
    from google.adk.evaluation.eval_rubrics import Rubric as AdkRubric
    from google.adk.evaluation.final_response_match_v2 import FinalResponseMatchV2Evaluator
    from google.adk.evaluation.hallucinations_v1 import HallucinationsV1Evaluator
    from google.adk.evaluation.rubric_based_final_response_quality_v1 import (
        RubricBasedFinalResponseQualityV1Evaluator,
    )
    from google.adk.models.llm_response import LlmResponse
    from google.genai import types

    class Model:
        def __init__(self) -> None:
            self.left = list(answers)

        async def generate_content_async(self, request: Any) -> AsyncGenerator[LlmResponse, None]:
            text = self.left.pop(0)
            yield LlmResponse(content=types.Content(parts=[types.Part(text=text)], role="model"))

    options = eval_metrics.JudgeModelOptions(num_samples=samples)
    rubrics = [
        AdkRubric.model_validate({"rubric_id": item.key, "rubric_content": {"text_property": item.text}})
        for item in RUBRICS
    ]
    made: dict[str, Any] = {
        FINAL_MATCH: (FinalResponseMatchV2Evaluator, eval_metrics.LlmAsAJudgeCriterion, {}),
        RESPONSE_RUBRICS: (
            RubricBasedFinalResponseQualityV1Evaluator,
            eval_metrics.RubricsBasedCriterion,
            {"rubrics": rubrics},
        ),
        HALLUCINATIONS: (HallucinationsV1Evaluator, eval_metrics.HallucinationsCriterion, {}),
    }
    evaluator_class, criterion_class, more = made[metric]
    criterion = criterion_class(threshold=threshold, judge_model_options=options, **more)
    evaluator = evaluator_class(
        eval_metrics.EvalMetric(metric_name=metric, threshold=threshold, criterion=criterion)
    )
    evaluator._judge_model = Model()
    invocations = [
        Invocation(
            user_content=types.Content(parts=[types.Part(text=turn.user)]),
            final_response=types.Content(parts=[types.Part(text=turn.response)]),
        )
        for turn in turns
    ]
    return asyncio.run(evaluator.evaluate_invocations(invocations, invocations))


def agrees(metric: str, turns: Sequence[Turn], answers: Sequence[str], samples: int, threshold: float) -> None:
    rubrics = RUBRICS if metric == RESPONSE_RUBRICS else ()
    criterion = Criterion(
        metric=metric, threshold=threshold, judge=JudgeOptions(samples=samples, rubrics=rubrics)
    )
    report = judged([criterion], [case_of(turns, turns)], Scripted(answers), ONE_BY_ONE)
    (ours,) = report.cases[0].metrics
    theirs = adk(metric, turns, answers, samples, threshold)
    if ours.score is not None:
        assert ours.score == pytest.approx(theirs.overall_score, abs=1e-9)
    if ours.status is ScoreStatus.PASSED:
        assert theirs.overall_eval_status.name == "PASSED"


_few = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
_many = settings(max_examples=5_000, deadline=None, suppress_health_check=list(HealthCheck))
THRESHOLDS = st.sampled_from([0.0, 0.5, 2 / 3, 1.0])


@st.composite
def sampled(draw: st.DrawFn, answer: st.SearchStrategy[str]) -> tuple[list[Turn], list[str], int]:
    samples, count = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    answers = draw(st.lists(answer, min_size=samples * count, max_size=samples * count))
    return [Turn(user="hi", response="fine")] * count, answers, samples


def final_match(case: tuple[list[Turn], list[str], int], threshold: float) -> None:
    agrees(FINAL_MATCH, *case, threshold)


def rubric_quality(case: tuple[list[Turn], list[str], int], threshold: float) -> None:
    agrees(RESPONSE_RUBRICS, *case, threshold)


def hallucinations(found: list[tuple[str, str]], threshold: float) -> None:
    """A turn for each; its answer is what the segmenter found, or one sentence more."""
    turns = [
        Turn(response=segments.replace("<sentence>", "").replace("</sentence>", "") or "Fine.")
        for segments, _ in found
    ]
    answers = [text for segments, labels in found for text in ((segments, labels) if segments else (segments,))]
    agrees(HALLUCINATIONS, turns, answers, 1, threshold)


_CASES = {
    "final match": given(sampled(verdicts()), THRESHOLDS)(final_match),
    "rubrics": given(sampled(blocks()), THRESHOLDS)(rubric_quality),
    "hallucinations": given(st.lists(checks(), min_size=1, max_size=3), THRESHOLDS)(hallucinations),
}


@pytest.mark.parametrize("name", _CASES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_no_judgment_is_better_than_that_of_google_adk(name: str) -> None:
    """Hundreds of answers: labels in several spellings, blocks that lack a line, sentences that are missing."""
    _few(_CASES[name])()


@pytest.mark.slow
@pytest.mark.parametrize("name", _CASES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_no_judgment_of_thousands_is_better_than_that_of_google_adk(name: str) -> None:
    _many(_CASES[name])()
