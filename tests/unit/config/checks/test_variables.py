"""Variables of an app, and what names them."""

from typing import Any

from cesplan.config.checks.variables import check_declared_once, check_named_variables
from tests.unit.config.checks.builders import app, found, suggestions

DECLARED = {"variableDeclarations": [{"name": "locale"}, {"name": "session_token"}, None, {}]}


def test_a_variable_is_declared_once() -> None:
    """The second declaration is the finding."""
    rows = [{"name": "a"}, {"name": "b"}, {"name": "a"}, {"name": ""}, {"name": ""}]

    assert found(check_declared_once, app({"variableDeclarations": rows})) == [
        "CES075 apps/shop variableDeclarations[2].name: the variable `a` is declared twice"
    ]


def test_tokens_and_headers_name_declared_variables() -> None:
    """Only those of the right form; the suggestion has that form too."""
    headers = {"X-A": "$context.variables.session_tokn", "X-B": "$context.variables.locale", "X-C": "clear"}
    tree = app(DECLARED, toolsets={"s": {"mcpToolset": {"customHeaders": headers}}})

    assert found(check_named_variables, tree) == [
        'CES076 toolsets/s mcpToolset.customHeaders["X-A"]: the app does not declare a variable `session_tokn`'
    ]
    assert suggestions(check_named_variables, tree) == ["$context.variables.session_token"]


def test_mappings_of_remote_agents_name_variables() -> None:
    """Keys on the way in, values on the way out."""
    remote: dict[str, Any] = {
        "inputVariableMapping": {"locale": "x", "tier": "y"},
        "outputVariableMapping": {"done": "ivr_done", "z": "locale"},
        "languageCodeVariable": "lang",
    }

    assert found(check_named_variables, app(DECLARED, agents={"a": {"remoteDialogflowAgent": remote}})) == [
        (
            'CES076 agents/a remoteDialogflowAgent.inputVariableMapping["tier"]: '
            "the app does not declare a variable `tier`"
        ),
        (
            'CES076 agents/a remoteDialogflowAgent.outputVariableMapping["done"]: '
            "the app does not declare a variable `ivr_done`"
        ),
        (
            "CES076 agents/a remoteDialogflowAgent.languageCodeVariable: the app does not declare a "
            "variable `lang`"
        ),
    ]


def test_examples_and_evaluations_set_declared_variables() -> None:
    """By the keys of their values."""
    tree = app(
        DECLARED,
        examples={"e": {"messages": [{"chunks": [{"defaultVariables": {"locale": "en", "cart": []}}]}]}},
        evaluations={"v": {"scenario": {"variableOverrides": {"chanel": "web"}}}},
    )

    assert found(check_named_variables, tree) == [
        (
            'CES076 evaluations/v scenario.variableOverrides["chanel"]: the app does not declare a '
            "variable `chanel`"
        ),
        (
            'CES076 examples/e messages[0].chunks[0].defaultVariables["cart"]: the app does not declare a '
            "variable `cart`"
        ),
    ]
