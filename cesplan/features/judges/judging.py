"""
Judging: all turns of all runs of all cases, side by side, within the limits, with one score for each criterion.

Without a judge's decision, nothing passes. ADK's own evaluation is more lenient:
- a turn whose judge failed or wrote nothing readable is left out of the mean there;
- a rubric that the judge did not answer is left out there;
- a sentence that was not checked, or has no known label, is left out there;
- a case with a criterion that was not evaluated passes there by its other criteria.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from cesplan.domain.errors import CesplanError
from cesplan.domain.features.judges import (
    FINAL_MATCH,
    JUDGED,
    RESPONSE_RUBRICS,
    TOOL_RUBRICS,
    Judge,
    JudgeCase,
    JudgeFailed,
    JudgeLimits,
    JudgeReport,
)
from cesplan.domain.features.release import JudgeDemand
from cesplan.domain.features.scores import (
    CaseScore,
    Criterion,
    JudgeOptions,
    MetricScore,
    Rubric,
    ScoreStatus,
    Turn,
)
from cesplan.domain.service.side_by_side import result_of, side_by_side
from cesplan.domain.value import Body
from cesplan.features.judges.spending import Spending, expected_calls
from cesplan.features.judges.turns import TurnToJudge, is_sampled, of_samples, sample, whole
from cesplan.features.judges.votes import TurnFound, metric_of

_NO_JUDGE = "no judge is configured, so none was asked"
_TYPES = {RESPONSE_RUBRICS: "FINAL_RESPONSE_QUALITY", TOOL_RUBRICS: "TOOL_USE_QUALITY"}
"""The type that a rubric outside of a criterion must have, as ADK spells it."""


def judge_turns(
    demands: Sequence[JudgeDemand], cases: Sequence[JudgeCase], client: Judge | None, limits: JudgeLimits
) -> JudgeReport:
    """
    Judge the observed turns of the cases of a release file.

    All `demands` are judged in every case. `client` asks a model (`cesplan.workflow.scores.judging.judge_of`
    makes one); with None, everything is inconclusive. `limits.calls` limits all requests together, retries
    included; if more are expected, nothing is sent. A result is also inconclusive if there are no cases, if the
    limit is reached, or if a judge does not answer. Raises CesplanError for an error that every question would
    have, such as missing credentials or permissions.

    `judge_turns(...).part()` is the PartReport of a gate. Pass every turn of every run, including those that
    contain more than a turn of ADK can hold. `samples` of a demand is for criteria that take a majority
    (`SAMPLED`); other criteria need one request for each turn.
    """
    criteria = [criterion_of(item) for item in demands]
    required = frozenset(item.metric for item in demands if item.is_required)
    return judged(criteria, cases, client, limits, required=required)


def criterion_of(demand: JudgeDemand) -> Criterion:
    """A demand of a release file as a criterion."""
    options = JudgeOptions(model=demand.model, samples=demand.samples, rubrics=demand.rubrics)
    return Criterion(metric=demand.metric, threshold=demand.threshold, judge=options)


def judged(
    criteria: Sequence[Criterion],
    cases: Sequence[JudgeCase],
    client: Judge | None,
    limits: JudgeLimits,
    *,
    required: frozenset[str] | None = None,
) -> JudgeReport:
    """The same for criteria. `required` are the metrics that must pass; by default, all of them."""
    expected = expected_calls(criteria, cases)
    spending = Spending(limits)
    problem = _NO_JUDGE if client is None else _too_many(expected, limits)
    if client is None or problem:
        found = [[_unasked(item, problem) for item in criteria] for _ in cases]
    else:
        with side_by_side(limits.workers, client.interrupt) as pool:
            panel = _Panel(client, spending, pool)
            pending = [[panel.metric(item, case) for item in criteria] for case in cases]
            found = [[metric() for metric in of_case] for of_case in pending]
    return JudgeReport(
        cases=tuple(
            CaseScore(eval_id=case.expected.eval_id, runs=len(case.observed), metrics=tuple(metrics))
            for case, metrics in zip(cases, found, strict=True)
        ),
        expected_calls=expected,
        calls=spending.calls,
        required=frozenset(item.metric for item in criteria) if required is None else required,
    )


class _Panel:
    """The judges of one call of `judged`: the client, its budget, and its threads."""

    def __init__(self, client: Judge, spending: Spending, pool: ThreadPoolExecutor) -> None:
        self._client = client
        self._spending = spending
        self._pool = pool

    def metric(self, criterion: Criterion, case: JudgeCase) -> Callable[[], MetricScore]:
        """Ask all questions of a criterion; calling the result waits for the answers."""
        try:
            items = _items(criterion, case)
        except JudgeFailed as error:
            return partial(_unasked, criterion, error.reason)
        pending = [self._turn(item) for item in items]
        return lambda: metric_of(criterion, [found() for found in pending], len(case.observed))

    def _turn(self, item: TurnToJudge) -> Callable[[], TurnFound]:
        if not is_sampled(item):
            return partial(result_of, self._pool.submit(whole, item, self._ask))
        futures = [self._pool.submit(sample, item, self._ask) for _ in range(item.options.samples)]
        return lambda: of_samples(item, [result_of(future) for future in futures])

    def _ask(self, body: Body) -> Body:
        try:
            found = self._client.evaluate(body, self._spending.may_send)
        except JudgeFailed as error:
            self._spending.note(is_outage=error.is_outage)
            raise
        except CesplanError:
            self._spending.stop()  # the same error would fail every other question
            raise
        self._spending.note(is_outage=False)
        return found


def _items(criterion: Criterion, case: JudgeCase) -> list[TurnToJudge]:
    """Every turn of every run. Raises JudgeFailed where not all of them can be judged."""
    if why := _problem(criterion, case):
        raise JudgeFailed(reason=why)
    expected = case.expected.turns
    found = [
        TurnToJudge(
            criterion=criterion,
            run=run_number,
            turn=number + 1,
            actual=turn,
            expected=expected[number] if expected else None,
            rubrics=_rubrics(criterion, case, expected[number] if expected else Turn()),
        )
        for run_number, run in enumerate(case.observed, 1)
        for number, turn in enumerate(run.turns)
        if not case.is_left_out(criterion.metric, number + 1)
    ]
    if not found:
        raise JudgeFailed(reason=f"no turn is comparable: {_why_none(criterion, case)}")
    return found


def _why_none(criterion: Criterion, case: JudgeCase) -> str:
    return next(iter(case.left_out.get(criterion.metric, {}).values()), "the case has no turns")


def _rubrics(criterion: Criterion, case: JudgeCase, expected: Turn) -> Sequence[Rubric]:
    if criterion.metric not in (RESPONSE_RUBRICS, TOOL_RUBRICS):
        return ()
    return _rubrics_in_force(criterion, case.expected.rubrics, expected.rubrics)


def _problem(criterion: Criterion, case: JudgeCase) -> str:
    """Why a criterion cannot be judged in a case at all."""
    expected = len(case.expected.turns)
    if criterion.metric not in JUDGED:
        return "cesplan does not ask a judge about this criterion"
    if criterion.judge and criterion.judge.samples < 1:
        return "the number of samples is 0"
    if case.expected.unsupported:
        return case.expected.unsupported
    if criterion.metric == FINAL_MATCH and not expected:
        return "no answer is expected, so there is nothing to compare with"
    if not case.observed or not all(run.turns for run in case.observed):
        return "the case has no result"
    for run in case.observed:
        if run.problem:
            return run.problem
        if expected and len(run.turns) != expected:
            return f"{expected} turns are expected, but a run has {len(run.turns)}"
    return ""


def _unasked(criterion: Criterion, why: str) -> MetricScore:
    return MetricScore(criterion=criterion, status=ScoreStatus.NOT_EVALUATED, reason=why)


def _too_many(expected: int, limits: JudgeLimits) -> str:
    if expected <= limits.calls:
        return ""
    return f"judging takes at least {expected:,} requests, and the limit is {limits.calls:,}: nothing was asked"


def _rubrics_in_force(
    criterion: Criterion, of_case: Sequence[Rubric], of_turn: Sequence[Rubric]
) -> tuple[Rubric, ...]:
    """
    The rubrics for a judge, without duplicates. Raises JudgeFailed if there is none, if one has no text, and if
    two differ under one id, because it would be unclear which of them was judged.
    """
    types = _TYPES[criterion.metric]
    named = criterion.judge.rubrics if criterion.judge else ()
    found: dict[str, Rubric] = {}
    for item in (*named, *(one for one in (*of_case, *of_turn) if one.type == types)):
        known = found.setdefault(item.key, item)
        if known.text != item.text:
            raise JudgeFailed(reason=f"two rubrics have the id `{item.key}`")
        if not item.text.strip():
            raise JudgeFailed(reason=f"the rubric `{item.key}` has no text")
    if not found:
        raise JudgeFailed(reason="neither the criterion nor the case has a rubric")
    return tuple(found.values())
