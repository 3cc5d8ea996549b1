"""
What an import drops because of its code: invalid callbacks, and tools that cannot be parsed.

According to another tool's notes, the service does so, also for `**kwargs` and `None` defaults.
"""

import ast
from collections.abc import Iterator

from cesplan.emulator.openapi import python_code
from cesplan.emulator.rules.checks import SIGNATURES, callback_fault
from cesplan.emulator.rules.derived_fields import first_function
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.switches import Switches


def without_bad_callbacks(body: Body, switches: Switches) -> tuple[Body, list[str]]:
    """Return an agent's body without invalid callbacks, and the fault of each."""
    kept, faults = dict(body), []
    for field, (name, parameters) in SIGNATURES.items():
        callbacks = body.get(field, [])
        why = [callback_fault(str(one.get("pythonCode", "")), name, parameters, switches) for one in callbacks]
        faults += [f"{field}[{index}]: {fault}" for index, fault in enumerate(why) if fault]
        good = [one for one, fault in zip(callbacks, why, strict=True) if not fault]
        if callbacks:
            kept[field] = good
    return {key: value for key, value in kept.items() if value != []}, faults


def other_parameters(body: Body) -> list[str]:
    """Return a notice for each callback whose parameter names differ from the reference."""
    strict = Switches(callback_parameters="refuse")
    found = []
    for field, (name, parameters) in SIGNATURES.items():
        for index, one in enumerate(body.get(field, [])):
            fault = callback_fault(str(one.get("pythonCode", "")), name, parameters, strict)
            found += [f"{field}[{index}]: {fault}"] if fault else []
    return found


def tool_fault(body: Body) -> str:
    """Return the fault in the code of a Python tool, '' if there is none."""
    code = body.get("pythonFunction", {}).get("pythonCode", "")
    if not code:
        return ""
    try:
        python_code.parsed(code)
    except ValueError as error:
        return str(error)
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
