"""What the last writes found, so that a list can be shown as it was: a fault that lets it lag behind."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

R = TypeVar("R")
# How many writes a list can lag behind.
_KEPT = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Before(Generic[R]):
    """What a write found under a name; `row` is None where there was nothing."""

    name: str
    parent: str
    kind: str
    row: R | None


class Past(Generic[R]):
    """Remembers the newest writes. They count when their transaction is done."""

    def __init__(self) -> None:
        self._done: deque[Before[R]] = deque(maxlen=_KEPT)
        self._open: list[Before[R]] = []

    def forget(self) -> None:
        """Forget everything."""
        self._done.clear()
        self._open.clear()

    def mark(self) -> int:
        """Return a point of the open transaction to go back to."""
        return len(self._open)

    def note(self, found: Before[R]) -> None:
        self._open.append(found)

    def undo(self, mark: int = 0) -> None:
        """Drop what the open transaction noted after a mark."""
        del self._open[mark:]

    def settle(self) -> None:
        """The open transaction is done."""
        self._done.extend(self._open)
        self._open.clear()

    def rewound(
        self, rows: Iterable[R], name_of: Callable[[R], str], parent: str, kind: str, writes: int
    ) -> list[R]:
        """Return a collection, given as it is, as it was before its last writes."""
        found = {name_of(row): row for row in rows}
        own = [one for one in self._done if (one.parent, one.kind) == (parent, kind)]
        for one in reversed(own[-writes:] if writes else []):
            found.pop(one.name, None)
            if one.row is not None:
                found[one.name] = one.row
        return list(found.values())
