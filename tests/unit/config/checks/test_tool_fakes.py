"""The functions that replace a tool."""

from typing import Any

from cesplan.config.checks.tool_fakes import check_tool_fakes
from tests.unit.config.checks.builders import Included, app, found, suggestions

DOCUMENT = "openapi: 3.0.3\npaths:\n  /a:\n    get: {operationId: list-charges}\n    post: {operationId: pay}\n"


def _fake(code: str) -> dict[str, Any]:
    return {"toolFakeConfig": {"codeBlock": {"pythonCode": Included(code)}}}


def test_a_fake_is_called_by_its_name() -> None:
    """Either of the two documented names serves."""
    both = "def fake_tool_call(tool, input, callback_context): ...\n"
    one = "def fake_lookup_order(tool: Tool, input: dict, callback_context: CallbackContext): ...\n"

    assert found(check_tool_fakes, app(tools={"a": _fake(both), "b": _fake(one)})) == []


def test_a_fake_of_another_name_is_never_called() -> None:
    """Then the real tool answers."""
    assert found(check_tool_fakes, app(tools={"a": _fake("def answer(): ...\n")})) == [
        (
            "CES047 tools/a toolFakeConfig.codeBlock.pythonCode@1:1+1: "
            "neither `fake_tool_call` nor a `fake_<tool id>` is defined"
        )
    ]


def test_parameters_are_exact() -> None:
    """They are documented with their names."""
    assert found(check_tool_fakes, app(tools={"a": _fake("def fake_tool_call(tool, args): ...\n")})) == [
        (
            "CES047 tools/a toolFakeConfig.codeBlock.pythonCode@1:5+14: `fake_tool_call` takes (tool, args) "
            "instead of (tool, input, callback_context)"
        )
    ]


def test_a_fake_of_a_toolset_names_an_operation() -> None:
    """Operations are known where the toolset is made from a document; signs that Python lacks become `_`."""
    code = "".join(
        f"def fake_{name}(tool, input, callback_context): ...\n"
        for name in ("tool_call", "list_charges", "pays")
    )
    tree = app(toolsets={"s": {"openApiToolset": {"openApiSchema": DOCUMENT}, **_fake(code)}})

    assert found(check_tool_fakes, tree) == [
        (
            "CES047 toolsets/s toolFakeConfig.codeBlock.pythonCode@3:5+9: "
            "`fake_pays` does not match an operation of this toolset"
        )
    ]
    assert suggestions(check_tool_fakes, tree) == ["fake_pay"]


def test_tools_of_a_server_may_have_any_name() -> None:
    """Nothing is known offline of an MCP server."""
    code = "def fake_anything(tool, input, callback_context): ...\n"
    tree = app(toolsets={"s": {"mcpToolset": {"serverAddress": "https://a.example/mcp/"}, **_fake(code)}})

    assert found(check_tool_fakes, tree) == []
