"""
Shapes that copy members of a value. A golden file lists each call that does, and which attribute fills a member
where another could without an error: if the member has a default, if there are several values, and if the
attribute is `is_<member>`. What a new attribute would fill by its name shows there, and what lost its own.
"""

import ast
import inspect
import sys
import typing
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import cesplan
from cesplan.render.documents import opening
from cesplan.render.machine.formats.base import Format
from tests.unit.render.golden import assert_golden

ROOT = Path(cesplan.__file__).parent


@dataclass(frozen=True, kw_only=True)
class Copying:
    """A call of `from_value` or `to_value`, the function around it, and the types of its parameters."""

    module: ModuleType
    function: ast.FunctionDef
    hints: dict[str, Any]
    call: ast.Call

    @property
    def shape(self) -> Any:
        """The class that has the method; None for `super()`."""
        of = typing.cast("ast.Attribute", self.call.func).value
        found = one_kind(declared(of, self)) or named(of, self.module)
        return found if isinstance(found, type) else None


def named(value: ast.expr, place: Any) -> Any:
    """What a dotted name in a module is; None for any other expression."""
    for part in ast.unparse(value).split("."):
        place = getattr(place, part, None)
    return place


def copyings(method: str) -> Iterator[Copying]:
    """Every call of this method of a shape."""
    for path in sorted(ROOT.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if f".{method}(" in text:
            module = import_module(".".join(("cesplan", *path.relative_to(ROOT).with_suffix("").parts)))
            for owner, function in functions(module, ast.parse(text)):
                hints = hints_of(getattr(owner or module, function.name)) | {"cls": owner, "self": owner}
                for call in ast.walk(function):
                    if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(f".{method}"):
                        found = Copying(module=module, function=function, hints=hints, call=call)
                        if isinstance(found.shape, type):
                            yield found


def functions(module: Any, tree: ast.Module) -> Iterator[tuple[Any, ast.FunctionDef]]:
    """The functions of a module, and the methods of its classes with their class."""
    for node in tree.body:
        owner = getattr(module, node.name) if isinstance(node, ast.ClassDef) else None
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        yield from ((owner, item) for item in inside if isinstance(item, ast.FunctionDef))


def copied(found: Copying) -> Iterator[str]:
    """A line for each member whose source the call does not say."""
    kinds = [one_kind(declared(item, found)) for item in found.call.args]
    given = {str(item.arg) for item in found.call.keywords} | opening().keys()
    if not all(kinds):
        yield "  from a value whose type is not declared"
    for name, source in sources(found.shape, kinds) if all(kinds) else ():
        if name.partition(".")[0] not in given:
            yield f"  {name}: {source}"


def sources(shape: type[Format], kinds: list[Any]) -> Iterator[tuple[str, str]]:
    """The attribute of each member that another could fill, also of the shapes that are made in this way."""
    for name, field in shape.model_fields.items():
        places = ((kind, each) for kind in kinds for each in (name, f"is_{name}"))
        kind, attribute = next((place for place in places if has(*place)), (None, ""))
        if kind is None:
            yield name, "MISSING" if field.is_required() else "its default"
            continue
        if not field.is_required() or len(kinds) > 1 or attribute != name:
            yield name, f"{kind.__name__}.{attribute}"
        inner, value = one_kind(field.annotation), one_kind(hint_of(kind, name))
        if inner and value and issubclass(inner, Format) and not hasattr(inner, "of"):
            yield from ((f"{name}.{below}", source) for below, source in sources(inner, [value]))


def has(kind: Any, name: str) -> bool:
    return name in dir(kind) or (is_dataclass(kind) and name in {item.name for item in fields(kind)})


def hint_of(kind: Any, name: str) -> Any:
    """The declared type of an attribute; None where it is not declared."""
    attribute = inspect.getattr_static(kind, name, None)
    if isinstance(attribute, property):
        return hints_of(attribute.fget).get("return")
    return hints_of(kind).get(name)


def hints_of(item: Any) -> dict[str, Any]:
    """The declared types of a function or a class, also those that are imported for the type checker only."""
    try:
        return typing.get_type_hints(item, localns=imported(sys.modules[item.__module__]))
    except (AttributeError, NameError, TypeError):
        return {}


@cache
def imported(module: ModuleType) -> dict[str, Any]:
    """What a module imports from others of this package, wherever it does."""
    nodes = ast.walk(ast.parse(inspect.getsource(module)))
    froms = [
        node for node in nodes if isinstance(node, ast.ImportFrom) and str(node.module).startswith("cesplan.")
    ]
    return {
        alias.asname or alias.name: getattr(import_module(str(node.module)), alias.name, None)
        for node in froms
        for alias in node.names
    }


def one_kind(hint: Any) -> Any:
    """The one class in a hint, such as that of the elements of a tuple; None if there is not exactly one."""
    parts = [item for item in typing.get_args(hint) or (hint,) if item not in (None, type(None), ...)]
    if len(parts) == 1 and typing.get_args(parts[0]):
        return one_kind(parts[0])
    return parts[0] if len(parts) == 1 and isinstance(parts[0], type) else None


def declared(value: ast.expr, found: Copying) -> Any:
    """The declared type of a parameter, of an attribute, or of a variable that holds one."""
    if isinstance(value, ast.Attribute):
        kind = one_kind(declared(value.value, found))
        return hint_of(kind, value.attr) if kind else None
    if not isinstance(value, ast.Name):
        return None
    if value.id in found.hints:
        return found.hints[value.id]
    for node in ast.walk(found.function):
        around = getattr(node, "generators", [node]) if found.call in ast.walk(node) else []
        for loop in around:
            if isinstance(loop, ast.For | ast.comprehension) and ast.unparse(loop.target) == value.id:
                return one_kind(declared(loop.iter, found))
        if isinstance(node, ast.Assign):
            target = node.targets[0]
            names, held = getattr(target, "elts", [target]), getattr(node.value, "elts", [node.value])
            for name, of in zip(names, held, strict=False):
                if isinstance(name, ast.Name) and name.id == value.id:
                    return declared(of, found)
    return None


def test_each_member_has_its_source() -> None:
    """What `from_value` copies by name is reviewed: no type checker sees it."""
    found = sorted([item.shape.__name__, *copied(item)] for item in copyings("from_value"))
    lines = [line for shape in found for line in shape]
    assert [line for line in lines if line.endswith(": MISSING")] == []
    assert_golden("copied-members.txt", "\n".join([*lines, ""]))


def test_a_value_is_complete() -> None:
    """Each field of a value that `to_value` makes is a member of the shape, is given, or has a default."""
    left = {}
    for found in copyings("to_value"):
        kind = named(found.call.args[0], found.module)
        required = {
            item.name for item in fields(kind) if item.default is MISSING and item.default_factory is MISSING
        }
        given = {str(item.arg) for item in found.call.keywords}
        left[f"{found.shape.__name__} → {kind.__name__}"] = required - given - found.shape.model_fields.keys()
    assert left
    assert {name: names for name, names in left.items() if names} == {}
