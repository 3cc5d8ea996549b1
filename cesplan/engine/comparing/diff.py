"""
Diffing: the leaves that differ between two canonical bodies, each with the mask path that changes it.

For equal bodies (most resources) it returns at once. Otherwise it is one walk guided by the schema. Only this
module decides what an absent field means: its default value, not managed, or set by the server. The mask of a
leaf is the deepest path that a FieldMask can name for it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import Any

from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.field_path import Element, Entry, FieldPath, Index, MaskPath, Segment
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Ownership
from cesplan.domain.value import ABSENT, Body, comparable, is_same
from cesplan.engine.comparing.pairs import Pair, align, hidden, pair_by_keys, pair_by_order, same_multiset
from cesplan.model.marks import OwnedByKey
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning, MessageSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """
    The fields that a resource file manages.

    `named` are fields that the file sets although they equal an absent one. `cleared` are messages set to null
    or to an empty message, which covers everything inside. `unknown` are live places that the model does not
    know.
    """

    ownership: Ownership = Ownership.FULL
    named: frozenset[FieldPath] = frozenset()
    cleared: frozenset[FieldPath] = frozenset()
    unknown: frozenset[FieldPath] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """
    The position of the walk. `mask` stays fixed inside a list, a map, or an absent message.

    `live` is the same place in live, with elements of all lists by position.
    """

    path: FieldPath = field(default_factory=FieldPath)
    live: FieldPath = field(default_factory=FieldPath)
    mask: MaskPath | None = None

    def into(self, segment: str) -> "_Side":
        return replace(self, path=self.path / segment, live=self.live / segment)

    def element(self, segment: Segment, live: Segment) -> "_Side":
        return _Side(path=self.path / segment, live=self.live / live, mask=self.here)

    @property
    def here(self) -> MaskPath:
        return self.mask or self.path.mask


def diff(spec: MessageSpec, desired: Body, live: Body, scope: Scope) -> tuple[FieldChange, ...]:
    """The leaves that must change in live to match desired; empty if there are none."""
    if is_same(desired, live) or comparable(desired) == comparable(live):
        return ()
    return tuple(_Diff(scope).message(spec, desired, live, _Side()))


class _Diff:
    """Recursive, because it walks two bodies together, and what one of them lacks decides about its inside."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def message(self, spec: MessageSpec, desired: Body, live: Body, side: _Side) -> Iterator[FieldChange]:
        for known in spec.settable:
            here = side.into(known.name)
            one, other = desired.get(known.name, ABSENT), live.get(known.name, ABSENT)
            if one is ABSENT and (other is ABSENT or known.is_filled_in(other, desired)):
                continue
            if self._is_left_alone(known, one, here):
                continue
            yield from self._field(known, one, other, self._masked(spec, known, desired, live, here))

    def _masked(self, spec: MessageSpec, known: FieldSpec, desired: Body, live: Body, side: _Side) -> _Side:
        """If a oneof switches members, the mask names the new member, also for changes of the old one."""
        if side.mask is not None or not known.oneof or known.name in desired:
            return side
        members = spec.oneofs[known.oneof]
        new = next((name for name in members if name in desired), None)
        if new is None:
            return side
        return replace(side, mask=MaskPath((*side.path.fields[:-1], new)))

    def _is_left_alone(self, known: FieldSpec, one: Any, side: _Side) -> bool:
        if known.is_input_only or known.is_from_place:
            return True
        if one is not ABSENT:
            return False
        if side.live in self._scope.unknown and side.path not in self._scope.named:
            return True
        inside_list = side.mask is not None
        if self._scope.ownership is Ownership.FULL or inside_list:
            return False
        return not self._is_named(side.path)

    def _is_named(self, path: FieldPath) -> bool:
        """True if the file sets the field or something inside it, or sets a message around it to empty."""
        return any(named.is_inside(path) for named in self._scope.named) or any(
            map(path.is_inside, self._scope.cleared)
        )

    def _field(self, known: FieldSpec, one: Any, other: Any, side: _Side) -> Iterator[FieldChange]:
        if known.cardinality is Cardinality.LIST:
            yield from self._list(known, one, other, side)
        elif known.cardinality is Cardinality.MAP:
            yield from self._map(known, one, other, side)
        elif known.scalar is Scalar.MESSAGE:
            yield from self._submessage(known, one, other, side)
        else:
            yield from self._leaf(known, one, other, side)

    def _submessage(self, known: FieldSpec, one: Any, other: Any, side: _Side) -> Iterator[FieldChange]:
        whole = replace(side, mask=side.here)
        if one is not ABSENT and other is not ABSENT:
            yield from self.message(known.message, one, other, side)
        elif one is ABSENT:
            yield from self._gone(known, other, side, whole)
        elif not one:
            yield _change(known, whole, ABSENT, one)
        else:
            yield from self.message(known.message, one, {}, whole)

    def _gone(self, known: FieldSpec, other: Any, side: _Side, whole: _Side) -> Iterator[FieldChange]:
        """The changes for a message that only live has: it is cleared, unless something inside it must stay."""
        if known.has_presence:
            leaves = [*self.message(known.message, {}, other, whole)]
            yield from leaves or [_change(known, whole, other, ABSENT)]
            return
        leaves = [*self.message(known.message, {}, other, side)]
        keeps = self._keeps_something(known.message, other, side)
        for leaf in leaves:
            yield leaf if keeps or side.mask else replace(leaf, mask=side.here)

    def _keeps_something(self, spec: MessageSpec, live: Body, side: _Side) -> bool:
        """True if a field inside was set by the server or is unknown, and so must be kept."""
        if any(path.is_inside(side.live) for path in self._scope.unknown):
            return True
        for name, value in live.items():
            known, here = spec.fields[name], side.into(name)
            if known.is_filled_in(value, {}) or self._is_left_alone(known, ABSENT, here):
                return True
            nested = known.cardinality is Cardinality.ONE and known.scalar is Scalar.MESSAGE
            if nested and self._keeps_something(known.message, value, here):
                return True
        return False

    def _leaf(self, known: FieldSpec, one: Any, other: Any, side: _Side) -> Iterator[FieldChange]:
        """A value that has no fields; of a free-form one, each leaf that differs. A secret is a leaf."""
        free = known.scalar in (Scalar.STRUCT, Scalar.VALUE)
        if free and isinstance(one, dict) and isinstance(other, dict):
            for key in sorted({*one, *other}):
                here = side.element(Entry(key), Entry(key))
                yield from self._leaf(known, one.get(key, ABSENT), other.get(key, ABSENT), here)
        elif free and isinstance(one, list) and isinstance(other, list):
            pairs = [(Index(_position(pair)), pair) for pair in pair_by_order(one, other)]
            for mine, theirs, here in _paired(pairs, one, other, side):
                yield from self._leaf(known, mine, theirs, here)
        elif ABSENT in (one, other) or comparable(one) != comparable(other):
            yield _change(known, side, other, one)

    def _list(self, known: FieldSpec, one: Any, other: Any, side: _Side) -> Iterator[FieldChange]:
        desired, live = [] if one is ABSENT else one, [] if other is ABSENT else other
        if not isinstance(desired, list) or not isinstance(live, list):
            yield _change(known, side, other, one)
        elif known.list_meaning is ListMeaning.SET and known.scalar is not Scalar.MESSAGE:
            if not same_multiset(desired, live):
                yield _change(known, side, other, one, is_set=True)
        elif not (known.list_meaning is ListMeaning.SET and same_multiset(desired, live)):
            yield from self._elements(known, desired, live, side)

    def _elements(
        self, known: FieldSpec, desired: list[Any], live: list[Any], side: _Side
    ) -> Iterator[FieldChange]:
        pairs: _Pairs | None = pair_by_keys(known, desired, live)
        if pairs is None:
            alignment = align(desired, live)
            pairs = [(Index(_position(pair)), pair) for pair in alignment.pairs]
            if known.list_meaning is not ListMeaning.SET:  # sets have no positions
                yield from (_moved(pair, side) for pair in alignment.moved)
        for one, other, here in _paired(pairs, desired, live, side):
            yield from self._element(known, one, other, here)

    def _map(self, known: FieldSpec, one: Any, other: Any, side: _Side) -> Iterator[FieldChange]:
        desired, live = {} if one is ABSENT else one, {} if other is ABSENT else other
        shared = known.mark(OwnedByKey) is not None
        for key in sorted({*desired, *live}):
            here = side.element(Entry(key), Entry(key))
            if key not in desired and shared and here.path not in self._scope.named:
                continue
            yield from self._element(known, desired.get(key, ABSENT), live.get(key, ABSENT), here)

    def _element(self, known: FieldSpec, one: Any, other: Any, side: _Side) -> Iterator[FieldChange]:
        """An element of a list or an entry of a map: it is always managed, and an empty message counts."""
        if one is not ABSENT and other is not ABSENT:
            if comparable(one) == comparable(other):
                return
            if known.scalar is Scalar.MESSAGE:
                yield from self.message(known.message, one, other, side)
                return
        yield _change(known, side, other, one)


