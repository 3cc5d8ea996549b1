"""Scores as JUnit XML: every case is a test case; one that could not be evaluated is an error."""

from cesplan.domain.features.scores import CaseScore, MetricScore, ScoreReport, ScoreStatus
from cesplan.features.scores.text_report import sums
from cesplan.render.scores import notes_of, said_of, turns_of
from cesplan.render.services.junit import Case, suite


def scores_junit(report: ScoreReport) -> str:
    """The XML of a report; no cases or no criteria is an error, because CI would otherwise show success."""
    cases = [_case(report, case) for case in report.cases]
    if not cases or not report.criteria:
        cases.append(Case(group=report.eval_set, name="score", error=(sums(report), sums(report))))
    return suite("cesplan score", cases)


def _case(report: ScoreReport, case: CaseScore) -> Case:
    failed, unknown, passed = (
        [_metric_text(item) for item in case.metrics if item.status is status]
        for status in (ScoreStatus.FAILED, ScoreStatus.NOT_EVALUATED, ScoreStatus.PASSED)
    )
    against = [*failed, *unknown]
    failure = (against[0].partition("\n")[0], "\n".join(against)) if against else None
    return Case(
        group=report.eval_set,
        name=case.eval_id,
        failure=failure if failed else None,
        error=failure if failure and not failed else None,
        output=[*passed, *case.notices],
    )


def _metric_text(metric: MetricScore) -> str:
    text = "; ".join(filter(None, (said_of(metric), turns_of(metric))))
    return "\n".join([text, *(f"  {note}" for note in notes_of(metric))])
