"""Test configurations of ADK: the criteria that a run must meet, and which of them can be computed here."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.features.judges import FINAL_MATCH, HALLUCINATIONS, JUDGED, RESPONSE_RUBRICS, TOOL_RUBRICS
from cesplan.domain.features.scores import RESPONSE_MATCH, TRAJECTORY, Criterion, JudgeOptions, MatchType
from cesplan.features.scores.adk.invocations import rubric_document, rubrics_of
from cesplan.features.scores.adk.shapes import (
    AnyCriterion,
    EvalConfig,
    JudgedCriterion,
    TrajectoryCriterion,
    document_of,
    shaped,
)

DEFAULTS = (
    Criterion(metric=TRAJECTORY, threshold=1.0),
    Criterion(metric=RESPONSE_MATCH, threshold=0.8),
)
"""ADK's default criteria without a configuration."""

NEEDS_A_JUDGE = "needs a judge, and none was asked: add --judge"
_BY_OTHER_JUDGES = frozenset(
    {
        "multi_turn_task_success_v1",
        "multi_turn_tool_use_quality_v1",
        "multi_turn_trajectory_quality_v1",
        "per_turn_user_simulator_quality_v1",
        "rubric_based_multi_turn_trajectory_quality_v1",
    }
)
_INTERIM = "include_intermediate_responses_in_final"
_INTERIM_OF_CHECK = "evaluate_intermediate_nl_responses"
_INFORMATIONAL = frozenset(
    {"inference_call_count_v1", "invocation_duration_v1", "token_usage_v1", "tool_call_count_v1"}
)
_MATCH_TYPES = tuple(MatchType)
"""In the order of their numbers."""


def read_criteria(text: str, name: str) -> tuple[Criterion, ...]:
    """
    The criteria of a file. Raises InvalidConfiguration for files that ADK does not load. A metric that needs a
    judge is not an error: it is a criterion without a score here.
    """
    config = shaped(EvalConfig, document_of(text, name), name, "a test configuration")
    custom = config.custom_metrics or {}
    return tuple(_criterion(metric, said, custom, name) for metric, said in config.criteria.items())


def criteria_text(criteria: Sequence[Criterion]) -> str:
    """The text of the file that ADK loads."""
    return json.dumps({"criteria": {item.metric: _written(item) for item in criteria}}, indent=1) + "\n"


def _criterion(metric: str, value: Any, custom: Mapping[str, Any], name: str) -> Criterion:
    what = f"a test configuration: the criterion `{metric[:80]}` is wrong"
    document = value if isinstance(value, dict) else {"threshold": value}
    if metric == TRAJECTORY and metric not in custom:
        found = shaped(TrajectoryCriterion, document, name, what)
        match_type = _match_type(found.match_type)
        if match_type is None:
            raise InvalidConfiguration(
                summary=f"{name} is not {what}.",
                detail="`match_type` is one of EXACT, IN_ORDER, and ANY_ORDER.",
            )
        return Criterion(
            metric=metric,
            threshold=found.threshold,
            match_type=match_type,
            ignore_args=found.ignore_args,
        )
    if metric in JUDGED and metric not in custom:
        return _judged(metric, shaped(JudgedCriterion, document, name, what))
    threshold = shaped(AnyCriterion, document, name, what).threshold
    return Criterion(metric=metric, threshold=threshold, unsupported=_unsupported(metric, custom))


def _judged(metric: str, found: JudgedCriterion) -> Criterion:
    """A criterion that a model decides; what cannot be sent to one leaves it without a score."""
    options = found.judge_model_options
    uses_model = metric in (FINAL_MATCH, RESPONSE_RUBRICS, TOOL_RUBRICS, HALLUCINATIONS)
    judge = JudgeOptions(
        model=options.judge_model if uses_model else "",
        samples=options.num_samples,
        rubrics=rubrics_of(found.rubrics),
        includes_interim=(
            found.evaluate_intermediate_nl_responses
            if metric == HALLUCINATIONS
            else found.include_intermediate_responses_in_final
        ),
    )
    if options.judge_model_config is not None:
        why = "its `judge_model_config` cannot be sent to a judge"
        return Criterion(metric=metric, threshold=found.threshold, unsupported=why)
    return Criterion(metric=metric, threshold=found.threshold, judge=judge, unsupported=NEEDS_A_JUDGE)


def _match_type(value: Any) -> MatchType | None:
    match value:
        case str():
            spelled = value.strip().upper().replace("-", "_").replace(" ", "_")
            return MatchType(spelled) if spelled in _MATCH_TYPES else None
        case int() if 0 <= value < len(_MATCH_TYPES):
            return _MATCH_TYPES[value]
    return None


def _unsupported(metric: str, custom: Mapping[str, Any]) -> str:
    if metric in custom:
        return "a metric of your own, whose code is not run here"
    if metric == RESPONSE_MATCH:
        return ""
    if metric in _BY_OTHER_JUDGES:
        return "needs a judge of a kind that is not asked here"
    if metric in _INFORMATIONAL:
        return "informational: ADK gives no verdict"
    return "not a metric of ADK that is known here"


def _written(item: Criterion) -> Any:
    if item.judge is not None:
        return _judge_written(item, item.judge)
    if item.metric != TRAJECTORY:
        return item.threshold
    return {"threshold": item.threshold, "match_type": item.match_type.value, "ignore_args": item.ignore_args}


def _judge_written(item: Criterion, judge: JudgeOptions) -> Any:
    """As ADK reads it; the model and the samples where the criterion has some."""
    options_written: dict[str, Any] = {"threshold": item.threshold}
    if item.metric in (FINAL_MATCH, RESPONSE_RUBRICS, TOOL_RUBRICS, HALLUCINATIONS):
        model = {"judge_model": judge.model} if judge.model else {}
        options_written["judge_model_options"] = {**model, "num_samples": judge.samples}
    if judge.rubrics:
        options_written["rubrics"] = [rubric_document(one) for one in judge.rubrics]
    if judge.includes_interim:
        options_written[_INTERIM_OF_CHECK if item.metric == HALLUCINATIONS else _INTERIM] = True
    return options_written
