"""
Random conversations: every score and status is that of google-adk itself, to 1e-9.

A hundred of each in each run; `pytest -m slow` takes thousands.
"""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cesplan.domain.features.scores import (
    RESPONSE_MATCH,
    TRAJECTORY,
    Criterion,
    ExpectedCase,
    MatchType,
    ObservedCase,
    ToolUse,
    Turn,
)
from cesplan.features.scores.adk.criteria import criteria_text, read_criteria
from cesplan.features.scores.adk.eval_sets import EvalSet, eval_set_text, read_eval_set
from cesplan.features.scores.response_match import Tokenizer
from cesplan.features.scores.scoring import score_case
from tests.unit.features.scores.judge import judged

NUMBERS = st.one_of(
    st.integers(-3, 3),
    st.integers(2**53 - 2, 2**53 + 2),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, -0.0, 1.0, 2.0**53, 1e300, 0.1 + 0.2, 0.3]),
    st.booleans(),
)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), NUMBERS, st.sampled_from(["", "1", "a", "true", "null"]), TEXT),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=5,
)
CALLS = st.builds(
    ToolUse,
    name=st.sampled_from(["f", "g", "F", "transfer_to_agent"]),
    args=st.none() | st.dictionaries(st.sampled_from("abc"), VALUES, max_size=2),
)
SIGNS = st.one_of(
    st.sampled_from("aAeiy sS-.'\n½ﬁ²①Ⅻßİ"),
    st.characters(min_codepoint=0x0E00, max_codepoint=0x0EFF),
    st.characters(min_codepoint=0x1000, max_codepoint=0x109F),
    st.characters(min_codepoint=0x1780, max_codepoint=0x17FF),
    st.characters(min_codepoint=0x3000, max_codepoint=0x3130),
    st.characters(min_codepoint=0x0900, max_codepoint=0x097F),
    st.characters(exclude_categories=["Cs"]),
)
WORDS = st.sampled_from(
    [
        "the",
        "order",
        "orders",
        "ordering",
        "shipped",
        "universities",
        "yyyy",
        "注文",
        "สวัสดี",
        "café",
        "A-1",
        "10²",
    ]
)
RESPONSES = st.one_of(st.lists(WORDS, max_size=8).map(" ".join), st.text(SIGNS, max_size=12))
THRESHOLDS = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 2 / 3, 0.8, 1.0, 1.1])


@st.composite
def trajectories(draw: st.DrawFn) -> tuple[list[Turn], list[Turn]]:
    """Expected turns, and actual ones that are mostly the same calls: shuffled, left out, repeated."""
    expected, actual = [], []
    for _ in range(draw(st.integers(1, 3))):
        calls = draw(st.lists(CALLS, max_size=4))
        pool = [*calls, *draw(st.lists(CALLS, max_size=2))]
        others = draw(st.lists(st.sampled_from(pool), max_size=5)) if pool else []
        chosen = draw(st.sampled_from([calls, others, draw(st.permutations(pool))]))
        expected.append(Turn(calls=tuple(calls)))
        actual.append(Turn(calls=tuple(chosen)))
    return actual, expected


@st.composite
def answers(draw: st.DrawFn) -> tuple[list[Turn], list[Turn]]:
    """Turns with answers: equal, similar, or of nothing in common."""
    expected, actual = [], []
    for _ in range(draw(st.integers(1, 3))):
        response = draw(RESPONSES)
        other = draw(st.one_of(st.just(response), RESPONSES, st.just(response.upper())))
        expected.append(Turn(response=response))
        actual.append(Turn(response=other))
    return actual, expected


def agrees(criterion: Criterion, actual: list[Turn], expected: list[Turn]) -> None:
    case = ExpectedCase(eval_id="x", turns=expected)
    (ours,) = score_case(case, [ObservedCase(eval_id="x", turns=actual)], [criterion]).metrics
    score, status = judged(criterion, actual, expected)
    assert ours.score == pytest.approx(score, abs=1e-9)
    assert ours.status == status


