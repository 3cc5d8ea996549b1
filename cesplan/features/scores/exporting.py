"""
Exporting: CES evaluations as an ADK eval set and test configuration, with a list of the losses.

Turns are independent in CES where the method is stable; ADK plays a conversation as a whole. One configuration
holds for all cases, so thresholds of single evaluations, turns, and expectations have no place in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cesplan.domain.features.evaluation import AdkExport, EvaluationToExport, ExportedCase, Thresholds, TurnLoss
from cesplan.domain.features.judges import DEFAULT_MODEL, FINAL_MATCH, HALLUCINATIONS, RESPONSE_RUBRICS
from cesplan.domain.features.scores import (
    TRAJECTORY,
    Criterion,
    ExpectedCase,
    JudgeOptions,
    MatchType,
    Rubric,
)
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body, as_object
from cesplan.features.scores.adk.criteria import criteria_text
from cesplan.features.scores.adk.eval_sets import CaseSession, EvalSet, eval_set_text
from cesplan.features.scores.goldens import MappedTurn, Names, expected_turns, first_state

OPENING = "Hello."
"""The first words of a simulated user, which CES does not specify."""
_RUBRIC_TYPE = "FINAL_RESPONSE_QUALITY"
_EXTRA_CALLS = "extra tool calls"
_TOOL_CALLS = ("tool calls", "tool parameters")
_SIMILARITY = "semantic similarity"
_JUDGE = JudgeOptions(model=DEFAULT_MODEL)


def exported(
    app: str,
    source: str,
    evaluations: Sequence[EvaluationToExport],
    names: Names,
    prompts: Mapping[str, str],
) -> AdkExport:
    """
    Both files, for evaluations of one app; `prompts` are those of its expectations, by reference.

    Cases have the keys of the evaluations as ids.
    """
    mapped = {item.key: _turns(item, names) for item in evaluations}
    rubrics = {item.key: _rubrics(item.body, prompts) for item in evaluations}
    eval_set = EvalSet(
        eval_set_id=app,
        app_name=app,
        cases=tuple(
            ExpectedCase(
                eval_id=item.key,
                turns=tuple(one.turn for one in mapped[item.key]),
                rubrics=rubrics[item.key],
            )
            for item in evaluations
        ),
        sessions={item.key: _session(item.body) for item in evaluations},
    )
    criteria, lost = _criteria(evaluations, mapped, rubrics)
    return AdkExport(
        app=app,
        source=source,
        eval_set=eval_set_text(eval_set),
        config=criteria_text(criteria),
        cases=tuple(_case(item, mapped[item.key], criteria) for item in evaluations),
        lost=tuple(lost),
    )


def _turns(item: EvaluationToExport, names: Names) -> tuple[MappedTurn, ...]:
    golden = item.body.get("golden")
    return expected_turns(golden, names) if isinstance(golden, dict) else ()


def _case(item: EvaluationToExport, turns: Sequence[MappedTurn], criteria: Sequence[Criterion]) -> ExportedCase:
    losses = [
        TurnLoss(turn=number, lost=tuple(turn.lost), incomparable=_incomparable(turn, criteria))
        for number, turn in enumerate(turns, 1)
    ]
    scenario = item.body.get("scenario")
    return ExportedCase(
        eval_id=item.key,
        reference=item.reference,
        is_scenario=isinstance(scenario, dict),
        turns=tuple(loss for loss in losses if loss.lost or loss.incomparable),
        lost=tuple(
            _scenario_losses(scenario) if isinstance(scenario, dict) else _golden_losses(item.body, turns)
        ),
    )


def _incomparable(turn: MappedTurn, criteria: Sequence[Criterion]) -> Mapping[str, str]:
    found = dict(turn.incomparable)
    match = next((item.match_type for item in criteria if item.metric == TRAJECTORY), MatchType.EXACT)
    if turn.allows_no_call and match is not MatchType.EXACT:
        found.setdefault(TRAJECTORY, f"no call is allowed, and {match} lets any call pass")
    return found


def _golden_losses(body: Body, turns: Sequence[MappedTurn]) -> Iterator[str]:
    if not turns:
        yield "the conversation has no turns: ADK does not evaluate it"
    if len(turns) > 1:
        yield "that each turn begins after the expected ones: ADK plays the conversation as a whole"
    if body.get("evaluationMetricsConfigOverride"):
        yield "which metrics are switched off"


def _scenario_losses(scenario: Body) -> Iterator[str]:
    yield f"the user's first words, which CES leaves to its simulated user: `{OPENING}` is written"
    if scenario.get("userFacts"):
        yield "the facts of the user as data: they are part of the plan, as text"
    if scenario.get("scenarioExpectations"):
        yield "the expected tool calls and answers of the scenario, with their mocked responses"
    for name in ("maxTurns", "taskCompletionBehavior", "userGoalBehavior", "scenarioExecutionMode"):
        if scenario.get(name):
            yield f"`{name}`"


def _session(body: Body) -> CaseSession:
    golden, scenario = body.get("golden"), body.get("scenario")
    if isinstance(golden, dict):
        return CaseSession(state=first_state(golden), final_state=_final_state(golden))
    found: Body = as_object(scenario)
    return CaseSession(state=found.get("variableOverrides") or {}, opening=OPENING, plan=_plan(found))


def _final_state(golden: Body) -> dict[str, Any]:
    """The variables that are expected at the end: the last value of each."""
    steps = [step for turn in golden.get("turns") or () for step in turn.get("steps") or ()]
    expected = [step["expectation"] for step in steps if "expectation" in step]
    return {name: value for item in expected for name, value in (item.get("updatedVariables") or {}).items()}


def _plan(scenario: Body) -> str:
    facts = [f"- {fact.get('name', '')}: {fact.get('value', '')}" for fact in scenario.get("userFacts") or ()]
    task = str(scenario.get("task") or "").strip() or "Talk to the agent."
    return "\n".join([task, "", "What you know:", *facts]) if facts else task


def _rubrics(body: Body, prompts: Mapping[str, str]) -> tuple[Rubric, ...]:
    """Expectations about the whole conversation, and rubrics of a scenario, as rubrics of a case."""
    part: Body = body.get("golden") or body.get("scenario") or {}
    shared = [
        Rubric(key=last_id(reference), text=prompts[reference], type=_RUBRIC_TYPE)
        for reference in map(str, part.get("evaluationExpectations") or ())
        if prompts.get(reference)
    ]
    own = [
        Rubric(key=f"rubric-{number}", text=str(text), type=_RUBRIC_TYPE)
        for number, text in enumerate(part.get("rubrics") or (), 1)
    ]
    return (*shared, *own)


def _criteria(
    evaluations: Sequence[EvaluationToExport],
    mapped: Mapping[str, Sequence[MappedTurn]],
    rubrics: Mapping[str, Sequence[Rubric]],
) -> tuple[list[Criterion], list[str]]:
    """One criterion per metric for all cases, and the CES settings that they cannot express."""
    goldens = [item for item in evaluations if mapped[item.key]]
    criteria: list[Criterion] = []
    lost: list[str] = []
    if goldens:
        criteria.append(Criterion(metric=TRAJECTORY, threshold=1.0, match_type=_match_type(goldens)))
        lost += _call_losses(goldens)
    if any(turn.turn.response for item in goldens for turn in mapped[item.key]):
        criteria.append(Criterion(metric=FINAL_MATCH, threshold=1.0, judge=_JUDGE))
        lost.append(
            f"the thresholds of {_SIMILARITY} (0 to 4): a judge says of each answer whether it is valid"
        )
    if goldens and all(item.thresholds.get("hallucination") == "ENABLED" for item in evaluations):
        criteria.append(Criterion(metric=HALLUCINATIONS, threshold=1.0, judge=_JUDGE))
    elif any(item.thresholds.get("hallucination") == "ENABLED" for item in evaluations):
        lost.append("the check of hallucinations, which only some evaluations have")
    if rubrics and all(rubrics.values()):
        criteria.append(Criterion(metric=RESPONSE_RUBRICS, threshold=1.0, judge=_JUDGE))
    elif any(rubrics.values()):
        lost.append(
            f"`{RESPONSE_RUBRICS}`: ADK evaluates it only if every case has rubrics; the cases that have some"
            " keep them"
        )
    if goldens and len(goldens) < len(evaluations):
        lost.append("scenarios have no expected turns, which these criteria need: export them apart")
    return criteria, lost


def _match_type(goldens: Sequence[EvaluationToExport]) -> MatchType:
    """Extra calls pass only if all evaluations allow them."""
    allowed = all(item.thresholds.get(_EXTRA_CALLS) == "ALLOW" for item in goldens)
    return MatchType.IN_ORDER if allowed else MatchType.EXACT


def _call_losses(goldens: Sequence[EvaluationToExport]) -> Iterator[str]:
    yield "that CES compares only the expected parameters of a call: ADK compares all of them"
    if len({_bar(item.thresholds) for item in goldens}) > 1:
        yield "thresholds of single evaluations: one configuration holds for all"
    if any(_number(item.thresholds, name) < 1.0 for item in goldens for name in _TOOL_CALLS):
        yield "thresholds of tool calls below 1: in ADK a turn has all its calls or fails"
    if len({item.thresholds.get(_EXTRA_CALLS) for item in goldens}) > 1:
        yield "that some evaluations allow extra calls: EXACT is written for all"


def _bar(thresholds: Thresholds) -> tuple[tuple[str, str | float], ...]:
    return tuple(sorted(thresholds.items()))


def _number(thresholds: Thresholds, name: str) -> float:
    value = thresholds.get(name, 1.0)
    return value if isinstance(value, float) else 1.0
