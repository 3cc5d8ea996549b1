"""
Merging lists: sets by what was added and removed, keyed lists by their keys, ordered lists by their places.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from cesplan.domain.features.merge import MergeResult
from cesplan.domain.field_path import Element, FieldPath, Index
from cesplan.domain.text.diff3 import Clash, Settled, regions
from cesplan.domain.value import ABSENT, comparable, secret_variables
from cesplan.engine.comparing.pairs import Pair, pair_by_order
from cesplan.engine.pulling.writable import why_unsayable
from cesplan.features.merge.choices import Decisions, Values, same
from cesplan.model.element_keys import keys_of
from cesplan.model.spec import FieldSpec, ListMeaning

MergeElement = Callable[[FieldSpec, Values, FieldPath], Any]
"""Merges one element; ABSENT if it should be removed."""


def merge_list(
    known: FieldSpec, values: Values, path: FieldPath, choices: Decisions, element: MergeElement
) -> Any:
    """The merged list in the tree's spelling, ABSENT if it should be removed."""
    if not values.is_everywhere and known.list_meaning is ListMeaning.ORDERED:
        return choices.leaf(known, values, path)
    merged = _merged(known, values, path, choices, element)
    return ABSENT if not merged and ABSENT in (values.raw, values.live) else merged


def _merged(
    known: FieldSpec, values: Values, path: FieldPath, choices: Decisions, element: MergeElement
) -> Any:
    lists = values.as_lists()
    if known.list_meaning is ListMeaning.SET:
        return _set(known, lists, path, choices)
    keys = [keys for side in (lists.base, lists.tree, lists.live) if (keys := keys_of(known, side)) is not None]
    if len(keys) == 3:
        return _keyed(known, lists, keys, path, element)
    return _ordered(known, values, path, choices, element)


def _set(known: FieldSpec, lists: Values, path: FieldPath, choices: Decisions) -> list[Any]:
    """Elements that live added or removed are added or removed: sets have no conflicts."""
    raw: list[Any] = lists.raw
    base, tree, live = (Counter(map(comparable, side)) for side in (lists.base, lists.tree, lists.live))
    added, removed = (live - base) - (tree - base), (base - live) & tree
    if not added and not removed:
        if tree != live:
            choices.note(known, MergeResult.KEPT, lists, path)
        return raw
    new = [item for item in lists.live if _spend(added, comparable(item))]
    why = next((text for item in new if (text := why_unsayable(known, item))), "")
    choices.note(known, MergeResult.BY_HAND if why else MergeResult.TAKEN, lists, path, why=why)
    if why:
        return raw
    kept = [item for item, value in zip(raw, lists.tree, strict=True) if not _spend(removed, comparable(value))]
    return kept + new


def _keyed(
    known: FieldSpec, lists: Values, keys: list[list[Element]], path: FieldPath, element: MergeElement
) -> list[Any]:
    """Element by element: the tree's order, what is new live at the end."""
    sides = zip(keys, (lists.base, lists.tree, lists.live), strict=True)
    base, tree, live = (dict(zip(names, side, strict=True)) for names, side in sides)
    found = Values(base, tree, live, dict(zip(keys[1], lists.raw, strict=True)))
    order = [*keys[1], *(key for key in keys[2] if key not in tree)]
    merged = (element(known, found.of(key), path / key) for key in order)
    return [value for value in merged if value is not ABSENT]


def _ordered(
    known: FieldSpec, values: Values, path: FieldPath, choices: Decisions, element: MergeElement
) -> Any:
    lists = values.as_lists()
    if values.is_everywhere and same(values.base, values.tree):
        return _follow(known, lists, path, element)
    if values.is_everywhere and _in_place(lists.base, lists.tree) and _in_place(lists.base, lists.live):
        elements = map(Values, lists.base, lists.tree, lists.live, lists.raw)
        return [element(known, item, path / Index(place)) for place, item in enumerate(elements)]
    if values.is_everywhere and values.base is not ABSENT and not same(values.base, values.live):
        both = _both(known, lists)
        if both is not None:
            only = MergeResult.KEPT if same(both, lists.tree) else MergeResult.TAKEN
            is_one_sided = same(both, lists.tree) or same(both, lists.live)
            result = only if is_one_sided else MergeResult.MERGED
            choices.note(known, result, values, path, merged=None if is_one_sided else both)
            return both
    return choices.leaf(known, values, path)


def _both(known: FieldSpec, lists: Values) -> list[Any] | None:
    """The list with the edits of both sides; None if they collide or cannot be written."""
    sides = [[*map(comparable, side)] for side in (lists.base, lists.tree, lists.live)]
    found = regions(*sides)
    settled = [text for region in found if isinstance(region, Settled) for text in region.units]
    if any(isinstance(region, Clash) for region in found):
        return None
    written = dict(zip(sides[2], lists.live, strict=True)) | dict(zip(sides[1], lists.raw, strict=True))
    theirs = [item for text, item in zip(sides[2], lists.live, strict=True) if text not in sides[1]]
    if any(why_unsayable(known, item) or secret_variables(item) for item in theirs):
        return None
    return [written[text] for text in settled]


def _follow(known: FieldSpec, lists: Values, path: FieldPath, element: MergeElement) -> list[Any]:
    """The live list, with the tree's spelling for elements that are equal or continue to exist."""
    merged: list[Any] = []
    for pair in sorted(pair_by_order(lists.live, lists.tree), key=_live_first):
        tree = ABSENT if pair.live is None else lists.tree[pair.live]
        live = ABSENT if pair.desired is None else lists.live[pair.desired]
        raw = ABSENT if pair.live is None else lists.raw[pair.live]
        place = pair.desired if pair.desired is not None else pair.live or 0
        value = element(known, Values(tree, tree, live, raw), path / Index(place))
        if value is not ABSENT:
            merged.append(value)
    return merged


def _in_place(base: list[Any], other: list[Any]) -> bool:
    """True if a list has been changed inside its elements only."""
    return len(base) == len(other) and all(pair.desired == pair.live for pair in pair_by_order(other, base))


def _live_first(pair: Pair) -> tuple[int, int]:
    """The sort key for the order of the live list; elements removed live come last."""
    return (0, pair.desired) if pair.desired is not None else (1, pair.live or 0)


def _spend(counter: Counter[str], text: str) -> bool:
    if counter[text] > 0:
        counter[text] -= 1
        return True
    return False
