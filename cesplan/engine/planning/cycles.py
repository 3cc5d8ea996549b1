"""
Cycles: reference cycles are broken at fields that can be set later or dropped earlier.

The table of kinds lists these fields in order of preference; a guardrail is never weakened. Creates in a cycle
leave the field out and set it in a later step. Deletes in a cycle drop it in an earlier step.
"""

from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import Any

from cesplan.domain.address import Address
from cesplan.domain.errors import CesplanError
from cesplan.domain.field_path import MaskPath, mask_path
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Body
from cesplan.engine.comparing.bodies import put, take, without
from cesplan.engine.comparing.normalize import references
from cesplan.engine.planning.draft import Draft
from cesplan.engine.planning.graph import components
from cesplan.model.reachable import reachable
from cesplan.model.spec import FieldSpec, MessageSpec

Cuts = Mapping[Address, tuple[MaskPath, ...]]
"""The fields of each resource that are left out of its create, or dropped before its delete."""

_RING_PER_CUT = 64
"""
The number of resources in a cycle for each cut made before the rest of the cycle is examined again.

Up to twice this number, every cut is optimal. In a longer cycle a cut may be unnecessary; it is undone later.
"""


def cut_cycles(drafts: Mapping[Address, Draft], bodies: Mapping[Address, Body]) -> Cuts:
    """
    The fewest cuts, by preference, that leave no reference cycle among these resources.

    Raises CesplanError for a cycle through fields that cannot be cut, which today's kinds cannot form.
    """
    known = frozenset(drafts)
    edges = {address: _edges(drafts[address], bodies[address], known) for address in sorted(drafts)}
    cuts: dict[Address, list[MaskPath]] = {}
    done: list[_Made] = []
    pending = [(ring, frozenset(ring)) for ring in _cyclic(edges, sorted(edges))]
    while pending:
        ring, widest = pending.pop()
        cutting = _Cutting(drafts, edges, ring)
        for address, path in cutting.best(max(1, len(ring) // _RING_PER_CUT)):
            cuts.setdefault(address, []).append(path)
            removed = [edge for edge in edges[address] if path.covers(edge.at)]
            done.append(_Made(address, path, removed, widest))
            edges[address] = [edge for edge in edges[address] if not path.covers(edge.at)]
        pending += [(part, widest) for part in _cyclic(edges, cutting.left)]
    for cut in done:
        _restore_if_idle(cut, edges, cuts)
    return {address: tuple(sorted(paths)) for address, paths in sorted(cuts.items()) if paths}


def cut_body(body: Body, cuts: Iterable[MaskPath]) -> Body:
    """A copy of a body without the cut fields."""
    for path in cuts:
        body = without(body, path.fields)
    return body


def cut_values(body: Body, cuts: Iterable[MaskPath]) -> Body:
    """A body with only the cut fields."""
    values: Body = {}
    for path in cuts:
        value = take(body, path.fields)
        if value is not None:
            put(values, path.fields, value)
    return values


def drop_references(spec: MessageSpec, body: Body, cuts: Iterable[MaskPath], going: frozenset[str]) -> Body:
    """The values of the cut fields without references to the resources being deleted (`going`)."""
    values: Body = {}
    for path in cuts:
        kept = _pruned(spec.along(path.fields)[-1], take(body, path.fields), going)
        if kept not in (None, []):
            put(values, path.fields, kept)
    return values


@dataclass(frozen=True, slots=True)
class _Edge:
    at: MaskPath
    target: Address


@dataclass(frozen=True, slots=True)
class _Made:
    """A cut: the references that it removed, and the largest cycle that they may close again."""

    address: Address
    path: MaskPath
    removed: list[_Edge]
    ring: frozenset[Address]


def _restore_if_idle(
    cut: _Made, edges: dict[Address, list[_Edge]], cuts: Mapping[Address, list[MaskPath]]
) -> None:
    """Undo a cut that a later one has made unnecessary: its references no longer lead back."""
    starts = {edge.target for edge in cut.removed} & cut.ring
    if cut.address not in reachable(starts, lambda node: {item.target for item in edges[node]} & cut.ring):
        edges[cut.address] = [*edges[cut.address], *cut.removed]
        cuts[cut.address].remove(cut.path)


class _Cutting:
    """
    The best cuts of one cycle, one after the other.

    The best cut is the most preferred field with a reference into the cycle, and among several the one with the
    most references. A resource without incoming or outgoing references can no longer be part of a cycle. It is
    removed at once, so that its references no longer count.
    """

    def __init__(
        self, drafts: Mapping[Address, Draft], edges: Mapping[Address, list[_Edge]], ring: list[Address]
    ) -> None:
        members = set(ring)
        self._drafts = drafts
        self._after: dict[Address, dict[Address, list[_Edge]]] = {node: {} for node in ring}
        self._before: dict[Address, set[Address]] = {node: set() for node in ring}
        for node in ring:
            for edge in edges[node]:
                if edge.target in members:
                    self._after[node].setdefault(edge.target, []).append(edge)
                    self._before[edge.target].add(node)
        self._queue = [item for node in ring for item in self._candidates(node)]
        heapify(self._queue)

    @property
    def left(self) -> list[Address]:
        """The resources that may still be part of a cycle, sorted."""
        return sorted(self._after)

    def best(self, most: int) -> Iterator[tuple[Address, MaskPath]]:
        """At most this many cuts. Raises CesplanError if no field of the cycle can be cut."""
        if not self._queue:
            names = " → ".join(map(str, self.left))
            raise CesplanError(
                summary="These resources form a reference cycle that cannot be created step by step.",
                detail=f"{names}\nRemove one of the references.",
            )
        while most and self._queue:
            rank, place, count, address, path = heappop(self._queue)
            now = self._count(address, path)
            if now == -count:
                most -= 1
                yield address, path
                self._cut(address, path)
            elif now:
                heappush(self._queue, (rank, place, -now, address, path))

    def _candidates(self, address: Address) -> Iterator[tuple[int, int, int, Address, MaskPath]]:
        kind = self._drafts[address].kind
        for place, path in enumerate(map(mask_path, kind.cuts)):
            if count := self._count(address, path):
                yield kind.cut_rank, place, -count, address, path

    def _count(self, address: Address, path: MaskPath) -> int:
        """The number of references into the cycle in a field."""
        found = self._after.get(address, {}).values()
        return sum(1 for same in found for edge in same if path.covers(edge.at))

    def _cut(self, address: Address, path: MaskPath) -> None:
        after = self._after[address]
        for target, found in [*after.items()]:
            after[target] = [edge for edge in found if not path.covers(edge.at)]
            if not after[target]:
                del after[target]
                self._before[target].discard(address)
                self._leave(target)
        self._leave(address)

    def _leave(self, suspect: Address) -> None:
        """
        Remove a resource without incoming or outgoing references, and then others that this leaves without any.
        """
        suspects = [suspect]
        while suspects:
            node = suspects.pop()
            if node not in self._after or (self._after[node] and self._before[node]):
                continue
            targets, sources = self._after.pop(node), self._before.pop(node)
            for target in targets.keys() - {node}:
                self._before[target].discard(node)
            for source in sources - {node}:
                del self._after[source][node]
            suspects += [*targets, *sources]


def _edges(draft: Draft, body: Body, known: frozenset[Address]) -> list[_Edge]:
    return [_Edge(path.mask, target) for path, target in draft.references_in(body) if target in known]


def _cyclic(edges: Mapping[Address, list[_Edge]], nodes: Iterable[Address]) -> list[list[Address]]:
    members = set(nodes)
    graph = {node: [e.target for e in edges[node] if e.target in members] for node in sorted(members)}
    return [sorted(ring) for ring in components(graph) if len(ring) > 1 or ring[0] in graph[ring[0]]]


def _pruned(known: FieldSpec, value: Any, going: frozenset[str]) -> Any:
    if isinstance(value, list):
        return [item for item in value if not _names(known, item, going)]
    return None if _names(known, value, going) else value


def _names(known: FieldSpec, value: Any, going: frozenset[str]) -> bool:
    if isinstance(value, str):
        return value in going
    return isinstance(value, dict) and any(ref in going for _, ref in references(known.message, value))
