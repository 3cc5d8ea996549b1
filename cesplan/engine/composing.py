"""
Composing: what the body of a write holds.

An update carries exactly what its mask names (DESIGN §6). Lists are replaced whole on the wire, so what is
sent keeps the live order for survivors, appends what is new, and carries over the parts of an element that
are newer than our models. Where that is impossible, the places that would be lost are named.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cesplan.domain.field_path import Entry, FieldPath, Index, MaskPath, canonical_cover
from cesplan.domain.settings import MaskDepth
from cesplan.domain.value import Body
from cesplan.engine.normalizing import ABSENT, Normalized
from cesplan.engine.pairing import (
    Pair,
    comparable,
    keys_of,
    pair_by_key,
    pair_by_order,
    pair_by_value,
)
from cesplan.model.marks import OwnedByKey
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning, MessageSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A mask and the body that goes with it; `lost` are live places newer than the models that would go."""

    mask: tuple[MaskPath, ...]
    body: Body
    lost: tuple[FieldPath, ...] = ()


def compose_update(
    spec: MessageSpec, desired: Normalized, live: Normalized, mask: Iterable[MaskPath], depth: MaskDepth
) -> Update:
    """The update that makes live equal desired at the paths of the mask."""
    cover = canonical_cover(mask)
    arranging = _Arranging(desired, live)
    body: Body = {}
    for path in cover:
        value = arranging.at(spec, path)
        if value is not ABSENT:
            put(body, path.fields, value)
    if depth is MaskDepth.TOP:
        return _top_level(spec, cover, body, live, tuple(arranging.lost))
    return Update(mask=cover, body=body, lost=tuple(arranging.lost))


def compose_create(desired: Normalized, extra: Mapping[str, Any]) -> Body:
    """The body of a create: everything the file says."""
    body = {**desired.body, **desired.input_only}
    for path, value in sorted(extra.items()):
        put(body, tuple(path.split(".")), value)
    return body


def put(body: Body, fields: tuple[str, ...], value: Any) -> None:
    """Set a value at a path of field names, copying each message on the way."""
    *parents, last = fields
    for name in parents:
        inner = body.get(name)
        body[name] = dict(inner) if isinstance(inner, dict) else {}
        body = body[name]
    body[last] = value


def take(body: Body, fields: tuple[str, ...], missing: Any = None) -> Any:
    """The value at a path of field names; `missing` where there is none, for null may be a value."""
    value: Any = body
    for name in fields:
        value = value.get(name, missing) if isinstance(value, dict) else missing
    return value


def without(body: Body, fields: tuple[str, ...]) -> Body:
    """A copy of a body that lacks the field at a path."""
    head, *rest = fields
    if head not in body:
        return body
    copy = dict(body)
    if rest and isinstance(copy[head], dict):
        copy[head] = without(copy[head], tuple(rest))
    elif not rest:
        del copy[head]
    return copy


def replaced(spec: MessageSpec, body: Body, path: MaskPath, value: Any) -> Body:
    """A copy with the field at a path set, or cleared by ABSENT; a oneof keeps only its new member."""
    body = dict(without(body, path.fields))
    if value is ABSENT:
        return body
    put(body, path.fields, value)
    for place, name in enumerate(path.fields):
        known = spec.fields.get(name)
        if known is None:
            break
        for other in spec.oneofs.get(known.oneof, ()):
            if other != name:
                body = without(body, (*path.fields[:place], other))
        if not known.message_name:
            break
        spec = known.message
    return body


def _top_level(
    spec: MessageSpec,
    cover: tuple[MaskPath, ...],
    body: Body,
    live: Normalized,
    lost: tuple[FieldPath, ...],
) -> Update:
    """The same update with top-level paths only: the live value, with the change written into it."""
    target: Body = dict(live.body)
    for path, value in live.unknown:
        if len(path.fields) == len(path.segments):
            put(target, path.fields, value)
    for mask_path in cover:
        target = replaced(spec, target, mask_path, take(body, mask_path.fields, ABSENT))
    names = sorted({path.fields[0] for path in cover})
    return Update(
        mask=tuple(MaskPath((name,)) for name in names),
        body={name: target[name] for name in names if name in target},
        lost=lost,
    )


