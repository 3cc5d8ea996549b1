"""Eval sets of ADK: cases with the turns that are expected."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.features.scores import ExpectedCase
from cesplan.domain.frozen import dataclass
from cesplan.features.scores.adk.invocations import invocation_of, rubric_document, rubrics_of, turn_of
from cesplan.features.scores.adk.shapes import EvalCase, document_of, shaped
from cesplan.features.scores.adk.shapes import EvalSet as Shape

SCENARIO = "the case is a scenario for a simulated user and has no expected turns"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSession:
    """
    The parts of a case besides its turns: the session state at its beginning and end. For a case without turns,
    `plan` is what the simulated user does, and `opening` are its first words.
    """

    state: Mapping[str, Any] = field(default_factory=dict)
    final_state: Mapping[str, Any] = field(default_factory=dict)
    opening: str = ""
    plan: str = ""


_EMPTY = CaseSession()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSet:
    """`sessions` has what there is to say of cases beside their turns, by `eval_id`."""

    eval_set_id: str
    cases: Sequence[ExpectedCase]
    app_name: str = ""
    user_id: str = "user"
    sessions: Mapping[str, CaseSession] = field(default_factory=dict)


def read_eval_set(text: str, name: str) -> EvalSet:
    """
    The eval set of a file.

    Raises InvalidConfiguration for what ADK does not load, and for two cases of one id.
    """
    return eval_set_of(document_of(text, name), name)


def eval_set_of(document: Any, name: str) -> EvalSet:
    """The same of a JSON value."""
    found = shaped(Shape, document, name, "an eval set")
    seen: set[str] = set()
    for case in found.eval_cases:
        if (case.conversation is None) == (case.conversation_scenario is None):
            raise InvalidConfiguration(
                summary=f"{name} is not an eval set.",
                detail=f"The case `{case.eval_id}` needs either `conversation` or `conversation_scenario`.",
            )
        if case.eval_id in seen:
            raise InvalidConfiguration(
                summary=f"{name} has two cases with the id `{case.eval_id}`.",
                detail="Results name cases by their id: give each case its own.",
            )
        seen.add(case.eval_id)
    return EvalSet(eval_set_id=found.eval_set_id, cases=tuple(map(_case, found.eval_cases)))


def eval_set_text(eval_set: EvalSet) -> str:
    """The text of the file that ADK loads. A case has its turns, or else the plan of a simulated user."""
    document = {
        "eval_set_id": eval_set.eval_set_id,
        "name": eval_set.eval_set_id,
        "eval_cases": [_written(case, eval_set) for case in eval_set.cases],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _written(case: ExpectedCase, eval_set: EvalSet) -> dict[str, Any]:
    session = eval_set.sessions.get(case.eval_id, _EMPTY)
    document: dict[str, Any] = {"eval_id": case.eval_id}
    if session.plan:
        document["conversation_scenario"] = {
            "starting_prompt": session.opening,
            "conversation_plan": session.plan,
        }
    else:
        document["conversation"] = [
            invocation_of(turn, f"{case.eval_id}-{number}") for number, turn in enumerate(case.turns, 1)
        ]
    document["session_input"] = {
        "app_name": eval_set.app_name,
        "user_id": eval_set.user_id,
        "state": dict(session.state),
    }
    if case.rubrics:
        document["rubrics"] = [rubric_document(item) for item in case.rubrics]
    if session.final_state:
        document["final_session_state"] = dict(session.final_state)
    return document


def _case(case: EvalCase) -> ExpectedCase:
    if case.conversation is None:
        return ExpectedCase(eval_id=case.eval_id, unsupported=SCENARIO)
    turns = tuple(map(turn_of, case.conversation))
    return ExpectedCase(eval_id=case.eval_id, turns=turns, rubrics=rubrics_of(case.rubrics))
