"""Scores of a release: what a run observed of golden conversations, scored as ADK does."""

from collections.abc import Iterator, Mapping, Sequence

from cesplan.domain.address import KindName
from cesplan.domain.features.evaluation import Demand
from cesplan.domain.features.gate import FoundScore
from cesplan.domain.features.judges import JudgeCase
from cesplan.domain.features.release import ScoreDemand
from cesplan.domain.features.scores import ExpectedCase, ObservedCase
from cesplan.domain.live import LiveApp, LiveResource
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


def scores_of(
    demands: Sequence[ScoreDemand], demand: Demand, results: FoundResults, live: LiveApp
) -> tuple[FoundScore, ...]:
    """Every demanded score of every evaluation of a run; scenarios and silent goldens have none."""
    goldens = {item.name: item.body.get("golden") for item in live.children.get(EVALUATIONS, ())}
    by_evaluation: dict[str, list[Body]] = {}
    for name, body in results.bodies:
        by_evaluation.setdefault(evaluation_of(name), []).append(body)
    names = _names(live)
    return tuple(
        found
        for item in demand.evaluations
        for found in _scores(
            demands, item.reference, goldens.get(item.name), by_evaluation.get(item.name, []), names
        )
    )


def expected_cases(demand: Demand, live: LiveApp) -> tuple[JudgeCase, ...]:
    """The golden conversations of a run as judges will get them, answered as expected: to count requests."""
    return tuple(
        JudgeCase(expected=case, observed=[ObservedCase(eval_id=case.eval_id, turns=case.turns)] * repeats)
        for case, repeats, _ in _cases(demand, live)
    )


def judge_cases(demand: Demand, results: FoundResults, live: LiveApp) -> tuple[JudgeCase, ...]:
    """The golden conversations of a run with everything that was observed of them."""
    names = _names(live)
    found = []
    for case, _, item in _cases(demand, live):
        golden = item.body.get("golden") or {}
        bodies = [body for name, body in results.bodies if evaluation_of(name) == item.name]
        observed = [
            ObservedCase(
                eval_id=case.eval_id,
                turns=tuple(turn.turn for turn in observed_turns(golden, outcomes_of(body), names)),
            )
            for body in bodies
        ]
        found.append(JudgeCase(expected=case, observed=observed))
    return tuple(found)


def _cases(demand: Demand, live: LiveApp) -> Iterator[tuple[ExpectedCase, int, LiveResource]]:
    """Each golden conversation of a demand, with its repeats."""
    goldens = {item.name: item for item in live.children.get(EVALUATIONS, ()) if item.body.get("golden")}
    names = _names(live)
    for item in demand.evaluations:
        if item.name in goldens:
            golden = goldens[item.name].body["golden"]
            turns = tuple(turn.turn for turn in expected_turns(golden, names))
            case = ExpectedCase(eval_id=item.reference, turns=turns)
            yield case, item.repeats(demand.settings), goldens[item.name]


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


def _names(live: LiveApp) -> Names:
    return Names(tools=_titles(live, "tools"), agents=_titles(live, "agents"))


def _titles(live: LiveApp, kind: str) -> Mapping[str, str]:
    listed = live.children.get(KindName(kind), ())
    return {item.name: str(item.body["displayName"]) for item in listed if item.body.get("displayName")}
