"""Shapes that copy members of a value: each member is an attribute of that value, or is given."""

import ast
import inspect
import typing
from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import cesplan
from cesplan.render.documents import opening
from cesplan.render.machine.formats.base import Format

ROOT = Path(cesplan.__file__).parent
FEWEST = 35
"""Calls whose value has a declared type; a lower number means that the search no longer finds them."""


def shapes() -> list[tuple[type[Format], ast.ClassDef]]:
    """Every shape of a report, and its code."""
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "from_value(" in text or "to_value(" in text:
            module = import_module(".".join(("cesplan", *path.relative_to(ROOT).with_suffix("").parts)))
            for node in ast.parse(text).body:
                shape = getattr(module, node.name, None) if isinstance(node, ast.ClassDef) else None
                if isinstance(shape, type) and issubclass(shape, Format) and isinstance(node, ast.ClassDef):
                    found.append((shape, node))
    return found


def missing(shape: type[Format], function: ast.FunctionDef, call: ast.Call) -> set[str] | None:
    """The required members that neither the value nor the call has; None where the type is not declared."""
    unpacked = {ast.unparse(item.value) for item in call.keywords if item.arg is None}
    if unpacked - {"opening()"} or not isinstance(call.args[0], ast.Name):
        return None
    method: Any = inspect.getattr_static(shape, function.name)
    kind = typing.get_type_hints(method.__func__).get(call.args[0].id)
    kinds = [item for item in typing.get_args(kind) or (kind,) if isinstance(item, type)]
    kinds = [item for item in kinds if item is not type(None)]
    if len(kinds) != 1:
        return None
    has = set(dir(kinds[0])) | ({item.name for item in fields(kinds[0])} if is_dataclass(kinds[0]) else set())
    required = {name for name, field in shape.model_fields.items() if field.is_required()}
    given = {str(item.arg) for item in call.keywords} | (opening().keys() if unpacked else set())
    return required - has - given


def calls(node: ast.ClassDef, name: str) -> list[tuple[ast.FunctionDef, ast.Call]]:
    return [
        (function, call)
        for function in node.body
        if isinstance(function, ast.FunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == name
    ]


def test_a_shape_is_complete() -> None:
    """What `from_value` copies by name, the value has: no type checker sees it."""
    found = {
        shape.__name__: missing(shape, function, call)
        for shape, node in shapes()
        for function, call in calls(node, "cls.from_value")
    }
    assert {name: left for name, left in found.items() if left} == {}
    assert sum(left is not None for left in found.values()) >= FEWEST


def test_a_value_is_complete() -> None:
    """Each field of a value that `to_value` makes is a member of the shape, is given, or has a default."""
    left = {}
    for shape, node in shapes():
        module = inspect.getmodule(shape)
        for _, call in calls(node, "self.to_value"):
            kind = getattr(module, ast.unparse(call.args[0]))
            required = {
                item.name
                for item in fields(kind)
                if item.default is MISSING and item.default_factory is MISSING
            }
            given = {str(item.arg) for item in call.keywords}
            left[f"{shape.__name__} → {kind.__name__}"] = required - given - shape.model_fields.keys()
    assert left
    assert {name: names for name, names in left.items() if names} == {}
