"""The EvaluationResult of one repetition of an evaluation."""

from typing import Any

from cesplan.emulator.evaluating.script import ERRORS, ObservedCall, Part
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.storage.store import Row, Store

_NOT_SCRIPTED = "The script of evaluations says nothing about '{}'."


def observations(evaluation: Row, part: Part | None, repetition: int, store: Store) -> Body:
    """Return the fields of a result that the script decides."""
    if part is None:
        return _failed(_NOT_SCRIPTED.format(evaluation.display_name))
    outcome = part.outcome(repetition)
    found = _ended(outcome, part)
    calls = [_observed(call, evaluation.parent, store) for call in part.calls]
    pairs = list(zip(part.calls, calls, strict=True))
    body = evaluation.body
    if "golden" in body:
        found["goldenResult"] = {"turnReplayResults": _turns(body["golden"], pairs)}
    elif "scenario" in body:
        found["scenarioResult"] = _scenario(body["scenario"], pairs)
    return found | part.result(repetition)


def _ended(outcome: str, part: Part) -> Body:
    match outcome:
        case "ERROR":
            return _failed(part.message, part.error)
        case "CANCELLED":
            return {"executionState": "CANCELLED"}
    return {"executionState": "COMPLETED", "evaluationStatus": outcome}


def _failed(message: str, error: str = ERRORS[0]) -> Body:
    info = {"errorType": error, "errorMessage": message or "The script specifies this error."}
    return {"executionState": "ERROR", "errorInfo": info}


Pairs = list[tuple[ObservedCall, Body]]


def _turns(golden: Body, pairs: Pairs) -> list[Body]:
    turns = []
    for number, turn in enumerate(golden.get("turns", []), start=1):
        waiting = [pair for pair in pairs if pair[0].turn == number]
        outcomes = []
        for step in turn.get("steps", []):
            expectation = step.get("expectation")
            if expectation is None:
                continue
            outcome: Body = {"expectation": expectation}
            if "toolCall" in expectation and waiting:
                outcome |= _of_call(*waiting.pop(0))
            outcomes.append(outcome)
        outcomes += [_of_call(*pair) for pair in waiting]
        turns.append({"expectationOutcome": outcomes} if outcomes else {})
    return turns


def _of_call(call: ObservedCall, observed: Body) -> Body:
    verdict: Body = {"outcome": call.outcome} if call.outcome else {}
    return {"observedToolCall": observed["toolCall"], **verdict}


def _scenario(scenario: Body, pairs: Pairs) -> Body:
    outcomes = [
        {"observedToolCall": observed} | ({"outcome": call.outcome} if call.outcome else {})
        for call, observed in pairs
    ]
    found: Body = {"task": scenario.get("task", "")}
    if "userFacts" in scenario:
        found["userFacts"] = scenario["userFacts"]
    return found | ({"expectationOutcomes": outcomes} if outcomes else {})


def _observed(call: ObservedCall, app: str, store: Store) -> Body:
    """Return a call, and its response if there is one, as the API returns them."""
    who = _identified(call.tool, app, store)
    found: dict[str, Any] = {"toolCall": who | ({"args": call.args} if call.args else {})}
    if call.response is not None:
        found["toolResponse"] = who | {"response": call.response}
    return found


def _identified(tool: str, app: str, store: Store) -> Body:
    for row in store.children(app, "tools"):
        if tool in row.names:
            return {"tool": row.name, "displayName": row.display_name}
    toolset, _, operation = tool.rpartition("/")
    for row in store.children(app, "toolsets"):
        if toolset and toolset in row.names:
            return {"toolsetTool": {"toolset": row.name, "toolId": operation}, "displayName": operation}
    return {"tool": tool}
