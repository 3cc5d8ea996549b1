"""
Releases: what must be shown before a deployment serves a version, as a release file of the tree says it.

A release file is never sent. It names a deployment of its app; the version that the deployment's own file names
is the candidate. Everything here is fixed before anything is run: nothing found later can lower it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import timedelta
from enum import StrEnum
from typing import Any, TypeAlias

from cesplan.domain.features.evaluation import EvaluationVerdict, Method, ToolBehavior
from cesplan.domain.features.scores import Criterion, Rubric
from cesplan.domain.frozen import dataclass

HELD_FIELDS = ("appVersion", "experimentConfig")
"""What a release owns of its deployment: plans and drift reports leave it alone."""

DEPLOYED = "deployed"
"""The baseline that is the version which the deployment serves now."""

DEFAULT_AGE = timedelta(hours=24)
"""How old evidence may be where the file does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which evaluations a suite has: the union of what is named, by keys of the tree."""

    datasets: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Patterns over keys and display names."""
    everything: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """
    When a suite passes; all that is set must hold.

    `each` is how many repeats of every evaluation must pass; the file says `2 of 3`. `rate` is the share of all
    results. With `confidence`, the one-sided lower bound of Wilson's interval must reach the rate, too.
    """

    each: int = 1
    rate: float | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """Evaluations that are run together. No repeat of a `critical` one may fail, whatever is required else."""

    name: str
    selection: Selection
    repeats: int = 1
    method: Method = Method.STABLE
    tools: ToolBehavior = ToolBehavior.FAKE
    requirement: Requirement = Requirement()
    critical: tuple[str, ...] = ()
    """Keys of evaluations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreDemand:
    """A score that is computed here from the observed turns; one that is only reported decides nothing."""

    criterion: Criterion
    is_required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeDemand:
    """
    A score that a model gives, by the name of ADK's criterion.

    `samples` is how often the judge is asked for each turn; each of them counts against the limit.
    """

    metric: str
    threshold: float
    samples: int = 5
    model: str = ""
    """The judge model; empty: the default of the service."""
    rubrics: tuple[Rubric, ...] = ()
    is_required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokeExpectation:
    """What an answer must show; what is None is not looked at, an empty tuple of tools means no call at all."""

    tools: tuple[str, ...] | None = None
    """Keys, display names or tool ids that are called, in this order; others may be called between."""
    transfers: tuple[str, ...] | None = None
    """Agents to which the conversation is handed, in this order."""
    agent: str | None = None
    """The agent that answers last."""
    says: tuple[str, ...] = ()
    """Each must be part of the answer; case does not matter."""
    never_says: tuple[str, ...] = ()
    ends: bool | None = None
    """Whether the session is over after the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SayStep:
    """A sentence of a user. Steps go on in one session, unless one says that it begins a new one."""

    say: str
    expect: SmokeExpectation = SmokeExpectation()
    variables: Mapping[str, Any] = field(default_factory=dict)
    starts_session: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStep:
    """A tool that is executed without a model; `mocks` are `MockedToolCall`s of the API."""

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    mocks: Sequence[Mapping[str, Any]] = ()
    response: Mapping[str, Any] | None = None
    """What the response must hold at least; None: any response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsetStep:
    """A toolset whose tools are retrieved, to show that these tool ids exist."""

    toolset: str
    tool_ids: tuple[str, ...]


SmokeStep: TypeAlias = SayStep | ToolStep | ToolsetStep


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseLimits:
    """What a gate may spend. `reruns` is how often a run may be restarted after an infrastructure error."""

    sessions: int
    minutes: int = 30
    judge_calls: int = 0
    reruns: int = 1


class CanaryMetric(StrEnum):
    """What a conversation tells without a model; each is a share of conversations, and less is better."""

    ERRORS = "errors"
    ESCALATIONS = "escalations"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryCondition:
    """
    What a share of the candidate's conversations may be.

    `at_most` is the share itself; `increase` is how much it may be above that of the old version;
    None: not asked.
    """

    metric: CanaryMetric
    at_most: float | None = None
    increase: float | None = None


NO_WORSE = (
    CanaryCondition(metric=CanaryMetric.ERRORS, increase=0.0),
    CanaryCondition(metric=CanaryMetric.ESCALATIONS, increase=0.0),
)
"""What a step asks for where the file does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryStep:
    """
    A share of the traffic, and what must be seen before the next step.

    `percent` is 1 to 100, `hold` the least time, `conversations` the least number of the candidate's.
    """

    percent: int
    hold: timedelta = timedelta()
    conversations: int = 0
    conditions: tuple[CanaryCondition, ...] = NO_WORSE


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """One release file. References are keys of the tree."""

    name: str
    app: str
    file: str
    """The path of the file in the tree."""
    deployment: str
    candidate: str = ""
    """The reference of the version that the deployment's file names: `versions/<key>`."""
    suites: tuple[Suite, ...] = ()
    scores: tuple[ScoreDemand, ...] = ()
    judges: tuple[JudgeDemand, ...] = ()
    baseline: str = ""
    """`deployed`, or the path of a reviewed report in the tree; empty: none."""
    smoke: tuple[SmokeStep, ...] = ()
    smoke_deployment: str = ""
    smoke_tools: ToolBehavior = ToolBehavior.FAKE
    limits: ReleaseLimits
    canary: tuple[CanaryStep, ...] = ()
    """Empty: all traffic at once."""
    evidence_age: timedelta = DEFAULT_AGE
    digest: str = ""
    """Of everything that the file says, so that a later edit is noticed."""

    @property
    def held(self) -> str:
        """The reference of the deployment that it owns: `deployments/<key>`."""
        return f"deployments/{self.deployment}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a part of the gate looked at: a smoke step, or a judged case."""

    subject: str
    verdict: EvaluationVerdict
    text: str = ""
    """What was expected and what was found; empty if it passed."""
    is_required: bool = True
    """False for what is only reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartReport:
    """
    What the smoke test or the judges found. A part without findings has shown nothing.

    `sessions` and `calls` are what it spent.
    """

    findings: tuple[Finding, ...] = ()
    sessions: int = 0
    calls: int = 0
