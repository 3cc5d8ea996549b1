"""
Deriving specs from the models, and compiling them into the table that `cesplan.model.spec` reads.

Only `tools/compile_specs.py`, tests, and JSON Schema use this module: it imports pydantic and all models.
"""

import json
import typing
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any

from cesplan.model.base import Message, json_name
from cesplan.model.kinds import KINDS
from cesplan.model.marks import Mark
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec, renamed_in


def derive_spec(model: type[Message]) -> MessageSpec:
    """The spec of a model, from its annotations."""
    fields = tuple(_field_spec(name, hint) for name, hint in _hints(model))
    return MessageSpec(
        name=model.MESSAGE, fields={field.name: field for field in fields}, renamed=renamed_in(fields)
    )


@cache
def all_models() -> dict[str, type[Message]]:
    """
    All models reachable from a kind, by API name, sorted.

    Raises ValueError for two models of one message.
    """
    found: dict[str, type[Message]] = {}
    pending: list[type[Message]] = [kind.model for kind in KINDS.values()]
    while pending:
        model = pending.pop()
        if found.setdefault(model.MESSAGE, model) is not model:
            raise ValueError(f"two models of {model.MESSAGE}: {model}, {found[model.MESSAGE]}")
        pending += [part for part in _parts(model, Message) if part.MESSAGE not in found]
    return dict(sorted(found.items()))


@cache
def all_enums() -> dict[str, type[StrEnum]]:
    """
    All enums in the fields of models, by class name, sorted.

    Raises ValueError for two enums of one name.
    """
    found: dict[str, type[StrEnum]] = {}
    for model in all_models().values():
        for enum in _parts(model, StrEnum):
            if found.setdefault(enum.__name__, enum) is not enum:
                raise ValueError(f"two enums called {enum.__name__}")
    return dict(sorted(found.items()))


def numbered(enum: type[StrEnum]) -> dict[str, int]:
    """The values of an enum with their numbers: their positions, unless `__numbers__` says otherwise."""
    numbers = getattr(enum, "__numbers__", range(len(enum)))
    return {member.value: number for member, number in zip(enum, numbers, strict=True)}


def compiled_table() -> str:
    """The text of `specs.json`, with one line per field so that a review shows what changed."""
    enums = ",\n".join(f"{_json(name)}:{_json(numbered(enum))}" for name, enum in all_enums().items())
    messages = ",\n".join(
        f"{_json(name)}:[{_rows(derive_spec(model))}]" for name, model in all_models().items()
    )
    return f'{{"enums":{{\n{enums}\n}},\n"messages":{{\n{messages}\n}}}}\n'


def _rows(spec: MessageSpec) -> str:
    return ",\n".join(["", *(_json(_row(field)) for field in spec.fields.values())])[1:]


def _row(field: FieldSpec) -> list[Any]:
    type_name = field.message_name or field.enum_name
    return [field.name, field.scalar, field.cardinality, type_name, *map(_mark_row, field.marks)]


def _mark_row(mark: Mark) -> list[Any]:
    """The name of a mark and its values, without trailing defaults."""
    values = [*mark.as_tuple()]
    while values and values[-1] == getattr(type(mark), mark.FIELDS[len(values) - 1], _NO_DEFAULT):
        values.pop()
    return [type(mark).__name__, *values]


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


_T = typing.TypeVar("_T")
_NO_DEFAULT = object()


def _parts(model: type[Message], base: type[_T]) -> Iterator[type[_T]]:
    """The subclasses of `base` in the fields of a model."""
    for _, hint in _hints(model):
        _, inner, _ = _split(hint)
        if isinstance(inner, type) and issubclass(inner, base):
            yield inner


def _hints(model: type[Message]) -> list[tuple[str, Any]]:
    """The type hints of a model by JSON name."""
    hints = typing.get_type_hints(model, include_extras=True)
    return [(json_name(name), hints[name]) for name in model.model_fields]


def _field_spec(name: str, hint: Any) -> FieldSpec:
    cardinality, inner, extras = _split(hint)
    scalar = _scalar(inner, extras)
    values = numbered(inner) if scalar is Scalar.ENUM else {}
    return FieldSpec(
        name=name,
        scalar=scalar,
        cardinality=cardinality,
        message_name=inner.MESSAGE if scalar is Scalar.MESSAGE else "",
        enum_name=inner.__name__ if scalar is Scalar.ENUM else "",
        enum=tuple(values),
        numbers=tuple(values.values()),
        marks=tuple(extra for extra in extras if isinstance(extra, Mark)),
    )


def _split(hint: Any) -> tuple[Cardinality, Any, Sequence[Any]]:
    """The cardinality, the type of the value or of each element, and the metadata in `Annotated`."""
    cardinality = Cardinality.ONE
    inner, extras = _unwrapped(hint)
    if typing.get_origin(inner) is list:
        cardinality, inner = Cardinality.LIST, typing.get_args(inner)[0]
    elif typing.get_origin(inner) is dict and Scalar.STRUCT not in extras:
        cardinality, inner = Cardinality.MAP, typing.get_args(inner)[1]
    inner, more = _unwrapped(inner)
    return cardinality, inner, (*extras, *more)


def _unwrapped(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Strip `Annotated` and `| None` from a hint, and collect the metadata in `Annotated`."""
    extras: tuple[Any, ...] = ()
    while True:
        if hasattr(hint, "__metadata__"):
            extras, hint = (*extras, *hint.__metadata__), hint.__origin__
        elif typing.get_origin(hint) in (typing.Union, UnionType) and NoneType in typing.get_args(hint):
            rest = [arg for arg in typing.get_args(hint) if arg is not NoneType]
            hint = rest[0] if len(rest) == 1 else typing.Union[tuple(rest)]  # noqa: UP007
        else:
            return hint, extras


def _scalar(inner: Any, extras: Sequence[Any]) -> Scalar:
    named = next((extra for extra in extras if isinstance(extra, Scalar)), None)
    if named is not None:
        return named
    if isinstance(inner, type) and issubclass(inner, Message):
        return Scalar.MESSAGE
    if isinstance(inner, type) and issubclass(inner, StrEnum):
        return Scalar.ENUM
    return Scalar.BOOL if inner is bool else Scalar.STRING
