"""Scores: how well the conversations of an agent match what was expected."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any

from cesplan.domain.frozen import dataclass

TRAJECTORY = "tool_trajectory_avg_score"
RESPONSE_MATCH = "response_match_score"


@dataclass(kw_only=True, eq=False)
class NotEvaluated(Exception):
    """The score of an input cannot be determined. `reason` is a clause without a period."""

    reason: str

    def __str__(self) -> str:
        return self.reason


class MatchType(StrEnum):
    """How the expected tool calls of a turn must appear among the actual ones."""

    EXACT = "EXACT"
    IN_ORDER = "IN_ORDER"
    ANY_ORDER = "ANY_ORDER"


class ScoreStatus(StrEnum):
    """The status of a criterion, a case, or all cases."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_EVALUATED = "not-evaluated"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """
    One tool call. A transfer to another agent is a call of `transfer_to_agent`.

    If `args` is None the arguments are absent, which is not the same as an empty object.
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
    One thing that an agent did before its final response.

    `name` is the tool of a call or of a response. `content` is a text, the arguments of a call, or the response
    of a tool, as JSON values. `author` is the agent, empty if unknown.
    """

    kind: StepKind
    content: Any
    name: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """What an agent was given: instructions by agent name, tool declarations, retrieved sources."""

    instructions: Mapping[str, str] = field(default_factory=dict)
    tools: Any = None
    grounding: Sequence[Any] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """
    A property that a judge looks for in what the agent said or did.

    `type` is the criterion that it is for, as ADK spells it; empty for the criterion that lists it.
    """

    key: str
    text: str
    type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """
    What the user said, and how the agent acted and responded.

    `interim` are the texts before the final one, each with its author. `response` is empty if there was none.
    `steps` are everything before the response, in order; only judges get them, together with the `context`.
    """

    user: str = ""
    response: str = ""
    calls: Sequence[ToolUse] = ()
    interim: Sequence[tuple[str, str]] = ()
    steps: Sequence[TurnStep] = ()
    context: AgentContext = AgentContext()
    rubrics: Sequence[Rubric] = ()
    """The rubrics of an expected turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """
    How a model is asked about a criterion.

    `model` is its name, empty for the default of the service. `samples` is how often it is asked about a turn,
    if the criterion takes a majority. With `includes_interim`, texts before the final one are judged too.
    """

    model: str = ""
    samples: int = 5
    rubrics: Sequence[Rubric] = ()
    includes_interim: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """
    One metric and its threshold.

    `match_type` and `ignore_args` are settings of the trajectory score, `judge` those of a metric that a model
    must judge. `unsupported` says why the metric cannot be computed offline; empty if it can.
    """

    metric: str
    threshold: float
    match_type: MatchType = MatchType.EXACT
    ignore_args: bool = False
    judge: JudgeOptions | None = None
    unsupported: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedCase:
    """A case of an eval set: its turns, or why none can be compared. `rubrics` apply to all turns."""

    eval_id: str
    turns: Sequence[Turn] = ()
    rubrics: Sequence[Rubric] = ()
    unsupported: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedCase:
    """
    One run of a case. `recorded` are the scores in its file, by metric.

    `problem` says why its turns cannot be scored; empty if they can.
    """

    eval_id: str
    turns: Sequence[Turn] = ()
    recorded: Mapping[str, float] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    """The votes of a judge's samples on one subject. `unread` counts answers that could not be parsed."""

    yes: int = 0
    no: int = 0
    unread: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgment:
    """
    A judge's finding on one subject in one turn. `subject` is a rubric, or empty for the turn as a whole.

    `run` and `turn` count from 1. `score` is None if the judge gave none. `note` is the judge's answer, or why
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

    `score` is the mean over all turns of all runs. `runs` has the score of every turn, by run; None if a judge
    gave none. If there is no score, `reason` says why. `judgments` are the details from a judge.
    """

    criterion: Criterion
    status: ScoreStatus
    score: float | None = None
    runs: Sequence[Sequence[float | None]] = ()
    reason: str = ""
    judgments: Sequence[Judgment] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseScore:
    """A case: passed if all criteria are met, not evaluated if none failed but one has no score."""

    eval_id: str
    runs: int
    metrics: Sequence[MetricScore]
    notices: Sequence[str] = ()

    @property
    def status(self) -> ScoreStatus:
        return overall([item.status for item in self.metrics])


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCalls:
    """The numbers of requests to judges: sent (retries included) and expected."""

    sent: int
    expected: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReport:
    """
    All cases of an eval set. `has_default_criteria`: no configuration was given.

    `judge_calls` is None if no judge was asked.
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
    """Failed if one failed. Not evaluated if there are none, or one has no score."""
    if ScoreStatus.FAILED in statuses:
        return ScoreStatus.FAILED
    if not statuses or ScoreStatus.NOT_EVALUATED in statuses:
        return ScoreStatus.NOT_EVALUATED
    return ScoreStatus.PASSED
