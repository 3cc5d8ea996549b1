"""
Vertex's trajectory metrics: `{"toolCalls": [{"toolName", "toolInput"}]}` beside a reference.

Two calls are equal with equal name and input. Whether inputs are compared as texts or as JSON is not
documented, nor how repeated calls count: where the readings differ, there is no score. The service refuses an
empty trajectory, and so does this module.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from cesplan.domain.features.scores import NotEvaluated, Turn
from cesplan.features.scores.equality import canonical
from cesplan.features.scores.strict_json import strict_json
from cesplan.features.scores.trajectory import is_in_order

Trajectory: TypeAlias = Mapping[str, Any]
_Key: TypeAlias = tuple[str, str]
_Reading: TypeAlias = Callable[[Sequence[_Key], Sequence[_Key]], float]


def trajectory_of(turn: Turn) -> Trajectory:
    """The calls of a turn as Vertex takes them, with sorted keys."""
    calls = ((call.name or "", json.dumps(dict(call.args or {}), sort_keys=True)) for call in turn.calls)
    return {"toolCalls": [{"toolName": name, "toolInput": text} for name, text in calls]}


def trajectory_exact_match(predicted: Trajectory, reference: Trajectory) -> float:
    """1 if both have the same calls in the same order, and nothing else."""
    return _certain(predicted, reference, lambda ours, theirs: float(ours == theirs))


def trajectory_in_order_match(predicted: Trajectory, reference: Trajectory) -> float:
    """1 if the calls of the reference are there in their order; others may be in between."""
    return _certain(predicted, reference, lambda ours, theirs: float(is_in_order(ours, theirs)))


def trajectory_any_order_match(predicted: Trajectory, reference: Trajectory) -> float:
    """1 if the calls of the reference are there in any order; others may be too."""
    return _certain(
        predicted,
        reference,
        lambda ours, theirs: float(Counter(theirs) <= Counter(ours)),
        lambda ours, theirs: float(set(theirs) <= set(ours)),
    )


def trajectory_precision(predicted: Trajectory, reference: Trajectory) -> float:
    """The share of the predicted calls that the reference has."""
    return _certain(predicted, reference, _used_up, _present)


def trajectory_recall(predicted: Trajectory, reference: Trajectory) -> float:
    """The share of the calls of the reference that were predicted."""
    return _certain(reference, predicted, _used_up, _present)


def trajectory_single_tool_use(predicted: Trajectory, tool_name: str) -> float:
    """1 if the tool is called at all, with whatever input."""
    return float(any(name == tool_name for name, _ in _calls(predicted)))


def _used_up(ours: Sequence[_Key], theirs: Sequence[_Key]) -> float:
    """A call of theirs accounts for one of ours."""
    return (Counter(ours) & Counter(theirs)).total() / len(ours)


def _present(ours: Sequence[_Key], theirs: Sequence[_Key]) -> float:
    """A call of theirs accounts for every equal one of ours."""
    found = set(theirs)
    return sum(call in found for call in ours) / len(ours)


def _certain(one: Trajectory, other: Trajectory, *readings: _Reading) -> float:
    """The score that all readings give, of repeated calls and of the spelling of inputs."""
    ours, theirs = _calls(one), _calls(other)
    by_count = {reading(ours, theirs) for reading in readings}
    if len(by_count) > 1:
        raise NotEvaluated(reason="a call is repeated, and how repeated calls count is not documented")
    as_json = {reading(_parsed(ours), _parsed(theirs)) for reading in readings}
    if as_json != by_count:
        raise NotEvaluated(
            reason="inputs are spelled differently, and whether they are compared as text or as JSON is not"
            " documented: sort the keys on both sides"
        )
    return by_count.pop()


def _calls(trajectory: Trajectory) -> list[_Key]:
    calls = trajectory.get("toolCalls") or []
    if not calls:
        raise NotEvaluated(reason="a trajectory has no call, which the service refuses")
    return [(_text(call, "toolName"), _text(call, "toolInput")) for call in calls]


def _text(call: Mapping[str, Any], key: str) -> str:
    value = call.get(key, "")
    if not isinstance(value, str):
        raise NotEvaluated(reason=f"`{key}` is not a text")
    return value


def _parsed(calls: Sequence[_Key]) -> list[_Key]:
    return [(name, _as_json(text)) for name, text in calls]


def _as_json(text: str) -> str:
    try:
        return f"json:{canonical(strict_json(text))}"
    except ValueError:
        return f"text:{text}"
