"""Scores: what conversations of an agent are worth beside what was expected of them."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any

from cesplan.domain.frozen import dataclass

TRAJECTORY = "tool_trajectory_avg_score"
RESPONSE_MATCH = "response_match_score"


@dataclass(kw_only=True, eq=False)
class NotEvaluated(Exception):
    """A score that has no certain value for its input; `reason` is a clause without a period."""

    reason: str

    def __str__(self) -> str:
        return self.reason


class MatchType(StrEnum):
    """How the expected tool calls of a turn must appear among the actual ones."""

    EXACT = "EXACT"
    IN_ORDER = "IN_ORDER"
    ANY_ORDER = "ANY_ORDER"


class ScoreStatus(StrEnum):
    """What became of a criterion, a case, or all cases."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_EVALUATED = "not-evaluated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """
    One tool call. A transfer to another agent is a call of `transfer_to_agent`.

    `args` None is a call whose arguments are absent, which is not the same as an empty object.
    """

    name: str | None
    args: Mapping[str, Any] | None = None


class StepKind(StrEnum):
    """What happened at one place of a turn."""

    TEXT = "text"
    CALL = "call"
    RESPONSE = "response"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStep:
    """
    One thing that an agent did before its last answer.

    `name` is the tool of a call or of a response; `content` is a text, the arguments of a call, or what a tool
    answered, as JSON values. `author` is the agent, empty if unknown.
    """

    kind: StepKind
    content: Any
    name: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """What an agent was given: instructions by the name of the agent, declarations of tools, found sources."""

    instructions: Mapping[str, str] = field(default_factory=dict)
    tools: Any = None
    grounding: Sequence[Any] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """
    A property that a judge looks for in what the agent said or did.

    `type` says which criterion it is for, as ADK spells it; empty: the one that names it.
    """

    key: str
    text: str
    type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """
    What the user said, and what the agent did and answered.

    `interim` are texts before the last one, each with its author. `response` is empty without an answer.
    `steps` are everything before the answer in its order; only judges are shown them, with the `context`.
    """

    user: str = ""
    response: str = ""
    calls: Sequence[Call] = ()
    interim: Sequence[tuple[str, str]] = ()
    steps: Sequence[TurnStep] = ()
    context: AgentContext = AgentContext()
    rubrics: Sequence[Rubric] = ()
    """Those of an expected turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """
    How a model is asked about a criterion.

    `model` is its name, empty for the default of the service; `samples` is how often it is asked about a turn,
    where the criterion takes a majority. With `includes_interim`, texts before the last one are judged too.
    """

    model: str = ""
    samples: int = 5
    rubrics: Sequence[Rubric] = ()
    includes_interim: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """
    One metric and its threshold.

    `match_type` and `ignore_args` are settings of the trajectory, `judge` those of a metric that a model must
    judge. `unsupported` says why the metric cannot be computed without asking anyone; empty: it can.
    """

    metric: str
    threshold: float
    match_type: MatchType = MatchType.EXACT
    ignore_args: bool = False
    judge: JudgeOptions | None = None
    unsupported: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedCase:
    """A case of an eval set: its turns, or why it has none to compare with. `rubrics` hold for all turns."""

    eval_id: str
    turns: Sequence[Turn] = ()
    rubrics: Sequence[Rubric] = ()
    unsupported: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedCase:
    """
    One run of a case. `recorded` are the scores that its file has, by metric.

    `problem` says why its turns prove nothing; empty: they count.
    """

    eval_id: str
    turns: Sequence[Turn] = ()
    recorded: Mapping[str, float] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    """What the samples of a judge said about one thing; `unread` are those that could not be read."""

    yes: int = 0
    no: int = 0
    unread: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgment:
    """
    What a judge found in one turn, about one thing: `subject` is a rubric, or empty for the turn as a whole.

    `run` and `turn` count from 1. `score` is None where the judge gave none. `note` is what it said, or why
    there is no score.
    """

    run: int
    turn: int
    score: float | None
    subject: str = ""
    votes: Votes | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricScore:
    """
    One criterion of one case, over all of its runs.

    `score` is the mean of all turns of all runs; `runs` has the score of every turn, by run, None for a turn
    that a judge gave none. Without a score, `reason` says why. `judgments` are the details of a judge.
    """

    criterion: Criterion
    status: ScoreStatus
    score: float | None = None
    runs: Sequence[Sequence[float | None]] = ()
    reason: str = ""
    judgments: Sequence[Judgment] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseScore:
    """A case: passed if every criterion was met, not evaluated if one has no score and none failed."""

    eval_id: str
    runs: int
    metrics: Sequence[MetricScore]
    notices: Sequence[str] = ()

    @property
    def status(self) -> ScoreStatus:
        return overall([item.status for item in self.metrics])


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCalls:
    """Requests to judges: how many were sent, repetitions included, and how many were expected."""

    sent: int
    expected: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReport:
    """
    All cases of an eval set. `has_default_criteria`: no configuration was given.

    `judge_calls` is None where no judge was asked.
    """

    eval_set: str
    criteria: Sequence[Criterion]
    cases: Sequence[CaseScore]
    notices: Sequence[str] = ()
    has_default_criteria: bool = False
    judge_calls: JudgeCalls | None = None

    @property
    def status(self) -> ScoreStatus:
        return overall([item.status for item in self.cases])


def overall(statuses: Sequence[ScoreStatus]) -> ScoreStatus:
    """One failure fails all; nothing at all, or one without a score, is not a pass."""
    if ScoreStatus.FAILED in statuses:
        return ScoreStatus.FAILED
    if not statuses or ScoreStatus.NOT_EVALUATED in statuses:
        return ScoreStatus.NOT_EVALUATED
    return ScoreStatus.PASSED
