"""Aligning: which element of a list as it is written goes on as which element of the new list."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cesplan.domain.text.line_matching import opcodes
from cesplan.domain.value import canonical_text
from cesplan.model.spec import FieldSpec, ListMeaning


@dataclass(frozen=True, slots=True)
class Step:
    """Old and new position of one element; None where it is new, or gone."""

    old: int | None
    new: int | None


def align(known: FieldSpec | None, old: Sequence[Any], new: Sequence[Any]) -> list[Step]:
    """The steps from one list to the other, in the new order, with what is gone where it was."""
    names = [_names(known, side) for side in (old, new)]
    if known is not None and known.list_meaning is ListMeaning.KEYED and None not in (*names[0], *names[1]):
        return _by_order(names[0], names[1], pairs=False)
    return _by_order([*map(canonical_text, old)], [*map(canonical_text, new)], pairs=True)


def _by_order(old: Sequence[Any], new: Sequence[Any], *, pairs: bool) -> list[Step]:
    """`pairs`: elements that replace each other are taken for one that changed."""
    steps: list[Step] = []
    for _, low, high, first, last in opcodes(old, new):
        equal = list(old[low:high]) == list(new[first:last])
        both = min(high - low, last - first) if pairs or equal else 0
        steps += [Step(low + place, first + place) for place in range(both)]
        steps += [Step(place, None) for place in range(low + both, high)]
        steps += [Step(None, place) for place in range(first + both, last)]
    return steps


def _names(known: FieldSpec | None, elements: Sequence[Any]) -> list[str | None]:
    return [_name(known, element) for element in elements]


def _name(known: FieldSpec | None, element: Any) -> str | None:
    for path in known.key_fields if known else ():
        value = element
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if value:
            return f"{path}={canonical_text(value)}"
    return None
