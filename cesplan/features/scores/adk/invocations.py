"""Invocations of ADK as turns, and turns as invocations."""

from collections.abc import Iterator, Sequence
from typing import Any

from cesplan.domain.features.scores import Call, Turn
from cesplan.features.scores.adk.shapes import (
    Content,
    FunctionCall,
    IntermediateData,
    Invocation,
    InvocationEvents,
    Part,
)


def turn_of(item: Invocation) -> Turn:
    """A turn. Texts of several parts are joined by line feeds; what is not text or a call is left out."""
    data = item.intermediate_data
    return Turn(
        user=_text(item.user_content),
        response=_text(item.final_response),
        calls=tuple(Call(name=call.name, args=call.args) for call in _calls(data)),
        interim=tuple(
            (author, _joined(parts))
            for author, parts in (data.intermediate_responses if isinstance(data, IntermediateData) else ())
        ),
    )


def invocation_of(turn: Turn, invocation_id: str) -> dict[str, Any]:
    """A turn as JSON, in the form that keeps calls and texts in lists of their own."""
    document: dict[str, Any] = {
        "invocation_id": invocation_id,
        "user_content": _content(turn.user, "user"),
    }
    if turn.response:
        document["final_response"] = _content(turn.response, "model")
    document["intermediate_data"] = {
        "tool_uses": [_call(call) for call in turn.calls],
        "tool_responses": [],
        "intermediate_responses": [[author, [{"text": text}]] for author, text in turn.interim],
    }
    return document


def _calls(data: IntermediateData | InvocationEvents | None) -> Iterator[FunctionCall]:
    match data:
        case IntermediateData():
            yield from data.tool_uses
        case InvocationEvents():
            for event in data.invocation_events:
                parts = (event.content.parts if event.content else None) or ()
                yield from (part.function_call for part in parts if part.function_call is not None)


def _text(content: Content | None) -> str:
    return _joined(content.parts or ()) if content else ""


def _joined(parts: Sequence[Part]) -> str:
    return "\n".join(part.text for part in parts if part.text)


def _content(text: str, role: str) -> dict[str, Any]:
    return {"parts": [{"text": text}], "role": role}


def _call(call: Call) -> dict[str, Any]:
    return {"name": call.name} if call.args is None else {"args": dict(call.args), "name": call.name}
