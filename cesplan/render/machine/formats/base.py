"""What all shapes have in common: strict types, places for errors, and our values that are texts in JSON."""

import json
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Self, TypeAlias, TypeVar, Union, get_args, get_origin

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    ValidationError,
    WithJsonSchema,
)

from cesplan.domain.address import Address, parse_address
from cesplan.domain.field_path import MaskPath, mask_path
from cesplan.domain.plan import Purpose, StepId
from cesplan.domain.value import place_text
from cesplan.render.documents import FORMAT_VERSION, opening, text_of_report

_T = TypeVar("_T")
_NONE = object()
_MAJOR = int(FORMAT_VERSION.partition(".")[0])


class Format(BaseModel):
    """An object in JSON. A newer minor format may have more members: what is unknown is not read."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="ignore", defer_build=True, ser_json_inf_nan="constants"
    )

    @classmethod
    def from_value(cls, *values: object, **members: Any) -> Self:
        """
        An object with these members. The others are attributes with the same name, or `is_<name>`, of the first
        value that has one. What is not yet an object of JSON where one belongs is made one by its `of`, or else
        in this way too.
        """
        made = {}
        for name, convert in _conversions(cls):
            item = members[name] if name in members else _attribute(values, name)
            if item is not _NONE:
                made[name] = convert(item) if convert else item
        return cls(**made)

    def to_value(self, kind: type[_T], **attributes: Any) -> _T:
        """A value of a dataclass with these attributes; the others are members with the same name."""
        assert is_dataclass(kind)
        names = ({item.name for item in fields(kind)} & type(self).model_fields.keys()) - attributes.keys()
        return kind(**{name: getattr(self, name) for name in names}, **attributes)

    def document(self) -> dict[str, Any]:
        """The object, with its members in the order of the fields."""
        return self.model_dump()


def _attribute(values: tuple[object, ...], name: str) -> Any:
    for value in values:
        found = getattr(value, name, _NONE)
        if found is not _NONE or (found := getattr(value, f"is_{name}", _NONE)) is not _NONE:
            return found
    return _NONE


_Convert: TypeAlias = Callable[[Any], Any] | None


@cache
def _conversions(kind: type[Format]) -> tuple[tuple[str, _Convert], ...]:
    """How an attribute becomes each member of an object; None: as it is."""
    return tuple((name, _conversion(field.annotation)) for name, field in kind.model_fields.items())


def _conversion(annotation: Any) -> _Convert:
    arguments = get_args(annotation)
    origin = get_origin(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Format):
        make = getattr(annotation, "of", annotation.from_value)
        return lambda item: item if isinstance(item, annotation) else make(item)
    if origin in (UnionType, Union) and arguments[1:] == (type(None),):
        inner = _conversion(arguments[0])
        return inner and (lambda item: None if item is None else inner(item))
    if origin is tuple and arguments[1:] == (...,):
        of_each = _conversion(arguments[0])
        return (lambda items: tuple(map(of_each, items))) if of_each else tuple
    if origin is dict:
        return dict
    if origin is Literal or annotation is str:
        return lambda item: item.value if isinstance(item, Enum) else item
    return None


class Document(Format):
    """The root object of an output."""

    format_version: str
    """`<major>.<minor>`: a new minor version adds members, a new major version changes existing ones."""
    cesplan_version: str
    """The version of cesplan that wrote this."""

    @classmethod
    def from_value(cls, *values: object, **members: Any) -> Self:
        return super().from_value(*values, **{**opening(), **members})

    def text(self) -> str:
        """The text of the document, ended by a line feed."""
        return text_of_report(self)


class Located(Format):
    """An object about one environment."""

    environment: str
    """The environment of `cesplan.yaml`; empty if none was selected."""
    project: str
    """The id of the Google Cloud project."""
    location: str
    """The location of the apps."""


def check_version(document: dict[str, Any]) -> None:
    """Raises ValueError, with why in a sentence, for a format that is not ours to read."""
    version = str(document.get("format_version", ""))
    major, dot, _ = version.partition(".")
    if not dot or not major.isdecimal():
        raise ValueError("It has no format version.")
    if int(major) != _MAJOR:
        made_by = document.get("cesplan_version", "another version")
        raise ValueError(f"This version reads {_MAJOR}.x; cesplan {made_by} wrote it.")


def json_object(text: str) -> dict[str, Any]:
    """The object that a JSON text is. Raises ValueError, with why."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError("It is not JSON.") from error
    if not isinstance(document, dict):
        raise ValueError("It is not a JSON object.")
    return document


def problems(error: ValidationError) -> Iterator[str]:
    """The errors of a document, one line each, by path."""
    for item in error.errors(include_url=False, include_input=False):
        yield f"`{place_text(item['loc']) or '$'}`: {_said(item['msg'])}"


def _said(message: str) -> str:
    """`should be a valid string`: without the subject, which is the path."""
    bare = message.removeprefix("Value error, ").removeprefix("Input ")
    return "is required" if bare == "Field required" else bare


def optional() -> Any:
    """A field that is left out if it is None."""
    return Field(None, exclude_if=lambda value: value is None)


def _text(kind: type[_T], parse: Callable[[str], _T]) -> tuple[Any, ...]:
    """A field type whose values are written and read as text."""

    def read(value: Any) -> _T:
        if isinstance(value, kind):
            return value
        if not isinstance(value, str):
            raise ValueError("should be a valid string")
        return parse(value)

    return PlainValidator(read), PlainSerializer(str), WithJsonSchema({"type": "string"})


def _step_id(text: str) -> StepId:
    """`shop/agents/billing`, or with a purpose `shop/agents/billing (link)`."""
    address, _, purpose = text.removesuffix(")").partition(" (")
    return StepId(address=parse_address(address), purpose=Purpose(purpose) if purpose else Purpose.MAIN)


def _mask(text: str) -> MaskPath:
    return mask_path(text) if text else MaskPath(())


AddressText: TypeAlias = Annotated[Address, *_text(Address, parse_address)]
MaskText: TypeAlias = Annotated[MaskPath, *_text(MaskPath, _mask)]
StepText: TypeAlias = Annotated[StepId, *_text(StepId, _step_id)]
