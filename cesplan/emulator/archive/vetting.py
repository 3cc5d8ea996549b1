"""
What an import drops because of its code: callbacks that are none, tools that cannot be read.

Another tool's notes have it that the service does so, and for `**kwargs` and `None` defaults too.
"""

import ast
from collections.abc import Iterator

from cesplan.emulator.checks import SIGNATURES, callback_fault
from cesplan.emulator.deriving import first_function
from cesplan.emulator.messages import Body


def without_bad_callbacks(body: Body) -> tuple[Body, list[str]]:
    """Return an agent's body without callbacks that are none, and what was wrong with each."""
    kept, faults = dict(body), []
    for field, (name, parameters) in SIGNATURES.items():
        callbacks = body.get(field, [])
        why = [callback_fault(str(one.get("pythonCode", "")), name, parameters) for one in callbacks]
        faults += [f"{field}[{index}]: {fault}" for index, fault in enumerate(why) if fault]
        good = [one for one, fault in zip(callbacks, why, strict=True) if not fault]
        if callbacks:
            kept[field] = good
    return {key: value for key, value in kept.items() if value != []}, faults


def tool_fault(body: Body) -> str:
    """Return what is wrong with the code of a Python tool, '' for nothing."""
    code = body.get("pythonFunction", {}).get("pythonCode", "")
    if not code:
        return ""
    try:
        ast.parse(code)
    except (SyntaxError, ValueError) as error:
        return f"this is not Python: {error}"
    function = first_function(code)
    if function is not None and function.args.kwarg is not None:
        return f"{function.name} takes **{function.args.kwarg.arg}"
    if function is not None and any(_is_none(default) for default in _defaults(function)):
        return f"{function.name} has a parameter whose default is None"
    return ""


def _defaults(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr | None]:
    yield from function.args.defaults
    yield from function.args.kw_defaults


def _is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
