"""CES044, CES045, CES046: the functions of Python tools."""

from collections.abc import Iterator

from cesplan.config.checks.placing import shown
from cesplan.config.checks.python_code import Function, PythonText, parse
from cesplan.config.checks.walking import FileWalk, Visit, text_at
from cesplan.config.manifest import AppTree, Finding
from cesplan.config.suggestions import nearest
from cesplan.domain.field_path import FieldPath

_CODE = FileWalk(lambda message, field: message == "PythonFunction" and field.name == "pythonCode")
_TOOL_FIELD = "pythonFunction.pythonCode"
"""The field with the code of a tool. Other functions, such as those of widgets, are not tools."""


def check_python_tools(tree: AppTree) -> list[Finding]:
    """The code must define the function. Report what an import would drop from it."""
    found: list[Finding] = []
    for visit in _CODE.over(*tree.all()):
        text = parse(visit.value) if isinstance(visit.value, str) else PythonText()
        if isinstance(visit.value, str) and text.fault is None:
            found += _findings(visit, text)
    return found


def called_function(name: str, text: PythonText) -> Function | None:
    """The function that the service runs: the named one, else the first."""
    if name:
        return text.function(name)
    return text.functions[0] if text.functions else None


def _findings(visit: Visit, text: PythonText) -> Iterator[Finding]:
    function = called_function(text_at(visit.holder, "name"), text)
    if function is None:
        yield _missing(visit, text_at(visit.holder, "name"), text)
    elif str(visit.path) == _TOOL_FIELD:
        yield from _dropped(visit, function)
        if not function.has_docstring:
            yield _undescribed(visit, function)


def _missing(visit: Visit, name: str, text: PythonText) -> Finding:
    if not name:
        return visit.finding("CES044", "the code does not define a function")
    near = nearest(name, (item.name for item in text.functions))
    defined = ", ".join(f"`{item.name}`" for item in text.functions) or "none"
    what = f"the code does not define a function `{shown(name)}`"
    detail = f"At the top level it defines: {defined}. Names are case-sensitive."
    there = FieldPath((*visit.path.segments[:-1], "name"))
    return visit.finding("CES044", what, detail, None, path=there, suggestion=near)


def _dropped(visit: Visit, function: Function) -> Iterator[Finding]:
    for parameter in function.parameters:
        name = f"{parameter.star}{parameter.name}"
        if parameter.star:
            detail = "Give every argument a name: the model sees only named arguments."
            what = f"the parameter `{name}` is lost on import"
            yield visit.finding("CES045", what, detail, parameter.place)
        elif parameter.defaults_to_none:
            what = f"the default None of `{name}` is lost on import"
            detail = 'Use a default of the type of the parameter, such as "" or 0, and test for that.'
            yield visit.finding("CES045", what, detail, parameter.place)


def _undescribed(visit: Visit, function: Function) -> Finding:
    what = f"the function `{function.name}` has no docstring"
    detail = (
        "The docstring becomes the description of the tool, which the model uses to decide when to call it."
    )
    return visit.finding("CES046", what, detail, function.place)
