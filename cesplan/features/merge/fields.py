"""
Fields: three states of one resource into the content of its file, field by field. Base is the last applied
state, the other two are the tree and live. A field that only live changed is taken, one that only the tree
changed is kept, and one that both changed to different values is a conflict. With an empty base (two-way),
fields that only live has are taken, fields that only the tree has are kept, and the rest are conflicts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cesplan.domain.app_metadata.names import PREFIX
from cesplan.domain.desired import DesiredResource
from cesplan.domain.features.merge import MergedResource, Side
from cesplan.domain.field_path import Entry, FieldPath
from cesplan.domain.naming import Naming
from cesplan.domain.settings import Ownership
from cesplan.domain.value import ABSENT, Body, comparable
from cesplan.engine.comparing.ignored_fields import with_values_of
from cesplan.engine.comparing.normalize import ROOT, Normalized, normalize
from cesplan.engine.pulling.writable import why_unsayable
from cesplan.features.history.base import Base
from cesplan.features.merge.choices import Decisions, Values, put
from cesplan.features.merge.lists import merge_list
from cesplan.model.marks import LanguageKeys, OwnedByKey, OwnName
from cesplan.model.scalars import Scalar, language_tag
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec


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
                return merge_list(known, values, path, self.choices, self._element)
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
