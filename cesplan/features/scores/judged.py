"""Scores from judges: the runs that can be judged, and the results next to the computed scores."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cesplan.domain.features.judges import JudgeCase, JudgeReport
from cesplan.domain.features.scores import (
    CaseScore,
    Criterion,
    ExpectedCase,
    JudgeCalls,
    MetricScore,
    ObservedCase,
    ScoreReport,
)
from cesplan.features.scores.scoring import problem_of


def criteria_to_judge(criteria: Sequence[Criterion]) -> tuple[Criterion, ...]:
    """The criteria that only a judge can decide; computable criteria are never sent to one."""
    return tuple(replace(item, unsupported="") for item in criteria if item.judge is not None)


def cases_to_judge(
    expected: Sequence[ExpectedCase], observed: Sequence[ObservedCase], runs: int = 0
) -> tuple[JudgeCase, ...]:
    """The cases that can be compared at all: asking about others would cost money and prove nothing."""
    by_id: dict[str, list[ObservedCase]] = {}
    for item in observed:
        by_id.setdefault(item.eval_id, []).append(item)
    return tuple(
        JudgeCase(expected=case, observed=tuple(by_id[case.eval_id]))
        for case in expected
        if case.eval_id in by_id and not problem_of(case, by_id[case.eval_id], runs)
    )


def with_judgments(report: ScoreReport, judged: JudgeReport) -> ScoreReport:
    """The report with the results of the judges in place of missing scores."""
    found = {case.eval_id: {item.criterion.metric: item for item in case.metrics} for case in judged.cases}
    return replace(
        report,
        cases=tuple(_judged(case, found.get(case.eval_id, {})) for case in report.cases),
        judge_calls=JudgeCalls(sent=judged.calls, expected=judged.expected_calls),
    )


def _judged(case: CaseScore, found: Mapping[str, MetricScore]) -> CaseScore:
    return replace(case, metrics=tuple(found.get(item.criterion.metric, item) for item in case.metrics))
