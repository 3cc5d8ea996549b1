"""Scores of an eval set, for machines."""

from typing import Literal, Self

from cesplan.domain.features.scores import (
    TRAJECTORY,
    JudgeOptions,
    MatchType,
    MetricScore,
    ScoreReport,
    ScoreStatus,
)
from cesplan.render.machine.formats.base import Document, Format


class VotesJson(Format):
    """The votes of a judge's samples on one question."""

    yes: int
    """How many samples said yes."""
    no: int
    """How many samples said no."""
    unread: int
    """How many could not be read."""


class JudgmentJson(Format):
    """The verdict of a judge on one turn."""

    run: int
    """The run, from 1."""
    turn: int
    """The turn, from 1."""
    subject: str
    """The id of the rubric; empty for the turn as a whole."""
    score: float | None
    """The score; null if the judge gave none."""
    votes: VotesJson | None
    """The votes of the samples; null if the judge was asked once."""
    note: str
    """The judge's explanation, or the reason why there is no score."""


class JudgeSettingsJson(Format):
    """How a judge is asked about a criterion."""

    model: str
    """The model; empty for the default of the service."""
    samples: int
    """How many times the judge is asked about a turn, if a majority decides."""
    rubrics: tuple[str, ...]
    """The ids of the rubrics of the criterion."""

    @classmethod
    def of(cls, options: JudgeOptions) -> Self:
        return cls.from_value(options, rubrics=tuple(item.key for item in options.rubrics))


class JudgeCallsJson(Format):
    """Requests to judges."""

    sent: int
    """How many were sent, including retries."""
    expected: int
    """How many were expected."""


class MetricScoreJson(Format):
    """One criterion of one case, over all of its runs."""

    metric: str
    """The name of the metric."""
    status: ScoreStatus
    """`passed`, `failed`, or `not-evaluated` where there is no score."""
    score: float | None
    """The mean over all turns of all runs; null if there is none."""
    threshold: float
    """The smallest score that passes."""
    match_type: MatchType | None
    """For a trajectory: how calls must match; null for other metrics."""
    ignore_args: bool
    """For a trajectory: whether only the names of calls count."""
    turns: tuple[tuple[float | None, ...], ...]
    """The score of each turn, by run; null if a judge gave none."""
    reason: str
    """The reason why there is no score; empty if there is one."""
    judge: JudgeSettingsJson | None
    """How a judge is asked about it; null if it is computed."""
    judgments: tuple[JudgmentJson, ...]
    """The judge's verdicts, turn by turn."""

    @classmethod
    def of(cls, item: MetricScore) -> Self:
        criterion = item.criterion
        match_type = criterion.match_type if criterion.metric == TRAJECTORY else None
        return cls.from_value(item, criterion, match_type=match_type, turns=tuple(map(tuple, item.runs)))


class CaseScoreJson(Format):
    """One case of the eval set."""

    eval_id: str
    """The id of the case."""
    status: ScoreStatus
    """`failed` if a criterion is missed, else `not-evaluated` if one has no score, else `passed`."""
    runs: int
    """How many runs the results have."""
    metrics: tuple[MetricScoreJson, ...]
    """Every criterion of the configuration."""
    notices: tuple[str, ...]
    """Notices about the case."""


class ScoreCounts(Format):
    """The number of cases."""

    cases: int
    """The total number."""
    passed: int
    """How many met every criterion."""
    failed: int
    """How many missed a threshold."""
    not_evaluated: int
    """How many missed no threshold but lack a score."""


class ScoreReportJson(Document):
    """`cesplan score --format json`."""

    eval_set: str
    """The id of the eval set."""
    criteria_from: Literal["config", "defaults"]
    """Whether a configuration was given, or the criteria are ADK's defaults."""
    status: ScoreStatus
    """The verdict on all cases. Without a case or a criterion, it is `not-evaluated`."""
    summary: ScoreCounts
    """The numbers."""
    cases: tuple[CaseScoreJson, ...]
    """Every case of the eval set, in order."""
    notices: tuple[str, ...]
    """Notices about the whole report."""
    judge_calls: JudgeCallsJson | None
    """The requests to judges; null if there were none."""
    exit_code: int
    """The exit code of the command."""

    @classmethod
    def of(cls, report: ScoreReport, *, exit_code: int) -> Self:
        found = [case.status for case in report.cases]
        return cls.from_value(
            report,
            criteria_from="defaults" if report.has_default_criteria else "config",
            summary=ScoreCounts(
                cases=len(found),
                passed=found.count(ScoreStatus.PASSED),
                failed=found.count(ScoreStatus.FAILED),
                not_evaluated=found.count(ScoreStatus.NOT_EVALUATED),
            ),
            exit_code=exit_code,
        )
