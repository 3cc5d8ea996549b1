"""
Judges: a model is asked about what an agent said and did, and its answers are counted.

Every question costs money, so each is counted before it is sent. A judge that does not answer, or whose answer
cannot be read, has not judged: nothing passes by that.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Protocol

from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.domain.features.release import Finding, PartReport
from cesplan.domain.features.scores import CaseScore, ExpectedCase, MetricScore, ObservedCase, ScoreStatus
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Body

FINAL_MATCH = "final_response_match_v2"
RESPONSE_RUBRICS = "rubric_based_final_response_quality_v1"
TOOL_RUBRICS = "rubric_based_tool_use_quality_v1"
HALLUCINATIONS = "hallucinations_v1"
SAFETY = "safety_v1"
COHERENCE = "response_evaluation_score"

JUDGED = (FINAL_MATCH, RESPONSE_RUBRICS, TOOL_RUBRICS, HALLUCINATIONS, SAFETY, COHERENCE)
"""The criteria that are judged here, by ADK's names."""

SAMPLED = frozenset({FINAL_MATCH, RESPONSE_RUBRICS, TOOL_RUBRICS})
"""Those that take a majority of samples; the others ask once."""

DEFAULT_MODEL = "gemini-2.5-flash"
"""The judge of ADK where a criterion names none."""

VERDICTS: Mapping[ScoreStatus, EvaluationVerdict] = MappingProxyType(
    {
        ScoreStatus.PASSED: EvaluationVerdict.PASSED,
        ScoreStatus.FAILED: EvaluationVerdict.FAILED,
        ScoreStatus.NOT_EVALUATED: EvaluationVerdict.INCONCLUSIVE,
    }
)
"""What a gate makes of a status: without a judgment nothing is known."""


@dataclass(kw_only=True, eq=False)
class JudgeFailed(Exception):
    """
    A question that has no answer; `reason` is a clause without a period. Nothing is known by it.

    `is_outage`: the judge did not answer however often it was asked, so it may not answer others either.
    """

    reason: str
    is_outage: bool = False

    def __str__(self) -> str:
        return self.reason


class Judge(Protocol):
    """What asks a model. Safe to share between threads."""

    def evaluate(self, body: Body, may_send: Callable[[], str]) -> Body:
        """
        Send one request of evaluateInstances and return the response.

        `may_send` is called before each time it is sent, and says why not; empty: it may. Raises JudgeFailed
        where there is no answer, and CesplanError for what no other question would survive either.
        """

    def interrupt(self) -> None:
        """Wait for nothing any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeLimits:
    """What judging may take: requests, retries included, and seconds; and how many go side by side."""

    calls: int
    seconds: float = 1800.0
    workers: int = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCase:
    """
    Runs of a case that are judged; `observed` are its runs, each with as many turns as are expected.

    Where nothing is expected beforehand (a scenario), `expected` has no turns; then criteria that compare with
    an expected answer have no score. `left_out` says by metric which turns, from 1, say nothing there, and why;
    a criterion without any other turn has no score.
    """

    expected: ExpectedCase
    observed: Sequence[ObservedCase]
    left_out: Mapping[str, Mapping[int, str]] = field(default_factory=dict)

    def is_left_out(self, metric: str, turn: int) -> bool:
        """Whether a turn, from 1, says nothing in a metric."""
        return turn in self.left_out.get(metric, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeReport:
    """Every criterion of every case. `calls` were sent, of `expected_calls`."""

    cases: Sequence[CaseScore]
    expected_calls: int
    calls: int = 0
    required: frozenset[str] = frozenset()
    """The metrics that decide; others are only reported."""

    def part(self) -> PartReport:
        """As a part of a gate: one finding for each criterion of each case."""
        return PartReport(
            findings=tuple(self._finding(case.eval_id, item) for case in self.cases for item in case.metrics),
            calls=self.calls,
        )

    def _finding(self, eval_id: str, item: MetricScore) -> Finding:
        missed = f"{item.score} < {item.criterion.threshold:g}" if item.score is not None else ""
        return Finding(
            subject=f"{eval_id}: {item.criterion.metric}",
            verdict=VERDICTS[item.status],
            text="" if item.status is ScoreStatus.PASSED else item.reason or missed,
            is_required=item.criterion.metric in self.required,
        )
