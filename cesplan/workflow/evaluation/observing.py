"""Observing: the observed turns of golden conversations, for scoring and judging."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from cesplan.domain.address import KindName
from cesplan.domain.features.evaluation import Demand, Demanded
from cesplan.domain.features.judges import (
    COHERENCE,
    FINAL_MATCH,
    HALLUCINATIONS,
    RESPONSE_RUBRICS,
    SAFETY,
    JudgeCase,
)
from cesplan.domain.features.scores import (
    RESPONSE_MATCH,
    AgentContext,
    ExpectedCase,
    ObservedCase,
)
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.value import Body
from cesplan.features.evaluation.found_results import FoundResults, evaluation_of
from cesplan.features.scores.goldens import (
    TRANSFER,
    MappedTurn,
    Names,
    expected_turns,
    observed_turns,
    outcomes_of,
)
from cesplan.model.kinds import AGENTS, EVALUATIONS, TOOLS

SCENARIO = "the turns of a scenario are in its conversation, which cesplan does not read"
_NO_ANSWER = "no answer is expected, and none was observed"
_OF_ANSWERS = (RESPONSE_RUBRICS, HALLUCINATIONS, SAFETY, COHERENCE)
"""Criteria for the agent's answers that do not depend on the expected ones."""
_LONGEST_INSTRUCTION = 20_000
"""The most characters of an agent's instruction that a judge sees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedEvaluation:
    """One evaluation of a demand: the turns that it expects, and those of each of its results."""

    demanded: Demanded
    expected: Sequence[MappedTurn]
    runs: Sequence[Sequence[MappedTurn]]
    unsupported: str = ""
    """Why nothing can be compared; empty: it can."""


def observations(
    demand: Demand, results: FoundResults, live: LiveApp, shown: Callable[[Body], Body] = lambda body: body
) -> tuple[ObservedEvaluation, ...]:
    """Every evaluation of a demand, in order. `shown` hides secrets in the contexts of agents."""
    by_name = {item.name: item for item in live.children.get(EVALUATIONS, ())}
    names, context = names_of(live), _Contexts(live, shown)
    bodies: dict[str, list[Body]] = {}
    for name, body in results.bodies:
        bodies.setdefault(evaluation_of(name), []).append(body)
    return tuple(
        _observed(item, by_name.get(item.name), bodies.get(item.name, []), names, context)
        for item in demand.evaluations
    )


def judge_cases(
    demand: Demand, results: FoundResults, live: LiveApp, shown: Callable[[Body], Body] = lambda body: body
) -> tuple[JudgeCase, ...]:
    """The golden conversations of a run with their observed turns."""
    found = observations(demand, results, live, shown)
    return tuple(judge_case(item) for item in found if not item.unsupported)


def expected_cases(demand: Demand, live: LiveApp) -> tuple[JudgeCase, ...]:
    """
    The golden conversations of a run as judges will see them, answered as expected, for counting requests.
    """
    found = observations(demand, FoundResults(), live)
    return tuple(
        judge_case(replace(item, runs=[item.expected] * item.demanded.repeats(demand.settings)))
        for item in found
        if not item.unsupported
    )


def judge_case(item: ObservedEvaluation) -> JudgeCase:
    """An evaluation for judges, with the turns that do not count for a criterion."""
    return JudgeCase(
        expected=_expected_case(item),
        observed=[_observed_case(item, run) for run in item.runs],
        left_out={
            FINAL_MATCH: dict(_without_reference(item)),
            **{metric: dict(_without_answer(item)) for metric in _OF_ANSWERS},
        },
    )


def names_of(live: LiveApp) -> Names:
    """The names of the tools and agents of a live app."""
    return Names(tools=_titles(live, TOOLS), agents=_titles(live, AGENTS))


def _observed(
    item: Demanded, live: LiveResource | None, bodies: Sequence[Body], names: Names, context: "_Contexts"
) -> ObservedEvaluation:
    golden = live.body.get("golden") if live else None
    if not isinstance(golden, dict):
        why = SCENARIO if live else "the evaluation no longer exists"
        return ObservedEvaluation(demanded=item, expected=(), runs=(), unsupported=why)
    runs = [observed_turns(golden, outcomes_of(body), names) for body in bodies]
    return ObservedEvaluation(
        demanded=item,
        expected=expected_turns(golden, names),
        runs=[tuple(map(context.with_context, run)) for run in runs],
    )


def _expected_case(item: ObservedEvaluation) -> ExpectedCase:
    turns = tuple(mapped.turn for mapped in item.expected)
    return ExpectedCase(eval_id=item.demanded.reference, turns=turns)


def _observed_case(item: ObservedEvaluation, run: Sequence[MappedTurn]) -> ObservedCase:
    return ObservedCase(eval_id=item.demanded.reference, turns=tuple(mapped.turn for mapped in run))


def _without_reference(item: ObservedEvaluation) -> Iterator[tuple[int, str]]:
    for number, turn in enumerate(item.expected, 1):
        if why := turn.incomparable.get(RESPONSE_MATCH):
            yield number, why


def _without_answer(item: ObservedEvaluation) -> Iterator[tuple[int, str]]:
    """Turns in which no answer was expected and none was given in any run."""
    for number, turn in enumerate(item.expected):
        responses = [run[number].turn.response for run in item.runs if number < len(run)]
        if not turn.turn.response and not any(responses):
            yield number + 1, _NO_ANSWER


class _Contexts:
    """The context of the agents that took part in a turn."""

    def __init__(self, live: LiveApp, shown: Callable[[Body], Body]) -> None:
        agents = {item.name: item for item in live.children.get(AGENTS, ())}
        self._titles = _titles(live, AGENTS)
        self._instructions = {
            self._titles.get(name, item.id): _instruction(shown(item.body)) for name, item in agents.items()
        }
        self._root = self._titles.get(str(live.app.body.get("rootAgent") or ""), "")
        self._tools = [
            {"name": item.title, "description": _description(item.body)}
            for item in live.children.get(TOOLS, ())
        ]

    def with_context(self, mapped: MappedTurn) -> MappedTurn:
        """
        The turn with the instructions of the root agent and of those that it was transferred to, and the tools.
        """
        handed = [
            str((call.args or {}).get("agent_name")) for call in mapped.turn.calls if call.name == TRANSFER
        ]
        names = [name for name in dict.fromkeys([self._root, *handed]) if self._instructions.get(name)]
        context = AgentContext(
            instructions={name: self._instructions[name] for name in names}, tools=self._tools or None
        )
        return replace(mapped, turn=replace(mapped.turn, context=context))


def _instruction(body: Body) -> str:
    return str(body.get("instruction") or "")[:_LONGEST_INSTRUCTION]


def _description(body: Body) -> str:
    """The description of a tool, wherever its type has it."""
    places = [body, *(value for value in body.values() if isinstance(value, dict))]
    return next((str(place["description"]) for place in places if place.get("description")), "")


def _titles(live: LiveApp, kind: KindName) -> Mapping[str, str]:
    listed = live.children.get(kind, ())
    return {item.name: str(item.body["displayName"]) for item in listed if item.body.get("displayName")}
