"""
Normalizing: any body, desired or live, into the one canonical form that is compared and sent.

Gone afterwards: transport and output-only fields, defaults of fields without presence, empty messages that
say nothing, nulls. One spelling each for scalars, references and enums (DESIGN §5). The order of lists stays,
for what is sent must keep it; that sets and keyed lists are equal in any order is known to comparing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cesplan.domain.field_path import Entry, FieldPath, Index
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body, Secret
from cesplan.engine.canonical_scalars import canonical_scalar, language_tag
from cesplan.model.marks import LanguageKeys
from cesplan.model.scalars import Scalar
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


def normalize(spec: MessageSpec, body: Body, naming: Naming) -> Normalized:
    """The canonical form of a body of this message, with references as `<kind>/<key>`."""
    walk = _Walk(naming)
    canonical = walk.message(spec, body, FieldPath())
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


class _Walk:
    """One pass over one body; gathers what falls away on the way."""

    def __init__(self, naming: Naming) -> None:
        self._naming = naming
        self.named: list[FieldPath] = []
        self.unknown: list[tuple[FieldPath, Any]] = []

    def message(self, spec: MessageSpec, body: Any, path: FieldPath) -> Body:
        if not isinstance(body, dict):
            return {}
        canonical: Body = {}
        for name, value in body.items():
            known = spec.fields.get(spec.renamed.get(name, name))
            if known is None:
                self.unknown.append((path / name, value))
            elif known.is_compared:
                here = path / known.name
                result = self.field(known, value, here)
                if result is ABSENT:
                    self.named.append(here)
                else:
                    canonical[known.name] = result
        return canonical

    def field(self, spec: FieldSpec, value: Any, path: FieldPath) -> Any:
        if value is None and spec.scalar is not Scalar.VALUE:
            return ABSENT
        if spec.cardinality is Cardinality.LIST:
            return self.elements(spec, value, path)
        if spec.cardinality is Cardinality.MAP:
            return self.entries(spec, value, path)
        return self._meaningful(spec, self.one(spec, value, path))

    def elements(self, spec: FieldSpec, value: Any, path: FieldPath) -> Any:
        if not isinstance(value, list):
            return value
        items = [self.one(spec, item, path / Index(place)) for place, item in enumerate(value)]
        return items or ABSENT

    def entries(self, spec: FieldSpec, value: Any, path: FieldPath) -> Any:
        if not isinstance(value, dict):
            return value
        by_language = spec.mark(LanguageKeys) is not None
        entries: Body = {}
        for key, item in value.items():
            name = language_tag(key) if by_language else key
            if item is None:
                self.named.append(path / Entry(name))
            else:
                entries[name] = self.one(spec, item, path / Entry(name))
        return entries or ABSENT

    def one(self, spec: FieldSpec, value: Any, path: FieldPath) -> Any:
        """One value, element or entry."""
        if isinstance(value, Secret):
            return value
        if spec.scalar is Scalar.MESSAGE:
            return self.message(spec.message, value, path)
        if spec.scalar is Scalar.ENUM:
            return self._enum(spec, value, path)
        if isinstance(value, str) and spec.is_resource_name:
            return self._naming.to_reference(value)
        return canonical_scalar(spec.scalar, value)

    def _enum(self, spec: FieldSpec, value: Any, path: FieldPath) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            value = spec.enum_value(value) or value
        if value not in spec.enum:
            self.unknown.append((path, value))
        return value

    @staticmethod
    def _meaningful(spec: FieldSpec, value: Any) -> Any:
        if spec.has_presence:
            return value
        if spec.scalar in (Scalar.MESSAGE, Scalar.STRUCT):
            return value if value != {} else ABSENT
        if spec.scalar is Scalar.ENUM:
            return ABSENT if value == spec.enum[0] else value
        return ABSENT if _is_default(spec.scalar, value) else value


def _is_default(scalar: Scalar, value: Any) -> bool:
    default = _EMPTY.get(scalar, ABSENT)
    return type(value) is type(default) and bool(value == default)


def references(spec: MessageSpec, body: Body, path: FieldPath = ROOT) -> Iterator[tuple[FieldPath, str]]:
    """Every reference into the same app inside a canonical body, with its place: (path, `<kind>/<key>`)."""
    for name, value in body.items():
        known = spec.fields.get(name)
        if known is None or not (known.holds_references):
            continue
        for here, item in _each(known, value, path / name):
            if known.scalar is Scalar.MESSAGE:
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
