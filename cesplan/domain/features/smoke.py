"""
Smoke tests: steps of a conversation and what the agent really did.

A step that had no answer, or whose answer does not show what is looked for, is inconclusive and never passed.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from cesplan.domain.features.evaluation import EvaluationVerdict, Problem, worst_verdict
from cesplan.domain.features.release import Finding, PartReport, SmokeStep
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """An agent or a tool: `shown` is its key or display name, `spellings` are all that a step may call it."""

    shown: str
    spellings: frozenset[str]
    is_system: bool = False
    """A tool that comes with the service, such as `end_session`."""

    def is_called(self, name: str) -> bool:
        return name in self.spellings


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenCall:
    """A call of a tool. `by_client`: the client of the session is asked to run it, and nobody did."""

    tool: Who
    args: Mapping[str, Any] = field(default_factory=dict)
    response: Mapping[str, Any] | None = None
    by_client: bool = False
    identifier: Mapping[str, Any] = field(default_factory=dict)
    """The fields of the API that identify the call: `id`, and `tool` or `toolsetTool`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A text of an agent, and its name; empty: it is not known."""

    text: str
    agent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentReply:
    """What came back for one input, each thing in the order in which it happened."""

    texts: tuple[str, ...] = ()
    payloads: tuple[Mapping[str, Any], ...] = ()
    calls: tuple[SeenCall, ...] = ()
    transfers: tuple[Who, ...] = ()
    variables: Mapping[str, Any] = field(default_factory=dict)
    """What was updated, as far as the diagnostics say."""
    speaker: Who | None = None
    """The agent that the diagnostics name beside the last text; None where they name none."""
    ends: bool = False
    has_diagnostics: bool = False
    """Without diagnostics nothing is known of calls and transfers."""
    course: tuple[SeenCall | Who | Saying, ...] = ()
    """Calls, transfers and texts in one order; empty where the diagnostics do not tell of all texts."""

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    @property
    def waits(self) -> bool:
        """True if the agent waits until the client has run a tool."""
        return any(call.by_client for call in self.calls)

    @property
    def is_empty(self) -> bool:
        return not (
            self.texts or self.payloads or self.calls or self.transfers or self.ends or self.has_diagnostics
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReport:
    """
    One step and what became of it; without problems it has passed.

    `seconds` is how long the answer took. `reply` is what an agent answered, `response` what a tool did.
    """

    number: int
    step: SmokeStep
    problems: tuple[Problem, ...] = ()
    reply: AgentReply | None = None
    agent: str = ""
    """The agent that has the conversation after the step; empty: it is not known."""
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
    A smoke test: what it talked to, and every step.

    `deployment` is empty for the draft; `version` is the title of the version that answered, empty if it is
    not known. `problems` speak against the whole.
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
        """Failed if anything failed; without steps nothing was shown."""
        found = [step.verdict for step in self.steps] + [problem.verdict for problem in self.problems]
        return worst_verdict(found)

    def count(self, verdict: EvaluationVerdict) -> int:
        return sum(step.verdict is verdict for step in self.steps)

    @property
    def part(self) -> PartReport:
        """The same for the gate of a release: a finding for each step and for each problem of the whole."""
        whole = tuple(
            Finding(subject="smoke", verdict=problem.verdict, text=problem.text) for problem in self.problems
        )
        steps = tuple(
            Finding(
                subject=f"smoke step {item.number}",
                verdict=item.verdict,
                text=" ".join(problem.text for problem in item.problems),
            )
            for item in self.steps
        )
        return PartReport(findings=(*whole, *steps), sessions=self.sessions)
