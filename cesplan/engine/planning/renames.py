"""
Renames: a create and a delete of one kind that are nearly equal are probably one renamed resource.

This only gives a notice, with the line that would make it an update.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from cesplan.domain.plan import Action, Operation, Reason
from cesplan.domain.text.line_matching import overlap
from cesplan.domain.value import comparable, leaves, reveal

_ALIKE = 0.8
"""The minimum share of equal values in two resources."""

_ENOUGH = 4
"""Fewer equal values mean nothing, because small resources are similar by chance."""

_MOST_PAIRS = 10_000
"""Beyond this number, renames are unlikely, and comparing all pairs takes too long."""


def probable_renames(operations: Iterable[Operation]) -> tuple[str, ...]:
    """A notice for each create that is similar to a delete of the same plan."""
    found = [*operations]
    creates = [item for item in found if item.action is Action.CREATE]
    deletes = [item for item in found if item.action is Action.DELETE and item.reason is Reason.NOT_IN_TREE]
    if not creates or not deletes or len(creates) * len(deletes) > _MOST_PAIRS:
        return ()
    contents = {item.address: Counter(_values(reveal(_body(item)))) for item in (*creates, *deletes)}
    pairs = sorted(
        (-_likeness(contents[new.address], contents[old.address]), new.address, old.address, new, old)
        for new in creates
        for old in deletes
        if new.address.kind == old.address.kind and new.address.app == old.address.app
    )  # addresses break ties and are unique, so operations are never compared
    return tuple(_notices(pairs))


def _notices(pairs: list[tuple[float, Any, Any, Operation, Operation]]) -> Iterator[str]:
    paired: set[Any] = set()
    for likeness, _, _, new, old in pairs:
        if -likeness < _ALIKE or {new.address, old.address} & paired:
            continue
        paired |= {new.address, old.address}
        yield (
            f"{new.address} is similar to the live {old.address}; if it was renamed, "
            f"add to {new.file}: $id: {old.resource_id}"
        )


def _body(item: Operation) -> Any:
    return item.after if item.action is Action.CREATE else item.before


def _likeness(one: Counter[Any], other: Counter[Any]) -> float:
    """The share of common values, from 0 to 1."""
    return overlap(one, other) if (one & other).total() >= _ENOUGH else 0.0


def _values(body: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """All values with their places; each line of long texts, and list elements without position."""
    for at, value in leaves(body):
        place = tuple("*" if isinstance(step, int) else step for step in at)
        if isinstance(value, str) and "\n" in value:
            yield from ((place, line) for line in value.splitlines() if line.strip())
        else:
            yield place, comparable(value)
