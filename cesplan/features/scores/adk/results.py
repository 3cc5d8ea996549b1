"""The actual turns from ADK files: results of an eval set, or an eval set with the actual turns."""

from typing import Any

from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.features.scores import ObservedCase
from cesplan.features.scores.adk.eval_sets import eval_set_of
from cesplan.features.scores.adk.invocations import turn_of
from cesplan.features.scores.adk.shapes import EvalCaseResult, EvalSetResult, document_of, shaped


def read_results(text: str, name: str, eval_set_id: str) -> tuple[ObservedCase, ...]:
    """
    The runs of a file; a case may be there several times. Results of another eval set prove nothing.

    Raises InvalidConfiguration for what ADK does not load.
    """
    document = document_of(text, name)
    if isinstance(document, str):  # older versions of ADK encode the results twice
        document = document_of(document, name)
    match document:
        case {"eval_cases": _} | {"evalCases": _}:
            observed = eval_set_of(document, name)
            problem = _foreign(observed.eval_set_id, eval_set_id)
            return tuple(
                ObservedCase(eval_id=case.eval_id, turns=case.turns, problem=problem or case.unsupported)
                for case in observed.cases
            )
        case {"eval_case_results": _} | {"evalCaseResults": _}:
            found = shaped(EvalSetResult, document, name, "a file of results")
            return tuple(_run(item, found.eval_set_id, eval_set_id) for item in found.eval_case_results)
    raise InvalidConfiguration(
        summary=f"{name} holds no results.",
        detail="It has neither `eval_case_results`, as results of ADK do, nor `eval_cases`, as eval sets do.",
    )


def _run(item: EvalCaseResult, of_file: str, eval_set_id: str) -> ObservedCase:
    return ObservedCase(
        eval_id=item.eval_id,
        turns=tuple(turn_of(each.actual_invocation) for each in item.eval_metric_result_per_invocation),
        recorded={
            each.metric_name: each.score for each in item.overall_eval_metric_results if each.score is not None
        },
        problem=_foreign(item.eval_set_id or of_file, eval_set_id),
    )


def _foreign(found: Any, key: str) -> str:
    return "" if found == key else f"the results are of the eval set `{found}`"
