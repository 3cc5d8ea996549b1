"""
Evaluation runs: the demand, the results, and the verdict.

The demand is fixed before a run starts, and all results are checked against it. A missing result never passes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import TypeAlias

from cesplan.domain.features.scores import JudgeCalls, MetricScore
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import last_id
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body


class EvaluationVerdict(StrEnum):
    """The verdict on an evaluation. It is inconclusive only if the results say nothing about the agent."""

    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"

    @property
    def rank(self) -> int:
        """The worst has the lowest."""
        return (self.FAILED, self.INCONCLUSIVE, self.PASSED).index(self)


def worst_verdict(verdicts: Iterable[EvaluationVerdict]) -> EvaluationVerdict:
    """The worst of several verdicts; failed if there are none, because nothing was shown."""
    return min(verdicts, key=lambda item: item.rank, default=EvaluationVerdict.FAILED)


class Channel(StrEnum):
    """How the simulated user talks to the agent."""

    TEXT = "text"
    AUDIO = "audio"


class Method(StrEnum):
    """
    How a golden conversation is replayed.

    With `stable`, every turn runs in its own session, which begins with the expected earlier turns. With
    `naive`, one session runs all turns.
    """

    STABLE = "stable"
    NAIVE = "naive"


class ToolBehavior(StrEnum):
    """Whether tools really run or their fakes answer."""

    REAL = "real"
    FAKE = "fake"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationChoice:
    """The requested evaluations: the union of everything named."""

    datasets: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Patterns over display names, keys, and addresses."""
    everything: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.datasets or self.tags or self.names or self.everything)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaTasks:
    """A persona that plays the user: its resource name, its display name, and its runs of each scenario."""

    persona: str
    title: str = ""
    tasks: int = 1

    def __str__(self) -> str:
        return f"{self.title or last_id(self.persona)} ×{self.tasks}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """
    The settings of a run. `version` is the id of a version, empty for the draft.

    If `repeats` is 0, the service decides: a golden conversation runs once, a scenario five times. With
    `personas`, each persona plays a scenario `tasks` times, and `repeats` does not count.
    """

    version: str = ""
    channel: Channel = Channel.TEXT
    method: Method = Method.STABLE
    tools: ToolBehavior = ToolBehavior.REAL
    repeats: int = 1
    personas: tuple[PersonaTasks, ...] = ()


_SCENARIO_REPEATS = 5
"""The documented default of `runCount` for scenarios; it is 1 for golden conversations."""

Thresholds: TypeAlias = Mapping[str, str | float]
"""A threshold by its name, with the documented defaults for unset ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demanded:
    """
    One evaluation that must pass.

    `reference` is `evaluations/<key>`. `turns` is 0 for a scenario. `digest` covers everything that the
    evaluation demands, so that a later edit is noticed.
    """

    name: str
    reference: str
    display_name: str
    turns: int
    thresholds: Thresholds = field(default_factory=dict)
    digest: str = ""
    update_time: str = ""

    @property
    def is_golden(self) -> bool:
        return self.turns > 0

    def sessions(self, settings: RunSettings) -> int:
        """The minimum number of sessions for all repeats."""
        per_repeat = self.turns if self.is_golden and settings.method is Method.STABLE else 1
        return per_repeat * self.repeats(settings)

    def repeats(self, settings: RunSettings) -> int:
        """How often it is run."""
        if settings.personas and not self.is_golden:
            return sum(item.tasks for item in settings.personas)
        return settings.repeats or (1 if self.is_golden else _SCENARIO_REPEATS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """
    What a run must show.

    `app` is the resource name of the app and `app_key` its key. `dataset` is the resource name of the dataset
    to run, empty if evaluations are named one by one.
    """

    app: str
    app_key: str
    evaluations: tuple[Demanded, ...]
    settings: RunSettings = RunSettings()
    version_name: str = ""
    """The display name of the version, for people."""
    dataset: str = ""

    @property
    def sessions(self) -> int:
        """The minimum number of sessions that the run takes."""
        return sum(item.sessions(self.settings) for item in self.evaluations)

    @property
    def results(self) -> int:
        return sum(item.repeats(self.settings) for item in self.evaluations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """
    Why something did not pass. `verdict` is failed or inconclusive.

    `is_measured` is true for a failure that the service itself found. A requirement such as `2 of 3` may allow
    some results that have no other problems.
    """

    text: str
    verdict: EvaluationVerdict = EvaluationVerdict.FAILED
    is_measured: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A score from the service. `threshold` is the effective one, None if there is none."""

    name: str
    value: float
    threshold: float | None = None
    turn: int = 0
    """Counts from 1; 0 for the whole conversation."""
    outcome: str = ""
    explanation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationStep:
    """The expectation and the observation at one place of a conversation, both as text."""

    turn: int
    what: str
    """`tool call`, `agent response`, `agent transfer`, …"""
    expected: str
    observed: str
    outcome: str
    """PASS, FAIL, or SKIPPED; empty if the service sent none."""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """An expectation of the whole conversation, judged by a model."""

    prompt: str
    outcome: str
    explanation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundResult:
    """The result of one repeat of one evaluation."""

    name: str
    verdict: EvaluationVerdict
    problems: tuple[Problem, ...] = ()
    steps: tuple[ConversationStep, ...] = ()
    scores: tuple[Score, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    persona: str = ""
    """The name of the persona that played the user; empty if there was none."""
    turn_seconds: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundEvaluation:
    """One evaluation: all its repeats, and the problems with it as a whole."""

    demanded: Demanded
    repeats: int
    """How many results were required."""
    results: tuple[FoundResult, ...] = ()
    problems: tuple[Problem, ...] = ()
    criteria: tuple[MetricScore, ...] = ()
    """The requested ADK criteria, over all repeats. The unmet ones are also in `problems`."""

    @property
    def passed(self) -> int:
        return sum(item.verdict is EvaluationVerdict.PASSED for item in self.results)

    @property
    def verdict(self) -> EvaluationVerdict:
        found = [*(item.verdict for item in self.results), *(item.verdict for item in self.problems)]
        if len(self.results) < self.repeats and not self.problems:
            return EvaluationVerdict.FAILED
        return worst_verdict(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """How long something took, in seconds."""

    what: str
    p50: float
    p90: float
    calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """This run against an earlier one. All lists hold `evaluations/<key>`."""

    baseline: str
    """A description of the baseline."""
    regressions: tuple[str, ...] = ()
    """Passed in the baseline but not here."""
    fixes: tuple[str, ...] = ()
    """Passed here but not in the baseline."""
    added: tuple[str, ...] = ()
    """Here but not in the baseline."""
    missing: tuple[str, ...] = ()
    """In the baseline but not here."""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """One run, checked against its demand."""

    service: Settings
    demand: Demand
    run: str
    """The resource name of the run."""
    display_name: str = ""
    state: str = ""
    create_time: str = ""
    initiated_by: str = ""
    evaluations: tuple[FoundEvaluation, ...] = ()
    problems: tuple[Problem, ...] = ()
    """Problems with the run as a whole."""
    latencies: tuple[Latency, ...] = ()
    sessions: int | None = None
    """The number of sessions that the service counted; None if unknown."""
    comparison: RunComparison | None = None
    notices: tuple[str, ...] = ()
    judge_calls: JudgeCalls | None = None
    """The report of the judges; None if none were asked."""

    @property
    def run_id(self) -> str:
        return last_id(self.run)

    @property
    def verdict(self) -> EvaluationVerdict:
        if not self.evaluations:
            return EvaluationVerdict.FAILED
        return worst_verdict(
            [*(item.verdict for item in self.evaluations), *(item.verdict for item in self.problems)]
        )

    def count(self, verdict: EvaluationVerdict) -> int:
        """The number of evaluations with this verdict."""
        return sum(item.verdict is verdict for item in self.evaluations)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationToExport:
    """
    `reference` is `evaluations/<key>`, `body` has `golden` or `scenario`, `thresholds` are the effective ones.
    """

    reference: str
    title: str
    body: Body
    thresholds: Thresholds = field(default_factory=dict)

    @property
    def key(self) -> str:
        return self.reference.partition("/")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLoss:
    """What is lost from a turn, and by metric why the turn cannot be scored; `turn` counts from 1."""

    turn: int
    lost: Sequence[str] = ()
    incomparable: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedCase:
    """One evaluation as a case. `lost` is what is lost from the evaluation as a whole."""

    eval_id: str
    reference: str
    is_scenario: bool
    turns: Sequence[TurnLoss] = ()
    """The turns that lose something."""
    lost: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AdkExport:
    """The texts of both files. `lost` is what the test configuration cannot express."""

    app: str
    source: str
    """`tree` or `live`."""
    eval_set: str
    config: str
    cases: Sequence[ExportedCase]
    lost: Sequence[str] = ()
