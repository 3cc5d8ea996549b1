"""
Normalizing: converts a body, desired or live, to the canonical form that is compared and sent.

It removes transport and output-only fields, defaults of fields without presence, empty messages without
meaning, and nulls. Scalars, references, and enums get one spelling. Lists keep their order, because the sent
body must keep it; comparing knows that the order of sets and keyed lists does not matter.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import field
from typing import Any

from cesplan.domain.field_path import Entry, FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.naming import Naming
from cesplan.domain.value import ABSENT, Body, Secret
from cesplan.engine.comparing.scalars import canonical_scalar
from cesplan.model.marks import LanguageKeys
from cesplan.model.scalars import DEFAULTS, Scalar, language_tag
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec
from cesplan.model.walk import FieldWalk, Trail, index

ROOT = FieldPath()


@dataclass(frozen=True, slots=True, kw_only=True)
class Normalized:
    """
    A canonical body, and the information that it no longer contains.

    `named` are fields that were set but equal an absent one (a default, an empty value, a null). `cleared` are
    messages among them that were set to null or to an empty message, which covers everything inside. `unknown`
    are places that the model does not know: fields (with their values) and enum values. `input_only` are fields
    that are sent but never compared. `refers` are the references into the same app.
    """

    body: Body
    named: frozenset[FieldPath] = frozenset()
    cleared: frozenset[FieldPath] = frozenset()
    unknown: tuple[tuple[FieldPath, Any], ...] = ()
    input_only: Body = field(default_factory=dict)
    refers: frozenset[str] = frozenset()

    @property
    def whole(self) -> Body:
        """The canonical body with the unknown parts restored."""
        body = self.body
        for path, value in self.unknown:
            with suppress(LookupError):  # the canonical form omits everything below this
                body = path.put(body, value)
        return body


def normalize(spec: MessageSpec, body: Body, naming: Naming) -> Normalized:
    """The canonical form of a message's body, with references as `<kind>/<key>`."""
    walk = Canonical(naming)
    canonical = walk.message(spec, body if isinstance(body, dict) else {})
    input_only = {
        item.name: canonical.pop(item.name)
        for item in spec.fields.values()
        if item.is_input_only and item.name in canonical
    }
    return Normalized(
        body=canonical,
        named=frozenset(walk.named),
        cleared=frozenset(walk.cleared),
        unknown=tuple(walk.newer),
        input_only=input_only,
        refers=frozenset(walk.refers),
    )


class Canonical:
    """
    One pass over one body. It collects what is removed. ABSENT stands for a value that equals an unset field.
    """

    def __init__(self, naming: Naming) -> None:
        self.naming = naming
        self.named: list[FieldPath] = []
        self.cleared: list[FieldPath] = []
        self.newer: list[tuple[FieldPath, Any]] = []
        self.refers: set[str] = set()

    def message(self, spec: MessageSpec, body: Any, at: Trail = ()) -> Any:
        """A message, with the field names of the model. Most values are texts that stay unchanged."""
        result: Body = {}
        for name, value in body.items():
            known = spec.fields.get(name) or spec.fields.get(spec.renamed.get(name, name))
            if known is None:
                self.newer.append((FieldPath((*at, name)), value))
            elif value.__class__ is str and value and known.is_plain_text:
                result[known.name] = value
            else:
                found = self.field(known, value, (*at, known.name))
                if found is not ABSENT:
                    result[known.name] = found
        return result

    def field(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        if not known.is_compared:
            return ABSENT
        if value is None and known.scalar is not Scalar.VALUE:
            result = ABSENT
        elif known.cardinality is Cardinality.ONE:
            result = _meaningful(known, self.one(known, value, at))
        elif known.cardinality is Cardinality.LIST and isinstance(value, list):
            result = [self.one(known, item, (*at, index(place))) for place, item in enumerate(value)] or ABSENT
        elif known.cardinality is Cardinality.MAP and isinstance(value, dict):
            result = self._entries(known, value, at) or ABSENT
        else:  # not the shape that the model knows
            self.newer.append((FieldPath(at), value))
            return ABSENT
        if result is ABSENT:
            self.named.append(FieldPath(at))
            if known.scalar is Scalar.MESSAGE and not value:
                self.cleared.append(FieldPath(at))
        return result

    def _entries(self, known: FieldSpec, value: Body, at: Trail) -> Body:
        by_language = known.mark(LanguageKeys) is not None
        entries: Body = {}
        for key, item in value.items():
            name = language_tag(key) if by_language else key
            if item is None:
                self.named.append(FieldPath((*at, Entry(name))))
            else:
                entries[name] = self.one(known, item, (*at, Entry(name)))
        return entries

    def one(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        """One value, element, or entry."""
        scalar = known.scalar
        if scalar is Scalar.STRING and isinstance(value, str):
            return self._reference(known, value) if known.is_resource_name else value
        if scalar is Scalar.MESSAGE:
            if not isinstance(value, dict):
                self.newer.append((FieldPath(at), value))
                return {}
            return self.message(known.message, value, at)
        if isinstance(value, Secret):
            return value
        if scalar is Scalar.ENUM:
            return self._enum(known, value, at)
        return canonical_scalar(scalar, value)

    def _reference(self, known: FieldSpec, value: str) -> str:
        text = self.naming.to_reference(value)
        if known.refers_into_app:
            self.refers.add(text)
        return text

    def _enum(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        if isinstance(value, int):
            value = known.enum_value(value) or value
        if value not in known.enum:
            self.newer.append((FieldPath(at), value))
        return value


def _meaningful(spec: FieldSpec, value: Any) -> Any:
    if spec.has_presence:
        return value
    if spec.scalar in (Scalar.MESSAGE, Scalar.STRUCT):
        return value if value != {} else ABSENT
    if spec.scalar is Scalar.ENUM:
        return ABSENT if value == spec.unspecified else value
    return ABSENT if _is_default(spec.scalar, value) else value


def _is_default(scalar: Scalar, value: Any) -> bool:
    default = DEFAULTS.get(scalar, ABSENT)
    return type(value) is type(default) and bool(value == default)


def live_references(spec: MessageSpec, body: Body, naming: Naming) -> frozenset[str]:
    """
    The references into its app of a raw live body without a place that the model does not know: those of its
    canonical form, without making it.
    """
    visits = _COMPARED_REFERENCES.visits(spec, body)
    found = (item for visit in visits for _, item in visit.parts() if isinstance(item, str))
    return frozenset(map(naming.to_reference, found))


_COMPARED_REFERENCES = FieldWalk(lambda _, known: known.refers_into_app and known.is_compared, as_written=True)
_REFERENCES = FieldWalk(lambda _, known: known.refers_into_app, as_written=True)


def references(spec: MessageSpec, body: Body) -> Iterator[tuple[FieldPath, str]]:
    """All references into the same app in a body: (path, `<kind>/<key>`)."""
    for visit in _REFERENCES.visits(spec, body):
        for path, item in visit.parts():
            if isinstance(item, str) and item.count("/") == 1:
                yield path, item
