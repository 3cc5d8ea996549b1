"""A smoke test, for machines."""

from typing import Any, Literal, Self, assert_never

from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.domain.features.release import SayStep, SmokeStep, ToolsetStep, ToolStep
from cesplan.domain.features.smoke import AgentReply, SeenCall, SmokeReport, StepReport
from cesplan.render.machine.formats.base import Document, Format, optional


class SmokeProblemJson(Format):
    """One objection to a step or the whole test."""

    verdict: EvaluationVerdict
    """`failed`, or `inconclusive` if it says nothing about the agent."""
    text: str
    """The expected and the observed values."""


class SeenCallJson(Format):
    """A tool call."""

    tool: str
    """The key of the tool, or its display name; for a tool of a toolset, `<toolset>/<tool id>`."""
    args: dict[str, Any]
    """The arguments."""
    response: dict[str, Any] | None = optional()
    """The response; absent if none was seen."""
    by_client: bool
    """True if the client of the session was asked to run it."""

    @classmethod
    def of(cls, call: SeenCall) -> Self:
        return cls.from_value(call, tool=call.tool.shown)


class AgentReplyJson(Format):
    """What an agent did for one input."""

    texts: tuple[str, ...]
    """The texts that the agent said."""
    payloads: tuple[dict[str, Any], ...]
    """Custom payloads."""
    calls: tuple[SeenCallJson, ...]
    """The tool calls, in order."""
    transfers: tuple[str, ...]
    """The agents that the conversation was transferred to, in order."""
    variables: dict[str, Any]
    """The variables that were updated."""
    ends: bool
    """Whether the session has ended."""
    has_diagnostics: bool
    """Whether the answer has diagnostics; without them, calls, transfers, and variables are unknown."""

    @classmethod
    def of(cls, reply: AgentReply) -> Self:
        return cls.from_value(reply, transfers=tuple(who.shown for who in reply.transfers))


class SmokeStepJson(Format):
    """One step of a smoke test."""

    number: int
    """From 1."""
    action: Literal["say", "tool", "toolset"]
    """The type of step: an input, an executed tool, or a toolset whose tools were read."""
    subject: str
    """The text that was said, or the key of the tool or toolset."""
    verdict: EvaluationVerdict
    """The verdict on the step."""
    problems: tuple[SmokeProblemJson, ...]
    """Why it did not pass; empty if it passed."""
    agent: str
    """The agent that answered last; empty if unknown."""
    session: str
    """The id of the session; empty if none was used."""
    seconds: float
    """How long the answer took."""
    reply: AgentReplyJson | None = optional()
    """The actions of the agent; absent if there was no answer."""
    response: dict[str, Any] | None = optional()
    """The response of the tool that was executed."""

    @classmethod
    def of(cls, item: StepReport) -> Self:
        action, subject = _subject(item.step)
        return cls.from_value(item, action=action, subject=subject, seconds=round(item.seconds, 3))


class SmokeCounts(Format):
    """The number of steps."""

    steps: int
    """The total number."""
    passed: int
    """How many were as expected."""
    failed: int
    """How many failed."""
    inconclusive: int
    """How many are inconclusive."""


class SmokeReportJson(Document):
    """`cesplan smoke --format json`."""

    app: str
    """The resource name of the app."""
    deployment: str
    """The key of the deployment; empty for the draft."""
    version: str
    """The display name of the version that answered; empty for the draft, or if unknown."""
    tools: Literal["real", "fake"]
    """Whether tools really ran or answered with their fakes."""
    verdict: EvaluationVerdict
    """The verdict on the test. Without steps, it has failed."""
    summary: SmokeCounts
    """The numbers."""
    problems: tuple[SmokeProblemJson, ...]
    """Objections to the test as a whole."""
    steps: tuple[SmokeStepJson, ...]
    """Every step, in order."""
    sessions: int
    """How many sessions were started."""
    exit_code: int
    """The exit code of the command."""

    @classmethod
    def of(cls, report: SmokeReport, *, exit_code: int) -> Self:
        return cls.from_value(
            report,
            tools="fake" if report.fakes else "real",
            summary=SmokeCounts(
                steps=len(report.steps),
                **{str(verdict): report.count(verdict) for verdict in EvaluationVerdict},
            ),
            exit_code=exit_code,
        )


def _subject(step: SmokeStep) -> tuple[Literal["say", "tool", "toolset"], str]:
    match step:
        case SayStep():
            return "say", step.say
        case ToolStep():
            return "tool", step.tool
        case ToolsetStep():
            return "toolset", step.toolset
        case _:
            assert_never(step)
