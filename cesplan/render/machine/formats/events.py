"""
JSON Lines: what a command does, one event per line, as it happens. The first line has the format, the last one
the exit code. New types and members may be added, so readers must ignore unknown ones.
"""

from collections.abc import Iterator, Sequence
from typing import assert_never

from cesplan.domain.change import Origin
from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.errors import CesplanError
from cesplan.domain.features.drift import DriftReport
from cesplan.domain.features.evaluation import EvaluationVerdict, RunReport
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
from cesplan.domain.plan import Action, Operation, Plan, Reason
from cesplan.domain.reviewed import Stale
from cesplan.render.documents import line_of, opening
from cesplan.render.field_redactor import redactor_of
from cesplan.render.machine.digests import change_digest, plan_digest
from cesplan.render.machine.formats.base import (
    AddressText,
    Document,
    Format,
    Located,
    MaskText,
    StepText,
)
from cesplan.render.machine.formats.diagnostics import DiagnosticJson, findings
from cesplan.render.machine.formats.drift import CheckedAppJson, DriftItemJson, DriftSummaryJson
from cesplan.render.machine.formats.evaluation import EvaluationJson, EvaluationSummaryJson
from cesplan.render.machine.formats.outcomes import (
    AppliedJson,
    ErrorJson,
    FailedJson,
    NotRolledBackJson,
    RolledBackJson,
    SkippedJson,
    UnknownJson,
    outcome_json,
    undone_json,
)
from cesplan.render.machine.formats.plan import FieldChangeJson, LiveEditJson, SummaryJson, VerdictJson
from cesplan.render.machine.formats.stale import MovedJson


class VersionEvent(Document):
    """The first line."""

    command: str
    """The command that runs."""


class OperationEvent(Format):
    """One resource that the plan changes, as in `resource_changes`, without bodies."""

    address: AddressText
    """The resource."""
    kind: str
    """Its kind."""
    key: str
    """Its key."""
    action: Action
    """The planned action."""
    action_reason: Reason
    """The reason for the planned action."""
    origin: Origin
    """Which side changed since the last apply."""
    reverts: bool
    """Whether this reverts a live edit, or may revert one."""
    live_edit: LiveEditJson | None
    """The newest live edit that this reverts."""
    display_name: str
    """The display name."""
    file: str
    """Its file in the tree; empty for a delete."""
    update_mask: tuple[MaskText, ...]
    """All paths that its updates name."""
    field_changes: tuple[FieldChangeJson, ...]
    """The fields that differ; for updates only."""
    change_digest: str
    """As in `resource_changes`."""


class DifferenceEvent(DriftItemJson):
    """One difference of a drift report."""

    app: str
    """The key of the app."""
    tree: str
    """The folder of its tree, as it was given."""
    environment: str
    """The environment of `cesplan.yaml`; empty if none was selected."""


class DriftEvent(Format):
    """The drift report is complete."""

    checked_at: str
    """When the check began (RFC 3339)."""
    shard: str
    """`<number>/<count>` for a part of the apps; empty for all of them."""
    summary: DriftSummaryJson
    """The numbers of the report."""


class MessageEvent(Format):
    """A line of text."""

    message: str
    """The text."""


class PlanEvent(Located):
    """The plan is complete."""

    endpoint: str
    """The endpoint of the API: empty for the default, `regional`, or a URL."""
    emulated: bool
    """Whether the service is an emulator."""
    summary: SummaryJson
    """The numbers of the plan."""
    plan_digest: str
    """As in the JSON of a plan."""


class StartedEvent(Format):
    """A write was sent."""

    address: AddressText
    """The resource."""
    step: StepText
    """The step of its operation."""
    write: Action
    """The method that was called."""


class WaitingEvent(Format):
    """Progress of a long-running operation."""

    address: AddressText
    """The resource."""
    step: StepText
    """The step of its operation."""
    seconds: float
    """Seconds since it was sent."""


class EvaluationRunEvent(Format):
    """Progress of an evaluation run."""

    run: str
    """The resource name of the run."""
    state: str
    """Its state, in the API's words."""
    completed: int
    """How many results are finished."""
    total: int
    """How many results it will have."""
    seconds: float
    """Seconds waited so far."""


class EvaluationVerdictEvent(Format):
    """The report of an evaluation run is complete."""

    run: str
    """The resource name of the run."""
    verdict: EvaluationVerdict
    """The verdict."""
    summary: EvaluationSummaryJson
    """The numbers of the report."""


class ErrorEvent(Format):
    """The error that ended the command."""

    error: ErrorJson
    """The error."""


class DoneEvent(Format):
    """The last line."""

    exit_code: int
    """The exit code of the command."""


