"""Schemas of variables, arguments, and results: a subset of OpenAPI 3.0, with types in uppercase."""

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
    """The schema of a value."""

    MESSAGE = "Schema"

    type: Annotated[SchemaType | None, Required()] = None
    """Its type."""
    properties: dict[str, "Schema"] | None = None
    """The fields of an OBJECT."""
    required: Annotated[list[str] | None, AsSet()] = None
    """The required fields of an OBJECT. Order does not matter."""
    description: str | None = None
    """The description of the value, for the model."""
    items: Annotated["Schema | None", Presence()] = None
    """The schema of the elements of an ARRAY."""
    nullable: bool | None = None
    """If true, null is allowed."""
    unique_items: bool | None = None
    """If true, the elements of an ARRAY must be unique."""
    prefix_items: list["Schema"] | None = None
    """The schemas of the first elements of an ARRAY, by position."""
    additional_properties: Annotated["Schema | None", Presence()] = None
    """The schema of the fields of an OBJECT that are not listed."""
    any_of: list["Schema"] | None = None
    """Schemas, at least one of which must match."""
    enum: list[str] | None = None
    """The allowed values, as strings."""
    default: Value | None = None
    """The default value. null is a real value here."""
    ref: Annotated[str | None, Form(r"#/defs/.+", "a schema in the root's `defs`, such as #/defs/Address")] = (
        None
    )
    """A schema in the root's `defs`, such as `#/defs/Address`."""
    defs: dict[str, "Schema"] | None = None
    """Schemas to refer to, by name; only at the root."""
    title: str | None = None
    """A title."""
    min_items: Int64 | None = None
    """The minimum number of elements of an ARRAY."""
    max_items: Int64 | None = None
    """The maximum number of elements of an ARRAY."""
    minimum: Annotated[Double | None, Presence()] = None
    """The minimum value of an INTEGER or NUMBER."""
    maximum: Annotated[Double | None, Presence()] = None
    """The maximum value of an INTEGER or NUMBER."""
