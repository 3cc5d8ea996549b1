"""Words that the reports of smoke tests and the chat use."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, assert_never

from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.domain.features.release import SayStep, SmokeStep, ToolsetStep, ToolStep
from cesplan.domain.features.smoke import AgentReply, Saying, SeenCall, SmokeReport, Who
from cesplan.domain.text.words import count, excerpt
from cesplan.domain.value import folded

SAID = "“"
"""The sign before the words of an agent."""
LONGEST = 300
"""Characters of one text; JSON has all of it."""


def step(step: SmokeStep) -> str:
    """`say “Where is it?”`, `tool lookup-order`, `toolset shop`."""
    match step:
        case SayStep():
            return f"say “{step.say}”"
        case ToolStep():
            return f"tool {step.tool}"
        case ToolsetStep():
            return f"toolset {step.toolset}: {', '.join(step.tool_ids)}"
        case _:
            assert_never(step)


def place(report: SmokeReport) -> str:
    """The place of the test."""
    return " · ".join((report.app_key, *report.service.heading))


def target(report: SmokeReport) -> str:
    """The target of the test: `deployment web-chat · version v42 · fake tools`."""
    deployment = f"deployment {report.deployment}" if report.deployment else "draft"
    version = f"version {report.version}" if report.version else ""
    return " · ".join(filter(None, (deployment, version, "fake tools" if report.fakes else "real tools")))


def summary(report: SmokeReport) -> str:
    """`3 steps: 2 passed, 1 failed; 1 session`."""
    parts = [f"{number} {verdict}" for verdict in EvaluationVerdict if (number := report.count(verdict))]
    return (
        f"{count(len(report.steps), 'step')}: {', '.join(parts) or 'none'}; {count(report.sessions, 'session')}"
    )


def reply_rows(reply: AgentReply) -> Iterator[tuple[str, str]]:
    """
    The events of a reply, each with a sign and a text: calls with their responses, transfers, texts, payloads,

    and the end. In order of occurrence if that is known, else grouped by kind.
    """
    apart = (*reply.calls, *reply.transfers, *(Saying(text=text) for text in reply.texts))
    for item in reply.course or apart:
        match item:
            case SeenCall():
                yield "→", call(item)
                if item.response is not None:
                    yield "←", shown(item.response)
            case Who():
                yield "⇒", item.shown
            case Saying():
                yield SAID, f"{item.agent}: {item.text}" if item.agent else item.text
    for payload in reply.payloads:
        yield "□", shown(payload)
    if reply.ends:
        yield "■", "the session has ended"


def call(call: SeenCall) -> str:
    """`lookup-order {"order": "A-1"}`."""
    args = f" {shown(call.args)}" if call.args else ""
    return f"{call.tool.shown}{args}"


def shown(value: Mapping[str, Any]) -> str:
    """A value as JSON; whole numbers, which the service sends as doubles, become integers."""
    return json.dumps(folded(value, _whole), ensure_ascii=False)


def cut(text: str) -> str:
    """A text cut to `LONGEST` characters."""
    return excerpt(text, LONGEST)


def _whole(leaf: Any) -> Any:
    return int(leaf) if isinstance(leaf, float) and leaf.is_integer() and abs(leaf) < 2**53 else leaf
