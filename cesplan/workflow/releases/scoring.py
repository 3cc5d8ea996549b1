"""Scores of a release: the observed turns of golden conversations, scored as in ADK."""

from collections.abc import Iterator, Sequence

from cesplan.domain.features.evaluation import Demand
from cesplan.domain.features.gate import FoundScore
from cesplan.domain.features.release import ScoreDemand
from cesplan.domain.live import LiveApp
from cesplan.features.evaluation.found_results import FoundResults
from cesplan.features.scores.goldens import score_runs
from cesplan.workflow.evaluation.observing import ObservedEvaluation, observations


def scores_of(
    demands: Sequence[ScoreDemand], demand: Demand, results: FoundResults, live: LiveApp
) -> tuple[FoundScore, ...]:
    """Every required score of every evaluation of a run; scenarios and goldens without answers have none."""
    if not demands:
        return ()
    observed = observations(demand, results, live)
    return tuple(found for item in observed for found in _scores(demands, item))


def _scores(demands: Sequence[ScoreDemand], item: ObservedEvaluation) -> Iterator[FoundScore]:
    """The mean over the comparable turns of all repeats; none if a repeat has no score."""
    reference = item.demanded.reference
    for demand in demands:
        metric = demand.criterion.metric
        why = item.unsupported
        if not why and not any(metric not in turn.incomparable for turn in item.expected):
            why = "nothing to compare with"
        if why:
            yield FoundScore(demand=demand, reference=reference, applies=False, reason=why)
        elif not item.runs:
            yield FoundScore(demand=demand, reference=reference, reason="there is no result")
        else:
            found = score_runs(demand.criterion, item.expected, item.runs).metric
            yield FoundScore(demand=demand, reference=reference, value=found.score, reason=found.reason)
