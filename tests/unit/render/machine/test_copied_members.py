"""Shapes that copy members of a value: each member is an attribute of that value, or is given."""

import ast
import inspect
import typing
from collections.abc import Iterator
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
    """The required members that neither the values nor the call have; None where a type is not declared."""
    unpacked = {ast.unparse(item.value) for item in call.keywords if item.arg is None}
    kinds = [one_kind(declared(item, shape, function)) for item in call.args]
    if unpacked - {"opening()"} or not all(kinds):
        return None
    given = {str(item.arg) for item in call.keywords} | opening().keys()
    return {name for name in lacking(shape, kinds) if name.partition(".")[0] not in given}


def lacking(shape: type[Format], kinds: list[Any]) -> Iterator[str]:
    """The required members that no value of these kinds has, also of the shapes that are made in this way."""
    for name, field in shape.model_fields.items():
        found = next((kind for kind in kinds if has(kind, name) or has(kind, f"is_{name}")), None)
        if found is None:
            yield from [name] if field.is_required() else []
            continue
        inner, value = one_kind(field.annotation), one_kind(hint_of(found, name))
        if inner and value and issubclass(inner, Format) and not hasattr(inner, "of"):
            yield from (f"{name}.{below}" for below in lacking(inner, [value]))


def has(kind: Any, name: str) -> bool:
    return name in dir(kind) or (is_dataclass(kind) and name in {item.name for item in fields(kind)})


def hint_of(kind: Any, name: str) -> Any:
    """The declared type of an attribute; None where it is not declared."""
    attribute = inspect.getattr_static(kind, name, None)
    if isinstance(attribute, property):
        return typing.get_type_hints(attribute.fget).get("return")
    try:
        return typing.get_type_hints(kind).get(name)
    except NameError:  # a name that is imported for the type checker only
        return None


def one_kind(hint: Any) -> Any:
    """The one class in a hint, such as that of the elements of a tuple; None if there is not exactly one."""
    parts = [item for item in typing.get_args(hint) or (hint,) if item not in (None, type(None), ...)]
    if len(parts) == 1 and typing.get_args(parts[0]):
        return one_kind(parts[0])
    return parts[0] if len(parts) == 1 and isinstance(parts[0], type) else None


def declared(value: ast.expr, shape: type[Format], function: ast.FunctionDef) -> Any:
    """The declared type of a parameter, of an attribute, or of a variable that holds one."""
    if isinstance(value, ast.Attribute):
        kind = one_kind(declared(value.value, shape, function))
        return hint_of(kind, value.attr) if kind else None
    if not isinstance(value, ast.Name):
        return None
    method: Any = inspect.getattr_static(shape, function.name)
    hints = typing.get_type_hints(method.__func__)
    if value.id in hints:
        return hints[value.id]
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            held = ast.Tuple([node.value]) if isinstance(node.targets[0], ast.Name) else node.value
            names = [node.targets[0]] if isinstance(node.targets[0], ast.Name) else node.targets[0].elts  # type: ignore[attr-defined]
            for name, of in zip(names, getattr(held, "elts", ()), strict=False):
                if isinstance(name, ast.Name) and name.id == value.id:
                    return declared(of, shape, function)
    return None


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
