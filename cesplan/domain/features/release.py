"""
Releases: what a release file of the tree requires before a deployment serves a version.

A release file is never sent. It names a deployment of its app, and the version in that deployment's file is the
candidate. All requirements are fixed before anything runs, so no result can lower them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import timedelta
from enum import StrEnum
from typing import Any, TypeAlias

from cesplan.domain.features.evaluation import EvaluationChoice, EvaluationVerdict, Method, ToolBehavior
from cesplan.domain.features.scores import Criterion, Rubric
from cesplan.domain.frozen import dataclass

HELD_FIELDS = ("appVersion", "experimentConfig")
"""The fields of the deployment that a release owns; plans and drift reports leave them alone."""

DEPLOYED = "deployed"
"""The name of the baseline that is the currently served version of the deployment."""

DEFAULT_AGE = timedelta(hours=24)
"""The default maximum age of evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """
    When a suite passes. Everything that is set must hold.

    `each` is how many repeats of every evaluation must pass, written as `2 of 3` in the file. `rate` is the
    required pass rate over all results. With `confidence`, the one-sided lower bound of Wilson's interval must
    reach the rate too.
    """

    each: int = 1
    rate: float | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """Evaluations that run together. No repeat of a `critical` one may fail, whatever the requirement."""

    name: str
    selection: EvaluationChoice
    repeats: int = 1
    method: Method = Method.STABLE
    tools: ToolBehavior = ToolBehavior.FAKE
    requirement: Requirement = Requirement()
    critical: tuple[str, ...] = ()
    """Keys of evaluations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreDemand:
    """A score that cesplan computes from the observed turns. A score that is only reported decides nothing."""

    criterion: Criterion
    is_required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeDemand:
    """
    A score that a model gives, by the name of ADK's criterion.

    `samples` is how often the judge is asked about each turn. Each sample counts against the limit.
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
    """What a reply must show. None is not checked; an empty tuple of tools means no calls at all."""

    tools: tuple[str, ...] | None = None
    """Keys, display names, or tool ids, called in this order; other calls may occur in between."""
    transfers: tuple[str, ...] | None = None
    """Agents that the conversation is transferred to, in this order."""
    agent: str | None = None
    """The agent that replies last."""
    says: tuple[str, ...] = ()
    """Texts that the reply must contain, ignoring case."""
    never_says: tuple[str, ...] = ()
    ends: bool | None = None
    """Whether the session ends with the reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SayStep:
    """Something the user says. Steps continue one session, unless a step begins a new one."""

    say: str
    expect: SmokeExpectation = SmokeExpectation()
    variables: Mapping[str, Any] = field(default_factory=dict)
    starts_session: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStep:
    """A tool that runs without a model. `mocks` are `MockedToolCall`s of the API."""

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    mocks: Sequence[Mapping[str, Any]] = ()
    response: Mapping[str, Any] | None = None
    """Members that the response must contain; None accepts any response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsetStep:
    """A toolset whose tools are listed, to check that these tool ids exist."""

    toolset: str
    tool_ids: tuple[str, ...]


SmokeStep: TypeAlias = SayStep | ToolStep | ToolsetStep


def sessions_in(steps: Iterable[SmokeStep]) -> int:
    """How many sessions the steps begin."""
    says = [item for item in steps if isinstance(item, SayStep)]
    return sum(item.starts_session or number == 0 for number, item in enumerate(says))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseLimits:
    """The budget of a gate. `reruns` is how often a run may restart after an infrastructure error."""

    sessions: int
    minutes: int = 30
    judge_calls: int = 0
    reruns: int = 1


class CanaryMetric(StrEnum):
    """What conversations show without a model. Each metric is a share of conversations; less is better."""

    ERRORS = "errors"
    ESCALATIONS = "escalations"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryCondition:
    """
    A limit on a share of the candidate's conversations.

    `at_most` limits the share itself, `increase` how much it may exceed the share of the old version. None: no
    limit.
    """

    metric: CanaryMetric
    at_most: float | None = None
    increase: float | None = None


NO_WORSE = (
    CanaryCondition(metric=CanaryMetric.ERRORS, increase=0.0),
    CanaryCondition(metric=CanaryMetric.ESCALATIONS, increase=0.0),
)
"""The default conditions of a step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryStep:
    """
    A share of the traffic, and what must be observed before the next step.

    `percent` is 1 to 100, `hold` the minimum time, `conversations` the minimum number of the candidate's
    conversations.
    """

    percent: int
    hold: timedelta = timedelta()
    conversations: int = 0
    conditions: tuple[CanaryCondition, ...] = NO_WORSE


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """One release file. It refers to resources by keys of the tree."""

    name: str
    app: str
    file: str
    """The path of the file in the tree."""
    deployment: str
    candidate: str = ""
    """The candidate, `versions/<key>`: the version named in the deployment's file."""
    suites: tuple[Suite, ...] = ()
    scores: tuple[ScoreDemand, ...] = ()
    judges: tuple[JudgeDemand, ...] = ()
    baseline: str = ""
    """`deployed`, or the path of a reviewed report in the tree; empty for no baseline."""
    smoke: tuple[SmokeStep, ...] = ()
    smoke_deployment: str = ""
    smoke_tools: ToolBehavior = ToolBehavior.FAKE
    limits: ReleaseLimits
    canary: tuple[CanaryStep, ...] = ()
    """Empty to move all traffic at once."""
    evidence_age: timedelta = DEFAULT_AGE
    digest: str = ""
    """Covers the whole file, so that a later edit is noticed."""

    @property
    def held(self) -> str:
        """The reference of the deployment that it owns: `deployments/<key>`."""
        return f"deployments/{self.deployment}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PartFinding:
    """The result of one check in a part of the gate: a smoke step, or a judged case."""

    subject: str
    verdict: EvaluationVerdict
    text: str = ""
    """What was expected and what was observed; empty if it passed."""
    is_required: bool = True
    """False if it is only reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartReport:
    """
    The findings of the smoke test or the judges. A part without findings does not pass.

    `sessions` and `calls` are the sessions and judge calls that it used.
    """

    findings: tuple[PartFinding, ...] = ()
    sessions: int = 0
    calls: int = 0
