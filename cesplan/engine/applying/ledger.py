"""
The ledger of a run: what it wrote, in the order in which it heard of it, and how it knows.
"""

from enum import StrEnum

from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Operation, Step
from cesplan.domain.value import Body
from cesplan.engine.applying.forced_references import Referrer
from cesplan.engine.applying.inverse import Acknowledged
from cesplan.engine.applying.tally import Written
from cesplan.engine.comparing.resource_names import Target


class Certainty(StrEnum):
    """How a write is known of: by its answer, by a look after a lost answer, or not at all."""

    ACKNOWLEDGED = "acknowledged"
    SEEN = "seen"
    DOUBTED = "doubted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One write; `dropped` are those out of which a delete by force took a reference."""

    operation: Operation
    done: Acknowledged
    certainty: Certainty
    dropped: tuple[Referrer, ...] = ()


class Ledger:
    """What a run has written, in the order in which it heard of it."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def __bool__(self) -> bool:
        return bool(self._entries)

    def note(self, operation: Operation, step: Step, target: Target, written: Written) -> None:
        """A step that took effect."""
        done = Acknowledged(target=target, step=step, before=written.before, answer=written.answer)
        if written.writes:
            certainty = Certainty.ACKNOWLEDGED if written.acknowledged else Certainty.SEEN
            entry = Entry(operation=operation, done=done, certainty=certainty, dropped=written.dropped)
            self._entries.append(entry)

    def doubt(self, operation: Operation, step: Step, target: Target, before: Body | None) -> None:
        """A step with an unknown outcome."""
        done = Acknowledged(target=target, step=step, before=before, answer=None)
        self._entries.append(Entry(operation=operation, done=done, certainty=Certainty.DOUBTED))

    @property
    def newest_first(self) -> list[Entry]:
        return self._entries[::-1]

    @property
    def by_resource(self) -> dict[str, list[Entry]]:
        """The writes of each resource, the oldest first, by name; the newest resource first."""
        found: dict[str, list[Entry]] = {}
        for entry in self.newest_first:
            found.setdefault(entry.done.target.name, []).insert(0, entry)
        return found
