"""Tallying: what became of the steps of one operation, into its one outcome."""

from dataclasses import dataclass, field

from cesplan.domain.errors import CesplanError
from cesplan.domain.outcome import Applied, Failed, Outcome, Skipped, Unknown
from cesplan.domain.plan import Operation, Step
from cesplan.domain.value import Body


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
