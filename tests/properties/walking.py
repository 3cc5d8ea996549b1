"""Walks over bodies, led by the specs: every message in them, and every reference."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from cesplan.domain.value import Body
from cesplan.model.marks import OwnName, Required
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec


@dataclass(frozen=True, slots=True)
class Spot:
    """A field that is set: the message it is in (the very dict), and how deep that is."""

    spec: MessageSpec
    message: Body
    known: FieldSpec
    depth: int

    @property
    def place(self) -> tuple[str, str]:
        return self.spec.name, self.known.name

    @property
    def value(self) -> Any:
        return self.message[self.known.name]


def messages(spec: MessageSpec, body: Body, depth: int = 0) -> Iterator[tuple[MessageSpec, Body, int]]:
    """Every message of a body, itself included."""
    yield spec, body, depth
    for name, value in list(body.items()):
        known = spec.fields.get(name)
        if known is not None and known.scalar is Scalar.MESSAGE:
            for item in items(known, value):
                if isinstance(item, dict):
                    yield from messages(known.message, item, depth + 1)


def spots(spec: MessageSpec, body: Body) -> list[Spot]:
    """Every field that is set, anywhere in a body, and that files may hold."""
    return [
        Spot(inner, message, inner.fields[name], depth)
        for inner, message, depth in messages(spec, body)
        for name in message
        if name in inner.fields and not (inner.fields[name].is_output or inner.fields[name].is_transport)
    ]


def items(known: FieldSpec, value: Any) -> list[Any]:
    """The elements of a list, the values of a map, or the one value."""
    if known.cardinality is Cardinality.LIST and isinstance(value, list):
        return value
    if known.cardinality is Cardinality.MAP and isinstance(value, dict):
        return list(value.values())
    return [] if value is None else [value]


def is_required(known: FieldSpec) -> bool:
    mark = known.mark(Required)
    return mark is not None


def names_resource(known: FieldSpec) -> bool:
    """True for fields that refer to this API's resources, or name a part of their own body."""
    return known.mark(OwnName) is not None or (known.reference is not None and bool(known.reference.kinds))


def translated(spec: MessageSpec, body: Body, rename: Callable[[str], str | None]) -> Body | None:
    """
    A copy of a body with every reference replaced; None drops it, and what cannot stand without it.

    None for a body that itself cannot.
    """
    made: Body = {}
    for name, value in body.items():
        known = spec.fields.get(name)
        new = value if known is None else _field(known, value, rename)
        if new is None and value is not None:
            if known is not None and is_required(known):
                return None
            continue
        made[name] = new
    return made


def _field(known: FieldSpec, value: Any, rename: Callable[[str], str | None]) -> Any:
    if not names_resource(known) and known.scalar is not Scalar.MESSAGE:
        return value
    if known.cardinality is Cardinality.LIST and isinstance(value, list):
        made = [_one(known, item, rename) for item in value]
        kept = [item for item in made if item is not None]
        return kept if kept or not value else None
    if known.cardinality is Cardinality.MAP and isinstance(value, dict):
        entries = {key: _one(known, item, rename) for key, item in value.items()}
        return {key: item for key, item in entries.items() if item is not None}
    return _one(known, value, rename)


def _one(known: FieldSpec, value: Any, rename: Callable[[str], str | None]) -> Any:
    if known.scalar is Scalar.MESSAGE and isinstance(value, dict):
        return translated(known.message, value, rename)
    return rename(value) if names_resource(known) and isinstance(value, str) else value
