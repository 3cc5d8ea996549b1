"""
Smoke tests: steps of a conversation, and what the agent actually did.

A step without a reply, or whose reply does not show what the step checks, is inconclusive, and never passes.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from cesplan.domain.features.evaluation import EvaluationVerdict, Problem, worst_verdict
from cesplan.domain.features.release import PartFinding, PartReport, SmokeStep
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """An agent or a tool. `shown` is its key or display name, `spellings` are all names that a step may use."""

    shown: str
    spellings: frozenset[str]
    is_system: bool = False
    """A built-in tool of the service, such as `end_session`."""

    def is_called(self, name: str) -> bool:
        return name in self.spellings


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenCall:
    """A tool call. `by_client`: the client of the session was asked to run it, and did not."""

    tool: Who
    args: Mapping[str, Any] = field(default_factory=dict)
    response: Mapping[str, Any] | None = None
    by_client: bool = False
    identifier: Mapping[str, Any] = field(default_factory=dict)
    """The fields of the API that identify the call: `id`, and `tool` or `toolsetTool`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A text from an agent, and the agent's name, empty if unknown."""

    text: str
    agent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentReply:
    """The reply to one input, everything in the order in which it happened."""

    texts: tuple[str, ...] = ()
    payloads: tuple[Mapping[str, Any], ...] = ()
    calls: tuple[SeenCall, ...] = ()
    transfers: tuple[Who, ...] = ()
    variables: Mapping[str, Any] = field(default_factory=dict)
    """The updated variables, as far as the diagnostics show them."""
    speaker: Who | None = None
    """The agent that the diagnostics name for the last text; None if they name none."""
    ends: bool = False
    has_diagnostics: bool = False
    """Whether there were diagnostics. Without them, calls and transfers are unknown."""
    course: tuple[SeenCall | Who | Saying, ...] = ()
    """Calls, transfers, and texts in one order; empty if the diagnostics do not cover all texts."""

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    @property
    def waits(self) -> bool:
        """True if the agent is waiting for the client to run a tool."""
        return any(call.by_client for call in self.calls)

    @property
    def is_empty(self) -> bool:
        return not (
            self.texts or self.payloads or self.calls or self.transfers or self.ends or self.has_diagnostics
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReport:
    """
    One step and its result. It passed if there are no problems.

    `seconds` is how long the answer took. `reply` is the reply of an agent, `response` the response of a tool.
    """

    number: int
    step: SmokeStep
    problems: tuple[Problem, ...] = ()
    reply: AgentReply | None = None
    agent: str = ""
    """The active agent after the step; empty if unknown."""
    response: Mapping[str, Any] | None = None
    session: str = ""
    seconds: float = 0.0

    @property
    def verdict(self) -> EvaluationVerdict:
        if not self.problems:
            return EvaluationVerdict.PASSED
        return worst_verdict(problem.verdict for problem in self.problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokeReport:
    """
    A smoke test: its target and all steps.

    `deployment` is empty for the draft. `version` is the title of the version that answered, empty if unknown.
    `problems` concern the test as a whole.
    """

    service: Settings
    app: str
    app_key: str
    deployment: str = ""
    version: str = ""
    fakes: bool = False
    steps: tuple[StepReport, ...] = ()
    problems: tuple[Problem, ...] = ()
    sessions: int = 0

    @property
    def verdict(self) -> EvaluationVerdict:
        """Failed if anything failed. Never passed without steps."""
        found = [step.verdict for step in self.steps] + [problem.verdict for problem in self.problems]
        return worst_verdict(found)

    def count(self, verdict: EvaluationVerdict) -> int:
        return sum(step.verdict is verdict for step in self.steps)

    @property
    def part(self) -> PartReport:
        """The report as a part of a gate: one finding for each step and each problem of the whole test."""
        whole = tuple(
            PartFinding(subject="smoke", verdict=problem.verdict, text=problem.text)
            for problem in self.problems
        )
        steps = tuple(
            PartFinding(
                subject=f"smoke step {item.number}",
                verdict=item.verdict,
                text=" ".join(problem.text for problem in item.problems),
            )
            for item in self.steps
        )
        return PartReport(findings=(*whole, *steps), sessions=self.sessions)
