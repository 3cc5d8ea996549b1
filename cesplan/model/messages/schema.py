"""Schemas of variables, arguments and results: a part of OpenAPI 3.0, with types in capitals."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import AsSet, Form, Presence, Required
from cesplan.model.scalars import Double, Int64, Value


class SchemaType(StrEnum):
    """The type of a value."""

    TYPE_UNSPECIFIED = "TYPE_UNSPECIFIED"
    STRING = "STRING"
    INTEGER = "INTEGER"
    NUMBER = "NUMBER"
    BOOLEAN = "BOOLEAN"
    OBJECT = "OBJECT"
    ARRAY = "ARRAY"


class Schema(Message):
    """The shape of a value."""

    MESSAGE = "Schema"

    type: Annotated[SchemaType | None, Required()] = None
    """Its type."""
    properties: dict[str, "Schema"] | None = None
    """The fields of an OBJECT."""
    required: Annotated[list[str] | None, AsSet()] = None
    """The fields of an OBJECT that must be there. Order means nothing."""
    description: str | None = None
    """The description of the value, for the model."""
    items: Annotated["Schema | None", Presence()] = None
    """The shape of the elements of an ARRAY."""
    nullable: bool | None = None
    """True allows null."""
    unique_items: bool | None = None
    """True allows no element of an ARRAY twice."""
    prefix_items: list["Schema"] | None = None
    """The shapes of the first elements of an ARRAY, by position."""
    additional_properties: Annotated["Schema | None", Presence()] = None
    """The shape of fields of an OBJECT that are not listed."""
    any_of: list["Schema"] | None = None
    """Shapes of which one at least must fit."""
    enum: list[str] | None = None
    """The values allowed, as texts."""
    default: Value | None = None
    """The value where none is given; null is a value here."""
    ref: Annotated[str | None, Form(r"#/defs/.+", "a schema in the root's `defs`, such as #/defs/Address")] = (
        None
    )
    """A shape of `defs` at the root, such as `#/defs/Address`."""
    defs: dict[str, "Schema"] | None = None
    """Shapes to refer to, by name; only at the root."""
    title: str | None = None
    """A title."""
    min_items: Int64 | None = None
    """The fewest elements of an ARRAY."""
    max_items: Int64 | None = None
    """The most elements of an ARRAY."""
    minimum: Annotated[Double | None, Presence()] = None
    """The least INTEGER or NUMBER."""
    maximum: Annotated[Double | None, Presence()] = None
    """The greatest INTEGER or NUMBER."""
