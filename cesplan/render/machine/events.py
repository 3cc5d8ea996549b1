"""
JSON Lines: what a command does, one event a line, as it happens.

The first line says the format, the last one the exit code. New types and new members may be added, so a
reader skips what it does not know.

    version      format_version, cesplan_version, command
    diagnostic   a finding about the tree, as in `validate --format json`
    operation    one resource that the plan changes, as in `resource_changes`, without bodies
    verdict      what a rule of the policy says of one operation
    refusal      why apply will not carry out the plan: message
    notice       message
    plan         the plan is complete: summary, plan_digest, environment
    started      a write was sent: address, step, write
    waiting      a long-running operation goes on: address, step, seconds
    outcome      what became of an operation, as in the JSON of an apply
    rollback     what became of what an operation wrote, where a failure is taken back
    stale        what live has moved away from, by operation, as in the JSON of a stale apply
    error        why the command ends here: error
    done         exit_code
"""

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.errors import CesplanError
from cesplan.domain.outcome import (
    Applied,
    Event,
    Failed,
    NotRolledBack,
    RolledBack,
    Skipped,
    Started,
    Unknown,
    Waiting,
)
from cesplan.domain.plan import Operation, Plan, summary_counts
from cesplan.domain.reviewed import Stale
from cesplan.render.documents import line_of, opening
from cesplan.render.field_redactor import redactor_of
from cesplan.render.machine.diagnostics import diagnostics_document
from cesplan.render.machine.digests import change_digest, plan_digest
from cesplan.render.machine.outcome import error_document, outcome_document, undone_document
from cesplan.render.machine.plan import field_change, verdict_document
from cesplan.render.machine.stale import stale_document


def version_line(command: str) -> str:
    """The first line."""
    return _line("version", {**opening(), "command": command})


def diagnostic_lines(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """A line for each finding, by file and line."""
    return (_line("diagnostic", item) for item in diagnostics_document(diagnostics))


def plan_lines(plan: Plan) -> Iterator[str]:
    """The plan, operation by operation, and its sums."""
    for operation in plan.operations:
        yield _line("operation", _operation(operation))
    for verdict in plan.verdicts:
        yield _line("verdict", verdict_document(verdict))
    for reason in plan.blockers:
        yield _line("refusal", {"message": reason})
    for text in plan.notices:
        yield _line("notice", {"message": text})
    yield _line(
        "plan",
        {
            "environment": plan.settings.environment,
            "project": plan.settings.place.project,
            "location": plan.settings.place.location,
            "endpoint": plan.settings.endpoint,
            "emulated": plan.settings.emulated,
            "summary": summary_counts(plan),
            "plan_digest": plan_digest(plan),
        },
    )


def event_line(event: Event) -> str:
    """One event of an apply."""
    match event:
        case Started():
            return _line("started", {**_sent(event), "write": event.step.action})
        case Waiting():
            return _line("waiting", {**_sent(event), "seconds": round(event.seconds, 3)})
        case Applied() | Failed() | Skipped() | Unknown():
            return _line("outcome", outcome_document(event))
        case RolledBack() | NotRolledBack():
            return _line("rollback", undone_document(event))
        case _:
            assert_never(event)


def stale_lines(stale: Stale) -> Iterator[str]:
    """A line for each operation that would no longer do what was reviewed."""
    return (_line("stale", item) for item in stale_document(stale))


def error_line(error: CesplanError) -> str:
    """The error that a command ends in."""
    return _line("error", {"error": error_document(error)})


def done_line(exit_code: int) -> str:
    """The last line."""
    return _line("done", {"exit_code": exit_code})


def _operation(operation: Operation) -> dict[str, Any]:
    redactor = redactor_of(operation)
    return {
        "address": str(operation.address),
        "kind": operation.address.kind,
        "key": operation.address.key,
        "action": operation.action,
        "action_reason": operation.reason,
        "display_name": operation.display_name,
        "file": operation.file,
        "update_mask": [str(path) for path in operation.mask],
        "field_changes": [field_change(item, redactor) for item in operation.changes],
        "change_digest": change_digest(operation),
    }


def _sent(event: Started | Waiting) -> dict[str, Any]:
    return {"address": str(event.operation.address), "step": str(event.step.id)}


def _line(type_: str, members: dict[str, Any]) -> str:
    return line_of({"type": type_, **members})
