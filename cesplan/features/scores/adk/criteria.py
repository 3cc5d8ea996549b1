"""Test configurations of ADK: the criteria that a run must meet, and which of them can be computed here."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.features.scores import RESPONSE_MATCH, TRAJECTORY, Criterion, MatchType
from cesplan.features.scores.adk.documents import document_of, shaped
from cesplan.features.scores.adk.shapes import AnyCriterion, EvalConfig, TrajectoryCriterion

DEFAULTS = (
    Criterion(metric=TRAJECTORY, threshold=1.0),
    Criterion(metric=RESPONSE_MATCH, threshold=0.8),
)
"""What ADK demands where no configuration is given."""

_BY_JUDGES = frozenset(
    {
        "final_response_match_v2",
        "hallucinations_v1",
        "multi_turn_task_success_v1",
        "multi_turn_tool_use_quality_v1",
        "multi_turn_trajectory_quality_v1",
        "per_turn_user_simulator_quality_v1",
        "response_evaluation_score",
        "rubric_based_final_response_quality_v1",
        "rubric_based_multi_turn_trajectory_quality_v1",
        "rubric_based_tool_use_quality_v1",
        "safety_v1",
    }
)
_INFORMATIONAL = frozenset(
    {"inference_call_count_v1", "invocation_duration_v1", "token_usage_v1", "tool_call_count_v1"}
)
_MATCH_TYPES = tuple(MatchType)
"""In the order of their numbers."""


def read_criteria(text: str, name: str) -> tuple[Criterion, ...]:
    """
    The criteria of a file.

    Raises InvalidConfiguration for what ADK does not load. A metric that needs a judge is no mistake: it is a
    criterion that has no score here.
    """
    config = shaped(EvalConfig, document_of(text, name), name, "a test configuration")
    custom = config.custom_metrics or {}
    return tuple(_criterion(metric, said, custom, name) for metric, said in config.criteria.items())


def criteria_text(criteria: Sequence[Criterion]) -> str:
    """The text of the file that ADK loads."""
    return json.dumps({"criteria": {item.metric: _written(item) for item in criteria}}, indent=1) + "\n"


def _criterion(metric: str, said: Any, custom: Mapping[str, Any], name: str) -> Criterion:
    what = f"a test configuration: the criterion `{metric[:80]}` is wrong"
    document = said if isinstance(said, dict) else {"threshold": said}
    if metric == TRAJECTORY and metric not in custom:
        found = shaped(TrajectoryCriterion, document, name, what)
        match_type = _match_type(found.match_type)
        if match_type is None:
            raise InvalidConfiguration(
                summary=f"{name} is not {what}.",
                detail="`match_type` is one of EXACT, IN_ORDER and ANY_ORDER.",
            )
        return Criterion(
            metric=metric,
            threshold=found.threshold,
            match_type=match_type,
            ignore_args=found.ignore_args,
        )
    threshold = shaped(AnyCriterion, document, name, what).threshold
    return Criterion(metric=metric, threshold=threshold, unsupported=_unsupported(metric, custom))


def _match_type(said: Any) -> MatchType | None:
    match said:
        case str():
            spelled = said.strip().upper().replace("-", "_").replace(" ", "_")
            return MatchType(spelled) if spelled in _MATCH_TYPES else None
        case int() if 0 <= said < len(_MATCH_TYPES):
            return _MATCH_TYPES[said]
    return None


def _unsupported(metric: str, custom: Mapping[str, Any]) -> str:
    if metric in custom:
        return "a metric of your own, whose code is not run here"
    if metric == RESPONSE_MATCH:
        return ""
    if metric in _BY_JUDGES:
        return "needs a judge, and no model is asked here"
    if metric in _INFORMATIONAL:
        return "informational: ADK gives no verdict"
    return "not a metric of ADK that is known here"


def _written(item: Criterion) -> Any:
    if item.metric != TRAJECTORY:
        return item.threshold
    return {"threshold": item.threshold, "match_type": item.match_type.value, "ignore_args": item.ignore_args}
