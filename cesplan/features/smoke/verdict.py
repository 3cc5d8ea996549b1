"""
An answer compared with the expectations of a step.

An expectation that the answer contradicts has failed. One that the answer does not cover, because it has no
diagnostics or because the agent waits for its client, is inconclusive.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cesplan.domain.features.evaluation import EvaluationVerdict, Problem
from cesplan.domain.features.release import SmokeExpectation, ToolsetStep, ToolStep
from cesplan.domain.features.smoke import AgentReply, Who
from cesplan.domain.resource_name import last_id
from cesplan.domain.text.words import excerpt
from cesplan.domain.value import ABSENT, Body, differing_places

_INCONCLUSIVE = EvaluationVerdict.INCONCLUSIVE
_SPACE = re.compile(r"\s+")
_UNDERSCORES = re.compile(r"_+")
_LONGEST = 200
NO_DIAGNOSTICS = "The answer has no diagnostics, so the {} are not known."


def reply_problems(expect: SmokeExpectation, reply: AgentReply, agent: Who | None) -> tuple[Problem, ...]:
    """
    The problems of a reply; empty if it has passed.

    `agent` is the agent that answered last, None if unknown.
    """
    if reply.is_empty:
        return (unclear("The service answered with nothing."),)
    found = [
        *_tools(expect.tools, reply),
        *_transfers(expect.transfers, reply),
        *_agent(expect.agent, agent),
        *_texts(expect, reply),
        *_end(expect.ends, reply),
    ]
    if reply.waits:
        names = ", ".join([call.tool.shown for call in reply.calls if call.by_client])
        waiting = unclear(f"The agent waits until its client has run {names}, which a smoke test cannot.")
        # A missing text or call may still come.
        return (waiting, *(problem for problem in found if problem.verdict is _INCONCLUSIVE))
    return tuple(found)


def response_problems(step: ToolStep, response: Mapping[str, Any]) -> tuple[Problem, ...]:
    """The problems of a tool response: an `error`, or missing expected values."""
    if response.get("error"):
        return (
            Problem(
                text=f"The tool answered with an error: {excerpt(_value_text(response['error']), _LONGEST)}"
            ),
        )
    if step.response is not None and not holds(response, step.response):
        expected, found = (
            excerpt(_value_text(step.response), _LONGEST),
            excerpt(_value_text(response), _LONGEST),
        )
        return (Problem(text=f"Expected a response with {expected}; found: {found}"),)
    return ()


def tool_problems(step: ToolsetStep, tools: Sequence[Body]) -> tuple[Problem, ...]:
    """The problem that a toolset lacks expected tools; empty if it has them all."""
    there = {tool_id_of(str(name)) for tool in tools for name in _names(tool)}
    lacking = [tool_id for tool_id in step.tool_ids if tool_id_of(tool_id) not in there]
    if not lacking:
        return ()
    has = ", ".join(sorted(last_id(str(tool.get("name") or "")) for tool in tools)) if tools else "no tools"
    return (Problem(text=f"The toolset does not have {', '.join(lacking)}. It has {excerpt(has, _LONGEST)}."),)


def holds(value: Any, pattern: Any) -> bool:
    """Whether a value has everything that a pattern has; objects may have more members. `1` equals `1.0`."""
    return all(
        wanted is ABSENT or (found == wanted and isinstance(found, bool) is isinstance(wanted, bool))
        for _, wanted, found in differing_places(pattern, value)
    )


def tool_id_of(text: str) -> str:
    """The id that the service makes of an operationId: runs of underscores become one (seen in exports)."""
    return _UNDERSCORES.sub("_", last_id(text))


def _tools(expected: tuple[str, ...] | None, reply: AgentReply) -> Iterator[Problem]:
    """Tools that come with the service count only where a step names them."""
    if expected is None:
        return
    calls = [call for call in reply.calls if not call.tool.is_system or any(map(call.tool.is_called, expected))]
    yield from _sequence(expected, [call.tool for call in calls], reply, ("tool", "called", "calls"))


def _transfers(expected: tuple[str, ...] | None, reply: AgentReply) -> Iterator[Problem]:
    if expected is not None:
        words = ("agent", "handed to", "transfers")
        yield from _sequence(expected, list(reply.transfers), reply, words)


def _sequence(
    expected: tuple[str, ...], found: list[Who], reply: AgentReply, words: tuple[str, str, str]
) -> Iterator[Problem]:
    """`expected` must be in `found` in this order; nothing expected means nothing found."""
    noun, verb, plural = words
    shown = ", ".join([who.shown for who in found])
    if found and not expected:
        yield Problem(text=f"Expected no {noun} to be {verb}; {verb}: {shown}.")
    elif not _in_order(expected, found):
        if not reply.has_diagnostics:
            yield unclear(NO_DIAGNOSTICS.format(plural))
        else:
            yield Problem(text=f"Expected {', '.join(expected)} to be {verb}; {verb}: {shown or 'none'}.")
    elif not expected and not reply.has_diagnostics:
        yield unclear(NO_DIAGNOSTICS.format(plural))


def _in_order(expected: Sequence[str], found: Sequence[Who]) -> bool:
    """Whether `expected` is a subsequence; the greedy search finds one if there is one."""
    rest = iter(found)
    return all(any(who.is_called(name) for who in rest) for name in expected)


def _agent(expected: str | None, agent: Who | None) -> Iterator[Problem]:
    if expected is None:
        return
    if agent is None:
        yield unclear("The answer does not say which agent has the conversation.")
    elif not agent.is_called(expected):
        yield Problem(text=f"Expected the agent {expected}; found: {agent.shown}.")


def _texts(expect: SmokeExpectation, reply: AgentReply) -> Iterator[Problem]:
    folded = _folded(reply.text)
    shown = f"“{excerpt(reply.text, _LONGEST)}”" if reply.text else "nothing"
    for text in expect.says:
        if _folded(text) not in folded:
            yield Problem(text=f"Expected the answer to say “{text}”; it says {shown}.")
    for text in expect.never_says:
        if _folded(text) in folded:
            yield Problem(text=f"Expected the answer not to say “{text}”; it says {shown}.")


def _end(expected: bool | None, reply: AgentReply) -> Iterator[Problem]:
    if expected is not None and expected is not reply.ends:
        yield Problem(
            text="Expected the session to end; it goes on."
            if expected
            else "Expected the session to go on; it ended."
        )


def _folded(text: str) -> str:
    """Case and the amount of white space do not matter."""
    return _SPACE.sub(" ", text).strip().casefold()


def _names(tool: Body) -> tuple[object, ...]:
    return (tool.get("name") or "", tool.get("displayName") or "")


def unclear(text: str) -> Problem:
    """A problem that leaves a step inconclusive."""
    return Problem(text=text, verdict=_INCONCLUSIVE)


def _value_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
