"""The input and output of a Python function, from its annotations."""

import ast

from cesplan.emulator.openapi.arguments import object_of
from cesplan.emulator.openapi.shapes import Json

_ANNOTATIONS = {
    "str": "STRING",
    "int": "INTEGER",
    "float": "NUMBER",
    "bool": "BOOLEAN",
    "list": "ARRAY",
    "dict": "OBJECT",
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def input_of_python(function: Function) -> Json:
    """Return the schema of a function's parameters."""
    arguments = function.args
    by_place = [*arguments.posonlyargs, *arguments.args]
    first_default = len(by_place) - len(arguments.defaults)
    by_name = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    required = [a.arg for a in by_place[:first_default]]
    required += [a.arg for a, default in by_name if default is None]
    every = [*by_place, *arguments.kwonlyargs]
    return object_of({a.arg: {"type": _annotated(a.annotation)} for a in every}, required)


def output_of_python(function: Function) -> Json:
    """Return the schema of a function's return value."""
    return {"type": _annotated(function.returns) if function.returns else "OBJECT"}


def _annotated(node: ast.expr | None) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    name = node.id.lower() if isinstance(node, ast.Name) else ""
    return _ANNOTATIONS.get(name, "STRING" if node is None else "OBJECT")
