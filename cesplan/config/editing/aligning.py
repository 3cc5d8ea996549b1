"""
Aligning: which written element of a list continues as which element of the new list, and which ones moved.

Elements that are equal or have the same key continue. The rest are paired by similarity: a rule that changed in
part is the same rule, and a rule that replaced another is not. A plan pairs only by keys and order
(`engine.comparing.pairs`): what it shows and sends must not depend on similarity.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from cesplan.domain.frozen import dataclass
from cesplan.domain.text.line_matching import opcodes, overlap, rising
from cesplan.domain.value import canonical_text
from cesplan.model.element_keys import keys_of
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec

_ALIKE = 0.5
"""Two elements are one that changed if at least this share of them is the same."""
_SAME_NAME = 0.75
"""The minimum similarity of two elements that refer to the same resource."""
_OTHER_NAME = 0.25
"""The reduction of similarity if they refer to different resources."""
_MOST_OF_IT = 0.8
"""From this similarity on, an object at the same position is the same one, whatever it refers to."""
_MOST_COMPARED = 1_000
"""The most pairs to compare. If there are more, only elements at the same position continue."""
_LONGEST_TEXT = 2_000
_WORDS = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class ElementMove:
    """The old and new position of an element; None if it is new or removed. `moved`: it changes position."""

    old: int | None
    new: int | None
    moved: bool = False


def align(known: FieldSpec | None, old: Sequence[Any], new: Sequence[Any]) -> list[ElementMove]:
    """The steps from one list to the other: in the new order, followed by the removed elements."""
    ours, theirs = (keys_of(known, side) if known else None for side in (old, new))
    if ours is not None and theirs is not None:
        pairs = _equal(ours, theirs)
    else:
        texts, others = [*map(canonical_text, old)], [*map(canonical_text, new)]
        pairs = _equal(texts, others)
        pairs |= _alike(known, old, new, pairs)
        pairs |= _in_place(old, new, texts, others, pairs)
    staying = {place for place, _ in rising(sorted(pairs.items()))}
    steps = [
        ElementMove(pairs.get(place), place, moved=place in pairs and place not in staying)
        for place in range(len(new))
    ]
    unpaired = sorted(set(range(len(old))) - {*pairs.values()})
    return [*steps, *(ElementMove(place, None) for place in unpaired)]


def _equal(old: Sequence[Any], new: Sequence[Any]) -> dict[int, int]:
    """The new positions of equal elements, with their old ones: first those in order, then those that moved."""
    pairs: dict[int, int] = {}
    for tag, low, high, first, _ in opcodes(old, new):
        if tag == "equal":
            pairs |= {first + place: low + place for place in range(high - low)}
    left: dict[Any, list[int]] = defaultdict(list)
    paired = {*pairs.values()}
    for place, item in enumerate(old):
        if place not in paired:
            left[item].append(place)
    for place, item in enumerate(new):
        if place not in pairs and left.get(item):
            pairs[place] = left[item].pop(0)
    return pairs


def _alike(
    known: FieldSpec | None, old: Sequence[Any], new: Sequence[Any], pairs: Mapping[int, int]
) -> dict[int, int]:
    """The most similar pairs among the remaining objects."""
    before, after = _left(old, new, pairs)
    before = [place for place in before if isinstance(old[place], dict)]
    after = [place for place in after if isinstance(new[place], dict)]
    if len(before) * len(after) > _MOST_COMPARED:
        return {}
    scores = [(likeness(known, old[i], new[j]), i, j) for i in before for j in after]
    found: dict[int, int] = {}
    for score, i, j in sorted(scores, key=lambda item: (-item[0], abs(item[1] - item[2]), item[1])):
        if score >= _ALIKE and j not in found and i not in found.values():
            found[j] = i
    return found


def _in_place(
    old: Sequence[Any], new: Sequence[Any], texts: list[str], others: list[str], pairs: Mapping[int, int]
) -> dict[int, int]:
    """Pairs at the same position: any scalars, and objects that are mostly the same."""
    before, after = map(set, _left(old, new, pairs))
    many = len(before) * len(after) > _MOST_COMPARED
    found: dict[int, int] = {}
    for tag, low, high, first, last in opcodes(texts, others):
        if tag == "replace" and (many or high - low == last - first):
            both = zip(range(low, high), range(first, last), strict=False)
            found |= {
                j: i for i, j in both if i in before and j in after and (many or _goes_on(old[i], new[j]))
            }
    return found


def _goes_on(one: Any, other: Any) -> bool:
    return not isinstance(one, dict) or _likeness(one, other) >= _MOST_OF_IT


def _left(old: Sequence[Any], new: Sequence[Any], pairs: Mapping[int, int]) -> tuple[list[int], list[int]]:
    paired = {*pairs.values()}
    return (
        [place for place in range(len(old)) if place not in paired],
        [place for place in range(len(new)) if place not in pairs],
    )


def likeness(known: FieldSpec | None, one: dict[str, Any], other: dict[str, Any]) -> float:
    """The similarity of two objects, from 0 to 1. What an element refers to counts most."""
    score = _likeness(one, other)
    settable = known.message.settable if known is not None and known.scalar is Scalar.MESSAGE else ()
    named = [item.name for item in settable if _names_it(item)]
    sides = [(one.get(name), other.get(name)) for name in named]
    texts = [(a, b) for a, b in sides if isinstance(a, str) or isinstance(b, str)]
    if any(a != b for a, b in texts):
        return score * _OTHER_NAME
    return max(score, _SAME_NAME) if texts else score


def _names_it(known: FieldSpec) -> bool:
    is_name = known.is_resource_name or known.name in ("name", "displayName")
    return is_name and known.cardinality is Cardinality.ONE and known.scalar is Scalar.STRING


def _likeness(one: Any, other: Any) -> float:
    match one, other:
        case dict(), dict():
            keys = {**one, **other}
            return sum(_likeness(one.get(key), other.get(key)) for key in keys) / len(keys) if keys else 1.0
        case list(), list():
            return overlap(map(canonical_text, one), map(canonical_text, other))
        case str(), str():
            words = [_WORDS.findall(text[:_LONGEST_TEXT]) for text in (one, other)]
            return 1.0 if one == other else min(overlap(*words), 0.99)
    return 1.0 if canonical_text(one) == canonical_text(other) else 0.0
