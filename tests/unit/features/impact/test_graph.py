"""The graph of an app, in words and as Mermaid."""

import re
from dataclasses import replace

import pytest

from cesplan.domain.plan import Action
from cesplan.features.impact.graph import MOST_NODES, around, graph_of, graph_of_changes, in_conversations
from cesplan.features.impact.mermaid import label, mermaid, why_not_drawn
from cesplan.features.impact.text_report import graph_text
from cesplan.features.impact.values import Direction, Edge, Graph, Node
from cesplan.render.text.layout import View
from tests.unit.engine.builders import APP as PLAN_APP
from tests.unit.engine.plans import create, update
from tests.unit.features.impact.graphs import APP, HOSTILE, agent, at, desk, other
from tests.unit.features.impact.test_plan import LIVE, SETTINGS, changed, planned, refers

TEXT = """\
desk · acme/us · v1beta

  guardrails   pii

  desk   root agent
      → orders   transfer rule to it, transfer rule back from it
          tools        ask

  lonely
      tools        ask

  tools/ask → agents/orders (agentTool.agent)

Cycle: agents/orders → tools/ask → agents/orders
No conversation reaches agents/lonely, tools/unused
No evaluation runs through agents/lonely, tools/unused
"""


def names(addresses: tuple[object, ...]) -> list[str]:
    return [item.within_app for item in addresses]  # type: ignore[attr-defined]


def test_a_graph_in_words() -> None:
    """System tools are left out: no file declares them."""
    assert graph_text(in_conversations(desk()), SETTINGS, View()) == TEXT


def test_a_transfer_rule_is_drawn_in_its_direction() -> None:
    """A rule from child to parent stands in the parent and leads to it."""
    found = [(edge.source.key, edge.target.key, edge.direction) for edge in desk().edges if edge.direction]
    assert found == [("desk", "orders", Direction.TO_PARENT), ("desk", "orders", Direction.TO_CHILD)]
    text = mermaid(desk())
    assert 'n2 -.->|"transfer rule back"| n0' in text
    assert 'n0 -.->|"transfer rule"| n2' in text


def test_the_part_around_a_resource_is_what_leads_to_it_and_to_what_it_leads() -> None:
    part = around(desk(), at("tools", "ask"))
    assert names(tuple(item.address for item in part.nodes)) == [
        "agents/desk", "agents/lonely", "agents/orders", "apps/desk", "evaluations/asks", "tools/ask",
    ]  # fmt: skip
    assert names(part.unreached) == ["agents/lonely"]


def test_every_group_of_resources_that_lead_to_each_other_is_one_cycle() -> None:
    ring = [
        agent("a", childAgents=["agents/b"]),
        agent("b", childAgents=["agents/c", "agents/a"]),
        agent("c", childAgents=["agents/a"]),
    ]
    assert [names(item) for item in graph_of(APP, ring).cycles] == [["agents/a", "agents/b"]]


_TEXT = r"\"[^\"\n<>`]*\""
_SHAPES = ("([{}])", "[[{}]]", "[({})]", "{{{{{}}}}}", "[{}]")
LINES = re.compile(
    "flowchart LR|  n[0-9]+("
    + "|".join(re.escape(shape.format("@")).replace("@", _TEXT) for shape in _SHAPES)
    + rf")|  n[0-9]+ (-->|-\.->|==>)(\|{_TEXT}\|)? n[0-9]+"
    + "|  classDef (create|update|delete|root) [a-z0-9:#, -]+|  class n[0-9]+(,n[0-9]+)* [a-z]+"
)
"""What a line of a flowchart may be: https://mermaid.js.org/syntax/flowchart.html."""


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_leaves_its_label(name: str) -> None:
    """Each line is a header, a node, an edge or a style, whatever a resource is called."""
    graph = Graph(
        nodes=tuple(
            Node(address=at(kind, name), display_name=f"x{name}")
            for kind in ("agents", "tools", "toolsets", "guardrails", "examples")
        ),
        edges=(Edge(source=at("agents", name), target=at("tools", name), field=name),),
    )  # fmt: skip
    text = mermaid(graph)
    assert [row for row in text.splitlines() if not LINES.fullmatch(row)] == []
    assert not re.search(r"#(?!\d+;)", "".join(row for row in text.splitlines() if "classDef" not in row))


def test_a_long_chain_of_agents_stays_within_the_page() -> None:
    chain = [
        agent(f"a{number:03}", childAgents=[f"agents/a{number + 1:03}"], tools=["tools/t"])
        for number in range(60)
    ]
    text = graph_text(graph_of(APP, [*chain, agent("a060"), other("tools", "t")]), SETTINGS, View())
    assert len(text.splitlines()) < 200
    assert all(len(row) <= 80 for row in text.splitlines())
    assert "→ a060" in text


def test_labels_keep_ordinary_names_readable() -> None:
    assert label("front-desk (Größe, 2)") == "front-desk (Größe, 2)"
    assert label("1. first") == "#49;. first"


def test_graphs_that_services_do_not_draw_are_told() -> None:
    nodes = tuple(Node(address=at("agents", f"a{number:03}")) for number in range(502))
    edges = tuple(Edge(source=nodes[0].address, target=item.address, field="childAgents") for item in nodes[1:])
    assert why_not_drawn(Graph(nodes=nodes, edges=edges)).startswith("Mermaid draws at most 500 references")
    assert why_not_drawn(desk()) == ""


def test_the_graph_of_a_plan_is_what_changes_and_what_leads_to_it() -> None:
    """The dropped reference is there, what has nothing to do with the change is not."""
    after = {**LIVE, **refers("agents/orders:\n tools/new:\n agents/desk: agents/orders tools/hours tools/new")}
    plan = planned(changed("agents/orders"), create("tools/new"), changed("agents/desk"), after=after)
    graph = graph_of_changes(plan)
    moved = {(edge.source.key, edge.target.key): edge.action for edge in graph.edges}
    assert moved == {
        ("desk", "orders"): None,
        ("desk", "new"): Action.CREATE,
        ("orders", "lookup"): Action.DELETE,
    }
    assert {item.address.key: item.action for item in graph.nodes if item.action} == {
        "orders": Action.UPDATE, "new": Action.CREATE, "desk": Action.UPDATE,
    }  # fmt: skip


def test_a_plan_from_a_file_draws_what_it_tells() -> None:
    """Who uses what changes, and the way to it; what comes and goes is not in the file."""
    used_by = (at("agents", "lonely"), at("agents", "orders"), at("evaluations", "where"))
    plan = planned(
        replace(changed("tools/lookup"), used_by=tuple(replace(item, app=PLAN_APP) for item in used_by))
    )
    graph = graph_of_changes(replace(plan, refers_before={}, refers_after={}))
    assert {(edge.source.key, edge.target.key) for edge in graph.edges} == {
        ("desk", "orders"), ("orders", "lookup"), ("lonely", "lookup"),
    }  # fmt: skip


def test_a_large_change_has_no_graph_and_a_new_app_neither() -> None:
    many = {f"tools/t{number}" for number in range(MOST_NODES + 1)}
    after = {**LIVE, **refers("\n".join(f"{name}:" for name in many))}
    assert graph_of_changes(planned(*map(create, sorted(many)), after=after)) == Graph()
    assert graph_of_changes(planned(create(""), create("tools/lookup"))) == Graph()
    assert graph_of_changes(planned(update("deployments/web", {}, {}, ""))) == Graph()
