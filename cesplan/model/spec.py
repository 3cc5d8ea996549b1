"""
Specs: the models as plain tables, for everything generic.

A MessageSpec lists the fields of one message under their JSON names; a FieldSpec holds what the marks of a
field say. Specs are derived from the models, once, and hold no knowledge of their own.
"""

import typing
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from types import NoneType, UnionType
from typing import Any

from cesplan.model.base import Message, json_name
from cesplan.model.marks import (
    AsSet,
    Etag,
    Identifier,
    InputOnly,
    KeyedBy,
    LongText,
    Mark,
    OneOf,
    OnlyIn,
    OutputOnly,
    Presence,
    Reference,
    Renamed,
    ServerDefaulted,
)
from cesplan.model.scalars import Scalar


class Cardinality(StrEnum):
    ONE = "one"
    LIST = "list"
    MAP = "map"


class ListMeaning(StrEnum):
    """What the order of a list says: everything, nothing, or nothing because elements have keys."""

    ORDERED = "ordered"
    SET = "set"
    KEYED = "keyed"


_M = typing.TypeVar("_M", bound=Mark)


@dataclass(frozen=True)
class FieldSpec:
    """One field: `name` in JSON, the type of its value or elements, and its marks."""

    name: str
    scalar: Scalar
    cardinality: Cardinality
    model: type[Message] | None
    enum: tuple[str, ...]
    marks: tuple[Mark, ...]

    def mark(self, kind: type[_M]) -> _M | None:
        """The mark of this kind, if the field carries one."""
        return next((mark for mark in self.marks if isinstance(mark, kind)), None)

    @cached_property
    def message(self) -> "MessageSpec":
        """The spec of the value or of each element. Raises TypeError where it is no message."""
        if self.model is None:
            raise TypeError(f"{self.name} holds no message")
        return spec_of(self.model)

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
    def reference(self) -> Reference | None:
        return self.mark(Reference)

    @cached_property
    def oneof(self) -> str:
        """The oneof this field is a member of, or nothing."""
        mark = self.mark(OneOf)
        return mark.group if mark else ""

    @cached_property
    def has_presence(self) -> bool:
        """True where absent and default (or empty) are two different things."""
        return bool(self.oneof) or self.mark(Presence) is not None

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
def spec_of(model: type[Message]) -> MessageSpec:
    """The spec of a model."""
    hints = typing.get_type_hints(model, include_extras=True)
    fields = (_field_spec(json_name(name), hints[name]) for name in model.model_fields)
    by_name = {field.name: field for field in fields}
    renamed = {
        mark.other: field.name for field in by_name.values() if (mark := field.mark(Renamed)) is not None
    }
    return MessageSpec(name=model.MESSAGE, fields=by_name, renamed=renamed)


def _field_spec(name: str, hint: Any) -> FieldSpec:
    inner, extras = _unwrap(hint)
    cardinality = Cardinality.ONE
    if typing.get_origin(inner) is list:
        cardinality, inner = Cardinality.LIST, typing.get_args(inner)[0]
    elif typing.get_origin(inner) is dict and Scalar.STRUCT not in extras:
        cardinality, inner = Cardinality.MAP, typing.get_args(inner)[1]
    inner, more = _unwrap(inner)
    scalar, model, values = _element(inner, (*extras, *more))
    found = tuple(extra for extra in extras if isinstance(extra, Mark))
    return FieldSpec(name=name, scalar=scalar, cardinality=cardinality, model=model, enum=values, marks=found)


def _unwrap(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Strip `Annotated` and `| None` from a hint, and gather what stood in `Annotated`."""
    extras: tuple[Any, ...] = ()
    while True:
        if hasattr(hint, "__metadata__"):
            extras, hint = (*extras, *hint.__metadata__), hint.__origin__
        elif typing.get_origin(hint) in (typing.Union, UnionType) and _is_optional(hint):
            rest = [arg for arg in typing.get_args(hint) if arg is not NoneType]
            hint = rest[0] if len(rest) == 1 else typing.Union[tuple(rest)]  # noqa: UP007
        else:
            return hint, extras


def _is_optional(hint: Any) -> bool:
    return NoneType in typing.get_args(hint)


def _element(inner: Any, extras: tuple[Any, ...]) -> tuple[Scalar, type[Message] | None, tuple[str, ...]]:
    named = next((extra for extra in extras if isinstance(extra, Scalar)), None)
    if named is not None:
        return named, None, ()
    if isinstance(inner, type) and issubclass(inner, Message):
        return Scalar.MESSAGE, inner, ()
    if isinstance(inner, type) and issubclass(inner, StrEnum):
        return Scalar.ENUM, None, tuple(member.value for member in inner)
    return (Scalar.BOOL if inner is bool else Scalar.STRING), None, ()
