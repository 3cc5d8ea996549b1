"""
Vertex's tool call metrics: JSON texts `{"content", "tool_calls": [{"name", "arguments"}]}`.

Documented are the first call for valid and name match, and a ratio of matching parameters for key and key-value
match, but not which side is counted. There is a score where every reading gives the same one.
"""

import json
from collections.abc import Mapping
from typing import Any

from cesplan.domain.features.scores import NotEvaluated
from cesplan.features.scores.equality import canonical
from cesplan.features.scores.strict_json import strict_json

_MISSING_CALL = "the reference has no tool call"
_NOT_JSON = "is not a JSON object of `content` and `tool_calls`"


def tool_call_valid(prediction: str) -> float:
    """1 if the prediction has a tool call."""
    return float(_first(prediction, "the prediction") is not None)


def tool_name_match(prediction: str, reference: str) -> float:
    """1 if the first call of both is of the same tool."""
    ours, theirs = _first(prediction, "the prediction"), _first(reference, "the reference")
    if theirs is None:
        raise NotEvaluated(reason=_MISSING_CALL)
    return float(ours is not None and ours["name"] == theirs["name"])


def tool_parameter_key_match(prediction: str, reference: str) -> float:
    """1 if the call has the names of parameters that the reference has, 0 if it has none of them."""
    ours, theirs = _arguments(prediction, reference)
    return float(_shares_keys(ours, theirs))


def tool_parameter_kv_match(prediction: str, reference: str, *, strict: bool = False) -> float:
    """
    The share of parameters whose value is that of the reference.

    `strict` is `useStrictStringMatch`: without it, how texts that differ only in case or white space compare is
    not documented.
    """
    ours, theirs = _arguments(prediction, reference)
    if not _shares_keys(ours, theirs):
        return 0.0
    return sum(_is_same(ours[key], theirs[key], strict=strict) for key in theirs) / len(theirs)


def _shares_keys(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
    if ours.keys() == theirs.keys():
        return True
    if ours.keys().isdisjoint(theirs.keys()):
        return False
    raise NotEvaluated(
        reason="only some of the parameters are on both sides, and which side is counted is not documented"
    )


def _is_same(one: Any, other: Any, *, strict: bool) -> bool:
    match one, other:
        case str(), str():
            if one == other or strict or _folded(one) != _folded(other):
                return one == other
            raise NotEvaluated(reason="texts differ in case or white space only: set `useStrictStringMatch`")
        case (dict(), dict()) | (list(), list()):
            if canonical(one) != canonical(other):
                raise NotEvaluated(
                    reason="nested values differ, and whether they count in parts is not documented"
                )
            return True
    if json.dumps(one) == json.dumps(other):
        return True
    if canonical(one) == canonical(other) or _folded(_value_text(one)) == _folded(_value_text(other)):
        raise NotEvaluated(reason="values are spelled differently, and how they are compared is not documented")
    return False


def _value_text(value: Any) -> str:
    return value if isinstance(value, str) else canonical(value)


def _folded(text: str) -> str:
    return "".join(text.split()).casefold()


def _arguments(prediction: str, reference: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The arguments of both calls, where each side has exactly one call, of the same tool."""
    ours, theirs = _calls(prediction, "the prediction"), _calls(reference, "the reference")
    if len(ours) != 1 or len(theirs) != 1:
        raise NotEvaluated(
            reason="one side has no call or several, and which one counts is documented for valid and name only"
        )
    one, other = (_checked(calls[0]) for calls in (ours, theirs))
    if one["name"] != other["name"]:
        raise NotEvaluated(reason="the tools differ, and whether parameters count then is not documented")
    if not one["arguments"] and not other["arguments"]:
        raise NotEvaluated(reason="neither call has arguments, and 0 of 0 is not documented")
    return one["arguments"], other["arguments"]


def _first(text: str, side: str) -> Mapping[str, Any] | None:
    calls = _calls(text, side)
    return _checked(calls[0]) if calls else None


def _checked(call: Any) -> Mapping[str, Any]:
    match call:
        case {"name": str() as name, "arguments": dict()} if name:
            return dict(call)
    raise NotEvaluated(
        reason="a call has no `name` or no `arguments`, and whether it is valid is not documented"
    )


def _calls(text: str, side: str) -> list[Any]:
    try:
        document = strict_json(text)
    except ValueError as error:
        raise NotEvaluated(reason=f"{side} {_NOT_JSON}") from error
    match document:
        case {"tool_calls": list() as calls}:
            return calls
    raise NotEvaluated(reason=f"{side} {_NOT_JSON}")
