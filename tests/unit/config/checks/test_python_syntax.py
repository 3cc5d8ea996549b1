"""Python texts that do not parse."""

import pytest

from cesplan.config.checks.python_syntax import check_python_syntax
from cesplan.domain.value import Secret
from tests.unit.config.checks.builders import Included, app, found


def test_a_mistake_is_shown_inside_the_included_file() -> None:
    """Line, column and span point into the text that was taken in."""
    code = "def before_agent_callback(callback_context):\n    retrun None\n"
    tree = app(agents={"a": {"beforeAgentCallbacks": [{"pythonCode": Included(code)}]}})

    assert found(check_python_syntax, tree) == [
        "CES040 agents/a beforeAgentCallbacks[0].pythonCode@2:12+4: Python syntax error: invalid syntax"
    ]


def test_a_mistake_in_an_inline_text_names_its_line() -> None:
    """The resource file shows the value; the summary says which line of it."""
    tree = app(tools={"t": {"pythonFunction": {"pythonCode": "x = 1\ny ="}}})

    assert found(check_python_syntax, tree) == [
        "CES040 tools/t pythonFunction.pythonCode: Python syntax error: invalid syntax (line 2 of the text)"
    ]


@pytest.mark.parametrize(
    ("kind", "body", "path"),
    [
        (
            "agents",
            {"transferRules": [{"deterministicTransfer": {"pythonCodeCondition": {"pythonCode": "("}}}]},
            "transferRules[0].deterministicTransfer.pythonCodeCondition.pythonCode",
        ),
        (
            "guardrails",
            {"codeCallback": {"afterModelCallback": {"pythonCode": "("}}},
            "codeCallback.afterModelCallback.pythonCode",
        ),
        (
            "toolsets",
            {"toolFakeConfig": {"codeBlock": {"pythonCode": "("}}},
            "toolFakeConfig.codeBlock.pythonCode",
        ),
        (
            "tools",
            {"widgetTool": {"dataMapping": {"pythonFunction": {"pythonCode": "("}}}},
            "widgetTool.dataMapping.pythonFunction.pythonCode",
        ),
        (
            "tools",
            {"widgetTool": {"dataMapping": {"pythonScript": "("}}},
            "widgetTool.dataMapping.pythonScript",
        ),
    ],
)
def test_python_is_looked_at_wherever_it_stands(kind: str, body: dict[str, object], path: str) -> None:
    """Every field whose model says `python` is parsed."""
    tree = app(**{kind: {"x": body}})

    assert found(check_python_syntax, tree) == [
        f"CES040 {kind}/x {path}: Python syntax error: '(' was never closed"
    ]


@pytest.mark.parametrize("code", ["", "x = '\\d'\n", "async def f(): ...\n"])
def test_python_that_runs_is_left_alone(code: str) -> None:
    """Doubtful escapes and empty texts are not syntax errors."""
    assert found(check_python_syntax, app(tools={"t": {"pythonFunction": {"pythonCode": code}}})) == []


def test_secret_code_is_not_looked_at() -> None:
    """What comes from a secret variable is never quoted, so it is never judged."""
    secret = Secret(variables=("k",), text="(")

    assert found(check_python_syntax, app(tools={"t": {"pythonFunction": {"pythonCode": secret}}})) == []


@pytest.mark.parametrize("code", ["x = 1\0", "(" * 300, "-" * 20_000 + "1", "'\ud800'"])
def test_nothing_that_a_text_says_stops_the_check(code: str) -> None:
    """Null characters, deep nesting and lone surrogates are findings, or nothing; never an error."""
    assert len(found(check_python_syntax, app(tools={"t": {"pythonFunction": {"pythonCode": code}}}))) <= 1
