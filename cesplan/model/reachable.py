"""What a relation leads to, over any number of steps."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

_N = TypeVar("_N", bound=Hashable)


def reachable(start: Iterable[_N], following: Callable[[_N], Iterable[_N]]) -> set[_N]:
    """These nodes and all that follow them, directly or through others."""
    found: set[_N] = set()
    pending = [*start]
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            pending += following(node)
    return found
