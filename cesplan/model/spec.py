"""
Specs: the models as plain tables, for everything generic.

A MessageSpec lists the fields of one message under their JSON names; a FieldSpec holds what the marks of a
field say. Specs hold no knowledge of their own: `cesplan.model.derive` takes them from the models and
`specs.json` keeps them, so that reading them costs neither pydantic nor the models (start-up time).
"""

import json
from collections.abc import Mapping
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

from cesplan.domain.frozen import dataclass
from cesplan.model import marks as all_marks
from cesplan.model.derived_values import DERIVATIONS
from cesplan.model.marks import (
    AsSet,
    Etag,
    Falls,
    FilledFromPlace,
    Guards,
    Identifier,
    InputOnly,
    KeyedBy,
    LongText,
    Mark,
    OneOf,
    OnlyIn,
    OutputOnly,
    OwnName,
    Presence,
    Protects,
    Reference,
    Renamed,
    Required,
    Secrecy,
    Sensitive,
    ServerDefaulted,
)
from cesplan.model.scalars import Scalar

COMPILED = Path(__file__).with_name("specs.json")
"""The compiled table: written by `tools/compile_specs.py`, never by hand."""


class Cardinality(StrEnum):
    ONE = "one"
    LIST = "list"
    MAP = "map"


class ListMeaning(StrEnum):
    """What the order of a list says: everything, nothing, or nothing because elements have keys."""

    ORDERED = "ordered"
    SET = "set"
    KEYED = "keyed"


_M = TypeVar("_M", bound=Mark)


@dataclass(frozen=True)
class FieldSpec:
    """
    One field: `name` in JSON, the type of its value or elements, and its marks.

    `message_name` names the message of the value or of each element. `enum_name` is the class of an enum,
    `enum` its values, `numbers` their numbers in protobuf. All are empty if the field holds no such thing.
    """

    name: str
    scalar: Scalar
    cardinality: Cardinality = Cardinality.ONE
    message_name: str = ""
    enum_name: str = ""
    enum: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    marks: tuple[Mark, ...] = ()

    def mark(self, kind: type[_M]) -> _M | None:
        """The mark of this kind, if the field carries one."""
        return next((mark for mark in self.marks if isinstance(mark, kind)), None)

    @cached_property
    def message(self) -> "MessageSpec":
        """The spec of the value or of each element. Raises TypeError if it is not a message."""
        if not self.message_name:
            raise TypeError(f"{self.name} holds no message")
        return message_spec(self.message_name)

    def enum_value(self, number: int) -> str | None:
        """The value that an integer on the wire represents; numbers have gaps and are not always in order."""
        return self._by_number.get(number)

    @cached_property
    def unspecified(self) -> str:
        """The enum value that means nothing was said: the one with the number zero."""
        return self._by_number.get(0, "")

    @cached_property
    def _by_number(self) -> dict[int, str]:
        return dict(zip(self.numbers, self.enum, strict=True))

    @cached_property
    def is_transport(self) -> bool:
        """`name` and `etag`: how a resource is addressed, not what it is."""
        return bool(self.mark(Identifier) or self.mark(Etag))

    @cached_property
    def is_output(self) -> bool:
        return self.mark(OutputOnly) is not None

    @cached_property
    def is_input_only(self) -> bool:
        return self.mark(InputOnly) is not None

    @cached_property
    def is_server_defaulted(self) -> bool:
        return self.mark(ServerDefaulted) is not None

    @cached_property
    def filled_in(self) -> str:
        """The value that the server puts there when the field is absent; empty if it is derived."""
        mark = self.mark(ServerDefaulted)
        return mark.value if mark else ""

    def is_filled_in(self, value: Any, message: Mapping[str, Any]) -> bool:
        """
        True for a value that the server is known to put there by itself, in canonical form.

        `message` is the message without the field, as it was sent: derived values are made of what it says.
        """
        mark = self.mark(ServerDefaulted)
        if mark is None or not isinstance(value, str):
            return False
        return value in DERIVATIONS[mark.derived](message) if mark.derived else value == mark.value

    @cached_property
    def reference(self) -> Reference | None:
        return self.mark(Reference)

    @cached_property
    def is_from_place(self) -> bool:
        """Repeats where the file is; filled in when sent."""
        return self.mark(FilledFromPlace) is not None

    @cached_property
    def is_compared(self) -> bool:
        """False for fields that never take part in a comparison: transport, output-only, filled from place."""
        return not (self.is_transport or self.is_output or self.is_from_place)

    @cached_property
    def is_resource_name(self) -> bool:
        """True for texts that name a resource, here or outside."""
        return self.reference is not None or self.mark(OwnName) is not None

    @cached_property
    def refers_into_app(self) -> bool:
        """True for references to resources of the same app."""
        return self.reference is not None and bool(self.reference.kinds)

    @cached_property
    def is_plain_text(self) -> bool:
        """True for a single text that is compared as it is, wherever it is not empty."""
        is_text = self.scalar is Scalar.STRING and self.cardinality is Cardinality.ONE
        return is_text and self.is_compared and not self.is_resource_name

    @cached_property
    def own_collection(self) -> str:
        """The collection of the names that the body itself declares here, or nothing."""
        mark = self.mark(OwnName)
        return mark.collection if mark else ""

    @cached_property
    def holds_references(self) -> bool:
        """True when this field, or something inside it, may refer to a resource of the same app."""
        if self.scalar is Scalar.MESSAGE:
            return refers(self.message_name)
        return self.reference is not None and bool(self.reference.kinds)

    @cached_property
    def oneof(self) -> str:
        """The oneof this field is a member of, or nothing."""
        mark = self.mark(OneOf)
        return mark.group if mark else ""

    @cached_property
    def has_presence(self) -> bool:
        """True if absent and default (or empty) are two different things."""
        return bool(self.oneof) or self.mark(Presence) is not None or self._is_required_object

    @cached_property
    def zero_is_unset(self) -> bool:
        """True if 0 and the empty text are the same as absent; an element of a list always says something."""
        return self.cardinality is Cardinality.ONE and not self.has_presence

    @cached_property
    def _is_required_object(self) -> bool:
        """A required message or Struct: an empty one is sent, because the service may refuse its absence."""
        required = self.mark(Required)
        one = self.cardinality is Cardinality.ONE and self.scalar in (Scalar.MESSAGE, Scalar.STRUCT)
        return one and required is not None

    @cached_property
    def list_meaning(self) -> ListMeaning:
        if self.mark(KeyedBy):
            return ListMeaning.KEYED
        return ListMeaning.SET if self.mark(AsSet) else ListMeaning.ORDERED

    @cached_property
    def key_fields(self) -> tuple[str, ...]:
        """The fields that identify an element of a keyed list; alternatives, in order."""
        mark = self.mark(KeyedBy)
        return mark.fields if mark else ()

    @cached_property
    def language(self) -> str:
        """The language of long text, or nothing."""
        mark = self.mark(LongText)
        return mark.language if mark else ""

    @cached_property
    def only_in(self) -> str:
        """The API version this field exists in, where it is not all of them."""
        mark = self.mark(OnlyIn)
        return mark.version if mark else ""


