"""What instructions and prompts mention."""

from typing import Any

import pytest

from cesplan.config.checks.instructions import check_instructions
from cesplan.config.checks.mentions import Mentioned, mentions_in
from cesplan.config.manifest import AppTree
from tests.unit.config.checks.builders import Included, app, found, suggestions

DOCUMENT = "openapi: 3.0.3\npaths: {/a: {get: {operationId: listCharges}, post: {operationId: refund}}}\n"
KINDS: dict[str, dict[str, dict[str, Any]]] = {
    "tools": {
        "lookup-order": {"clientFunction": {"name": "lookup_order"}},
        "faq": {"clientFunction": {"name": "help"}},
    },
    "toolsets": {"pay": {"displayName": "payments", "openApiToolset": {"openApiSchema": DOCUMENT}}},
}


def _agent(instruction: Any, **fields: Any) -> AppTree:
    agent = {"displayName": "Front Desk", "instruction": instruction, **fields}
    variables = {"variableDeclarations": [{"name": "customer_name"}]}
    return app(variables, agents={"front-desk": agent, "b": {"displayName": "Billing"}}, **KINDS)


def test_what_is_there_is_mentioned_by_its_display_name() -> None:
    """Tools, operations bare and with their toolset, system tools, agents and variables."""
    text = (
        "{@TOOL: lookup_order} {@tool:lookup_order } {@TOOL: listCharges} {@TOOL: payments_refund} "
        "{@TOOL: end_session} {@AGENT: Billing} {customer_name}"
    )
    attached: dict[str, Any] = {
        "tools": ["tools/lookup-order", "tools/end_session"],
        "toolsets": [{"toolset": "toolsets/pay"}],
    }

    assert found(check_instructions, _agent(text, **attached)) == []


def test_what_is_not_there_is_shown_inside_the_file() -> None:
    """With the nearest name; a key is answered with the display name."""
    text = "Call\n{@TOOL: lookup_orders} or {@TOOL: faq},\nask {@AGENT: b}, greet {custmer_name}.\n"
    tree = _agent(Included(text))

    assert found(check_instructions, tree) == [
        "CES087 agents/front-desk instruction@2:9+13: there is no tool called `lookup_orders`",
        "CES087 agents/front-desk instruction@2:35+3: there is no tool called `faq`",
        "CES088 agents/front-desk instruction@3:14+1: there is no agent called `b`",
        "CES089 agents/front-desk instruction@3:25+12: the app does not declare a variable `custmer_name`",
    ]
    assert suggestions(check_instructions, tree) == ["lookup_order", "help", "Billing", "customer_name"]


def test_inline_instructions_name_the_line() -> None:
    """The resource file shows the value only."""
    assert found(check_instructions, _agent("a\nb {@AGENT: Nobody}\n")) == [
        "CES088 agents/front-desk instruction: there is no agent called `Nobody` (line 2 of the text)"
    ]


def test_a_tool_must_be_attached_to_the_agent() -> None:
    """Tools by reference, operations by their toolset and its chosen ids."""
    text = "{@TOOL: help} {@TOOL: end_session} {@TOOL: listCharges} {@TOOL: payments_refund}"
    toolsets = [{"toolset": "toolsets/pay", "toolIds": ["refund"]}]

    assert found(check_instructions, _agent(text, toolsets=toolsets)) == [
        f"CES090 agents/front-desk instruction: the instruction mentions the tool `{name}`, "
        "which this agent does not have"
        for name in ("help", "end_session", "listCharges")
    ]


def test_tools_that_only_a_server_knows_are_not_judged() -> None:
    """Unless the name is nearly that of a known one."""
    kinds = {**KINDS, "toolsets": {"mcp": {"mcpToolset": {"serverAddress": "https://a.example/mcp/"}}}}
    text = "{@TOOL: warehouse_scan} {@TOOL: lookup_ordr}"
    with_server = {"instruction": text, "toolsets": [{"toolset": "toolsets/mcp"}]}
    tree = app(agents={"a": {"instruction": text}, "b": with_server}, **kinds)

    assert found(check_instructions, tree) == [
        "CES087 agents/a instruction: there is no tool called `warehouse_scan`",
        "CES087 agents/a instruction: there is no tool called `lookup_ordr`",
        "CES087 agents/b instruction: there is no tool called `lookup_ordr`",
    ]


def test_a_tool_of_the_server_may_be_attached_by_its_id() -> None:
    """`tools/@<id>` is a tool that the tree does not have: its name may be anything."""
    assert found(check_instructions, _agent("{@TOOL: set_vars} {@TOOL: zzz}", tools=["tools/@set_vars"])) == []


def test_the_global_instruction_speaks_to_all_agents() -> None:
    """Nothing needs to be attached; what does not exist is found anyway."""
    tree = app({"globalInstruction": "{@TOOL: help} {@TOOL: nothing_like_it} {nobody}"}, **KINDS)

    assert found(check_instructions, tree) == [
        "CES087 apps/shop globalInstruction: there is no tool called `nothing_like_it`",
        "CES089 apps/shop globalInstruction: the app does not declare a variable `nobody`",
    ]


def test_prompts_are_warned_of_near_misses_only() -> None:
    """Whether variables work in prompts is not documented."""
    prompt = "{custmer_name} said {utterance}"
    tree = app(
        {"variableDeclarations": [{"name": "customer_name"}]},
        guardrails={"g": {"llmPolicy": {"prompt": prompt}}},
    )

    assert found(check_instructions, tree) == [
        "CES089 guardrails/g llmPolicy.prompt: the app does not declare a variable `custmer_name`"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "{{name}}",
        "${name}",
        "\\{name}",
        '{"key": 1}',
        "{a b}",
        "{}",
        "{1st}",
        "{a.b}",
        "`{name}`",
        "```\n{name}\n```",
        "~~~ json\n{name}\n~~~",
        "```\nnever closed {name}",
        "{@OTHER: name}",
    ],
)
def test_other_braces_are_left_alone(text: str) -> None:
    """Doubled braces, JSON, code, and what is not a name."""
    assert list(mentions_in(text)) == []


def test_text_after_code_is_read_again() -> None:
    """A closed block ends; offsets are those of the names."""
    text = "```\n{a}\n```\n{b} and `x` {c}"

    assert [(item.what, item.name, text[item.offset]) for item in mentions_in(text)] == [
        (Mentioned.VARIABLE, "b", "b"),
        (Mentioned.VARIABLE, "c", "c"),
    ]