EVENTS: dict[str, tuple[type[Format], ...]] = {
    "version": (VersionEvent,),
    "diagnostic": (DiagnosticJson,),
    "operation": (OperationEvent,),
    "verdict": (VerdictJson,),
    "refusal": (MessageEvent,),
    "notice": (MessageEvent,),
    "plan": (PlanEvent,),
    "started": (StartedEvent,),
    "waiting": (WaitingEvent,),
    "outcome": (AppliedJson, FailedJson, SkippedJson, UnknownJson),
    "rollback": (RolledBackJson, NotRolledBackJson),
    "stale": (MovedJson,),
    "difference": (DifferenceEvent,),
    "app": (CheckedAppJson,),
    "drift": (DriftEvent,),
    "evaluation_run": (EvaluationRunEvent,),
    "evaluation": (EvaluationJson,),
    "evaluation_verdict": (EvaluationVerdictEvent,),
    "error": (ErrorEvent,),
    "done": (DoneEvent,),
}
"""The types of events, each with its possible members besides `type`."""


def version_line(command: str) -> str:
    """The first line."""
    return _line("version", VersionEvent(**opening(), command=command))


def diagnostic_lines(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """A line for each finding, by file and line."""
    return (_line("diagnostic", item) for item in findings(diagnostics))


def plan_lines(plan: Plan) -> Iterator[str]:
    """The plan, operation by operation, and its sums."""
    digests: list[str] = []
    for operation in plan.operations:
        event = _operation(operation)
        digests.append(event.change_digest)
        yield _line("operation", event)
    for verdict in plan.verdicts:
        yield _line("verdict", VerdictJson.from_value(verdict))
    for reason in plan.blockers:
        yield _line("refusal", MessageEvent(message=reason))
    for text in plan.notices:
        yield _line("notice", MessageEvent(message=text))
    settings = plan.settings
    yield _line(
        "plan",
        PlanEvent.from_value(settings, settings.place, summary=plan, plan_digest=plan_digest(plan, digests)),
    )


def event_line(event: Event) -> str:
    """One event of an apply."""
    match event:
        case Started():
            address, step = event.operation.address, event.step
            return _line("started", StartedEvent(address=address, step=step.id, write=step.action))
        case Waiting():
            address, seconds = event.operation.address, round(event.seconds, 3)
            return _line("waiting", WaitingEvent(address=address, step=event.step.id, seconds=seconds))
        case Applied() | Failed() | Skipped() | Unknown():
            return _line("outcome", outcome_json(event))
        case RolledBack() | NotRolledBack():
            return _line("rollback", undone_json(event))
        case _:
            assert_never(event)


def stale_lines(stale: Stale) -> Iterator[str]:
    """A line for each operation that would no longer do what was reviewed."""
    return (_line("stale", MovedJson.of(item)) for item in stale.moved)


def drift_lines(report: DriftReport) -> Iterator[str]:
    """The report, app by app, and its sums."""
    for app in report.apps:
        for item in app.items:
            where = {"app": app.app, "tree": app.tree, "environment": app.environment}
            yield _line("difference", DifferenceEvent.of(item, **where))
        yield _line("app", CheckedAppJson.of(app))
    yield _line("drift", DriftEvent.from_value(report, summary=report))


def evaluation_run_line(run: str, state: str, counts: tuple[int, int], seconds: float) -> str:
    """The progress of a run; `counts` are finished results and all results."""
    completed, total = counts
    return _line(
        "evaluation_run",
        EvaluationRunEvent(run=run, state=state, completed=completed, total=total, seconds=round(seconds, 3)),
    )


def evaluation_lines(report: RunReport) -> Iterator[str]:
    """The report, evaluation by evaluation, and its sums."""
    for item in report.evaluations:
        yield _line("evaluation", EvaluationJson.of(item))
    for problem in report.problems:
        yield _line("notice", MessageEvent(message=problem.text))
    yield _line("evaluation_verdict", EvaluationVerdictEvent.from_value(report, summary=report))


def error_line(error: CesplanError) -> str:
    """The error that a command ends in."""
    return _line("error", ErrorEvent(error=ErrorJson.of(error)))


def done_line(exit_code: int) -> str:
    """The last line."""
    return _line("done", DoneEvent(exit_code=exit_code))


def _operation(operation: Operation) -> OperationEvent:
    redactor = redactor_of(operation)
    return OperationEvent.from_value(
        operation,
        kind=operation.address.kind,
        key=operation.address.key,
        action_reason=operation.reason,
        live_edit=operation.edit,
        update_mask=operation.mask,
        field_changes=tuple(FieldChangeJson.of(item, redactor) for item in operation.changes),
        change_digest=change_digest(operation, redactor),
    )


def _line(type_: str, members: Format) -> str:
    assert type(members) in EVENTS[type_]
    return line_of({"type": type_, **members.document()})
