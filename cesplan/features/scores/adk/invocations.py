"""Invocations of ADK as turns, and turns as invocations."""

from collections.abc import Iterator, Sequence
from typing import Any

from cesplan.domain.features.scores import AgentContext, Rubric, StepKind, ToolUse, Turn, TurnStep
from cesplan.features.scores.adk.shapes import (
    AppDetails,
    Content,
    FunctionCall,
    IntermediateData,
    Invocation,
    InvocationEvents,
    Part,
    RubricShape,
)

_NO_EVENTS = InvocationEvents()


def turn_of(item: Invocation) -> Turn:
    """A turn. Texts of several parts are joined by line feeds; what is not text or a call is left out."""
    data = item.intermediate_data
    return Turn(
        user=_text(item.user_content),
        response=_text(item.final_response),
        calls=tuple(ToolUse(name=call.name, args=call.args) for call in _calls(data)),
        interim=tuple(
            (author, _joined(parts))
            for author, parts in (data.intermediate_responses if isinstance(data, IntermediateData) else ())
        ),
        steps=tuple(_steps(data)),
        context=_context(item.app_details, data if isinstance(data, InvocationEvents) else _NO_EVENTS),
        rubrics=rubrics_of(item.rubrics),
    )


def rubrics_of(items: Sequence[RubricShape] | None) -> tuple[Rubric, ...]:
    """Rubrics of ADK; one without a property has an empty text."""
    return tuple(
        Rubric(key=item.rubric_id, text=item.rubric_content.text_property or "", type=item.type or "")
        for item in items or ()
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


def rubric_document(rubric: Rubric) -> dict[str, Any]:
    """A rubric as ADK reads it."""
    kind = {"type": rubric.type} if rubric.type else {}
    return {"rubric_id": rubric.key, "rubric_content": {"text_property": rubric.text}, **kind}


def _calls(data: IntermediateData | InvocationEvents | None) -> Iterator[FunctionCall]:
    match data:
        case IntermediateData():
            yield from data.tool_uses
        case InvocationEvents():
            for event in data.invocation_events:
                parts = (event.content.parts if event.content else None) or ()
                yield from (part.function_call for part in parts if part.function_call is not None)


def _steps(data: IntermediateData | InvocationEvents | None) -> Iterator[TurnStep]:
    """What happened before the answer. Lists of their own keep no order: calls with responses, then texts."""
    match data:
        case IntermediateData():
            for call in data.tool_uses:
                yield TurnStep(kind=StepKind.CALL, name=call.name or "", content=call.args)
                for answer in data.tool_responses:
                    if answer.id == call.id and answer.name in (call.name, None):
                        yield TurnStep(kind=StepKind.RESPONSE, name=call.name or "", content=answer.response)
                        break
            for author, parts in data.intermediate_responses:
                if text := _joined(parts):
                    yield TurnStep(kind=StepKind.TEXT, author=author, content=text)
        case InvocationEvents():
            for event in data.invocation_events:
                for part in (event.content.parts if event.content else None) or ():
                    yield from _steps_of(part, event.author)


def _steps_of(part: Part, author: str) -> Iterator[TurnStep]:
    if part.text:
        yield TurnStep(kind=StepKind.TEXT, author=author, content=part.text)
    if part.function_call is not None:
        call = part.function_call
        yield TurnStep(kind=StepKind.CALL, author=author, name=call.name or "", content=call.args)
    if part.function_response is not None:
        found = part.function_response
        yield TurnStep(kind=StepKind.RESPONSE, author=author, name=found.name or "", content=found.response)


def _context(details: AppDetails | None, events: InvocationEvents) -> AgentContext:
    agents = details.agent_details if details else {}
    declared = {name: agent.tool_declarations for name, agent in sorted(agents.items())}
    return AgentContext(
        instructions={name: agent.instructions for name, agent in agents.items() if agent.instructions},
        tools=declared if any(declared.values()) else None,
        grounding=tuple(
            event.grounding_metadata for event in events.invocation_events if event.grounding_metadata
        ),
    )


def _text(content: Content | None) -> str:
    return _joined(content.parts or ()) if content else ""


def _joined(parts: Sequence[Part]) -> str:
    return "\n".join(part.text for part in parts if part.text)


def _content(text: str, role: str) -> dict[str, Any]:
    return {"parts": [{"text": text}], "role": role}


def _call(call: ToolUse) -> dict[str, Any]:
    return {"name": call.name} if call.args is None else {"args": dict(call.args), "name": call.name}
