"""
Shaping: turns a resource into the content of its file, in the order that people would use.

Directives come first, then names and descriptions, then the other fields in the order of the model, and
`$extra` last. References are bare keys if these are enough. Text that would be read as a directive or a
variable is escaped.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from cesplan.config.resource.references import BY_ID, Keys
from cesplan.config.writing.emitting import Flow
from cesplan.config.writing.texts import Texts, belongs_in_file
from cesplan.domain.desired import DesiredResource
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Ownership
from cesplan.domain.text.template import in_tree
from cesplan.domain.value import Body, Secret, folded
from cesplan.model.kinds import KINDS, kind_of
from cesplan.model.marks import OwnName, Reference
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec
from cesplan.model.walk import Rewriting, Trail

_FIRST = ("name", "displayName", "description")
"""The fields that come first, because people read them first."""

_RESOURCES = frozenset(kind.class_name for kind in KINDS.values())


@dataclass(frozen=True, kw_only=True)
class Shaping(Rewriting):
    """
    Shapes one resource, with the keys of its app and the destination of its texts (None: they stay inline).
    """

    keys: Keys
    texts: Texts | None = None
    environment: str = ""
    silenced: Mapping[str, str] = field(default_factory=dict)

    def resource(self, resource: DesiredResource) -> dict[str, Any]:
        """The whole content of a resource's file."""
        kind = kind_of(resource.address.kind)
        shaped = {**self._directives(resource), **self.message(kind.spec, resource.body)}
        if resource.extra:
            shaped["$extra"] = {path: free_form(value) for path, value in sorted(resource.extra.items())}
        return shaped

    def message(self, spec: MessageSpec, body: Any, at: Trail = ()) -> Body:
        """A message with its fields in order. Fields that the model does not know are in `$extra`."""
        in_order = {known.name: body[known.name] for known in ordered(spec) if known.name in body}
        shaped: Body = super().message(spec, in_order, at)
        return shaped

    def field(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        """A field's value, whole list or map included."""
        shaped = super().field(known, value, at)
        if known.cardinality is Cardinality.MAP and value is not None:
            return {map_key(key): item for key, item in shaped.items()}
        return shaped

    def leaf(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        """One value, element, or entry that is not a message."""
        if isinstance(value, Secret):
            return self._with_variables(known, value, at)
        if known.scalar in (Scalar.STRUCT, Scalar.VALUE):
            return free_form(value)
        if isinstance(value, str) and known.scalar is Scalar.STRING:
            return self._text(known, value, at)
        return value

    def _with_variables(self, known: FieldSpec, value: Secret, at: Trail) -> Any:
        """A long text with variables goes to a separate file like any other, and is expanded there."""
        written = secret(value)
        if self.texts is not None and isinstance(written, str) and belongs_in_file(written, known.language):
            return Flow({"$file": self.texts.put(written, known.language, at), "$expand": True})
        return written

    def _text(self, known: FieldSpec, text: str, at: Trail) -> Any:
        if known.is_resource_name:
            return self.reference(known, text)
        if self.texts is not None and belongs_in_file(text, known.language):
            return Flow({"$file": self.texts.put(text, known.language, at)})
        return escaped(text)

    def reference(self, known: FieldSpec, text: str) -> Any:
        """The shortest unambiguous form of a reference."""
        own = known.mark(OwnName)
        if own is not None:
            return text.removeprefix(f"{own.collection}/")
        mark = known.reference
        kind, slash, key = text.partition("/")
        if mark is None or not mark.kinds or not slash or "/" in key:
            return text
        if not self.keys.has(kind, key):
            return f"{kind}/{BY_ID}{key.removeprefix(BY_ID)}"
        bare = key not in mark.words and self._meaning(mark, key) == kind
        return key if bare else text

    def _meaning(self, mark: Reference, key: str) -> str:
        """The kind that a bare key stands for in a field."""
        return next((kind for kind in mark.kinds if self.keys.has(kind, key)), "")

    def _directives(self, resource: DesiredResource) -> dict[str, Any]:
        kind = kind_of(resource.address.kind)
        found: dict[str, Any] = {}
        if resource.resource_id is not None:
            named = {self.environment: resource.resource_id}
            found["$id"] = named if self.environment else resource.resource_id
        if resource.protect:
            found["$protect"] = True
        if resource.ownership is not kind.ownership:
            found["$ownership"] = Ownership(resource.ownership).value
        if resource.ignore:
            found["$ignore"] = [*map(str, resource.ignore)]
        if self.silenced:
            found["$silence"] = dict(self.silenced)
        return found


def ordered(spec: MessageSpec) -> Iterator[FieldSpec]:
    """The fields of a message in the order of files."""
    yield from (spec.fields[name] for name in _FIRST if name in spec.fields)
    rest = [known for known in spec.fields.values() if known.name not in _FIRST]
    yield from sorted(rest, key=lambda known: _is_late(spec, known))


def _is_late(spec: MessageSpec, known: FieldSpec) -> bool:
    """Whether a field comes late: inside a resource, the subject of a message comes before its variant."""
    is_resource = spec.name in _RESOURCES
    return bool(known.oneof) and known.scalar is Scalar.MESSAGE and not is_resource


def free_form(value: Any) -> Any:
    """A value without a schema, with everything escaped that would be a directive or a variable."""
    return folded(value, _free_leaf, lambda members: {map_key(key): item for key, item in members.items()})


def _free_leaf(value: Any) -> Any:
    if isinstance(value, Secret):
        return secret(value)
    return escaped(value) if isinstance(value, str) else value


def map_key(key: str) -> str:
    """The written form of a key in a map or a free-form value: `$ref` → `$$ref`."""
    return f"${key}" if key.startswith("$") else key


def escaped(text: str) -> str:
    """A text in which nothing is read as a variable."""
    return text.replace("${", "$${")


def secret(value: Secret) -> Any:
    """
    A secret in terms of its variables.

    Raises ValueError for a secret without a template: its value must not be written.
    """
    if not value.recipe:
        raise ValueError(f"cannot write {value}")
    if not value.template and len(value.variables) == 1:
        return Flow({"$var": value.variables[0]})
    try:
        return in_tree(value.recipe)
    except ValueError as error:
        raise ValueError(f"cannot write {value}: {error}") from error
