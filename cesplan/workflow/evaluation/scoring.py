"""Scoring: ADK criteria for the observed turns of a run, computed here or decided by judges."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cesplan.domain.features.evaluation import (
    Demand,
    EvaluationVerdict,
    FoundEvaluation,
    Problem,
    RunReport,
)
from cesplan.domain.features.judges import JUDGED, Judge, JudgeLimits
from cesplan.domain.features.scores import Criterion, JudgeCalls, MetricScore, ScoreStatus
from cesplan.domain.live import LiveApp
from cesplan.features.judges.judging import judged
from cesplan.features.judges.spending import expected_calls
from cesplan.features.scores.adk.criteria import read_criteria
from cesplan.features.scores.goldens import score_runs
from cesplan.features.scores.judged import criteria_to_judge
from cesplan.render.scores import notes_of, said_of
from cesplan.workflow.evaluation.observing import ObservedEvaluation, expected_cases, judge_case
from cesplan.workflow.scores.scoring import text_of_file

_VERDICTS = {
    ScoreStatus.FAILED: EvaluationVerdict.FAILED,
    ScoreStatus.NOT_EVALUATED: EvaluationVerdict.INCONCLUSIVE,
}


def criteria_of(path: Path) -> tuple[Criterion, ...]:
    """The criteria of a test configuration of ADK. Raises InvalidConfiguration."""
    return read_criteria(text_of_file(path), str(path))


def judge_calls(criteria: Sequence[Criterion], demand: Demand, live: LiveApp) -> int:
    """The number of requests to judges, if every golden conversation is answered."""
    return expected_calls(criteria_to_judge(criteria), expected_cases(demand, live))


def with_criteria(
    report: RunReport,
    observed: Sequence[ObservedEvaluation],
    criteria: Sequence[Criterion],
    judge: Judge | None,
    limits: JudgeLimits,
) -> RunReport:
    """
    The report with every criterion of every golden conversation; one that is not met has a problem.

    A criterion that needs a judge is inconclusive without one. An evaluation in which a criterion has nothing
    to compare is a notice; a criterion with nothing to compare in any evaluation is a problem of the run.
    Raises CesplanError, and InvalidConfiguration if a library is missing.
    """
    comparable = [item for item in observed if not item.unsupported and item.runs]
    found, calls = _judged(criteria, comparable, judge, limits)
    for item in comparable:
        of_item = found.setdefault(item.demanded.reference, {})
        for criterion in criteria:
            if criterion.metric not in of_item and (criterion.judge is None or judge is None):
                of_item[criterion.metric] = score_runs(criterion, item.expected, item.runs).metric
    silent = {
        (item.demanded.reference, metric.metric): why
        for item in observed
        for metric in criteria
        if (why := _why_silent(item, metric))
    }
    return replace(
        report,
        evaluations=tuple(_with(item, found, silent, criteria) for item in report.evaluations),
        problems=(*report.problems, *_never_compared(criteria, report, silent)),
        notices=(*report.notices, *_notices(silent)),
        judge_calls=calls,
    )


def _judged(
    criteria: Sequence[Criterion],
    observed: Sequence[ObservedEvaluation],
    judge: Judge | None,
    limits: JudgeLimits,
) -> tuple[dict[str, dict[str, MetricScore]], JudgeCalls | None]:
    """The scores by evaluation and metric, and the cost."""
    to_judge = criteria_to_judge(criteria)
    if judge is None or not to_judge:
        return {}, None
    report = judged(to_judge, [judge_case(item) for item in observed], judge, limits)
    found = {case.eval_id: {item.criterion.metric: item for item in case.metrics} for case in report.cases}
    return found, JudgeCalls(sent=report.calls, expected=report.expected_calls)


def _with(
    item: FoundEvaluation,
    found: Mapping[str, Mapping[str, MetricScore]],
    silent: Mapping[tuple[str, str], str],
    criteria: Sequence[Criterion],
) -> FoundEvaluation:
    reference = item.demanded.reference
    spoken = [one for one in criteria if (reference, one.metric) not in silent]
    metrics = tuple(found.get(reference, {}).get(one.metric) or _without_result(one) for one in spoken)
    return replace(item, criteria=metrics, problems=(*item.problems, *_problems(metrics)))


def _problems(metrics: Sequence[MetricScore]) -> Iterator[Problem]:
    for metric in metrics:
        if metric.status is not ScoreStatus.PASSED:
            text = "; ".join([said_of(metric), *notes_of(metric)])
            yield Problem(text=f"{text.removesuffix('.')}.", verdict=_VERDICTS[metric.status])


def _without_result(criterion: Criterion) -> MetricScore:
    why = "there is no result to compare"
    return MetricScore(criterion=criterion, status=ScoreStatus.NOT_EVALUATED, reason=why)


def _why_silent(item: ObservedEvaluation, criterion: Criterion) -> str:
    """Why a criterion does not apply to an evaluation, whatever a run observed; empty if it does."""
    if item.unsupported:
        return item.unsupported
    if criterion.metric in JUDGED:
        left_out = judge_case(item).left_out.get(criterion.metric, {})
        return next(iter(left_out.values()), "") if len(left_out) == len(item.expected) else ""
    reasons = [turn.incomparable.get(criterion.metric, "") for turn in item.expected]
    return reasons[0] if reasons and all(reasons) else ""


def _never_compared(
    criteria: Sequence[Criterion], report: RunReport, silent: Mapping[tuple[str, str], str]
) -> Iterator[Problem]:
    references = [item.demanded.reference for item in report.evaluations]
    for item in criteria:
        if references and all((reference, item.metric) in silent for reference in references):
            text = f"`{item.metric}` has nothing to compare in any evaluation."
            yield Problem(text=text, verdict=EvaluationVerdict.INCONCLUSIVE)


def _notices(silent: Mapping[tuple[str, str], str]) -> Iterator[str]:
    for (reference, metric), why in sorted(silent.items()):
        yield f"{reference} has nothing to compare in {metric}: {why}."
