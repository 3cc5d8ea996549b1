"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import AsSet, Presence, Required
from cesplan.model.scalars import Double, Int64, Value


class SchemaType(StrEnum):
    """TODO"""

    TYPE_UNSPECIFIED = "TYPE_UNSPECIFIED"
    STRING = "STRING"
    INTEGER = "INTEGER"
    NUMBER = "NUMBER"
    BOOLEAN = "BOOLEAN"
    OBJECT = "OBJECT"
    ARRAY = "ARRAY"


class Schema(Message):
    """TODO"""

    MESSAGE = "Schema"

    type: Annotated[SchemaType | None, Required()] = None
    properties: dict[str, "Schema"] | None = None
    required: Annotated[list[str] | None, AsSet()] = None
    description: str | None = None
    items: Annotated["Schema | None", Presence()] = None
    nullable: bool | None = None
    unique_items: bool | None = None
    prefix_items: list["Schema"] | None = None
    additional_properties: Annotated["Schema | None", Presence()] = None
    any_of: list["Schema"] | None = None
    enum: list[str] | None = None
    default: Value | None = None
    ref: str | None = None
    defs: dict[str, "Schema"] | None = None
    title: str | None = None
    min_items: Int64 | None = None
    max_items: Int64 | None = None
    minimum: Annotated[Double | None, Presence()] = None
    maximum: Annotated[Double | None, Presence()] = None
