"""What results show: expected and observed values as text, scores with thresholds, latencies, and sessions."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cesplan.domain.features.evaluation import (
    ConversationStep,
    Expectation,
    FoundEvaluation,
    Latency,
    Score,
    Thresholds,
)
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body, as_object, as_objects, as_text, is_number
from cesplan.features.evaluation.thresholds import PARAMETERS, SIMILARITY, TOOL_CALLS

NOTHING = "nothing"
_EXPECTED = {
    "toolCall": "tool call",
    "toolResponse": "tool response",
    "mockToolResponse": "mocked tool response",
    "agentResponse": "agent response",
    "agentTransfer": "agent transfer",
    "updatedVariables": "variables",
    "noToolCalls": "tool call",
}
_OBSERVED = {
    "observedToolCall": "tool call",
    "observedToolResponse": "tool response",
    "observedAgentResponse": "agent response",
    "observedAgentTransfer": "agent transfer",
    "observedPayload": "payload",
}


def turns_of(result: Body) -> list[Body]:
    """The turns of a golden conversation that a result shows."""
    return _objects(as_object(result.get("goldenResult")).get("turnReplayResults"))


def steps_of(result: Body, naming: Naming) -> tuple[ConversationStep, ...]:
    """Every expectation with its observation, and observations without an expectation."""
    found = [
        _step(outcome, number, naming)
        for number, turn in enumerate(turns_of(result), 1)
        for outcome in _objects(turn.get("expectationOutcome"))
    ]
    scenario = as_object(result.get("scenarioResult"))
    found += [_scenario_step(item, naming) for item in _objects(scenario.get("expectationOutcomes"))]
    return tuple(found)


def expectations_of(result: Body) -> tuple[Expectation, ...]:
    """A model's judgments of the whole conversation, with its explanations."""
    rows = [
        item
        for part in ("goldenResult", "scenarioResult")
        for item in _objects(as_object(result.get(part)).get("evaluationExpectationResults"))
    ]
    return tuple(
        Expectation(
            prompt=as_text(item.get("prompt")) or as_text(item.get("evaluationExpectation")),
            outcome=as_text(item.get("outcome")),
            explanation=as_text(item.get("explanation")),
        )
        for item in rows
    )


def scores_of(result: Body, thresholds: Thresholds) -> tuple[Score, ...]:
    """The scores of a result, each with its threshold if it has one."""
    bar = {name: value for name, value in thresholds.items() if isinstance(value, float)}
    found: list[Score] = []
    for number, turn in enumerate(turns_of(result), 1):
        found += _turn_scores(turn, number, bar)
    found += _scenario_scores(as_object(result.get("scenarioResult")))
    return tuple(found)


def seconds_of(result: Body) -> tuple[float, ...]:
    """The duration of each turn."""
    return tuple(value for turn in turns_of(result) if (value := seconds(turn.get("turnLatency"))) is not None)


def seconds(duration: object) -> float | None:
    """A Duration in JSON (`1.5s`) in seconds; None for anything else."""
    if not isinstance(duration, str) or not duration.endswith("s"):
        return None
    try:
        return float(duration[:-1])
    except ValueError:
        return None


def latencies_of(run: Body, evaluations: Sequence[FoundEvaluation], naming: Naming) -> tuple[Latency, ...]:
    """The turns of all results first, then tools, callbacks, guardrails, and model calls by name."""
    turns = [value for item in evaluations for found in item.results for value in found.turn_seconds]
    report = as_object(run.get("latencyReport"))
    reported = tuple(_reported(report, naming))
    if not turns:
        return reported
    p50, p90 = percentile(turns, 50), percentile(turns, 90)
    return (Latency(what="turns", p50=p50, p90=p90, calls=len(turns)), *reported)


