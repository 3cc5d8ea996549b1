"""What happened, for machines: one entry for each operation of the plan, and the numbers."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self, TypeAlias, assert_never

from pydantic import Field

from cesplan.domain.errors import ApiError, CesplanError, Conflict, InvalidConfiguration, Refused
from cesplan.domain.outcome import Applied, Failed, NotRolledBack, Outcome, RolledBack, Skipped, Undone, Unknown
from cesplan.domain.plan import Action, Plan, Reason
from cesplan.render.machine.formats.base import AddressText, Document, Format, StepText, optional
from cesplan.render.machine.formats.diagnostics import DiagnosticJson, findings
from cesplan.render.machine.formats.plan import LiveEditJson, PlanJson
from cesplan.render.plan_words import counts_of
from cesplan.render.text.outcome import ignore_line


class ErrorJson(Format):
    """An error."""

    type: str
    """The kind of error: `Refused`, `StalePlan`, `NotAuthenticated`, and so on."""
    summary: str
    """The problem, in one line."""
    detail: str
    """Why, and what to do."""
    status: str | None = optional()
    """The canonical code of an error of the service: `ABORTED`."""
    http_status: int | None = optional()
    """The HTTP status of an error of the service; 0 if there was no response."""
    resource: str | None = optional()
    """The resource that an error of the service is about."""
    live_edit: LiveEditJson | None = optional()
    """The author of the conflicting write, if the change log has it."""
    reasons: tuple[str, ...] | None = optional()
    """Why a plan is refused."""
    diagnostics: tuple[DiagnosticJson, ...] | None = optional()
    """The problems of the tree."""

    @classmethod
    def of(cls, error: CesplanError) -> Self:
        more: dict[str, Any] = {}
        if isinstance(error, ApiError):
            more |= {"status": error.status, "http_status": error.http_status, "resource": error.resource}
        if isinstance(error, Conflict) and error.edit is not None:
            more["live_edit"] = LiveEditJson.from_value(error.edit)
        if isinstance(error, Refused):
            more["reasons"] = error.reasons
        if isinstance(error, InvalidConfiguration):
            more["diagnostics"] = findings(error.diagnostics)
        return cls(type=type(error).__name__, summary=error.summary, detail=error.detail, **more)


class ErrorReport(Document):
    """Any command with `--format json` that ends in an error."""

    exit_code: int
    """The exit code of the command."""
    error: ErrorJson
    """Why the command ended."""


class OutcomeBase(Format):
    """What became of one operation."""

    outcome: str
    """The outcome of the operation."""
    address: AddressText
    """The resource."""
    action: Action
    """The planned action."""
    action_reason: Reason
    """The reason for the planned action."""
    writes: int
    """How many writes were acknowledged before."""


class AppliedJson(OutcomeBase):
    """An applied operation: all its writes were acknowledged."""

    outcome: Literal["applied"]
    writes: int
    """How many writes were acknowledged."""
    seconds: float
    """How long it took."""
    not_converged: tuple[str, ...]
    """Fields whose value in the response differs from the value that was sent."""
    ignore: tuple[str, ...] | None = optional()
    """The `$ignore` line that would leave them alone."""
    note: str
    """Notices about it."""


class FailedJson(OutcomeBase):
    """An operation that the service refused, or that met a conflict."""

    outcome: Literal["failed"]
    seconds: float
    """How long it took."""
    step: StepText | None
    """The step that failed; null if none was sent."""
    error: ErrorJson
    """Why it failed."""


class SkippedJson(OutcomeBase):
    """An operation that was not sent."""

    outcome: Literal["skipped"]
    because: str
    """The address of the operation that failed before it, or a reason as text."""


class UnknownJson(OutcomeBase):
    """An operation that was sent but whose outcome is unknown."""

    outcome: Literal["unknown"]
    seconds: float
    """How long it took."""
    error: ErrorJson
    """The last error."""


OutcomeJson: TypeAlias = AppliedJson | FailedJson | SkippedJson | UnknownJson


def outcome_json(outcome: Outcome) -> OutcomeJson:
    """What became of one operation."""
    operation = outcome.operation
    common: dict[str, Any] = {
        "address": operation.address,
        "action": operation.action,
        "action_reason": operation.reason,
        "writes": outcome.writes,
    }
    match outcome:
        case Applied():
            missed = [path for path in outcome.not_converged if " " not in path]
            return AppliedJson(
                outcome="applied",
                **common,
                seconds=_time(outcome),
                not_converged=outcome.not_converged,
                ignore=(ignore_line(missed),) if outcome.not_converged else None,
                note=outcome.note,
            )
        case Failed():
            step = outcome.step.id if outcome.step else None
            error = ErrorJson.of(outcome.error)
            return FailedJson(outcome="failed", **common, seconds=_time(outcome), step=step, error=error)
        case Skipped():
            return SkippedJson(outcome="skipped", **common, because=outcome.because)
        case Unknown():
            error = ErrorJson.of(outcome.error)
            return UnknownJson(outcome="unknown", **common, seconds=_time(outcome), error=error)
        case _:
            assert_never(outcome)


class RolledBackJson(Format):
    """An operation that was rolled back after a failure."""

    outcome: Literal["rolled_back"]
    """How the writes of the operation were rolled back."""
    address: AddressText
    """The resource."""
    action: Action
    """The action of the operation."""
    action_reason: Reason
    """The reason for the planned action."""
    writes: int
    """How many writes undid it."""
    seconds: float
    """How long it took."""
    lost: tuple[str, ...]
    """What could not be restored, one line each."""


class NotRolledBackJson(Format):
    """An operation that was not rolled back, or only in part, after a failure."""

    outcome: Literal["not_rolled_back"]
    """How the writes of the operation were rolled back."""
    because: str
    """Why it was not rolled back."""
    error: ErrorJson | None
    """The error that prevented it; null if there was none."""
    address: AddressText
    """The resource."""
    action: Action
    """The action of the operation."""
    action_reason: Reason
    """The reason for the planned action."""
    writes: int
    """How many writes that undid part of it were acknowledged."""
    seconds: float
    """How long it took."""
    lost: tuple[str, ...]
    """What could not be restored, one line each."""


UndoneJson: TypeAlias = RolledBackJson | NotRolledBackJson


def undone_json(undone: Undone) -> UndoneJson:
    """What became of what one operation wrote."""
    common: dict[str, Any] = {
        "address": undone.operation.address,
        "action": undone.operation.action,
        "action_reason": undone.operation.reason,
        "writes": undone.writes,
        "seconds": _time(undone),
        "lost": undone.lost,
    }
    match undone:
        case RolledBack():
            return RolledBackJson(outcome="rolled_back", **common)
        case NotRolledBack():
            error = ErrorJson.of(undone.error) if undone.error else None
            return NotRolledBackJson(outcome="not_rolled_back", because=undone.because, error=error, **common)
        case _:
            assert_never(undone)


class RollbackJson(Format):
    """What was rolled back after a failure."""

    complete: bool
    """Whether everything was rolled back."""
    outcomes: tuple[Annotated[UndoneJson, Field(discriminator="outcome")], ...]
    """How the writes of each operation were rolled back."""

    @classmethod
    def of(cls, undone: Sequence[Undone]) -> Self:
        whole = not any(isinstance(item, NotRolledBack) for item in undone)
        return cls(complete=whole, outcomes=tuple(map(undone_json, undone)))


class OutcomeCounts(Format):
    """The number of operations by outcome. The stamp of an app does not count."""

    created: int
    """How many were created."""
    updated: int
    """How many were updated."""
    deleted: int
    """How many were deleted."""
    already_as_planned: int = 0
    """How many were already as planned, so that nothing was written."""
    failed: int
    """How many failed."""
    skipped: int
    """How many were not sent."""
    unknown: int
    """How many have an unknown outcome."""
    not_converged: int
    """How many of the applied operations did not fully take effect."""

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> Self:
        return cls(**{word.replace(" ", "_"): number for word, number in counts_of(outcomes).items()})


class ApplyReport(Document):
    """`cesplan apply --format json`."""

    exit_code: int
    """The exit code of the command."""
    plan: PlanJson
    """The plan that was applied."""
    outcomes: tuple[Annotated[OutcomeJson, Field(discriminator="outcome")], ...]
    """The outcome of each operation."""
    rollback: RollbackJson | None = optional()
    """What was rolled back after a failure."""
    summary: OutcomeCounts
    """The numbers."""

    @classmethod
    def of(
        cls, plan: Plan, outcomes: Sequence[Outcome], *, exit_code: int, undone: Sequence[Undone] = ()
    ) -> Self:
        """The plan and its outcomes; `undone` lists what was rolled back after a failure."""
        return cls.from_value(
            exit_code=exit_code,
            plan=plan,
            outcomes=tuple(map(outcome_json, outcomes)),
            rollback=undone or None,
            summary=outcomes,
        )


def _time(outcome: Applied | Failed | Unknown | Undone) -> float:
    return round(outcome.seconds, 3)
