"""
Normalizing: any body, desired or live, into the one canonical form that is compared and sent.

Gone afterwards: transport and output-only fields, defaults of fields without presence, empty messages that
say nothing, nulls. One spelling each for scalars, references and enums. The order of lists stays,
for what is sent must keep it; that sets and keyed lists are equal in any order is known to comparing.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from cesplan.domain.field_path import Entry, FieldPath, Index, Segment
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body, Secret
from cesplan.engine.comparing.scalars import canonical_scalar
from cesplan.model.marks import LanguageKeys
from cesplan.model.scalars import Scalar, language_tag
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec

ROOT = FieldPath()

ABSENT: Any = object()
"""No value: the field equals one that was never set."""

_EMPTY: dict[Scalar, Any] = {
    Scalar.STRING: "",
    Scalar.BYTES: "",
    Scalar.BOOL: False,
    Scalar.INT32: 0,
    Scalar.INT64: 0,
    Scalar.FLOAT: 0,
    Scalar.DOUBLE: 0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Normalized:
    """
    A canonical body, and what it no longer shows.

    `named` are fields that were written down but equal an absent one (a default, an empty value, a null).
    `unknown` are places that the model does not know: fields (with their values) and enum values.
    `input_only` are fields that are sent but never compared.
    """

    body: Body
    named: frozenset[FieldPath] = frozenset()
    unknown: tuple[tuple[FieldPath, Any], ...] = ()
    input_only: Body = field(default_factory=dict)

    @property
    def whole(self) -> Body:
        """The canonical body with what the model does not know put back into its places."""
        body = self.body
        for path, value in self.unknown:
            with suppress(LookupError):  # the canonical form omits everything below this
                body = path.put(body, value)
        return body


def normalize(spec: MessageSpec, body: Body, naming: Naming) -> Normalized:
    """The canonical form of a body of this message, with references as `<kind>/<key>`."""
    walk = _Walk(naming)
    canonical = walk.message(spec, body, ())
    input_only = {
        item.name: canonical.pop(item.name)
        for item in spec.fields.values()
        if item.is_input_only and item.name in canonical
    }
    return Normalized(
        body=canonical,
        named=frozenset(walk.named),
        unknown=tuple(walk.unknown),
        input_only=input_only,
    )


_Trail = tuple[Any, ...]
"""A path on the way: (trail of the parent, segment); made into a FieldPath only where one is reported."""


class _Walk:
    """One pass over one body; gathers what falls away on the way."""

    def __init__(self, naming: Naming) -> None:
        self._naming = naming
        self.named: list[FieldPath] = []
        self.unknown: list[tuple[FieldPath, Any]] = []

    def message(self, spec: MessageSpec, body: Any, trail: _Trail) -> Body:
        if not isinstance(body, dict):
            return {}
        canonical: Body = {}
        for name, value in body.items():
            known = spec.fields.get(name) or spec.fields.get(spec.renamed.get(name, name))
            if known is None:
                self.unknown.append((_path((trail, name)), value))
            elif known.is_compared:
                result = self.field(known, value, (trail, known.name))
                if result is ABSENT:
                    self.named.append(_path((trail, known.name)))
                else:
                    canonical[known.name] = result
        return canonical

    def field(self, spec: FieldSpec, value: Any, trail: _Trail) -> Any:
        if value is None and spec.scalar is not Scalar.VALUE:
            return ABSENT
        if spec.cardinality is Cardinality.LIST:
            return self.elements(spec, value, trail)
        if spec.cardinality is Cardinality.MAP:
            return self.entries(spec, value, trail)
        return _meaningful(spec, self.one(spec, value, trail))

    def elements(self, spec: FieldSpec, value: Any, trail: _Trail) -> Any:
        if not isinstance(value, list):
            return value
        items = [self.one(spec, item, (trail, place)) for place, item in enumerate(value)]
        return items or ABSENT

    def entries(self, spec: FieldSpec, value: Any, trail: _Trail) -> Any:
        if not isinstance(value, dict):
            return value
        by_language = spec.mark(LanguageKeys) is not None
        entries: Body = {}
        for key, item in value.items():
            name = language_tag(key) if by_language else key
            if item is None:
                self.named.append(_path((trail, Entry(name))))
            else:
                entries[name] = self.one(spec, item, (trail, Entry(name)))
        return entries or ABSENT

    def one(self, spec: FieldSpec, value: Any, trail: _Trail) -> Any:
        """One value, element or entry."""
        scalar = spec.scalar
        if scalar is Scalar.STRING and isinstance(value, str):
            return self._naming.to_reference(value) if spec.is_resource_name else value
        if scalar is Scalar.MESSAGE:
            return self.message(spec.message, value, trail)
        if isinstance(value, Secret):
            return value
        if scalar is Scalar.ENUM:
            return self._enum(spec, value, trail)
        return canonical_scalar(scalar, value)

    def _enum(self, spec: FieldSpec, value: Any, trail: _Trail) -> Any:
        if isinstance(value, int):
            value = spec.enum_value(value) or value
        if value not in spec.enum:
            self.unknown.append((_path(trail), value))
        return value


def _path(trail: _Trail) -> FieldPath:
    segments: list[Segment] = []
    while trail:
        trail, segment = trail
        segments.append(Index(segment) if isinstance(segment, int) else segment)
    return FieldPath(tuple(reversed(segments)))


def _meaningful(spec: FieldSpec, value: Any) -> Any:
    if spec.has_presence:
        return value
    if spec.scalar in (Scalar.MESSAGE, Scalar.STRUCT):
        return value if value != {} else ABSENT
    if spec.scalar is Scalar.ENUM:
        return ABSENT if value == spec.unspecified else value
    return ABSENT if _is_default(spec.scalar, value) else value


def _is_default(scalar: Scalar, value: Any) -> bool:
    default = _EMPTY.get(scalar, ABSENT)
    return type(value) is type(default) and bool(value == default)


def references(spec: MessageSpec, body: Body, path: FieldPath = ROOT) -> Iterator[tuple[FieldPath, str]]:
    """Every reference into the same app inside a body, with its place: (path, `<kind>/<key>`)."""
    for name, value in body.items():
        known = spec.fields.get(name)
        if known is None or not (known.holds_references):
            continue
        for here, item in _each(known, value, path / name):
            if known.scalar is Scalar.MESSAGE and isinstance(item, dict):
                yield from references(known.message, item, here)
            elif _is_inner_reference(known, item):
                yield here, item


def _each(spec: FieldSpec, value: Any, path: FieldPath) -> Iterator[tuple[FieldPath, Any]]:
    if spec.cardinality is Cardinality.LIST and isinstance(value, list):
        yield from ((path / Index(place), item) for place, item in enumerate(value))
    elif spec.cardinality is Cardinality.MAP and isinstance(value, dict):
        yield from ((path / Entry(key), item) for key, item in value.items())
    else:
        yield path, value


def _is_inner_reference(known: FieldSpec, value: Any) -> bool:
    named = known.reference is not None and bool(known.reference.kinds)
    return named and isinstance(value, str) and value.count("/") == 1