def percentile(values: Sequence[float], share: int) -> float:
    """The nearest-rank percentile: the smallest value that at least `share` percent of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share / 100 * len(ordered)) - 1)]


def sessions_of(run: Body) -> int | None:
    """The number of sessions that the service counted; None if it reports none."""
    count = as_object(run.get("latencyReport")).get("sessionCount")
    return count if isinstance(count, int) else None


def _turn_scores(turn: Body, number: int, bar: Mapping[str, float]) -> Iterator[Score]:
    yield from _score(SIMILARITY, turn.get("semanticSimilarityResult"), "score", number, bar)
    yield from _score(TOOL_CALLS, turn.get("overallToolInvocationResult"), "toolInvocationScore", number, bar)
    yield from _score("hallucination", turn.get("hallucinationResult"), "score", number, {})
    for outcome in _objects(turn.get("expectationOutcome")):
        yield from _score(SIMILARITY, outcome.get("semanticSimilarityResult"), "score", number, bar)
        invocation = outcome.get("toolInvocationResult")
        yield from _score(PARAMETERS, invocation, "parameterCorrectnessScore", number, bar)


def _scenario_scores(scenario: Body) -> Iterator[Score]:
    yield from _score("task completion", scenario.get("taskCompletionResult"), "score", 0, {})
    yield from _score("user goal", scenario.get("userGoalSatisfactionResult"), "score", 0, {})
    for number, item in enumerate(_objects(scenario.get("hallucinationResult")), 1):
        yield from _score("hallucination", item, "score", number, {})
    for item in _objects(scenario.get("rubricOutcomes")):
        value = item.get("score")
        if is_number(value):
            name = f"rubric {as_text(item.get('rubric'))}"
            yield Score(name=name, value=float(value), explanation=as_text(item.get("scoreExplanation")))


def _score(name: str, message: object, member: str, turn: int, bar: Mapping[str, float]) -> Iterator[Score]:
    """The score of a message, if there is one. JSON omits a score of 0, the default."""
    if not isinstance(message, dict):
        return
    value = message.get(member, 0 if member == "score" else None)
    if not is_number(value):
        return
    yield Score(
        name=name,
        value=float(value),
        threshold=bar.get(name),
        turn=turn,
        outcome=as_text(message.get("outcome")),
        explanation=as_text(message.get("explanation")),
    )


def _step(outcome: Body, turn: int, naming: Naming) -> ConversationStep:
    expectation = as_object(outcome.get("expectation"))
    expected, what = _expected(expectation, naming)
    observed, seen = _observed(outcome, naming)
    skipped = bool(expectation.get("skipEvaluation"))
    return ConversationStep(
        turn=turn,
        what=what or seen or "expectation",
        expected=expected,
        observed=observed,
        outcome="SKIPPED" if skipped else as_text(outcome.get("outcome")),
        note=as_text(expectation.get("note")),
    )


def _scenario_step(outcome: Body, naming: Naming) -> ConversationStep:
    expectation = as_object(outcome.get("expectation"))
    tool = as_object(expectation.get("toolExpectation"))
    expected, what = _expected(
        {"toolCall": tool["expectedToolCall"]}
        if "expectedToolCall" in tool
        else {"agentResponse": expectation["agentResponse"]}
        if "agentResponse" in expectation
        else {},
        naming,
    )
    call = as_object(outcome.get("observedToolCall"))
    observed, seen = _observed({**outcome, "observedToolCall": call.get("toolCall")}, naming)
    return ConversationStep(
        turn=0,
        what=what or seen or "expectation",
        expected=expected,
        observed=observed,
        outcome=as_text(outcome.get("outcome")),
    )


def _expected(expectation: Body, naming: Naming) -> tuple[str, str]:
    """An expectation as text, and its type; `nothing` for an observation without an expectation."""
    for member, what in _EXPECTED.items():
        if member in expectation:
            if member == "noToolCalls":
                return "no tool call", what
            return _words(what, expectation[member], naming), what
    return NOTHING, ""


def _observed(outcome: Body, naming: Naming) -> tuple[str, str]:
    for member, what in _OBSERVED.items():
        if outcome.get(member) is not None:
            return _words(what, outcome[member], naming), what
    return NOTHING, ""


def _words(what: str, value: Any, naming: Naming) -> str:
    body = as_object(value)
    match what:
        case "tool call":
            return f"{_tool(body, naming)}({_arguments(body.get('args'))})"
        case "tool response" | "mocked tool response":
            return f"{_tool(body, naming)} → {_json(body.get('response', {}))}"
        case "agent response":
            return "\n".join(filter(None, (_chunk(item, naming) for item in _objects(body.get("chunks")))))
        case "agent transfer":
            return naming.to_reference(as_text(body.get("targetAgent"))) or as_text(body.get("displayName"))
    return _json(value)


def _tool(body: Body, naming: Naming) -> str:
    """The tool as the tree calls it: `lookup-order`, or `orders/getOrder` for one of a toolset."""
    toolset = as_object(body.get("toolsetTool"))
    if toolset:
        _, _, key = naming.to_reference(as_text(toolset.get("toolset"))).rpartition("/")
        return f"{key}/{as_text(toolset.get('toolId'))}"
    reference = naming.to_reference(as_text(body.get("tool")))
    return reference.removeprefix("tools/") or as_text(body.get("displayName")) or "?"


def _chunk(chunk: Body, naming: Naming) -> str:
    for member in ("text", "transcript"):
        if chunk.get(member):
            return as_text(chunk[member])
    return _json({name: value for name, value in chunk.items() if value}) if chunk else ""


def _arguments(args: object) -> str:
    members = as_object(args)
    return ", ".join(f"{name}: {_json(members[name])}" for name in sorted(members))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _objects(value: object) -> list[Body]:
    return [as_object(item) for item in value] if isinstance(value, list) else []


def _reported(report: Body, naming: Naming) -> Iterator[Latency]:
    for member, word, names in (
        ("toolLatencies", "tool", ("toolDisplayName", "tool")),
        ("callbackLatencies", "callback", ("stage",)),
        ("guardrailLatencies", "guardrail", ("guardrailDisplayName", "guardrail")),
        ("llmCallLatencies", "model", ("model",)),
    ):
        for row in as_objects(report.get(member)):
            metrics = as_object(row.get("latencyMetrics"))
            p50, p90 = seconds(metrics.get("p50Latency")), seconds(metrics.get("p90Latency"))
            if p50 is not None and p90 is not None:
                name = next((str(row[key]) for key in names if row.get(key)), "")
                shown = f"{word} {naming.to_reference(name)}".strip()
                yield Latency(what=shown, p50=p50, p90=p90, calls=_count(metrics.get("callCount")))


def _count(value: object) -> int:
    """An int64 in JSON: a number, or its digits; 0 for anything else."""
    digits = str(value)
    return int(digits) if digits.isdecimal() and len(digits) < 20 else 0
