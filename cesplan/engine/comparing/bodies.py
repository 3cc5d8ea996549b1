"""
Composing the body of a write.

An update contains exactly the fields of its mask. Lists are replaced as a whole on the wire, so the sent list
keeps the live order of remaining elements, appends new ones, and preserves the fields of an element that the
models do not know. If that is impossible, the places that would be lost are listed.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cesplan.domain.field_path import Entry, FieldPath, Index, MaskPath, Segment, canonical_cover
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import MaskDepth
from cesplan.domain.value import ABSENT, Body, comparable
from cesplan.engine.comparing.normalize import Normalized
from cesplan.engine.comparing.pairs import Pair, align, pair_by_keys, pair_by_value
from cesplan.model.marks import OwnedByKey
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning, MessageSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """
    A mask and its body.

    `lost` are live places that the models do not know and that would be lost silently. `removed` are places
    that are removed on purpose.
    """

    mask: tuple[MaskPath, ...]
    body: Body
    lost: tuple[FieldPath, ...] = ()
    removed: tuple[FieldPath, ...] = ()


def compose_update(
    spec: MessageSpec,
    desired: Normalized,
    live: Normalized,
    mask: Iterable[MaskPath],
    depth: MaskDepth,
    extra: Mapping[MaskPath, Any] | None = None,
) -> Update:
    """
    The update that makes live match desired at the paths of the mask.

    `extra` are values for fields that the model does not know.
    """
    new = extra or {}
    cover = canonical_cover([*mask, *new])
    arranging = _Arranging(desired, live)
    body: Body = {}
    for path in cover:
        value = arranging.at(spec, path)
        if value is not ABSENT:
            put(body, path.fields, value)
    for path, value in new.items():
        put(body, path.fields, value)
    if depth is MaskDepth.TOP:
        body = arranging.top(spec, cover, body)
        cover = canonical_cover(MaskPath(path.fields[:1]) for path in cover)
    lost = tuple(path for path in arranging.lost if path not in {FieldPath(path.fields) for path in new})
    return Update(mask=cover, body=body, lost=lost, removed=tuple(arranging.removed))


def compose_create(desired: Normalized, extra: Mapping[str, Any]) -> Body:
    """The body of a create: everything in the file."""
    body = {**desired.body, **desired.input_only}
    for path, value in sorted(extra.items()):
        put(body, tuple(path.split(".")), value)
    return body


def put(body: Body, fields: tuple[str, ...], value: Any) -> None:
    """Set a value at a path of field names, copying each message on the path."""
    *parents, last = fields
    for name in parents:
        inner = body.get(name)
        body[name] = dict(inner) if isinstance(inner, dict) else {}
        body = body[name]
    body[last] = value


def take(body: Body, fields: tuple[str, ...], missing: Any = None) -> Any:
    """The value at a path of field names; `missing` if there is none, because null may be a value."""
    value: Any = body
    for name in fields:
        value = value.get(name, missing) if isinstance(value, dict) else missing
    return value


def without(body: Body, fields: tuple[str, ...]) -> Body:
    """A copy of a body without the field at a path."""
    removed: Body = FieldPath(fields).remove(body)
    return removed


def replaced(spec: MessageSpec, body: Body, path: MaskPath, value: Any) -> Body:
    """A copy with the field at a path set, or cleared by ABSENT. A oneof keeps only its new member."""
    body = dict(without(body, path.fields))
    if value is ABSENT:
        return body
    put(body, path.fields, value)
    for other in siblings(spec, path):
        body = without(body, other.fields)
    return body


def siblings(spec: MessageSpec, path: MaskPath) -> Iterator[MaskPath]:
    """The other members of all oneofs that a path leads through."""
    for place, known in enumerate(spec.along(path.fields)):
        for other in spec.oneofs.get(known.oneof, ()):
            if other != known.name:
                yield MaskPath((*path.fields[:place], other))
        spec = known.message if known.message_name else spec


class _Arranging:
    """
    Arranges desired values to replace live ones.

    `lost` are live places that the model does not know and that a write would drop. `removed` are elements,
    entries, lists, and maps that are removed on purpose, with their contents. Both are paths in live. It is
    recursive because it walks desired, live, and the unknown parts of live together.
    """

    def __init__(self, desired: Normalized, live: Normalized) -> None:
        self._desired = desired
        self._live = live.body
        self._whole = live.whole
        self._unknown: dict[tuple[Segment, ...], list[FieldPath]] = {}
        for path, _ in live.unknown:
            for size in range(len(path.segments) + 1):
                self._unknown.setdefault(path.segments[:size], []).append(path)
        self.lost: list[FieldPath] = []
        self.removed: list[FieldPath] = []

    def at(self, spec: MessageSpec, path: MaskPath) -> Any:
        """The value to send at a mask path; ABSENT if the field is cleared."""
        value = take(self._desired.body, path.fields, ABSENT)
        chain = spec.along(path.fields)
        if len(chain) < len(path.fields):
            return value
        for other in siblings(spec, path):
            if len(other.fields) == len(path.fields):
                self._note_lost(FieldPath(other.fields))
        return self._field(chain[-1], value, take(self._live, path.fields, ABSENT), FieldPath(path.fields))

    def top(self, spec: MessageSpec, cover: tuple[MaskPath, ...], body: Body) -> Body:
        """The whole top-level fields that a cover touches: the live values with the changes applied."""
        target = self._whole
        for path in cover:
            target = replaced(spec, target, path, take(body, path.fields, ABSENT))
        return {name: target[name] for name in sorted({path.fields[0] for path in cover}) if name in target}

    def _field(self, known: FieldSpec, desired: Any, live: Any, here: FieldPath) -> Any:
        if desired is ABSENT and known.mark(OwnedByKey) is None:
            return self._cleared(known, live, here)
        if live is ABSENT and known.cardinality is not Cardinality.ONE:
            self._note_lost(here)  # another shape than the model's
        if known.cardinality is Cardinality.LIST and isinstance(desired, list):
            return self._list(known, desired, live if isinstance(live, list) else [], here)
        if known.cardinality is Cardinality.MAP and (desired is ABSENT or isinstance(desired, dict)):
            return self._map(known, {} if desired is ABSENT else desired, live, here)
        return self._one(known, desired, live, here)

    def _cleared(self, known: FieldSpec, live: Any, here: FieldPath) -> Any:
        """
        What remains of a field that the tree lacks: the parts that the model does not know, if they can stand
        alone.
        """
        if here.segments not in self._unknown:
            return ABSENT
        if known.cardinality is not Cardinality.ONE:
            self.removed.append(here)
            return ABSENT
        if known.scalar is Scalar.ENUM:
            return ABSENT if here in self._desired.named else live
        if known.has_presence:  # an empty one would not mean the same as none
            self._note_lost(here)
            return ABSENT
        return self._one(known, {}, live, here) or ABSENT

    def _one(self, known: FieldSpec, desired: Any, live: Any, here: FieldPath) -> Any:
        if known.scalar is not Scalar.MESSAGE or not isinstance(desired, dict):
            return desired
        there = live if isinstance(live, dict) else {}
        whole = here.get(self._whole, {}) if here.segments in self._unknown else {}
        if not isinstance(whole, dict):  # live has another shape than the model
            self._note_lost(here)
            whole = {}
        message: Body = {}
        for name in (*desired, *(name for name in whole if name not in desired)):
            inner, value = known.message.fields.get(name), desired.get(name, ABSENT)
            if inner is not None:
                value = self._field(inner, value, there.get(name, ABSENT), here / name)
            elif value is ABSENT:
                value = whole[name]
            if value is not ABSENT:
                message[name] = value
        return message

    def _list(self, known: FieldSpec, desired: list[Any], live: list[Any], here: FieldPath) -> list[Any]:
        pairs, by_key = _pairs(known, desired, live)
        items = []
        for pair in pairs:
            place = here / Index(-1 if pair.live is None else pair.live)
            if pair.desired is None:
                self.removed.append(place)
            else:
                one, other = desired[pair.desired], ABSENT if pair.live is None else live[pair.live]
                is_same = by_key or other is ABSENT or comparable(one) == comparable(other)
                if not is_same:  # another element: keep list order, drop unknown parts
                    self._note_lost(place)
                    place = here / Index(-1)
                items.append(self._one(known, one, other, place))
        return items

    def _map(self, known: FieldSpec, desired: Body, live: Any, here: FieldPath) -> Body:
        there = live if isinstance(live, dict) else {}
        entries = {
            key: self._one(known, value, there.get(key), here / Entry(key)) for key, value in desired.items()
        }
        if known.mark(OwnedByKey) is None:
            self.removed += [here / Entry(key) for key in there if key not in desired]
            return entries
        kept = {key: value for key, value in there.items() if here / Entry(key) not in self._desired.named}
        return {**kept, **entries}

    def _note_lost(self, here: FieldPath) -> None:
        self.lost += self._unknown.get(here.segments, [])


def _pairs(known: FieldSpec, desired: list[Any], live: list[Any]) -> tuple[list[Pair], bool]:
    """
    The elements in the order in which they are sent, then the removed ones, and whether they were paired by
    key.

    A moved element keeps its partner.
    """
    keyed = pair_by_keys(known, desired, live)
    if keyed is not None:
        return [pair for _, pair in keyed], True
    if known.list_meaning is ListMeaning.SET:
        return pair_by_value(desired, live), False
    alignment = align(desired, live)
    partners = {pair.desired: pair.live for pair in (*alignment.pairs, *alignment.moved)}
    partners = {place: partners.get(place, place) for place in range(len(desired))}  # unpaired: by position
    kept = set(partners.values())
    gone = [place for place in range(len(live)) if place not in kept]
    return [
        *(Pair(place, partners[place]) for place in range(len(desired))),
        *(Pair(None, place) for place in gone),
    ], False