def trajectories_agree(
    pair: tuple[list[Turn], list[Turn]], match_type: MatchType, ignore_args: bool, threshold: float
) -> None:
    criterion = Criterion(
        metric=TRAJECTORY, threshold=threshold, match_type=match_type, ignore_args=ignore_args
    )
    agrees(criterion, *pair)


def answers_agree(pair: tuple[list[Turn], list[Turn]], threshold: float) -> None:
    agrees(Criterion(metric=RESPONSE_MATCH, threshold=threshold), *pair)


_TRAJECTORIES = given(trajectories(), st.sampled_from(MatchType), st.booleans(), THRESHOLDS)
_ANSWERS = given(answers(), THRESHOLDS)
_few = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
_many = settings(max_examples=5_000, deadline=None, suppress_health_check=list(HealthCheck))


def test_trajectories_score_as_in_google_adk() -> None:
    """Numbers and booleans that Python calls equal, absent and empty arguments, repeated calls, thresholds."""
    _few(_TRAJECTORIES(trajectories_agree))()


def test_answers_score_as_in_google_adk() -> None:
    """Words with stems, letters of every script, marks, ligatures, empty texts, thresholds."""
    _few(_ANSWERS(answers_agree))()


def test_every_character_is_cut_as_in_google_adk() -> None:
    """The whole basic plane, beside letters and beside itself: every range to its last character."""
    from google.adk.evaluation.final_response_match_v1 import _UnicodeAwareTokenizer

    theirs = _UnicodeAwareTokenizer(use_stemmer=True)
    texts = [f"a{chr(code)}b{chr(code)}{chr(code)}" for code in range(0x10000) if not 0xD800 <= code <= 0xDFFF]
    assert [text for text in texts if Tokenizer().tokenize(text) != theirs.tokenize(text)] == []


@pytest.mark.slow
def test_thousands_of_trajectories_score_as_in_google_adk() -> None:
    _many(_TRAJECTORIES(trajectories_agree))()


@pytest.mark.slow
def test_thousands_of_answers_score_as_in_google_adk() -> None:
    _many(_ANSWERS(answers_agree))()


def said(found: EvalSet) -> list[Turn]:
    """The turns of the one case, without what only judges are shown."""
    (case,) = found.cases
    return [replace(turn, steps=()) for turn in case.turns]


@given(
    st.lists(
        st.builds(Turn, user=TEXT, response=TEXT, calls=st.lists(CALLS, max_size=3).map(tuple)), min_size=1
    )
)
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_eval_sets_that_are_written_load_in_google_adk(turns: list[Turn]) -> None:
    """And are the same turns when they are read again, here and there."""
    from google.adk.evaluation.eval_set import EvalSet as AdkEvalSet

    text = eval_set_text(EvalSet(eval_set_id="s", cases=[ExpectedCase(eval_id="x", turns=tuple(turns))]))
    assert said(read_eval_set(text, "s")) == turns
    loaded = AdkEvalSet.model_validate_json(text)
    again = read_eval_set(json.dumps(json.loads(loaded.model_dump_json(by_alias=False))), "s")
    assert said(again) == turns


@given(st.sampled_from(MatchType), st.booleans(), THRESHOLDS)
def test_test_configurations_that_are_written_load_in_google_adk(
    match_type: MatchType, ignore_args: bool, threshold: float
) -> None:
    """And are the same criteria when they are read again."""
    from google.adk.evaluation.eval_config import EvalConfig, get_eval_metrics_from_config
    from google.adk.evaluation.trajectory_evaluator import TrajectoryEvaluator

    criteria = (
        Criterion(metric=TRAJECTORY, threshold=threshold, match_type=match_type, ignore_args=ignore_args),
        Criterion(metric=RESPONSE_MATCH, threshold=threshold),
    )
    text = criteria_text(criteria)
    assert read_criteria(text, "c") == criteria
    first, second, *_ = get_eval_metrics_from_config(EvalConfig.model_validate_json(text))
    evaluator = TrajectoryEvaluator(eval_metric=first)
    assert evaluator._match_type.name == match_type
    assert (evaluator._ignore_args, evaluator._threshold) == (ignore_args, threshold)
    assert second.threshold == threshold
