"""Tally: the results of single steps, and their combination into the outcome of an operation."""

from dataclasses import field
from typing import Any

from cesplan.domain.errors import CesplanError
from cesplan.domain.frozen import dataclass
from cesplan.domain.outcome import Applied, Failed, Outcome, Skipped, Unknown
from cesplan.domain.plan import Operation, Step
from cesplan.domain.value import Body
from cesplan.engine.applying.forced_references import Referrer


@dataclass(slots=True, kw_only=True)
class Tally:
    """
    One operation while its steps are sent.

    `seconds` is the time that its steps took, `writes` the number that took effect, `answer` the resource after
    the last one.
    """

    operation: Operation
    seconds: float = 0.0
    writes: int = 0
    answer: Body | None = None
    notes: list[str] = field(default_factory=list)
    not_converged: tuple[str, ...] = ()
    unknown: CesplanError | None = None
    failure: CesplanError | None = None
    failed_step: Step | None = None

    def note(self, text: str) -> None:
        if text and text not in self.notes:
            self.notes.append(text)

    def fail(self, step: Step, error: CesplanError) -> None:
        """Record a failure. The first one is reported; later ones, such as of the lock, are added to it."""
        if self.failure is None:
            self.failure, self.failed_step = error, step
        else:
            self.failure.detail = "\n".join(filter(None, (self.failure.detail, error.summary, error.detail)))

    def outcome(self, skipped_for: str) -> Outcome:
        """The worst outcome that applies. `skipped_for` is why steps were not sent."""
        if skipped_for and self.unknown is None and self.failure is None:
            return Skipped(operation=self.operation, because=skipped_for, writes=self.writes)
        done: dict[str, Any] = {"operation": self.operation, "seconds": self.seconds, "writes": self.writes}
        if self.unknown is not None:
            return Unknown(error=self.unknown, **done)
        if self.failure is not None:
            return Failed(error=self.failure, step=self.failed_step, **done)
        return Applied(not_converged=self.not_converged, note="; ".join(self.notes), **done)


ALREADY_GONE = "already gone"
ALREADY_AS_PLANNED = "already as planned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """
    A step that is done.

    `writes` is the number of writes that took effect (0 if there was nothing left to do). `answer` is the
    resource on the server, None after a delete. `before` is the resource as this run last saw it before the
    write. `acknowledged` is false if the response was lost and only a re-read showed its success. `dropped` are
    the resources from which a forced delete removed a reference, if a rollback may have to restore it. `taint`
    is why later steps must not build on it. `refused` is why it counts as failed although it took effect: it is
    not what was reviewed. Then, without an `answer`, it was deleted again.
    """

    writes: int = 1
    answer: Body | None = None
    note: str = ""
    before: Body | None = None
    acknowledged: bool = True
    dropped: tuple[Referrer, ...] = ()
    taint: str = ""
    refused: CesplanError | None = None


@dataclass(kw_only=True, eq=False)
class Undetermined(Exception):
    """A write was sent, but neither the response nor a re-read shows whether it took effect."""

    error: CesplanError