_Pairs = Sequence[tuple[Element | Index, Pair]]


def _paired(
    pairs: _Pairs, desired: list[Any], live: list[Any], side: _Side
) -> Iterator[tuple[Any, Any, _Side]]:
    """The elements of each pair, ABSENT for none, and where they are."""
    for segment, pair in pairs:
        one = ABSENT if pair.desired is None else desired[pair.desired]
        other = ABSENT if pair.live is None else live[pair.live]
        yield one, other, side.element(segment, segment if pair.live is None else Index(pair.live))


def _position(pair: Pair) -> int:
    return pair.desired if pair.desired is not None else pair.live or 0


def _moved(pair: Pair, side: _Side) -> FieldChange:
    return FieldChange(
        path=side.path / Index(_position(pair)),
        mask=side.here,
        action=FieldAction.MOVED,
        before=pair.live,
        after=pair.desired,
        live_path=side.live / Index(pair.live or 0),
    )


def _change(known: FieldSpec, side: _Side, before: Any, after: Any, *, is_set: bool = False) -> FieldChange:
    before, after = None if before is ABSENT else hidden(before, after), None if after is ABSENT else after
    return FieldChange(
        path=side.path,
        mask=side.here,
        action=_action(before, after),
        before=before,
        after=after,
        language=_language(known, before, after),
        is_set=is_set,
        live_path=_elsewhere(side.path, side.live),
    )


def _elsewhere(path: FieldPath, live: FieldPath) -> FieldPath | None:
    return None if path == live else live


def _action(before: Any, after: Any) -> FieldAction:
    if before is None:
        return FieldAction.ADDED
    return FieldAction.REMOVED if after is None else FieldAction.MODIFIED


def _language(known: FieldSpec, before: Any, after: Any) -> str:
    if known.language:
        return known.language
    return "text" if any(isinstance(item, str) and "\n" in item for item in (before, after)) else ""
