"""Tallying: what became of a step, and of the steps of one operation, into its one outcome."""

from dataclasses import field

from cesplan.domain.errors import CesplanError
from cesplan.domain.frozen import dataclass
from cesplan.domain.outcome import Applied, Failed, Outcome, Skipped, Unknown
from cesplan.domain.plan import Operation, Step
from cesplan.domain.value import Body
from cesplan.engine.applying.forced_references import Referrer


@dataclass(slots=True, kw_only=True)
class Tally:
    """
    One operation while its steps come in.

    `seconds` is the time its steps took, `writes` what took effect, `answer` the resource after the last one.
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
        """The first failure is the one reported; what fails after it, such as the lock, is added to it."""
        if self.failure is None:
            self.failure, self.failed_step = error, step
        else:
            self.failure.detail = "\n".join(filter(None, (self.failure.detail, error.summary, error.detail)))

    def outcome(self, skipped_for: str) -> Outcome:
        """The outcome, the worst first; `skipped_for` is why steps were not sent."""
        if self.unknown is not None:
            return Unknown(
                operation=self.operation, error=self.unknown, seconds=self.seconds, writes=self.writes
            )
        if self.failure is not None:
            return Failed(
                operation=self.operation,
                error=self.failure,
                step=self.failed_step,
                seconds=self.seconds,
                writes=self.writes,
            )
        if skipped_for:
            return Skipped(operation=self.operation, because=skipped_for, writes=self.writes)
        return Applied(
            operation=self.operation,
            seconds=self.seconds,
            writes=self.writes,
            not_converged=self.not_converged,
            note="; ".join(self.notes),
        )


ALREADY_GONE = "already gone"
ALREADY_AS_PLANNED = "already as planned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """
    A step that is done.

    `writes` counts what took effect (0 where there was nothing left to do); `answer` is the resource as the
    server has it, None after a delete, and `before` as this run saw it last before it wrote. `acknowledged`
    is False if the answer was lost and only a read of the resource showed its success. `dropped` are those
    out of which a delete by force took a reference, where a rollback may have to put it back. `taint` is why
    nothing may build on it. `refused` is why it still counts as failed: it took effect, and is not what was
    reviewed; without an `answer` it was taken back.
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
    """Sent, and neither the answer nor a look could tell whether it took effect."""

    error: CesplanError
