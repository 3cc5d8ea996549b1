"""
Scoring: the cases of an eval set and their runs, against criteria.

The score of a criterion is the mean over all turns of all runs. A case without results or with different turns,
or a criterion without a score, has not passed, even where ADK would leave it out.
"""

from collections.abc import Iterator, Mapping, Sequence

from cesplan.domain.features.scores import (
    RESPONSE_MATCH,
    TRAJECTORY,
    CaseScore,
    Criterion,
    ExpectedCase,
    MatchType,
    MetricScore,
    NotEvaluated,
    ObservedCase,
    ScoreReport,
    ScoreStatus,
    Turn,
)
from cesplan.features.scores.response_match import response_match_score
from cesplan.features.scores.trajectory import trajectory_score

_CLOSE = 1e-6
"""The largest rounding difference: a recorded score that differs by more was computed from other data."""


def scored(
    eval_set: str,
    expected: Sequence[ExpectedCase],
    observed: Sequence[ObservedCase],
    criteria: Sequence[Criterion],
    *,
    runs: int = 0,
    has_default_criteria: bool = False,
) -> ScoreReport:
    """All cases, in the order of the eval set. `runs` is the required number per case; 0: at least one."""
    by_id: dict[str, list[ObservedCase]] = {case.eval_id: [] for case in expected}
    unknown = dict.fromkeys(item.eval_id for item in observed if item.eval_id not in by_id)
    for item in observed:
        if item.eval_id in by_id:
            by_id[item.eval_id].append(item)
    return ScoreReport(
        eval_set=eval_set,
        criteria=tuple(criteria),
        cases=tuple(score_case(case, by_id[case.eval_id], criteria, runs=runs) for case in expected),
        notices=(*_of_criteria(criteria), *(f"`{name}` is not a case of the eval set" for name in unknown)),
        has_default_criteria=has_default_criteria,
    )


def score_case(
    expected: ExpectedCase, observed: Sequence[ObservedCase], criteria: Sequence[Criterion], *, runs: int = 0
) -> CaseScore:
    """One case over all of its runs."""
    problem = problem_of(expected, observed, runs)
    metrics = tuple(score_metric(item, expected, observed, problem) for item in criteria)
    return CaseScore(
        eval_id=expected.eval_id,
        runs=len(observed),
        metrics=metrics,
        notices=() if problem else tuple(_notices(expected, observed, metrics)),
    )


def score_metric(
    criterion: Criterion, expected: ExpectedCase, observed: Sequence[ObservedCase], problem: str = ""
) -> MetricScore:
    """One criterion of a case. `problem` says why nothing can be compared."""
    why = problem or criterion.unsupported
    if not why:
        try:
            found = [_turn_scores(criterion, expected.turns, run.turns) for run in observed]
        except NotEvaluated as error:
            why = str(error)
    if why:
        return MetricScore(criterion=criterion, status=ScoreStatus.NOT_EVALUATED, reason=why)
    score = _mean([score for run in found for score in run])
    status = ScoreStatus.PASSED if score >= criterion.threshold else ScoreStatus.FAILED
    return MetricScore(criterion=criterion, status=status, score=score, runs=tuple(map(tuple, found)))


def _turn_scores(criterion: Criterion, expected: Sequence[Turn], actual: Sequence[Turn]) -> list[float]:
    """The score of each turn; both sides have the same number of turns. Raises NotEvaluated."""
    pairs = zip(actual, expected, strict=True)
    if criterion.metric == TRAJECTORY:
        match, ignore_args = criterion.match_type, criterion.ignore_args
        return [
            trajectory_score(ours.calls, theirs.calls, match, ignore_args=ignore_args) for ours, theirs in pairs
        ]
    if criterion.metric == RESPONSE_MATCH:
        return [response_match_score(ours.response, theirs.response) for ours, theirs in pairs]
    raise NotEvaluated(reason="not a metric that is computed here")


def problem_of(expected: ExpectedCase, observed: Sequence[ObservedCase], runs: int) -> str:
    """Why a case cannot be scored at all; empty if it can."""
    if expected.unsupported:
        return expected.unsupported
    if not expected.turns:
        return "the case has no turns"
    if not observed:
        return "the case has no result"
    if len(observed) < runs:
        return f"the case has {len(observed)} of {runs} runs"
    if len(observed) > runs > 0:
        return f"the case has {len(observed)} runs where {runs} {'is' if runs == 1 else 'are'} demanded"
    return next(filter(None, (_problem_of_run(expected, run) for run in observed)), "")


def _problem_of_run(expected: ExpectedCase, run: ObservedCase) -> str:
    if run.problem:
        return run.problem
    if len(run.turns) != len(expected.turns):
        return f"{len(expected.turns)} turns are expected, but a run has {len(run.turns)}"
    for number, (ours, theirs) in enumerate(zip(run.turns, expected.turns, strict=True), 1):
        if ours.user and theirs.user and ours.user != theirs.user:
            return f"the user says something else in turn {number} of a run: the eval set changed since"
    return ""


def _mean(scores: Sequence[float | None]) -> float:
    """The mean of scores computed here, where none is missing."""
    return sum(score or 0.0 for score in scores) / len(scores)


def _of_criteria(criteria: Sequence[Criterion]) -> Iterator[str]:
    for item in criteria:
        if item.threshold <= 0 and not item.unsupported:
            yield f"every score meets the threshold {item.threshold:g} of `{item.metric}`"


def _notices(
    expected: ExpectedCase, observed: Sequence[ObservedCase], metrics: Sequence[MetricScore]
) -> Iterator[str]:
    for metric in metrics:
        yield from _allowed_calls(metric.criterion, expected, observed)
        yield from _other_scores(metric, observed)


def _allowed_calls(
    criterion: Criterion, expected: ExpectedCase, observed: Sequence[ObservedCase]
) -> Iterator[str]:
    """Turns that a looser match lets pass although nothing was expected."""
    if criterion.metric != TRAJECTORY or criterion.unsupported or criterion.match_type is MatchType.EXACT:
        return
    for number, theirs in enumerate(expected.turns):
        if not theirs.calls and any(run.turns[number].calls for run in observed):
            yield f"turn {number + 1} expects no call, and {criterion.match_type} lets any call pass"


def _other_scores(metric: MetricScore, observed: Sequence[ObservedCase]) -> Iterator[str]:
    name = metric.criterion.metric
    recorded: Mapping[int, float] = {
        number: run.recorded[name] for number, run in enumerate(observed) if name in run.recorded
    }
    for number, score in recorded.items():
        if number < len(metric.runs) and abs(_mean(metric.runs[number]) - score) > _CLOSE:
            yield (
                f"the results record {score:g} as `{name}` of run {number + 1}, which scores"
                f" {_mean(metric.runs[number]):g} here: its settings, the eval set, or the version were others"
            )