@dataclass(frozen=True)
class MessageSpec:
    """One message: its API name, its fields by JSON name, and other names that answers may use."""

    name: str
    fields: Mapping[str, FieldSpec]
    renamed: Mapping[str, str]

    @cached_property
    def oneofs(self) -> Mapping[str, tuple[str, ...]]:
        """The members of each oneof, in the order of the model."""
        groups: dict[str, list[str]] = {}
        for field in self.fields.values():
            if field.oneof:
                groups.setdefault(field.oneof, []).append(field.name)
        return {group: tuple(names) for group, names in groups.items()}

    @cached_property
    def settable(self) -> tuple[FieldSpec, ...]:
        """The fields that files may hold: neither transport nor filled by the server."""
        return tuple(item for item in self.fields.values() if not (item.is_transport or item.is_output))


@cache
def message_spec(name: str) -> MessageSpec:
    """The spec of a message by its API name (`Agent.AgentToolset`). Raises KeyError for an unknown one."""
    fields = tuple(_field(*row) for row in _table()["messages"][name])
    return MessageSpec(name=name, fields={field.name: field for field in fields}, renamed=renamed_in(fields))


@cache
def refers(name: str) -> bool:
    """True when a message of this name may hold a reference into the same app, however deep."""
    return any(
        field.reference is not None and field.reference.kinds
        for inner in _reachable(name)
        for field in message_spec(inner).fields.values()
    )


@cache
def has_sensitive_fields(name: str) -> bool:
    """True when a message of this name may hold a field that is marked as sensitive, however deep."""
    return any(
        field.mark(Sensitive) is not None
        for inner in _reachable(name)
        for field in message_spec(inner).fields.values()
    )


def _reachable(name: str) -> set[str]:
    found, waiting = {name}, [name]
    while waiting:
        fields = message_spec(waiting.pop()).fields.values()
        new = {item.message_name for item in fields if item.scalar is Scalar.MESSAGE} - found
        found |= new
        waiting += sorted(new)
    return found


def message_names() -> tuple[str, ...]:
    """The API names of all messages that the models hold."""
    return tuple(_table()["messages"])


def renamed_in(fields: tuple[FieldSpec, ...]) -> dict[str, str]:
    """Other names that answers may use, each with the name that is ours."""
    return {mark.other: field.name for field in fields if (mark := field.mark(Renamed)) is not None}


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(COMPILED.read_bytes())
    return table


def _field(name: str, scalar: str, cardinality: str, type_name: str, *rows: Any) -> FieldSpec:
    is_enum = scalar == Scalar.ENUM
    values: dict[str, int] = _table()["enums"][type_name] if is_enum else {}
    return FieldSpec(
        name=name,
        scalar=Scalar(scalar),
        cardinality=Cardinality(cardinality),
        message_name="" if is_enum else type_name,
        enum_name=type_name if is_enum else "",
        enum=tuple(values),
        numbers=tuple(values.values()),
        marks=tuple(_mark(*row) for row in rows),
    )


def _mark(name: str, *values: Any) -> Mark:
    kind: type[Mark] = getattr(all_marks, name)
    if kind is Sensitive:
        return Sensitive(Secrecy(*values))
    if kind is Protects:
        what, falls, *rest = values
        order = tuple(rest[0]) if rest else ()
        return Protects(Guards(what), Falls(falls), order, *rest[1:])
    return kind(*(tuple(value) if isinstance(value, list) else value for value in values))
