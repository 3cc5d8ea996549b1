"""The rows before the last writes, so that a fault can return an outdated list."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

R = TypeVar("R")
# How many writes a list can lag behind, and the maximum total size of the old rows.
_KEPT = 1000
_KEPT_SIZE = 64 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Before(Generic[R]):
    """The previous resource with a name; `row` is None if there was none."""

    name: str
    parent: str
    kind: str
    row: R | None


class Past(Generic[R]):
    """Remembers the newest writes, up to a total size. They count once their transaction is committed."""

    def __init__(self, size_of: Callable[[R], int]) -> None:
        self._size_of = size_of
        self._size = 0
        self._done: deque[Before[R]] = deque()
        self._open: list[Before[R]] = []

    def forget(self) -> None:
        """Forget everything."""
        self._done.clear()
        self._size = 0
        self._open.clear()

    def mark(self) -> int:
        """Return a point in the open transaction for `undo`."""
        return len(self._open)

    def note(self, found: Before[R]) -> None:
        self._open.append(found)

    def undo(self, mark: int = 0) -> None:
        """Drop the records of the open transaction after a mark."""
        del self._open[mark:]

    def settle(self) -> None:
        """Commit the records of the open transaction."""
        self._done.extend(self._open)
        self._size += sum(map(self._size_before, self._open))
        self._open.clear()
        while len(self._done) > _KEPT or self._size > _KEPT_SIZE:
            self._size -= self._size_before(self._done.popleft())

    def _size_before(self, found: Before[R]) -> int:
        return 0 if found.row is None else self._size_of(found.row)

    def rewound(
        self, rows: Iterable[R], name_of: Callable[[R], str], parent: str, kind: str, writes: int
    ) -> list[R]:
        """Return a collection as it was before its last writes, given its current rows."""
        found = {name_of(row): row for row in rows}
        own = [one for one in self._done if (one.parent, one.kind) == (parent, kind)]
        for one in reversed(own[-writes:] if writes else []):
            found.pop(one.name, None)
            if one.row is not None:
                found[one.name] = one.row
        return list(found.values())
