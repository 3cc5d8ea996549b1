"""The functions of Python tools."""

from typing import Any

import pytest

from cesplan.config.checks.python_tools import check_python_tools
from tests.unit.config.checks.builders import Included, app, found, suggestions

GOOD = 'def lookup(number: str, limit: int = 3) -> dict:\n    """Find an order."""\n    return {}\n'


def _tool(code: Any, **fields: Any) -> Any:
    return app(tools={"t": {"pythonFunction": {"pythonCode": code, **fields}}})


@pytest.mark.parametrize("name", [{}, {"name": "lookup"}, {"name": ""}, {"name": None}])
def test_a_function_that_is_there_passes(name: dict[str, Any]) -> None:
    """By its name, or as the first one."""
    assert found(check_python_tools, _tool(GOOD, **name)) == []


def test_a_name_that_is_not_defined_is_an_error_at_the_name() -> None:
    """Case matters, and the code's own name is suggested."""
    tree = _tool(GOOD, name="Lookup")

    assert found(check_python_tools, tree) == [
        "CES044 tools/t pythonFunction.name: the code does not define a function `Lookup`"
    ]
    assert suggestions(check_python_tools, tree) == ["lookup"]


def test_code_without_a_function_is_an_error() -> None:
    """There is nothing to call."""
    assert found(check_python_tools, _tool(Included("x = 1\n"))) == [
        "CES044 tools/t pythonFunction.pythonCode@1:1+1: the code does not define a function"
    ]


def test_parameters_that_an_import_drops_are_named_where_they_stand() -> None:
    """Rest parameters and None defaults; columns count characters, not bytes."""
    code = 'def f(ö: str, b: str = None, *rest, c=None, d=0, **more):\n    """Do."""\n'

    assert found(check_python_tools, _tool(Included(code))) == [
        "CES045 tools/t pythonFunction.pythonCode@1:15+1: the default None of `b` is lost on import",
        "CES045 tools/t pythonFunction.pythonCode@1:31+4: the parameter `*rest` is lost on import",
        "CES045 tools/t pythonFunction.pythonCode@1:37+1: the default None of `c` is lost on import",
        "CES045 tools/t pythonFunction.pythonCode@1:52+4: the parameter `**more` is lost on import",
    ]


@pytest.mark.parametrize("body", ["    return {}", '    """ """', "    'a' + 'b'"])
def test_a_tool_without_a_docstring_has_no_description(body: str) -> None:
    """The docstring is the description of the tool."""
    assert found(check_python_tools, _tool(Included(f"def f():\n{body}\n"))) == [
        "CES046 tools/t pythonFunction.pythonCode@1:5+1: the function `f` has no docstring"
    ]


def test_functions_of_widgets_are_no_tools() -> None:
    """They must be there, but nobody reads their docstring or parameters."""
    mapping = {"pythonFunction": {"name": "g", "pythonCode": "def f(a=None): ...\n"}}
    good = {"pythonFunction": {"name": "f", "pythonCode": "def f(a=None): ...\n"}}
    tree = app(
        tools={"w": {"widgetTool": {"dataMapping": mapping}}, "x": {"widgetTool": {"dataMapping": good}}}
    )

    assert found(check_python_tools, tree) == [
        "CES044 tools/w widgetTool.dataMapping.pythonFunction.name: the code does not define a function `g`"
    ]
