"""
Reaching: one state of an app as a graph of references, and the searches in it.

Two sets of edges. In the *running* graph, an edge leads from a resource in conversations to the resources that
it uses; the app's own guardrails and tools are used by all its agents. In the *covering* graph, an edge leads
from an evaluation to the resources that it names, and from there to those that run with them: the app and its
root agent with every evaluation, an agent with the tool that represents it, guardrails with their agents. A
tool does not count as covered only because an evaluation runs through an agent that might call it.

Searches are breadth first and stop at a limit; the exact numbers come from one pass over the strongly connected
components, with a set of bits each. All is linear in resources and references.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import TypeAlias

from cesplan.domain.address import Address, AppKey, Key, KindName, app_address
from cesplan.domain.features.impact import LONGEST_WAY, MOST_LISTED
from cesplan.engine.planning.graph import components
from cesplan.model.kinds import AGENTS, EVALUATIONS, KINDS

Refers: TypeAlias = Mapping[Address, frozenset[Address]]
"""The resources that each resource refers to."""

_Edges: TypeAlias = dict[Address, list[Address]]

_PROTECTING = frozenset(kind.name for kind in KINDS.values() if kind.runs and kind.protects)
_SHARED = KindName("")
"""The kind of the node for everything that an app shares with all its agents."""


class AppGraph:
    """The references of one app in one state."""

    def __init__(self, app: AppKey, refers: Refers) -> None:
        self._app = app_address(app)
        self._shared = Address(app=app, kind=_SHARED, key=Key(""))
        self._refers = refers
        own = refers.get(self._app, frozenset())
        self.root = min((item for item in own if item.kind == AGENTS and item in refers), default=None)
        """The agent with which conversations begin; None if there is none."""

    def is_reached(self, address: Address) -> bool:
        """Whether a conversation can reach a resource."""
        return address == self._app or address in self._from_app

    def way_to(self, address: Address) -> tuple[Address, ...]:
        """
        The shortest way from the root agent, at most LONGEST_WAY resources of its end; empty if none is
        known.
        """
        if self.root is None or address not in self._from_root or address in self._uses[self._shared]:
            return ()
        way = [address]
        while way[-1] != self.root and len(way) < LONGEST_WAY:
            way.append(self._from_root[way[-1]])
        return tuple(reversed(way))

    def agents_to(self, address: Address) -> tuple[tuple[Address, ...], int]:
        """
        The agents that lead to a resource, the nearest first, and how many there are; for an app, all agents.
        """
        return self._agents.before(self._shared if address == self._app else address)

    def evaluations_of(self, address: Address) -> tuple[tuple[Address, ...], int]:
        """The evaluations that run through a resource, the nearest first, and how many there are."""
        return self._evaluations.before(address)

    @cached_property
    def agent_count(self) -> int:
        return sum(item.kind == AGENTS for item in self._refers)

    @cached_property
    def evaluation_count(self) -> int:
        return sum(item.kind == EVALUATIONS for item in self._refers)

    @cached_property
    def _uses(self) -> _Edges:
        """The running graph."""
        edges: _Edges = {}
        for who, targets in self._refers.items():
            if who == self._app:
                edges[who] = [self._shared, *([self.root] if self.root else [])]
                edges[self._shared] = sorted(self._running(targets - {self.root}))
            elif who.kind in KINDS and KINDS[who.kind].runs:
                edges[who] = sorted(self._running(targets - {who}))
                if who.kind == AGENTS:
                    edges[who].append(self._shared)
        edges.setdefault(self._shared, [])
        return edges

    @cached_property
    def _covers(self) -> _Edges:
        """The covering graph."""
        edges: _Edges = {}
        for who, targets in self._refers.items():
            if who == self._app:
                edges[who] = [item for item in self._uses[who] if item != self._shared]
                edges[who] += self._protecting(targets)
            elif who.kind == EVALUATIONS:
                edges[who] = [*sorted(item for item in targets if item in self._refers), self._app]
            elif who.kind == AGENTS:
                edges[who] = self._protecting(targets)
            elif who.kind not in _PROTECTING:
                edges[who] = sorted(self._running(targets - {who}))
        return edges

    def _running(self, targets: frozenset[Address]) -> Iterator[Address]:
        return (item for item in targets if item in self._refers and KINDS[item.kind].runs)

    @cached_property
    def _from_app(self) -> Mapping[Address, Address]:
        return search(self._app, self._uses)

    @cached_property
    def _from_root(self) -> Mapping[Address, Address]:
        """The same from the root agent, without what the app shares with all agents."""
        return search(self.root, {**self._uses, self._shared: []}) if self.root else {}

    def _protecting(self, targets: frozenset[Address]) -> list[Address]:
        return sorted(item for item in self._running(targets) if item.kind in _PROTECTING)

    @cached_property
    def _agents(self) -> "_Leading":
        return _Leading(self._uses, AGENTS)

    @cached_property
    def _evaluations(self) -> "_Leading":
        return _Leading(self._covers, EVALUATIONS)


def takes_part(address: Address) -> bool:
    """Whether conversations run through a resource: the app, or what it runs."""
    kind = KINDS[address.kind]
    return kind.runs or kind.container is not None


def reversed_edges(edges: Mapping[Address, Iterable[Address]]) -> _Edges:
    """The same edges from their targets; the sources of each are sorted."""
    found: _Edges = defaultdict(list)
    for who in sorted(edges):
        for target in edges[who]:
            found[target].append(who)
    return dict(found)


class _Leading:
    """The resources of one kind that edges lead from."""

    def __init__(self, edges: _Edges, kind: KindName) -> None:
        self._kind = kind
        self._edges = reversed_edges(edges)
        self._counts = _counts(edges, kind)

    def before(self, address: Address) -> tuple[tuple[Address, ...], int]:
        """The nearest ones that lead to a resource, at most MOST_LISTED, and how many there are."""
        reached = _reached(address, self._edges)
        nearest = (item for item, _ in reached if item.kind == self._kind and item != address)
        return tuple(islice(nearest, MOST_LISTED)), self._counts.get(address, 0)


def search(start: Address, edges: Mapping[Address, Iterable[Address]]) -> dict[Address, Address]:
    """
    Everything that edges reach from a resource, each with its predecessor, by a breadth-first search. The start
    comes first and is its own predecessor.
    """
    return dict(_reached(start, edges))


def _reached(start: Address, edges: Mapping[Address, Iterable[Address]]) -> Iterator[tuple[Address, Address]]:
    seen = {start}
    pending = deque([start])
    yield start, start
    while pending:
        node = pending.popleft()
        for following in edges.get(node, ()):
            if following not in seen:
                seen.add(following)
                pending.append(following)
                yield following, node


def _counts(edges: _Edges, kind: KindName) -> Mapping[Address, int]:
    """By node, from how many other nodes of a kind edges lead to it."""
    bits: dict[Address, int] = {}
    own = {node: 1 << number for number, node in enumerate(item for item in sorted(edges) if item.kind == kind)}
    counts: dict[Address, int] = {}
    for component in reversed(components(edges)):  # predecessors first
        here = 0
        for node in component:
            here |= bits.pop(node, 0) | own.get(node, 0)
        for node in component:
            counts[node] = (here & ~own.get(node, 0)).bit_count()
        for following in {item for node in component for item in edges.get(node, ())} - {*component}:
            bits[following] = bits.get(following, 0) | here
    return counts


def apps_of(refers: Refers) -> Mapping[AppKey, Refers]:
    """The references of each app by itself."""
    found: dict[AppKey, dict[Address, frozenset[Address]]] = defaultdict(dict)
    for who, targets in refers.items():
        found[who.app][who] = targets
    return found
