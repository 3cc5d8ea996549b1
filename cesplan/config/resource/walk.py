"""
Walking a resource along its schema: turns nodes into a body with the API's JSON names.

Invalid values are reported and left out, so one walk finds all problems of a file.
"""

from collections.abc import Collection
from typing import Any

from cesplan.config.manifest import IncludedFile
from cesplan.config.resource.fields import check_field, check_message, is_left_out
from cesplan.config.resource.leaves import WANTS, called, enum_value, leaf
from cesplan.config.resource.values import Context, follow, is_directive
from cesplan.config.suggestions import Guess, guess_key, same_but_for_spelling
from cesplan.config.yaml.nodes import Mapping, Node, Scalar, Sequence, kind_of
from cesplan.domain.field_path import Entry, FieldPath, Index
from cesplan.domain.value import ABSENT, Body
from cesplan.model.element_keys import keys_of
from cesplan.model.marks import OwnedByKey
from cesplan.model.scalars import Scalar as ScalarType
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning, MessageSpec
from cesplan.model.walk import Trail

_MOST_KEYS = 200
"""For a mapping with more keys, which no person wrote, all keys count as those of one file."""
_WHOLE = {Cardinality.LIST: "a list", Cardinality.MAP: "a mapping"}


class Walk:
    """One pass over one resource. `requires` is false if absent fields are not managed."""

    def __init__(self, context: Context, *, requires: bool = True) -> None:
        self._context = context
        self._requires = requires

    def message(self, spec: MessageSpec, node: Mapping, path: Trail = (), *, whole: bool = False) -> Body:
        """The body of a message. `whole` messages are list elements and map entries, which are never merged."""
        body: Body = {}
        misspelled: set[str] = set()
        for name, key, value in node:
            field = spec.fields.get(name)
            if field is None:
                if not is_directive(name):
                    misspelled.add(self._unknown_field(spec, node, name, path))
            elif check_field(spec, field, node, self._context):
                found = self.field(field, value, (*path, name))
                if is_left_out(field, self._context.api_version):
                    self._leave_out(field, key)
                elif found is not ABSENT:
                    body[name] = found
        check_message(spec, node, self._context, requires=self._requires or whole, misspelled=misspelled)
        return body

    def free_form(self, node: Node, path: Trail) -> Any:
        """A value without a schema: any JSON. `$$` at the beginning of keys becomes `$`."""
        found = follow(node, path, self._context)
        match found:
            case None:
                return ABSENT
            case Mapping():
                return self._free_mapping(found, path)
            case Sequence():
                items = [self.free_form(item, (*path, Index(place))) for place, item in enumerate(found.items)]
                return [item for item in items if item is not ABSENT]
        if found.is_reference:
            return self._no_reference(found)
        if isinstance(found.value, float) and found.value - found.value != 0:
            self._context.report_problem("CES017", f"`{found.text}` is not a JSON number", found)
            return ABSENT
        return found.value

    def _free_mapping(self, node: Mapping, path: Trail) -> Any:
        body = {}
        for name, _, value in node:
            key = name[1:] if name.startswith("$$") else name
            found = self.free_form(value, (*path, Entry(key)))
            if found is not ABSENT:
                body[key] = found
        return body

    def field(self, field: FieldSpec, node: Node, path: Trail) -> Any:
        """The value of a field, or ABSENT."""
        found = follow(node, path, self._context)
        if found is None:
            return ABSENT
        if isinstance(found, Scalar) and found.value is None:
            return None
        match field.cardinality:
            case Cardinality.ONE:
                return self._one(field, found, path)
            case Cardinality.LIST:
                return self._list(field, found, path)
            case Cardinality.MAP:
                return self._map(field, found, path)

    def _list(self, field: FieldSpec, node: Node, path: Trail) -> Any:
        if not isinstance(node, Sequence):
            return self._wrong(field, "a list", node)
        values: list[Any] = []
        known = len(self._context.included)
        for place, item in enumerate(node.items):
            value = self._element(field, item, (*path, Index(place)))
            if value is not ABSENT:
                values.append(value)
        if field.list_meaning is ListMeaning.KEYED and len(self._context.included) > known:
            name_by_key(field, values, path, self._context)
        return values

    def _map(self, field: FieldSpec, node: Node, path: Trail) -> Any:
        if not isinstance(node, Mapping):
            return self._wrong(field, "a mapping", node)
        clears = field.mark(OwnedByKey) is not None
        body: Body = {}
        for name, _, item in node:
            key = name[1:] if name.startswith("$$") else name
            if clears and isinstance(item, Scalar) and item.value is None:
                body[key] = None
                continue
            value = self._element(field, item, (*path, Entry(key)))
            if value is not ABSENT:
                body[key] = value
        return body

    def _element(self, field: FieldSpec, node: Node, path: Trail) -> Any:
        found = follow(node, path, self._context)
        if found is None:
            return ABSENT
        if isinstance(found, Scalar) and found.value is None and field.scalar is not ScalarType.VALUE:
            self._context.report_problem(
                "CES013", f"an element of `{field.name}` cannot be null", found, detail="Leave it out."
            )
            return ABSENT
        return self._one(field, found, path)

    def _one(self, field: FieldSpec, node: Node, path: Trail) -> Any:
        match field.scalar:
            case ScalarType.MESSAGE:
                if not isinstance(node, Mapping):
                    return self._wrong(field, "a mapping", node)
                whole = field.cardinality is not Cardinality.ONE
                return self.message(field.message, node, path, whole=whole)
            case ScalarType.STRUCT:
                if not isinstance(node, Mapping):
                    return self._wrong(field, "a mapping", node)
                return self.free_form(node, path)
            case ScalarType.VALUE | ScalarType.OPAQUE:
                return self.free_form(node, path)
        if not isinstance(node, Scalar):
            return self._wrong(field, WANTS.get(field.scalar, "a string"), node)
        fitted = enum_value(field, node, self._context) if field.enum else leaf(field, node, self._context)
        return ABSENT if fitted is None else fitted

    def _wrong(self, field: FieldSpec, wants: str, node: Node) -> Any:
        name = f"`{field.name}`" if wants == _WHOLE.get(field.cardinality) else called(field)
        self._context.report_problem("CES013", f"{name} must be {wants}, but this is {kind_of(node)}", node)
        return ABSENT

    def _no_reference(self, node: Node) -> Any:
        self._context.report_problem(
            "CES022",
            "a free-form value cannot hold a reference",
            node,
            detail="The service would receive the reference as plain data. To send a key named `$ref`, "
            "write `$$ref`.",
        )
        return ABSENT

    def _unknown_field(self, spec: MessageSpec, node: Mapping, name: str, path: Trail) -> str:
        """Report an unknown field. If the intended field is clear, it is checked anyway."""
        known = [field.name for field in spec.settable]
        other = spec.renamed.get(name)
        beside = self._written_beside(node, name)
        # The other name is the one in responses of the service.
        correction = Guess(name, other, sure=other not in beside) if other else guess_key(name, known, beside)
        suggestion = correction.nearest
        fields = f"{spec.name} has {', '.join(known)}." if known else f"{spec.name} has no fields."
        key, value = node.entries[name]
        self._context.report_problem(
            "CES012",
            f"unknown field `{name}`",
            key,
            detail="" if suggestion else fields,
            correction=correction,
        )
        if suggestion and same_but_for_spelling(name, suggestion):
            self.field(spec.fields[suggestion], value, (*path, suggestion))
        return suggestion

    def _written_beside(self, node: Mapping, name: str) -> Collection[str]:
        """The keys in this mapping that are in the same file; overlays may have others."""
        if len(node.entries) > _MOST_KEYS:
            return node.entries
        home = self._context.file.home_of
        here = home(node.entries[name][0])
        return [text for text, (key, _) in node.entries.items() if home(key) is here]

    def _leave_out(self, field: FieldSpec, key: Scalar) -> None:
        version = self._context.api_version
        self._context.report_problem(
            "CES032",
            f"`{field.name}` is ignored: the API version {version} does not have it",
            key,
            detail=f"To manage it, set `apiVersion: {field.only_in}` in cesplan.yaml.",
        )


def name_by_key(field: FieldSpec, values: list[Any], path: Trail, context: Context) -> None:
    """Also record the files included in a keyed list under the keys of their elements."""
    keys = keys_of(field, values)
    if keys is None:
        return
    head = f"{FieldPath(path)}["
    named: dict[str, IncludedFile] = {}
    for text, item in context.included.items():
        number, bracket, rest = text.removeprefix(head).partition("]")
        is_element = text.startswith(head) and bracket and rest and number.isdecimal()
        if is_element and int(number) < len(keys):
            new = FieldPath((*path, keys[int(number)]))
            named[f"{new}{rest}"] = item
    context.included.update(named)
