"""
Fields: three states of one resource into the content of its file, field by field. Base is the last applied
state, the other two are the tree and live. A field that only live changed is taken, one that only the tree
changed is kept, and one that both changed to different values is a conflict. With an empty base (two-way),
fields that only live has are taken, fields that only the tree has are kept, and the rest are conflicts. Sets
merge by what was added and removed, keyed lists by their keys, ordered lists by their places.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cesplan.domain.app_metadata.names import PREFIX
from cesplan.domain.desired import DesiredResource
from cesplan.domain.features.merge import MergedResource, MergeResult, Side
from cesplan.domain.field_path import Element, Entry, FieldPath, Index
from cesplan.domain.naming import Naming
from cesplan.domain.settings import Ownership
from cesplan.domain.text.diff3 import Clash, Settled, regions
from cesplan.domain.value import ABSENT, Body, comparable, secret_variables
from cesplan.engine.comparing.ignored_fields import with_values_of
from cesplan.engine.comparing.normalize import ROOT, Normalized, normalize
from cesplan.engine.comparing.pairs import Pair, pair_by_order
from cesplan.engine.pulling.writable import why_unsayable
from cesplan.features.history.base import Base
from cesplan.features.merge.choices import Decisions, Values, put, same
from cesplan.model.element_keys import keys_of
from cesplan.model.marks import LanguageKeys, OwnedByKey, OwnName
from cesplan.model.scalars import Scalar, language_tag
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning, MessageSpec

MergeElement = Callable[[FieldSpec, Values, FieldPath], Any]
"""Merges one element; ABSENT if it should be removed."""


def merge_resource(
    spec: MessageSpec,
    base: Base,
    tree: DesiredResource,
    live: Body,
    naming: Naming,
    winner: Side = Side.NEITHER,
    needed: Mapping[str, Sequence[str]] | None = None,
    *,
    markers: bool = False,
) -> MergedResource:
    """
    Merge one resource that the tree and live both have.

    `needed` are names that the rest of the merged tree refers to, each with its referrers: an element that
    declares one stays, though it was removed live. With `markers` texts in files of their own get both sides of
    what collides in them.
    """
    ours = normalize(spec, tree.body, naming).body
    theirs = normalize(spec, live, naming)
    theirs = replace(theirs, body=with_values_of(spec, theirs.body, ours, tree.ignore))
    origin = with_values_of(spec, normalize(spec, base.body, naming).body, ours, tree.ignore)
    merge = _Merge(tree, theirs, Decisions(winner, tree.files, markers=markers), needed or {})
    equal = comparable(ours) == comparable(theirs.body)
    body = tree.body if equal else merge.message(spec, Values(origin, ours, theirs.body, tree.body), ROOT)
    extra = merge.extra(base.extra, tree.extra, theirs)
    fields = tuple(merge.choices.found)
    return MergedResource(address=tree.address, body=body, extra=extra, fields=fields, file=tree.file)


def is_unchanged(spec: MessageSpec, base: Base, other: DesiredResource, naming: Naming) -> bool:
    """True if a file asks for what was applied last."""
    one, two = (normalize(spec, body, naming).body for body in (base.body, other.body))
    two = with_values_of(spec, two, one, other.ignore)
    blank = _Merge(other, Normalized(body={}), Decisions(Side.NEITHER))
    blank.message(spec, Values(one, one, two, one), ROOT)
    return not blank.choices.found and dict(base.extra) == dict(other.extra)


def is_untouched(spec: MessageSpec, base: Base, tree: DesiredResource, live: Body, naming: Naming) -> bool:
    """True if live matches the last applied state in every field that the file, now or then, manages."""
    theirs = normalize(spec, live, naming)
    origin = normalize(spec, base.body, naming).body
    walk = _Merge(tree, theirs, Decisions(Side.NEITHER))
    walk.message(spec, Values(origin, origin, theirs.body, origin), ROOT)
    return not walk.choices.found


class _Merge:
    """
    One walk over the values of a resource. It does not use the shared walker because it goes through four sides
    at once.
    """

    def __init__(
        self,
        tree: DesiredResource,
        live: Normalized,
        choices: Decisions,
        needed: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._needed = needed or {}
        self._ownership = tree.ownership
        self._unknown = frozenset(path for path, _ in live.unknown)
        self.choices = choices

    def message(self, spec: MessageSpec, values: Values, path: FieldPath, *, whole: bool = False) -> Body:
        """A message; `whole` ones are in a list or a map, where nothing is left alone."""
        merged = dict(values.raw)
        decided = self._switches(spec, values, merged, path)
        for known in spec.settable:
            here, inner = path / known.name, values.of(known.name)
            if known.name in decided or inner.is_nowhere:
                continue
            if inner.tree is ABSENT and known.is_filled_in(inner.live, values.live):
                continue
            if not self._is_left_alone(known, inner, here, whole=whole):
                put(merged, known.name, self._field(known, inner, here, whole=whole))
        return merged

    def extra(self, base: Mapping[str, Any], tree: Mapping[str, Any], live: Normalized) -> dict[str, Any]:
        """Fields newer than the models, as far as the file names them."""
        there = {str(path): value for path, value in live.unknown}
        values = Values(dict(base), dict(tree), there, dict(tree))
        merged = dict(tree)
        for name in sorted(tree):
            put(merged, name, self.choices.leaf(None, values.of(name), FieldPath((name,))))
        return merged

    def _switches(self, spec: MessageSpec, values: Values, merged: Body, path: FieldPath) -> frozenset[str]:
        """The oneofs in which tree and live have different members: decided as a whole."""
        decided: set[str] = set()
        for members in spec.oneofs.values():
            base, ours, theirs = (
                {name: side[name] for name in members if name in side}
                for side in (values.base, values.tree, values.live)
            )
            if ours.keys() == theirs.keys() or not ours or not theirs:
                continue
            decided |= set(members)
            name = min(theirs)
            group = Values(base or ABSENT, ours, theirs, ours)
            why = why_unsayable(spec.fields[name], theirs[name])
            if self.choices.choose(None, group, path / name, unsayable=why) is Side.LIVE:
                for removed in ours:
                    merged.pop(removed, None)
                merged[name] = theirs[name]
        return frozenset(decided)

    def _is_left_alone(self, known: FieldSpec, values: Values, path: FieldPath, *, whole: bool) -> bool:
        if known.is_input_only or known.is_from_place:
            return True
        if values.tree is not ABSENT:
            return False
        if path in self._unknown:
            return True
        return self._ownership is Ownership.DECLARED and values.raw is ABSENT and not whole

    def _field(self, known: FieldSpec, values: Values, path: FieldPath, *, whole: bool) -> Any:
        if values.are_equal:
            return values.raw
        match known.cardinality:
            case Cardinality.LIST:
                return _merge_list(known, values, path, self.choices, self._element)
            case Cardinality.MAP:
                return self._map(known, values, path)
            case Cardinality.ONE:
                return self._one(known, values, path, whole=whole)

    def _one(self, known: FieldSpec, values: Values, path: FieldPath, *, whole: bool) -> Any:
        """A single value: a message field by field, unless a side lacks one that has presence."""
        if known.scalar is Scalar.MESSAGE and (values.is_everywhere or not known.has_presence):
            merged = self.message(known.message, values.as_bodies(), path, whole=whole)
            emptied = not merged and values.raw != {} and not known.has_presence
            return ABSENT if emptied else merged
        if known.scalar in (Scalar.STRUCT, Scalar.VALUE):
            return self._free(values, path)
        return self.choices.leaf(known, values, path)

    def _free(self, values: Values, path: FieldPath) -> Any:
        """A value without a schema: objects entry by entry, everything else as a whole."""
        if not isinstance(values.tree, dict) or not isinstance(values.live, dict):
            return self.choices.leaf(None, values, path)
        merged = dict(values.raw)
        for key in _keys(values):
            put(merged, key, self._free(values.of(key), path / Entry(key)))
        return merged

    def _map(self, known: FieldSpec, values: Values, path: FieldPath) -> Any:
        """Entry by entry; in a map that is owned key by key, only those that the file names."""
        bodies = values.as_bodies()
        merged = dict(bodies.raw)
        shared = known.mark(OwnedByKey) is not None
        for key in _keys(bodies):
            name = _as_written(known, key, bodies.raw)
            if shared and (key.startswith(PREFIX) or name not in bodies.raw):
                continue
            put(merged, name, self._element(known, bodies.of(key, name), path / Entry(key)))
        return ABSENT if not merged and (values.live is ABSENT or values.raw is ABSENT) else merged

    def _element(self, known: FieldSpec, values: Values, path: FieldPath) -> Any:
        """An element of a list or an entry of a map: there or not there as a whole, then field by field."""
        if values.are_equal:
            return values.raw
        if known.scalar is Scalar.MESSAGE and values.is_everywhere:
            return self.message(known.message, values.as_bodies(), path, whole=True)
        referrers = [text for name in own_name(known, values.tree) for text in self._needed.get(name, ())]
        if referrers and values.live is ABSENT:
            return self.choices.keep(known, values, path, f"{', '.join(referrers)} still refers to it")
        return self.choices.leaf(known, values, path)


def own_name(known: FieldSpec, element: Any) -> Iterator[str]:
    """The name that an element of a list declares for others to refer to: `evaluationPersonas/calm`."""
    if known.scalar is Scalar.MESSAGE and isinstance(element, dict):
        for item in known.message.fields.values():
            if item.mark(OwnName) is not None and item.name in element:
                yield element[item.name]


def _keys(values: Values) -> Iterator[str]:
    """The keys that tree or live have: the tree's order, then what is new."""
    yield from dict.fromkeys([*values.tree, *values.live])


def _as_written(known: FieldSpec, key: str, raw: Body) -> str:
    """The tree's spelling of a map key: only in a map of language codes can the case differ."""
    if key in raw or known.mark(LanguageKeys) is None:
        return key
    return next((name for name in raw if language_tag(name) == key), key)


def _merge_list(
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
