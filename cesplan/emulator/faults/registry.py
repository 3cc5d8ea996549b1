"""The pending faults, and those that have happened."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Self

from cesplan.emulator.documents import Script
from cesplan.emulator.faults.specs import Effect, Fault, Reset, Status, Truncate, parse_faults, shown

# Only one of these can happen to a request; the others wait for the next one.
_ANSWERS = (Status, Reset, Truncate)


@dataclass(slots=True, kw_only=True)
class _Entry:
    id: str
    fault: Fault
    skipped: int = 0
    hits: list[dict[str, Any]] = field(default_factory=list)


class Faults(Script):
    """
    The faults of one emulator. Safe to use from several threads.

    Faults happen in the order in which they were added. Only one fault that replaces the response (status,
    reset, truncate) happens per request, and at most one each of latency, stale, late, and edit.
    """

    def __init__(self, faults: Sequence[Fault] = ()) -> None:
        self._first = tuple(faults)
        self._entries: list[_Entry] = []
        self._count = 0
        self._lock = threading.Lock()
        self._add(self._first)

    @classmethod
    def parse(cls, document: object) -> Self:
        """Return the faults in a document, as `specs` describes it. Raise Refused for an invalid one."""
        return cls(parse_faults(document))

    def add(self, document: object) -> list[str]:
        """Add the faults of a document and return their ids. Raise Refused for an invalid one."""
        return self._add(parse_faults(document))

    def clear(self) -> None:
        """Remove all faults."""
        with self._lock:
            self._entries.clear()

    def rearm(self) -> None:
        """Start again: the faults given at the start are pending again, and later ones are removed."""
        self.clear()
        self._add(self._first)

    @property
    def any(self) -> bool:
        """Say whether a fault is still pending."""
        return any(len(entry.hits) < entry.fault.times for entry in self._entries)

    def report(self) -> list[dict[str, Any]]:
        """Return all faults as JSON: whether each is used up, and when it happened to which request."""
        with self._lock:
            return [
                {
                    "id": entry.id,
                    **shown(entry.fault),
                    "consumed": len(entry.hits) >= entry.fault.times,
                    "hits": list(entry.hits),
                }
                for entry in self._entries
            ]

    def consume(
        self, method: str, names: tuple[str, ...], request: int, can_happen: Callable[[Effect], bool]
    ) -> tuple[Effect, ...]:
        """
        Return and record the faults that happen to a request. `request` is its number in the journal, and
        `names` are those of the resource. A fault that cannot happen to this request stays pending.
        """
        effects: list[Effect] = []
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        with self._lock:
            for entry in self._entries:
                used_up = len(entry.hits) >= entry.fault.times
                if used_up or not entry.fault.fits(method, names):
                    continue
                if _has_such_effect(entry.fault.effect, effects) or not can_happen(entry.fault.effect):
                    continue
                if entry.skipped < entry.fault.skip:
                    entry.skipped += 1
                    continue
                entry.hits.append({"time": now, "request": request, "method": method, "resource": names[0]})
                effects.append(entry.fault.effect)
        return tuple(effects)

    def _add(self, faults: Sequence[Fault]) -> list[str]:
        with self._lock:
            added = [_Entry(id=f"fault-{self._count + n}", fault=f) for n, f in enumerate(faults, start=1)]
            self._count += len(added)
            self._entries += added
        return [entry.id for entry in added]


def _has_such_effect(effect: Effect, chosen: Sequence[Effect]) -> bool:
    kinds: tuple[type[Effect], ...] = _ANSWERS if isinstance(effect, _ANSWERS) else (type(effect),)
    return any(isinstance(other, kinds) for other in chosen)
