"""
The docs of models, read from their source: docstrings of classes, and the literals below their fields.

Python discards field docs at run time, so the source is parsed. Only JSON Schema needs this.
"""

import ast
import inspect
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from importlib import import_module

from cesplan.domain.frozen import dataclass
from cesplan.model.base import Message, json_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Documentation:
    """The docstring of a class, and those of its fields (by JSON name) or members (by name)."""

    summary: str
    members: dict[str, str]


@cache
def documentation_of(model: type[Message] | type[StrEnum]) -> Documentation:
    """The docs of a model or an enum. Raises KeyError for a nested class."""
    node = _classes(model.__module__)[model.__name__]
    name = json_name if issubclass(model, Message) else str
    return Documentation(
        summary=_text(ast.get_docstring(node) or ""),
        members={name(member): _text(doc) for member, doc in _members(node)},
    )


@cache
def _classes(module: str) -> dict[str, ast.ClassDef]:
    source = inspect.getsource(import_module(module))
    return {node.name: node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}


def _members(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for statement, below in zip(node.body, node.body[1:], strict=False):
        match statement, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]),
                ast.Expr(value=ast.Constant(value=str(doc))),
            ):
                yield name, doc


def _text(doc: str) -> str:
    """The text on one line."""
    return " ".join(doc.split())
