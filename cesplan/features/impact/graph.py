"""
The graph of an app from its bodies, the part around one resource, and the part that a plan changes.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from cesplan.domain.address import Address, AppKey, app_address
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Action, Plan
from cesplan.domain.value import Body
from cesplan.engine.comparing.normalize import references
from cesplan.engine.planning.graph import components
from cesplan.features.impact.reaching import AppGraph, Refers, apps_of, reversed_edges, search, takes_part
from cesplan.features.impact.values import Direction, Edge, Graph, Node
from cesplan.model.kinds import AGENTS, EVALUATIONS, KINDS, kind_of

MOST_NODES = 30
"""Resources in the graph of a plan: a larger one is too hard to read in a comment."""

_COVERED = frozenset(kind.name for kind in KINDS.values() if kind.runs and not kind.protects)
_DIRECTIONS = {"PARENT_TO_CHILD": Direction.TO_CHILD, "CHILD_TO_PARENT": Direction.TO_PARENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphResource:
    """One resource of one state: its references as `<kind>/<key>`."""

    address: Address
    display_name: str
    body: Body


def graph_of(app: AppKey, resources: Iterable[GraphResource]) -> Graph:
    """The graph of one app; targets that are not among the resources (system tools, personas) are left out."""
    known = {item.address: item for item in resources}
    edges = sorted({edge for item in known.values() for edge in _edges(item) if edge.target in known})
    frozen = _refers(known, edges)
    reach = AppGraph(app, frozen)
    return Graph(
        nodes=tuple(
            Node(
                address=address,
                display_name=known[address].display_name,
                is_root=address == reach.root,
            )
            for address in sorted(known)
        ),
        edges=tuple(edges),
        cycles=_cycles(frozen),
        unreached=tuple(
            item for item in sorted(known) if kind_of(item.kind).runs and not reach.is_reached(item)
        ),
        uncovered=tuple(_uncovered(reach, known)),
    )


def refers_in(graph: Graph) -> Refers:
    """The resources that each resource of a graph refers to."""
    return _refers((item.address for item in graph.nodes), graph.edges)


def _refers(known: Iterable[Address], edges: Iterable[Edge]) -> Refers:
    refers: dict[Address, set[Address]] = {address: set() for address in known}
    for edge in edges:
        refers[edge.source].add(edge.target)
    return {who: frozenset(targets) for who, targets in refers.items()}


def in_conversations(graph: Graph) -> Graph:
    """The app, its agents, tools, toolsets, and guardrails."""
    return _part(graph, {item.address for item in graph.nodes if takes_part(item.address)})


def of_app(graph: Graph, app: Address) -> Graph:
    """One of the apps of a graph."""
    return _part(graph, {item.address for item in graph.nodes if item.address.app == app.app})


def around(graph: Graph, address: Address) -> Graph:
    """The part of a graph that leads to a resource or is reached from it."""
    after = refers_in(graph)
    return _part(graph, {*search(address, after), *search(address, reversed_edges(after))})


def graph_of_changes(plan: Plan) -> Graph:
    """
    The resources in conversations that a plan changes, with those that refer to them and the paths from the
    root agent. For a plan from a file, added and dropped references are unknown. Empty if nothing changes, if a
    whole app is new, and for more than MOST_NODES resources.
    """
    actions = {item.address: item.action for item in plan.shown if item.impact is not None}
    new = {address.app for address, action in actions.items() if address.is_app and action is Action.CREATE}
    nodes: dict[Address, Node] = {}
    edges: list[Edge] = []
    before, after = apps_of(plan.refers_before), apps_of(plan.refers_after)
    for app in sorted({address.app for address in actions} - new):
        mine = {address for address in actions if address.app == app and not address.is_app}
        sides = before.get(app, {}), after.get(app, {})
        shown = _shown(app, mine, plan, sides)
        if len(shown) + len(nodes) > MOST_NODES:
            return Graph()
        roots = {AppGraph(app, side).root for side in sides}
        names = {item.address: item.display_name for item in plan.shown}
        nodes |= {
            address: Node(
                address=address,
                display_name=names.get(address, ""),
                is_root=address in roots,
                action=actions.get(address),
            )
            for address in shown
        }
        is_known = plan.refers_before or plan.refers_after
        edges += _moved(sides, shown, mine) if is_known else _planned_edges(plan, shown)
    return Graph(nodes=tuple(nodes[address] for address in sorted(nodes)), edges=tuple(sorted(edges)))


def _shown(app: AppKey, changed: set[Address], plan: Plan, sides: tuple[Refers, Refers]) -> set[Address]:
    """
    The changed resources, those that refer to them, those that they start or stop referring to, and the paths
    to all changed ones.
    """
    found = set(changed)
    for operation in plan.shown:
        if operation.address in changed:
            found |= {item for item in operation.used_by if takes_part(item)}
            found |= {*(operation.impact.way if operation.impact else ())}
            one, other = (side.get(operation.address, frozenset()) for side in sides)
            found |= {item for item in one ^ other if takes_part(item) and any(item in side for side in sides)}
    return found - {app_address(app)}


def _moved(sides: tuple[Refers, Refers], shown: set[Address], changed: set[Address]) -> Iterator[Edge]:
    """The references among the shown resources, in both states."""
    before, after = (
        {(who, item) for who in shown for item in side.get(who, ()) if item in shown and item != who}
        for side in sides
    )
    for who, item in sorted(before | after):
        action = (
            Action.CREATE if (who, item) not in before else Action.DELETE if (who, item) not in after else None
        )
        if action or who in changed or item in changed or who.kind == item.kind == AGENTS:
            yield Edge(source=who, target=item, field="", action=action)


def _planned_edges(plan: Plan, shown: set[Address]) -> set[Edge]:
    """The references in a plan from a file: users of changed resources, and the paths to them."""
    pairs: set[tuple[Address, Address]] = set()
    for operation in plan.shown:
        pairs |= {(who, operation.address) for who in operation.used_by}
        pairs |= set(pairwise(operation.impact.way)) if operation.impact else set()
    return {Edge(source=who, target=item, field="") for who, item in pairs if {who, item} <= shown}


def _edges(resource: GraphResource) -> Iterator[Edge]:
    for path, name in references(kind_of(resource.address.kind).spec, resource.body):
        target = resource.address.sibling(name)
        if target != resource.address:
            field = ".".join(item for item in path.segments if isinstance(item, str))
            yield Edge(
                source=resource.address,
                target=target,
                field=field,
                direction=_direction(path, resource.body) if field == "transferRules.childAgent" else None,
            )


def _direction(path: FieldPath, body: Body) -> Direction | None:
    rule: Any = FieldPath(path.segments[:2]).get(body)
    return _DIRECTIONS.get(str(rule.get("direction"))) if isinstance(rule, dict) else None


def _part(graph: Graph, kept: set[Address]) -> Graph:
    def only(addresses: Iterable[Address]) -> tuple[Address, ...]:
        return tuple(item for item in addresses if item in kept)

    return replace(
        graph,
        nodes=tuple(item for item in graph.nodes if item.address in kept),
        edges=tuple(item for item in graph.edges if item.source in kept and item.target in kept),
        cycles=tuple(item for item in graph.cycles if kept.issuperset(item)),
        unreached=only(graph.unreached),
        uncovered=only(graph.uncovered),
    )


def _uncovered(reach: AppGraph, known: Mapping[Address, Any]) -> Iterator[Address]:
    if any(item.kind == EVALUATIONS for item in known):
        kinds = (item for item in sorted(known) if item.kind in _COVERED)
        yield from (item for item in kinds if not reach.evaluations_of(item)[1])


def _cycles(refers: Refers) -> tuple[tuple[Address, ...], ...]:
    found = [set(item) for item in components(refers) if len(item) > 1]
    return tuple(sorted(_around(group, refers) for group in found))


def _around(group: set[Address], refers: Refers) -> tuple[Address, ...]:
    """A shortest cycle through the first resource of a group in which each one leads to every other."""
    start = min(group)
    inside = {item: sorted(refers[item] & group) for item in group}
    parents = search(start, inside)
    last = next(item for item in parents if start in refers[item] and item != start)
    way = [last]
    while way[-1] != start:
        way.append(parents[way[-1]])
    return tuple(reversed(way))
