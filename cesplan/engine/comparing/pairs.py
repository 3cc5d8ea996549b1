"""
Pairing: which element of one list corresponds to which element of the other.

Sets pair equal elements, keyed lists pair by key, and ordered lists pair by alignment. Diffing and composing
bodies both use these pairs.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from cesplan.domain.field_path import Element
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.line_matching import opcodes
from cesplan.domain.value import Secret, comparable, secret_variables
from cesplan.model.element_keys import keys_of
from cesplan.model.spec import FieldSpec


@dataclass(frozen=True, slots=True)
class Pair:
    """Positions in the desired and the live list; None if the other side has no partner."""

    desired: int | None
    live: int | None


def hidden(live: Any, written: Any) -> Any:
    """A live value, wrapped as a secret if the written value contains one; lists element by element."""
    variables = tuple(sorted(secret_variables(written)))
    if not variables or isinstance(live, Secret):
        return live
    if not isinstance(live, list) or not isinstance(written, list):
        return Secret(variables, comparable(live))
    clear = {comparable(item) for item in written if not secret_variables(item)}
    return [item if comparable(item) in clear else hidden(item, written) for item in live]


def pair_by_keys(known: FieldSpec, desired: list[Any], live: list[Any]) -> list[tuple[Element, Pair]] | None:
    """
    The pairs of a keyed list with their keys: remaining elements in live order, then new and removed ones.

    None for any other list, and if an element has no key or a duplicate one: then order decides.
    """
    ours, theirs = keys_of(known, desired), keys_of(known, live)
    if ours is None or theirs is None:
        return None
    at = {key: place for place, key in enumerate(ours)}
    survivors = [(key, Pair(at[key], place)) for place, key in enumerate(theirs) if key in at]
    there = set(theirs)
    new = [(key, Pair(place, None)) for place, key in enumerate(ours) if key not in there]
    gone = [(key, Pair(None, place)) for place, key in enumerate(theirs) if key not in at]
    return [*survivors, *new, *gone]


def pair_by_value(desired: list[Any], live: list[Any]) -> list[Pair]:
    """
    The pairs of equal elements in two multisets: remaining elements in live order, then new, then removed ones.
    """
    unpaired: dict[str, list[int]] = {}
    for place, item in enumerate(desired):
        unpaired.setdefault(comparable(item), []).append(place)
    survivors, gone = [], []
    for place, item in enumerate(live):
        places = unpaired.get(comparable(item))
        if places:
            survivors.append(Pair(places.pop(0), place))
        else:
            gone.append(Pair(None, place))
    new = sorted(place for places in unpaired.values() for place in places)
    return survivors + [Pair(place, None) for place in new] + gone


def pair_by_order(desired: list[Any], live: list[Any]) -> list[Pair]:
    """An alignment of two sequences: equal runs, pairwise replaced elements, and added or removed ones."""
    texts_live, texts_desired = [*map(comparable, live)], [*map(comparable, desired)]
    pairs: list[Pair] = []
    for _, low, high, first, last in opcodes(texts_live, texts_desired):
        both = min(high - low, last - first)
        pairs += [Pair(first + step, low + step) for step in range(both)]
        pairs += [Pair(None, place) for place in range(low + both, high)]
        pairs += [Pair(place, None) for place in range(first + both, last)]
    return pairs


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two aligned sequences: `pairs` as in `pair_by_order`, except elements that only `moved`."""

    pairs: tuple[Pair, ...]
    moved: tuple[Pair, ...]


def align(desired: list[Any], live: list[Any]) -> Alignment:
    """The alignment in which equal elements that are removed in one place and new in another count as moved."""
    pairs = pair_by_order(desired, live)
    equal = [pair for pair in pairs if _is_equal(pair, desired, live)]
    moved = _moved([pair for pair in pairs if pair not in equal], desired, live)
    rest = tuple(_without(pairs, moved))
    if any(pair.desired == pair.live for pair in moved):
        # A reversed list: relative to its only fixed element, the middle would have moved to its own place.
        moved = sorted((pair for pair in (*moved, *equal) if pair.desired != pair.live), key=_place)
    return Alignment(rest, tuple(moved))


def _moved(unequal: list[Pair], desired: list[Any], live: list[Any]) -> list[Pair]:
    """The elements that are removed in one place and new in another."""
    unpaired: dict[str, list[int]] = {}
    for pair in unequal:
        if pair.live is not None:
            unpaired.setdefault(comparable(live[pair.live]), []).append(pair.live)
    moved: list[Pair] = []
    for pair in unequal:
        places = unpaired.get(comparable(desired[pair.desired])) if pair.desired is not None else None
        if places:
            moved.append(Pair(pair.desired, places.pop(0)))
    return moved


def _place(pair: Pair) -> int:
    return pair.desired if pair.desired is not None else -1


def _is_equal(pair: Pair, desired: list[Any], live: list[Any]) -> bool:
    if pair.desired is None or pair.live is None:
        return False
    return comparable(desired[pair.desired]) == comparable(live[pair.live])


def _without(pairs: list[Pair], moved: list[Pair]) -> Iterator[Pair]:
    """The pairs without moved elements, whose partners become single."""
    new_places, old_places = {pair.desired for pair in moved}, {pair.live for pair in moved}
    for pair in pairs:
        one = None if pair.desired in new_places else pair.desired
        other = None if pair.live in old_places else pair.live
        if one is not None or other is not None:
            yield Pair(one, other)


def same_multiset(desired: list[Any], live: list[Any]) -> bool:
    """True if two lists contain the same elements equally often, in any order."""
    return len(desired) == len(live) and Counter(map(comparable, desired)) == Counter(map(comparable, live))
