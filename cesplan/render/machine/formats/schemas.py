"""
The JSON Schemas of the shapes, from which `schemas/reports` and `docs/reports.md` are made. The docstring below
a field describes it. Pydantic would read these texts from the source whenever a shape is imported, which took a
fifth of the time of `cesplan show`; they are read only here, where they are needed.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, get_args

from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from cesplan.model.editor_schemas.files import DIALECT
from cesplan.render.machine.formats.base import Format
from cesplan.render.machine.formats.events import EVENTS


class _Schema(GenerateJsonSchema):
    """Without a title on each member: it would only repeat the name."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def document_schema(model: type[Format]) -> dict[str, Any]:
    """The schema of a whole output, or of what a tool takes."""
    _describe_fields()
    return {"$schema": DIALECT, **model.model_json_schema(schema_generator=_Schema)}


def events_schema() -> dict[str, Any]:
    """The schema of one line of JSON Lines. A type that is not known may have any members."""
    _describe_fields()
    models = dict.fromkeys(shape for shapes in EVENTS.values() for shape in shapes)
    refs, found = models_json_schema([(model, "validation") for model in models], schema_generator=_Schema)
    return {
        "$schema": DIALECT,
        "title": "Event",
        "description": "One line of `--format jsonl`.",
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"type": "string", "examples": [*EVENTS]}},
        "allOf": [
            {
                "if": {"properties": {"type": {"const": type_}}},
                "then": {"anyOf": [refs[shape, "validation"] for shape in shapes]},
            }
            for type_, shapes in EVENTS.items()
        ],
        "$defs": found["$defs"],
    }


_DESCRIBED: set[type[Format]] = set()


def _describe_fields() -> None:
    """Give each field of each shape its description, once for a shape: more may be imported later."""
    for shape in _shapes(Format):
        _describe(shape)


def _describe(shape: type[Format]) -> None:
    """Those inside it come first, for a shape holds a copy of their schemas. Recursive."""
    if shape in _DESCRIBED:
        return
    _DESCRIBED.add(shape)
    texts = {name: text for base in reversed(shape.mro()) for name, text in _texts_of(base).items()}
    for name, field in shape.model_fields.items():
        field.description = field.description or texts.get(name)
        for inner in _shapes_in(field.annotation):
            _describe(inner)
    if shape.__pydantic_complete__:
        shape.model_rebuild(force=True)


def _shapes_in(annotation: Any) -> Iterator[type[Format]]:
    """The shapes that a type names. Recursive over its arguments."""
    if isinstance(annotation, type) and issubclass(annotation, Format):
        yield annotation
    for argument in get_args(annotation):
        yield from _shapes_in(argument)


def _shapes(base: type[Format]) -> Iterator[type[Format]]:
    """A shape and all that inherit from it, in the order of their definition. Recursive over the classes."""
    yield base
    for shape in base.__subclasses__():
        yield from _shapes(shape)


@cache
def _texts_of(shape: type) -> dict[str, str]:
    """The texts below the fields that a shape defines itself, by name; of any other class none."""
    return dict(_texts_below(shape)) if issubclass(shape, Format) else {}


def _texts_below(shape: type[Format]) -> Iterator[tuple[str, str]]:
    for statement, text in pairwise(_classes_of(shape.__module__)[shape.__name__].body):
        match statement, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(description))):
                yield name, inspect.cleandoc(description)


@cache
def _classes_of(module: str) -> dict[str, ast.ClassDef]:
    """The classes that a module defines. `inspect` would parse the whole module anew for each of them."""
    nodes = ast.walk(ast.parse(inspect.getsource(sys.modules[module])))
    return {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
