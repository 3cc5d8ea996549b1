"""The ledger of a run: its writes, in the order in which their results arrived, and how each is known."""

from enum import StrEnum

from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Operation, Step
from cesplan.domain.value import Body
from cesplan.engine.applying.forced_references import Referrer
from cesplan.engine.applying.inverse import Acknowledged
from cesplan.engine.applying.tally import Written
from cesplan.engine.comparing.resource_names import Target


class Certainty(StrEnum):
    """How a write is known: from its response, from a re-read after a lost response, or not at all."""

    ACKNOWLEDGED = "acknowledged"
    SEEN = "seen"
    DOUBTED = "doubted"


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """One write. `dropped` are the resources from which a forced delete removed a reference."""

    operation: Operation
    done: Acknowledged
    certainty: Certainty
    dropped: tuple[Referrer, ...] = ()


class Ledger:
    """The writes of a run, in the order in which their results arrived."""

    def __init__(self) -> None:
        self._entries: list[LedgerEntry] = []

    def __bool__(self) -> bool:
        return bool(self._entries)

    def note(self, operation: Operation, step: Step, target: Target, written: Written) -> None:
        """Record a step that took effect."""
        done = Acknowledged(target=target, step=step, before=written.before, answer=written.answer)
        if written.writes:
            certainty = Certainty.ACKNOWLEDGED if written.acknowledged else Certainty.SEEN
            entry = LedgerEntry(operation=operation, done=done, certainty=certainty, dropped=written.dropped)
            self._entries.append(entry)

    def doubt(self, operation: Operation, step: Step, target: Target, before: Body | None) -> None:
        """Record a step with an unknown outcome."""
        done = Acknowledged(target=target, step=step, before=before, answer=None)
        self._entries.append(LedgerEntry(operation=operation, done=done, certainty=Certainty.DOUBTED))

    @property
    def newest_first(self) -> list[LedgerEntry]:
        return self._entries[::-1]

    @property
    def by_resource(self) -> dict[str, list[LedgerEntry]]:
        """The writes by resource name, each oldest first; the most recently written resource comes first."""
        found: dict[str, list[LedgerEntry]] = {}
        for entry in self.newest_first:
            found.setdefault(entry.done.target.name, []).insert(0, entry)
        return found
