"""
Judges: a model judges what an agent said and did, and its answers are counted.

Every request costs money, so it is counted before it is sent. If a judge does not answer, or its answer cannot
be parsed, there is no judgment, and nothing passes without one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Protocol

from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.domain.features.release import PartFinding, PartReport
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
"""The criteria that cesplan can have judged, by their ADK names."""

SAMPLED = frozenset({FINAL_MATCH, RESPONSE_RUBRICS, TOOL_RUBRICS})
"""The criteria decided by a majority of samples; the others ask once."""

DEFAULT_MODEL = "gemini-2.5-flash"
"""ADK's default judge model for criteria that name none."""

VERDICTS: Mapping[ScoreStatus, EvaluationVerdict] = MappingProxyType(
    {
        ScoreStatus.PASSED: EvaluationVerdict.PASSED,
        ScoreStatus.FAILED: EvaluationVerdict.FAILED,
        ScoreStatus.NOT_EVALUATED: EvaluationVerdict.INCONCLUSIVE,
    }
)
"""The verdict of a gate for each status; without a judgment it is inconclusive."""


@dataclass(kw_only=True, eq=False)
class JudgeFailed(Exception):
    """
    A request to a judge failed; `reason` is a clause without a period.

    `is_outage`: the judge did not answer any retry either, so other requests would probably fail too.
    """

    reason: str
    is_outage: bool = False

    def __str__(self) -> str:
        return self.reason


class Judge(Protocol):
    """The connection to a model. Safe to share between threads."""

    def evaluate(self, body: Body, may_send: Callable[[], str]) -> Body:
        """
        Send one evaluateInstances request and return the response.

        `may_send` is called before every attempt; it returns why the request may not be sent, or an empty text.
        Raises JudgeFailed if there is no answer, and CesplanError for a failure that would affect every other
        request too.
        """

    def interrupt(self) -> None:
        """Stop waiting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeLimits:
    """The limits of judging: requests (retries included), seconds, and concurrent requests."""

    calls: int
    seconds: float = 1800.0
    workers: int = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCase:
    """
    A case to judge. `observed` are its runs, each with as many turns as are expected.

    If nothing is expected beforehand (a scenario), `expected` has no turns, and criteria that compare with an
    expected answer have no score. `left_out` holds, by metric, the turns (from 1) that cannot be judged, and
    why. A criterion for which no turns remain has no score.
    """

    expected: ExpectedCase
    observed: Sequence[ObservedCase]
    left_out: Mapping[str, Mapping[int, str]] = field(default_factory=dict)

    def is_left_out(self, metric: str, turn: int) -> bool:
        """Whether a turn, counted from 1, is left out of a metric."""
        return turn in self.left_out.get(metric, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeReport:
    """Every criterion of every case. `calls` is the number of requests sent, of `expected_calls`."""

    cases: Sequence[CaseScore]
    expected_calls: int
    calls: int = 0
    required: frozenset[str] = frozenset()
    """The metrics that decide the verdict; others are only reported."""

    def part(self) -> PartReport:
        """The report as a part of a gate: one finding for each criterion of each case."""
        return PartReport(
            findings=tuple(self._finding(case.eval_id, item) for case in self.cases for item in case.metrics),
            calls=self.calls,
        )

    def _finding(self, eval_id: str, item: MetricScore) -> PartFinding:
        missed = f"{item.score} < {item.criterion.threshold:g}" if item.score is not None else ""
        return PartFinding(
            subject=f"{eval_id}: {item.criterion.metric}",
            verdict=VERDICTS[item.status],
            text="" if item.status is ScoreStatus.PASSED else item.reason or missed,
            is_required=item.criterion.metric in self.required,
        )
