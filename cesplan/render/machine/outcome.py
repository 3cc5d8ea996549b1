"""What happened, for machines: one entry for each operation of the plan, and the numbers."""

from collections.abc import Sequence
from typing import Any, assert_never

from cesplan.domain.errors import ApiError, CesplanError, InvalidConfiguration, Refused
from cesplan.domain.outcome import Applied, Failed, NotRolledBack, Outcome, Skipped, Undone, Unknown
from cesplan.domain.plan import Plan, Reason
from cesplan.render.documents import opening, text_of
from cesplan.render.machine.diagnostics import diagnostics_document
from cesplan.render.machine.plan import plan_document
from cesplan.render.text.outcome import ignore_line
from cesplan.render.words import done_counts


def outcomes_json(
    plan: Plan, outcomes: Sequence[Outcome], *, exit_code: int, undone: Sequence[Undone] = ()
) -> str:
    """
    The JSON text of an apply: the plan, what came of it, and the exit code; ended by a line feed.

    `undone` is what was taken back after a failure; where there is none, nothing is said of it.
    """
    return text_of(
        {
            **opening(),
            "exit_code": exit_code,
            "plan": plan_document(plan),
            "outcomes": [outcome_document(item) for item in outcomes],
            **({"rollback": _rollback(undone)} if undone else {}),
            "summary": _summary(outcomes),
        }
    )


def error_json(error: CesplanError, *, exit_code: int) -> str:
    """The JSON text of a command that ended in an error."""
    return text_of({**opening(), "exit_code": exit_code, "error": error_document(error)})


def error_document(error: CesplanError) -> dict[str, Any]:
    """
    An error as an object.

    `status` is the canonical code where the service answered with one, `reasons` are why a plan is refused.
    """
    found: dict[str, Any] = {
        "type": type(error).__name__,
        "summary": error.summary,
        "detail": error.detail,
    }
    if isinstance(error, ApiError):
        found |= {"status": error.status, "http_status": error.http_status, "resource": error.resource}
    if isinstance(error, Refused):
        found["reasons"] = list(error.reasons)
    if isinstance(error, InvalidConfiguration):
        found["diagnostics"] = diagnostics_document(error.diagnostics)
    return found


def outcome_document(outcome: Outcome) -> dict[str, Any]:
    """What became of one operation."""
    operation = outcome.operation
    common = {
        "address": str(operation.address),
        "action": operation.action,
        "action_reason": operation.reason,
        "writes": outcome.writes,
    }
    match outcome:
        case Applied():
            converged = {"not_converged": list(outcome.not_converged)}
            if outcome.not_converged:
                converged["ignore"] = [ignore_line([p for p in outcome.not_converged if " " not in p])]
            return {
                "outcome": "applied",
                **common,
                "seconds": _time(outcome),
                **converged,
                "note": outcome.note,
            }
        case Failed():
            step = {"step": str(outcome.step.id) if outcome.step else None}
            told = {"error": error_document(outcome.error)}
            return {"outcome": "failed", **common, "seconds": _time(outcome), **step, **told}
        case Skipped():
            return {"outcome": "skipped", **common, "because": outcome.because}
        case Unknown():
            told = {"error": error_document(outcome.error)}
            return {"outcome": "unknown", **common, "seconds": _time(outcome), **told}
        case _:
            assert_never(outcome)


def _rollback(undone: Sequence[Undone]) -> dict[str, Any]:
    return {
        "complete": not any(isinstance(item, NotRolledBack) for item in undone),
        "outcomes": [undone_document(item) for item in undone],
    }


def undone_document(undone: Undone) -> dict[str, Any]:
    """What became of what one operation wrote."""
    told: dict[str, Any] = {"outcome": "rolled_back"}
    if isinstance(undone, NotRolledBack):
        error = error_document(undone.error) if undone.error else None
        told = {"outcome": "not_rolled_back", "because": undone.because, "error": error}
    return {
        **told,
        "address": str(undone.operation.address),
        "action": undone.operation.action,
        "action_reason": undone.operation.reason,
        "writes": undone.writes,
        "seconds": _time(undone),
        "lost": list(undone.lost),
    }


def _time(outcome: Applied | Failed | Unknown | Undone) -> float:
    return round(outcome.seconds, 3)


def _summary(outcomes: Sequence[Outcome]) -> dict[str, int]:
    counted = [item for item in outcomes if item.operation.reason is not Reason.STAMP]
    done = [item for item in counted if isinstance(item, Applied)]
    return {
        **{word.replace(" ", "_"): number for word, number in done_counts(counted).items()},
        "failed": sum(isinstance(item, Failed) for item in counted),
        "skipped": sum(isinstance(item, Skipped) for item in counted),
        "unknown": sum(isinstance(item, Unknown) for item in counted),
        "not_converged": sum(bool(item.not_converged) for item in done),
    }
