"""Tool ids of toolsets that are made from a document."""

from cesplan.config.checks.instructions import check_instructions
from cesplan.config.checks.toolset_tools import check_toolset_tools
from tests.unit.config.checks.builders import app, found, suggestions

DOCUMENT = "openapi: 3.0.3\npaths: {/a: {get: {operationId: listCharges}, post: {operationId: refund}}}\n"
TOOLSETS = {
    "pay": {"openApiToolset": {"openApiSchema": DOCUMENT}},
    "mcp": {"mcpToolset": {"serverAddress": "https://a.example/mcp/"}},
    "bad": {"openApiToolset": {"openApiSchema": "["}},
}


def test_ids_of_agents_are_operations() -> None:
    """Spelled as in the document; `toolIds` of servers and of unreadable documents are not judged."""
    rows = [
        {"toolset": "toolsets/pay", "toolIds": ["listCharges", "listcharges", None]},
        {"toolset": "toolsets/mcp", "toolIds": ["anything"]},
        {"toolset": "toolsets/bad", "toolIds": ["anything"]},
        {"toolset": "toolsets/pay"},
    ]
    tree = app(agents={"a": {"toolsets": rows}}, toolsets=TOOLSETS)

    assert found(check_toolset_tools, tree) == [
        "CES057 agents/a toolsets[0].toolIds[1]: toolsets/pay has no operation `listcharges`"
    ]
    assert suggestions(check_toolset_tools, tree) == ["listCharges"]


def test_calls_in_examples_and_evaluations_name_operations() -> None:
    """However deep they are."""
    tool = {"toolset": "toolsets/pay", "toolId": "payOut"}
    steps = [{"expectation": {"toolCall": {"toolsetTool": tool}}}]
    tree = app(
        toolsets=TOOLSETS,
        examples={"e": {"messages": [{"chunks": [{"toolResponse": {"toolsetTool": tool}}]}]}},
        evaluations={"v": {"golden": {"turns": [{"steps": steps}]}}},
    )

    assert found(check_toolset_tools, tree) == [
        (
            "CES057 evaluations/v golden.turns[0].steps[0].expectation.toolCall.toolsetTool.toolId: "
            "toolsets/pay has no operation `payOut`"
        ),
        (
            "CES057 examples/e messages[0].chunks[0].toolResponse.toolsetTool.toolId: "
            "toolsets/pay has no operation `payOut`"
        ),
    ]


def test_runs_of_underscores_are_one() -> None:
    """FastAPI generates `list_orders_orders__get`; the service refers to it as `list_orders_orders_get`."""
    document = "openapi: 3.0.3\npaths: {/a: {get: {operationId: list_orders_orders__get}}}\n"
    ids = ["list_orders_orders_get", "list_orders_orders__get", "list_orders_get"]
    tree = app(
        agents={"a": {"toolsets": [{"toolset": "toolsets/shop", "toolIds": ids}]}},
        toolsets={"shop": {"openApiToolset": {"openApiSchema": document}}},
    )

    assert found(check_toolset_tools, tree) == [
        "CES057 agents/a toolsets[0].toolIds[2]: toolsets/shop has no operation `list_orders_get`"
    ]


def test_instructions_may_mention_either_spelling() -> None:
    """An agent that has the tool under its collapsed id has it under its operationId too."""
    document = "openapi: 3.0.3\npaths: {/a: {get: {operationId: list__orders}}}\n"
    text = "Ask {@TOOL: list__orders} or {@TOOL: list_orders}."
    tree = app(
        agents={
            "a": {"instruction": text, "toolsets": [{"toolset": "toolsets/shop", "toolIds": ["list_orders"]}]}
        },
        toolsets={"shop": {"displayName": "shop", "openApiToolset": {"openApiSchema": document}}},
    )

    assert found(check_instructions, tree) == []
