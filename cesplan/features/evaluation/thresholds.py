"""
The thresholds in force, as one flat table by name, with the documented defaults.

An evaluation's thresholds override the app's. Those of a turn or an expectation are part of the golden
conversation.
"""

from collections.abc import Mapping
from typing import Any

from cesplan.domain.features.evaluation import Thresholds
from cesplan.domain.value import Body, is_number

SIMILARITY = "semantic similarity"
TOOL_CALLS = "tool calls"
PARAMETERS = "tool parameters"

_TURN = ("goldenEvaluationMetricsThresholds", "turnLevelMetricsThresholds")
_NUMBERS: Mapping[str, tuple[tuple[str, ...], float]] = {
    SIMILARITY: ((*_TURN, "semanticSimilaritySuccessThreshold"), 3.0),
    TOOL_CALLS: ((*_TURN, "overallToolInvocationCorrectnessThreshold"), 1.0),
    PARAMETERS: (
        (
            "goldenEvaluationMetricsThresholds",
            "expectationLevelMetricsThresholds",
            "toolInvocationParameterCorrectnessThreshold",
        ),
        1.0,
    ),
}
_WORDS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "extra tool calls": (
        ("goldenEvaluationMetricsThresholds", "toolMatchingSettings", "extraToolCallBehavior"),
        "FAIL",
    ),
    "similarity channel": ((*_TURN, "semanticSimilarityChannel"), "TEXT"),
}
_GOLDEN_HALLUCINATION = ("goldenHallucinationMetricBehavior", "hallucinationMetricBehavior")
_SCENARIO_HALLUCINATION = ("scenarioHallucinationMetricBehavior",)
_OFF = "DISABLED"
_DIGITS = 6
"""Thresholds are float32 on the wire."""


def thresholds_in_force(app: Body, evaluation: Body) -> Thresholds:
    """The thresholds that apply to an evaluation, from the evaluation and its app."""
    over = evaluation.get("evaluationMetricsThresholdOverride")
    return _flat((over, app.get("evaluationMetricsThresholds")), is_golden="golden" in evaluation)


def thresholds_of_result(result: Body, *, is_golden: bool) -> Thresholds:
    """The thresholds that a result reports."""
    return _flat((result.get("evaluationMetricsThresholds"),), is_golden=is_golden)


def differences(demanded: Thresholds, found: Thresholds) -> tuple[str, ...]:
    """The thresholds that differ from those demanded, in words."""
    return tuple(
        f"{name}: {_value_text(found.get(name))} instead of {_value_text(demanded[name])}"
        for name in sorted(demanded)
        if found.get(name) != demanded[name]
    )


def _flat(layers: tuple[Any, ...], *, is_golden: bool) -> Thresholds:
    """The thresholds of the layers, nearest first. A scenario has only one threshold."""
    if not is_golden:
        return {"hallucination": _word(layers, [(name,) for name in _SCENARIO_HALLUCINATION], _OFF)}
    found: dict[str, str | float] = {}
    for name, (path, default) in _NUMBERS.items():
        value = next((item for item in (_at(layer, path) for layer in layers) if is_number(item)), default)
        found[name] = round(float(value), _DIGITS)
    for name, (path, word) in _WORDS.items():
        found[name] = _word(layers, [path], word)
    found["hallucination"] = _word(layers, [(name,) for name in _GOLDEN_HALLUCINATION], _OFF)
    return found


def _word(layers: tuple[Any, ...], paths: list[tuple[str, ...]], default: str) -> str:
    """The first enum value that is set; UNSPECIFIED counts as unset."""
    for layer in layers:
        for path in paths:
            value = _at(layer, path)
            if isinstance(value, str) and value and not value.endswith("_UNSPECIFIED"):
                return value
    return default


def _at(body: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        body = body.get(name) if isinstance(body, dict) else None
    return body


def _value_text(value: str | float | None) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
