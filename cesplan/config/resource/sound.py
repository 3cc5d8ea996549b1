"""
Sound bodies: a fast path for files in which nothing has to be reported.

Most files have no problems, and most of their values are messages and texts that go into the body unchanged.
Only these are checked here. Every other value is left to the walk (`resource.walk`), as a node without a place:
if there is anything to report, asking for its place raises NotSound, and the file is read again with places.
"""

from functools import cache
from typing import Any, NamedTuple

from cesplan.config.resource.fields import is_left_out, may_be_in_files, required_fields
from cesplan.config.resource.values import EXPAND, Context, is_directive
from cesplan.config.resource.walk import Walk, name_by_key
from cesplan.config.yaml.nodes import Mapping, Node, Sequence
from cesplan.config.yaml.nodes import Scalar as ScalarNode
from cesplan.domain.field_path import Segment
from cesplan.domain.value import Body, folded
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning, MessageSpec, message_spec
from cesplan.model.walk import index


class NotSound(Exception):
    """The file needs the walk over nodes with places."""


class _Nowhere:
    """The place of a value that was read without it. Its line and column raise NotSound."""

    @property
    def line(self) -> int:
        raise NotSound

    column = line


_NOWHERE = _Nowhere()


class SoundBody:
    """One resource. Its values become the body in place. All methods raise NotSound."""

    def __init__(self, context: Context, *, requires: bool) -> None:
        self._context = context
        self._requires = requires
        self._walk = Walk(context, requires=requires)
        self._trail: list[Segment] = []

    def message(self, spec: MessageSpec, body: Any, *, whole: bool = False) -> Body:
        """The body of a message. Recursive; the nesting of simple texts is limited."""
        if type(body) is not dict:
            raise NotSound
        plan = _plan(spec.name, self._context.api_version)
        oneofs = []
        for name, value in body.items():
            step = plan.fields.get(name)
            if step is None:
                raise NotSound
            if value is None:
                continue
            if step.oneof:
                oneofs.append(step.oneof)
            if not (step.is_plain_text and type(value) is str and "${" not in value):
                self._trail.append(name)
                body[name] = self._field(step, value)
                self._trail.pop()
        if len(oneofs) > 1 and len({*oneofs}) < len(oneofs):
            raise NotSound
        if (
            plan.required
            and (self._requires or whole)
            and any(body.get(name) is None for name in plan.required)
        ):
            raise NotSound
        return body

    def _field(self, step: "_Step", value: Any) -> Any:
        field = step.field
        if step.is_message:
            return self.message(field.message, value)
        if step.is_list_of_messages and type(value) is list:
            return self._messages(field, value)
        return self._walk.field(field, _node_of(value), tuple(self._trail))

    def _messages(self, field: FieldSpec, values: list[Any]) -> list[Any]:
        known = len(self._context.included)
        for place, item in enumerate(values):
            self._trail.append(index(place))
            self.message(field.message, item, whole=True)
            self._trail.pop()
        if len(self._context.included) > known and field.list_meaning is ListMeaning.KEYED:
            name_by_key(field, values, tuple(self._trail), self._context)
        return values


def directives_in(values: dict[str, Any]) -> Mapping:
    """Take the directives at the top of a file out of its values, as nodes without places."""
    found = {name: values.pop(name) for name in [*values] if is_directive(name)}
    node = _node_of(found)
    assert isinstance(node, Mapping)
    return node


class _Step(NamedTuple):
    """What is known of a field."""

    field: FieldSpec
    is_plain_text: bool
    """A single text that never changes: the most common field."""
    is_message: bool
    is_list_of_messages: bool
    oneof: str


class _Plan(NamedTuple):
    fields: dict[str, _Step]
    required: tuple[str, ...]


@cache
def _plan(message: str, api_version: str) -> _Plan:
    spec = message_spec(message)
    fields = {
        name: _step(field)
        for name, field in spec.fields.items()
        if may_be_in_files(field) and not is_left_out(field, api_version)
    }
    return _Plan(fields, tuple(field.name for field, _ in required_fields(message)))


def _step(field: FieldSpec) -> _Step:
    is_message = field.scalar is Scalar.MESSAGE
    return _Step(
        field=field,
        is_plain_text=field.is_plain_text and field.secrecy is None,
        is_message=is_message and field.cardinality is Cardinality.ONE,
        is_list_of_messages=is_message and field.cardinality is Cardinality.LIST,
        oneof=field.oneof,
    )


def _node_of(value: Any) -> Node:
    """A node without a place. Raises NotSound for `$expand`: findings in an included text do have a place."""

    def scalar(item: Any) -> ScalarNode:
        return ScalarNode(_NOWHERE, _NOWHERE, item, str(item))

    def mapping(members: dict[str, Any]) -> Mapping:
        if EXPAND in members:
            raise NotSound
        entries = {key: (scalar(key), item) for key, item in members.items()}
        return Mapping(_NOWHERE, _NOWHERE, entries, has_directive=any(map(is_directive, members)))

    node: Node = folded(value, scalar, mapping, lambda items: Sequence(_NOWHERE, _NOWHERE, items))
    return node