class _Arranging:
    """Desired values in the shape in which they replace live ones."""

    def __init__(self, desired: Normalized, live: Normalized) -> None:
        self._desired = desired
        self._live = live
        self.lost: list[FieldPath] = []

    def at(self, spec: MessageSpec, path: MaskPath) -> Any:
        """The value to send at a mask path; ABSENT where the field is cleared."""
        value = take(self._desired.body, path.fields, ABSENT)
        for name in path.fields[:-1]:
            known = spec.fields.get(name)
            if known is None:
                return value
            spec = known.message
        last = spec.fields.get(path.fields[-1])
        here = FieldPath(tuple(path.fields))
        shared = last is not None and last.mark(OwnedByKey) is not None
        if last is None or (value is ABSENT and not shared):
            return value
        return self.field(last, None if value is ABSENT else value, take(self._live.body, path.fields), here)

    def field(self, known: FieldSpec, desired: Any, live: Any, here: FieldPath) -> Any:
        if known.cardinality is Cardinality.LIST and isinstance(desired, list):
            return self._list(known, desired, live if isinstance(live, list) else [], here)
        if known.cardinality is Cardinality.MAP and isinstance(desired or {}, dict):
            return self._map(known, desired or {}, live if isinstance(live, dict) else {}, here)
        return self._one(known, desired, live, here)

    def _one(self, known: FieldSpec, desired: Any, live: Any, here: FieldPath) -> Any:
        if known.scalar is not Scalar.MESSAGE or not isinstance(desired, dict):
            return desired
        if not isinstance(live, dict):
            return desired
        message = {
            name: self.field(known.message.fields[name], value, live.get(name), here / name)
            if name in known.message.fields
            else value
            for name, value in desired.items()
        }
        return {**self._unknown_of(here), **message}

    def _unknown_of(self, here: FieldPath) -> Body:
        """Fields directly in the live message at this place that the model does not know."""
        depth = len(here.segments)
        return {
            str(path.segments[-1]): value
            for path, value in self._live.unknown
            if len(path.segments) == depth + 1
            and path.segments[:depth] == here.segments
            and not isinstance(path.segments[-1], Index | Entry)
            and not _is_enum_place(path, self._live.body)
        }

    def _list(self, known: FieldSpec, desired: list[Any], live: list[Any], here: FieldPath) -> list[Any]:
        pairs = self._pairs(known, desired, live)
        if known.list_meaning is ListMeaning.ORDERED:
            pairs.sort(key=lambda pair: -1 if pair.desired is None else pair.desired)
        return [self._element(known, desired, live, pair, here) for pair in pairs if pair.desired is not None]

    def _element(
        self, known: FieldSpec, desired: list[Any], live: list[Any], pair: Pair, here: FieldPath
    ) -> Any:
        """One element to send; `pair` has a desired place."""
        place = -1 if pair.live is None else pair.live
        one = desired[pair.desired or 0]
        return self._one(known, one, self._partner(known, one, live, pair, here), here / Index(place))

    def _pairs(self, known: FieldSpec, desired: list[Any], live: list[Any]) -> list[Pair]:
        keys = (keys_of(known, desired), keys_of(known, live)) if known.key_fields else (None, None)
        if keys[0] is not None and keys[1] is not None:
            return pair_by_key(keys[0], keys[1])
        if known.list_meaning is ListMeaning.SET:
            return pair_by_value(desired, live)
        return pair_by_order(desired, live)

    def _partner(self, known: FieldSpec, one: Any, live: list[Any], pair: Pair, here: FieldPath) -> Any:
        """The live element that a desired one continues: of the same key, or otherwise equal."""
        if pair.live is None:
            return None
        if known.key_fields or comparable(one) == comparable(live[pair.live]):
            return live[pair.live]
        self._note_lost(here / Index(pair.live))
        return None

    def _note_lost(self, here: FieldPath) -> None:
        depth = len(here.segments)
        self.lost += [path for path, _ in self._live.unknown if path.segments[:depth] == here.segments]

    def _map(self, known: FieldSpec, desired: Body, live: Body, here: FieldPath) -> Body:
        entries = {
            key: self._one(known, value, live.get(key), here / Entry(key)) for key, value in desired.items()
        }
        if known.mark(OwnedByKey) is None:
            return entries
        kept = {key: value for key, value in live.items() if here / Entry(key) not in self._desired.named}
        return {**kept, **entries}


def _is_enum_place(path: FieldPath, body: Body) -> bool:
    """An unknown enum value stands in the canonical body; an unknown field does not."""
    value: Any = body
    for segment in path.segments:
        match segment:
            case str():
                value = value.get(segment) if isinstance(value, dict) else None
            case Index():
                value = value[segment.position] if isinstance(value, list) else None
            case Entry():
                value = value.get(segment.key) if isinstance(value, dict) else None
            case _:
                return False
    return value is not None
