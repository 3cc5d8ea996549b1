"""What the root agent reaches, what nothing uses, children and their rules."""

from typing import Any

from cesplan.config.checks.agent_tree import check_child_circles, check_transfer_rules
from cesplan.config.checks.graph import check_root_agent, check_use
from cesplan.domain.field_path import FieldPath
from cesplan.domain.settings import Ownership
from tests.unit.config.checks.builders import app, found, suggestions

ROOT = {"rootAgent": "agents/root"}


def test_an_app_with_agents_has_a_root() -> None:
    """Without agents there is nothing to name; a null is shown where it is."""
    assert found(check_root_agent, app(agents={"a": {}})) == ["CES080 apps/shop: the app has no `rootAgent`"]
    assert found(check_root_agent, app({"rootAgent": None}, agents={"a": {}})) == [
        "CES080 apps/shop rootAgent: the app has no `rootAgent`"
    ]
    assert found(check_root_agent, app(ROOT, agents={"root": {}})) == []
    assert found(check_root_agent, app()) == []


def test_a_root_that_others_choose_is_not_missed() -> None:
    """By ownership, or by `$ignore`; a null asks for none anyway."""
    agents: dict[str, dict[str, Any]] = {"a": {}}

    assert found(check_root_agent, app(ownership=Ownership.DECLARED, agents=agents)) == []
    assert found(check_root_agent, app(ignore=(FieldPath(("rootAgent",)),), agents=agents)) == []
    assert (
        len(found(check_root_agent, app({"rootAgent": None}, ownership=Ownership.DECLARED, agents=agents))) == 1
    )


def test_agents_are_reached_by_children_rules_tools_and_guardrails() -> None:
    """Every way that leads from the root counts, and only those."""
    tree = app(
        {**ROOT, "guardrails": ["guardrails/g"]},
        agents={
            "root": {"childAgents": ["agents/child"], "tools": ["tools/ask"]},
            "child": {"transferRules": [{"childAgent": "agents/ruled"}]},
            "ruled": {},
            "asked": {},
            "guarded": {},
            "alone": {"childAgents": ["agents/alone-too"]},
            "alone-too": {},
        },
        tools={"ask": {"agentTool": {"agent": "agents/asked"}}},
        guardrails={"g": {"action": {"transferAgent": {"agent": "agents/guarded"}}}},
    )

    assert found(check_use, tree) == [
        "CES081 agents/alone: no conversation reaches the agent alone",
        "CES081 agents/alone-too: no conversation reaches the agent alone-too",
    ]


def test_without_a_root_nothing_is_called_unreachable() -> None:
    """That there is no root is said once."""
    assert found(check_use, app(agents={"a": {}})) == []


def test_tools_toolsets_and_guardrails_are_used_by_somebody() -> None:
    """By agents, the app, or one another; not by themselves, by examples or by evaluations."""
    tree = app(
        ROOT,
        agents={"root": {"tools": ["tools/used"], "toolsets": [{"toolset": "toolsets/used"}]}},
        tools={
            "used": {},
            "source": {},
            "card": {"widgetTool": {"dataMapping": {"sourceToolName": "tools/source"}}},
            "self": {"widgetTool": {"dataMapping": {"sourceToolName": "tools/self"}}},
            "shown": {},
        },
        toolsets={"used": {}, "idle": {}},
        guardrails={"idle": {}},
        examples={"e": {"messages": [{"chunks": [{"toolCall": {"tool": "tools/shown"}}]}]}},
        deployments={"d": {}},
    )

    assert found(check_use, tree) == [
        "CES083 guardrails/idle: nothing uses guardrails/idle",
        "CES083 tools/card: nothing uses tools/card",
        "CES083 tools/self: nothing uses tools/self",
        "CES083 tools/shown: nothing uses tools/shown",
        "CES083 toolsets/idle: nothing uses toolsets/idle",
    ]


def test_each_way_back_up_is_a_circle() -> None:
    """Shown at the entry that closes it, with the way round; a second parent is not a circle."""
    tree = app(
        agents={
            "a": {"childAgents": ["agents/b", "agents/d"]},
            "b": {"childAgents": ["agents/c", "agents/d"]},
            "c": {"childAgents": ["agents/a", None, "agents/c"]},
            "d": {"childAgents": ["agents/unknown"]},
        }
    )

    assert found(check_child_circles, tree) == [
        "CES082 agents/c childAgents[0]: child agents form a circle: a → b → c → a",
        "CES082 agents/c childAgents[2]: child agents form a circle: c → c",
    ]


def test_a_long_line_of_agents_is_followed_to_its_end() -> None:
    """Depth is not a matter of the interpreter's stack."""
    agents = {f"a{n:04}": {"childAgents": [f"agents/a{(n + 1) % 2000:04}"]} for n in range(2000)}

    assert len(found(check_child_circles, app(agents=agents))) == 1


def test_rules_are_about_children_in_both_directions() -> None:
    """The child is under the agent that holds the rule."""
    rules = [
        {"childAgent": "agents/orders", "direction": "PARENT_TO_CHILD"},
        {"childAgent": "agents/orders", "direction": "CHILD_TO_PARENT"},
        {"childAgent": "agents/order", "direction": "PARENT_TO_CHILD"},
        {"childAgent": "agents/billing", "direction": "CHILD_TO_PARENT"},
        {"childAgent": "agents/a", "direction": "CHILD_TO_PARENT"},
        {"direction": "CHILD_TO_PARENT"},
        None,
    ]
    tree = app(agents={"a": {"childAgents": ["agents/orders"], "transferRules": rules}})

    assert found(check_transfer_rules, tree) == [
        "CES084 agents/a transferRules[2].childAgent: order is not a child of this agent",
        (
            "CES084 agents/a transferRules[3].childAgent: "
            "billing is not a child of this agent, and cannot return to it"
        ),
    ]
    assert suggestions(check_transfer_rules, tree) == ["orders", ""]
