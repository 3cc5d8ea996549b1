"""Reach in the graph of references equals a plain search, on random apps with cycles and dangling names."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from cesplan.domain.address import Address, AppKey, Key, KindName, app_address
from cesplan.domain.features.impact import LONGEST_WAY, MOST_LISTED
from cesplan.features.impact.reaching import AppGraph, Refers
from tests.costs import calls_of

APP = AppKey("desk")
KINDS = ("agents", "tools", "toolsets", "guardrails", "examples", "evaluations", "evaluationExpectations")
NAMES = {
    "agents": ("agents", "tools", "toolsets", "guardrails"),
    "tools": ("agents", "tools"),
    "toolsets": (),
    "guardrails": ("agents",),
    "examples": ("agents",),
    "evaluations": ("agents", "tools", "toolsets", "evaluationExpectations"),
    "evaluationExpectations": ("tools",),
}
"""Which kinds each kind may name."""


def at(kind: str, key: object) -> Address:
    return Address(app=APP, kind=KindName(kind), key=Key(str(key)))


@cache  # what is made anew for a draw is examined anew
def some(known: tuple[Address, ...], most: int) -> st.SearchStrategy[frozenset[Address]]:
    return st.frozensets(st.sampled_from(known), max_size=most) if known else st.just(frozenset())


@st.composite
def apps(draw: st.DrawFn) -> Refers:
    """An app in which everything may name everything of its kinds, itself and what does not exist included."""
    there = {kind: draw(st.integers(0, 4)) for kind in KINDS}
    refers: dict[Address, frozenset[Address]] = {}
    for kind, number in there.items():
        known = (at(other, key) for other in NAMES[kind] for key in range(there[other] + 1))  # one is missing
        chosen = some(tuple(known), 4)
        refers |= {at(kind, key): draw(chosen) for key in range(number)}
    own = draw(some(tuple(at(kind, key) for kind in ("tools", "guardrails") for key in range(there[kind])), 3))
    root = {at("agents", 0)} if there["agents"] and draw(st.booleans()) else set()
    return {**refers, app_address(APP): own | root}


def running(refers: Refers, *, shares: bool = True) -> nx.DiGraph:
    """Who uses whom in conversations: an app gives all that it names to each of its agents."""
    graph = nx.DiGraph()
    graph.add_nodes_from(refers)
    kinds = ("agents", "tools", "toolsets", "guardrails")
    app = app_address(APP)
    for who, targets in refers.items():
        if who.kind in kinds or who == app:
            graph.add_edges_from((who, item) for item in targets if item in refers and item.kind in kinds)
        if who.kind == "agents" and shares:
            graph.add_edges_from((who, item) for item in refers[app] if item.kind != "agents")
    return graph


def covering(refers: Refers) -> nx.DiGraph:
    """What runs with what: an evaluation with all it names and the root, an agent with guardrails alone."""
    graph = nx.DiGraph()
    graph.add_nodes_from(refers)
    app = app_address(APP)
    for who, targets in refers.items():
        found = {item for item in targets if item in refers}
        match str(who.kind):
            case "evaluations":
                found |= {app}
            case "apps":
                found = {item for item in found if item.kind in ("agents", "guardrails")}
            case "agents":
                found = {item for item in found if item.kind == "guardrails"}
            case "guardrails" | "examples":
                found = set()
        graph.add_edges_from((who, item) for item in found)
    return graph


def of_kind(nodes: set[Address], kind: str) -> set[Address]:
    return {item for item in nodes if item.kind == kind}


@given(apps())
def test_what_leads_to_a_resource_is_what_a_plain_search_finds(refers: Refers) -> None:
    """Agents, evaluations, ways and reach of every resource."""
    graph, uses, covers = AppGraph(APP, refers), running(refers), covering(refers)
    app = app_address(APP)
    from_app = nx.descendants(uses, app)
    own = running(refers, shares=False)
    shared = {item for item in refers[app] if item.kind != "agents"}
    from_root = {graph.root, *nx.descendants(own, graph.root)} if graph.root else set()
    for address in refers:
        before = of_kind(nx.ancestors(uses, address), "agents")
        if address == app:
            before = of_kind(set(refers), "agents")
        found, number = graph.agents_to(address)
        assert (set(found), number) == (before, len(before))
        evaluations = of_kind(nx.ancestors(covers, address), "evaluations")
        found, number = graph.evaluations_of(address)
        assert (set(found), number) == (evaluations, len(evaluations))
        assert graph.is_reached(address) is (address == app or address in from_app)
        way = graph.way_to(address)
        if address == app or address in shared or address not in from_root:
            assert way == ()
        else:
            assert (way[0], way[-1]) == (graph.root, address)
            assert len(way) == nx.shortest_path_length(own, graph.root, address) + 1
            assert all(own.has_edge(*pair) for pair in pairwise(way))


@given(apps())
def test_the_nearest_agents_come_first(refers: Refers) -> None:
    graph, uses = AppGraph(APP, refers), running(refers)
    app = app_address(APP)
    shared = {item for item in refers[app] if item.kind != "agents"}
    for address in refers:
        if address in shared or address == app:
            continue  # all agents share what the app names: each is as near as the others
        steps = [nx.shortest_path_length(uses, item, address) for item in graph.agents_to(address)[0]]
        assert steps == sorted(steps)


def chain(length: int) -> Refers:
    """Agents in a row, each with a tool of its own, evaluations of every tenth, and a guardrail of the app."""
    refers = {app_address(APP): frozenset({at("agents", "000000"), at("guardrails", "g")})}
    refers[at("guardrails", "g")] = frozenset()
    for number in range(length):
        here, following = f"{number:06}", f"{number + 1:06}"
        refers[at("tools", here)] = frozenset()
        refers[at("agents", here)] = frozenset({at("agents", following), at("tools", here)})
        if number % 10 == 0:
            refers[at("evaluations", here)] = frozenset({at("tools", here)})
    return refers


def test_long_lists_and_ways_are_cut_and_numbers_are_exact() -> None:
    graph = AppGraph(APP, chain(500))
    last = at("tools", "000499")
    found, number = graph.agents_to(last)
    assert (len(found), number) == (MOST_LISTED, 500)
    assert found[0] == at("agents", "000499")
    way = graph.way_to(last)
    assert len(way) == LONGEST_WAY
    assert way[-1] == last
    assert graph.evaluations_of(at("guardrails", "g"))[1] == graph.evaluation_count == 50


def test_the_reach_of_everything_takes_linear_work() -> None:
    """Of agents in a row, the worst case, and of a plan that changes all of them."""

    def reach(length: int) -> Callable[[], None]:
        refers = chain(length)

        def run() -> None:
            graph = AppGraph(APP, refers)
            for address in refers:
                graph.agents_to(address)
                graph.evaluations_of(address)
                graph.way_to(address)

        return run

    few, many = (calls_of(reach(length)) for length in (250, 500))
    assert many <= 2.2 * few
