"""Scores of a release: what a run observed of golden conversations, scored as ADK does."""

from collections.abc import Iterator, Sequence

from cesplan.domain.features.evaluation import Demand
from cesplan.domain.features.gate import FoundScore
from cesplan.domain.features.release import ScoreDemand
from cesplan.domain.live import LiveApp
from cesplan.domain.value import Body
from cesplan.features.evaluation.choice import EVALUATIONS
from cesplan.features.evaluation.found_results import FoundResults, evaluation_of
from cesplan.features.scores.goldens import (
    MappedTurn,
    Names,
    expected_turns,
    observed_turns,
    outcomes_of,
    score_mapped,
)
from cesplan.workflow.evaluation.observing import names_of


def scores_of(
    demands: Sequence[ScoreDemand], demand: Demand, results: FoundResults, live: LiveApp
) -> tuple[FoundScore, ...]:
    """Every demanded score of every evaluation of a run; scenarios and silent goldens have none."""
    goldens = {item.name: item.body.get("golden") for item in live.children.get(EVALUATIONS, ())}
    by_evaluation: dict[str, list[Body]] = {}
    for name, body in results.bodies:
        by_evaluation.setdefault(evaluation_of(name), []).append(body)
    names = names_of(live)
    return tuple(
        found
        for item in demand.evaluations
        for found in _scores(
            demands, item.reference, goldens.get(item.name), by_evaluation.get(item.name, []), names
        )
    )


def _scores(
    demands: Sequence[ScoreDemand], reference: str, golden: Body | None, results: list[Body], names: Names
) -> Iterator[FoundScore]:
    expected = expected_turns(golden, names) if golden else ()
    for demand in demands:
        metric = demand.criterion.metric
        if not any(metric not in turn.incomparable for turn in expected):
            yield FoundScore(
                demand=demand, reference=reference, applies=False, reason="nothing to compare with"
            )
        else:
            yield _score(demand, reference, golden or {}, expected, results, names)


def _score(
    demand: ScoreDemand,
    reference: str,
    golden: Body,
    expected: Sequence[MappedTurn],
    results: list[Body],
    names: Names,
) -> FoundScore:
    """The mean over the comparable turns of all repeats; a repeat without a score leaves none."""
    values: list[float] = []
    for body in results:
        found = score_mapped(
            demand.criterion, expected, observed_turns(golden, outcomes_of(body), names)
        ).metric
        if found.score is None:
            return FoundScore(demand=demand, reference=reference, reason=found.reason)
        values += [score for run in found.runs for score in run if score is not None]
    if not values:
        return FoundScore(demand=demand, reference=reference, reason="there is no result")
    return FoundScore(demand=demand, reference=reference, value=sum(values) / len(values))
