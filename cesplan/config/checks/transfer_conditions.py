"""CES048: the function of a transfer condition in Python."""

from cesplan.config.checks.placing import START
from cesplan.config.checks.python_code import parse
from cesplan.config.checks.walking import FileWalk, Visit
from cesplan.config.manifest import AppTree, Finding

FUNCTION = "should_trigger_transfer_callback"
PARAMETERS = ("callback_context",)
"""Documented by Google's Terraform provider; the API reference says only that the code is executed."""

_CODE = FileWalk(lambda message, field: message == "PythonCodeCondition" and field.name == "pythonCode")


def check_transfer_conditions(tree: AppTree) -> list[Finding]:
    """A condition in Python is a function with a fixed name."""
    return [
        finding
        for visit in _CODE.over(*tree.of("agents"))
        if isinstance(visit.value, str) and (finding := _finding(visit, visit.value))
    ]


def _finding(visit: Visit, code: str) -> Finding | None:
    text = parse(code)
    function = text.function(FUNCTION)
    if text.fault or (function and function.signature == PARAMETERS):
        return None
    near = function or text.nearest(FUNCTION)
    summary = function.instead_of(PARAMETERS) if function else f"the function `{FUNCTION}` is missing"
    detail = f"Define `def {FUNCTION}({', '.join(PARAMETERS)}):` and return True to transfer."
    suggestion = FUNCTION if near and not function else ""
    return visit.finding("CES048", summary, detail, near.place if near else START, suggestion=suggestion)
