"""
Cutting: cycles of references, broken at fields that may be set later or dropped earlier.

Which fields these are, and in which order they are preferred, is a column of the table of kinds;
a guardrail is never weakened. Creates in a cycle leave the field out and set it in a later step; deletes in
a cycle drop it in an earlier one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cesplan.domain.address import Address
from cesplan.domain.errors import CesplanError
from cesplan.domain.field_path import MaskPath, mask_path
from cesplan.domain.value import Body
from cesplan.engine.comparing.bodies import put, take, without
from cesplan.engine.comparing.normalize import references
from cesplan.engine.planning.draft import Draft
from cesplan.engine.planning.graph import components
from cesplan.model.spec import FieldSpec, MessageSpec

Cuts = Mapping[Address, tuple[MaskPath, ...]]
"""The fields of each resource that are cut out of its create, or dropped before its delete."""


def cut_cycles(drafts: Mapping[Address, Draft], bodies: Mapping[Address, Body]) -> Cuts:
    """
    The fewest cuts, by preference, after which the references among these resources have no cycle.

    Raises CesplanError for a cycle through fields that cannot be cut, which no kind of today can form.
    """
    known = frozenset(drafts)
    edges = {address: _edges(drafts[address], bodies[address], known) for address in sorted(drafts)}
    cuts: dict[Address, list[MaskPath]] = {}
    made: list[_Made] = []
    waiting = [(ring, ring) for ring in _cyclic(edges, sorted(edges))]
    while waiting:
        ring, widest = waiting.pop()
        address, path = _best_cut(drafts, edges, ring, cuts)
        cuts.setdefault(address, []).append(path)
        made.append(_Made(address, path, [edge for edge in edges[address] if path.covers(edge.at)], widest))
        edges[address] = [edge for edge in edges[address] if not path.covers(edge.at)]
        waiting += [(part, widest) for part in _cyclic(edges, ring)]
    for cut in made:
        _restore_if_idle(cut, edges, cuts)
    return {address: tuple(sorted(paths)) for address, paths in sorted(cuts.items()) if paths}


def cut_body(body: Body, cuts: Iterable[MaskPath]) -> Body:
    """A copy of a body that lacks the cut fields."""
    for path in cuts:
        body = without(body, path.fields)
    return body


def cut_values(body: Body, cuts: Iterable[MaskPath]) -> Body:
    """A body that holds nothing but the cut fields."""
    values: Body = {}
    for path in cuts:
        value = take(body, path.fields)
        if value is not None:
            put(values, path.fields, value)
    return values


def drop_references(spec: MessageSpec, body: Body, cuts: Iterable[MaskPath], going: frozenset[str]) -> Body:
    """What the cut fields hold once they no longer name the resources that are going."""
    values: Body = {}
    for path in cuts:
        kept = _pruned(_field_at(spec, path), take(body, path.fields), going)
        if kept not in (None, []):
            put(values, path.fields, kept)
    return values


@dataclass(frozen=True, slots=True)
class _Edge:
    at: MaskPath
    target: Address


@dataclass(frozen=True, slots=True)
class _Made:
    """A cut that was made: what it removed, and the widest ring that this may close again."""

    address: Address
    path: MaskPath
    removed: list[_Edge]
    ring: list[Address]


def _restore_if_idle(
    cut: _Made, edges: dict[Address, list[_Edge]], cuts: Mapping[Address, list[MaskPath]]
) -> None:
    """Take a cut back that a later one has made needless."""
    without_it = edges[cut.address]
    edges[cut.address] = [*without_it, *cut.removed]
    if _cyclic(edges, cut.ring):
        edges[cut.address] = without_it
    else:
        cuts[cut.address].remove(cut.path)


def _edges(draft: Draft, body: Body, known: frozenset[Address]) -> list[_Edge]:
    found = (
        _Edge(path.mask, draft.address.sibling(reference))
        for path, reference in references(draft.kind.spec, body)
    )
    return [edge for edge in found if edge.target in known]


def _cyclic(edges: Mapping[Address, list[_Edge]], nodes: Iterable[Address]) -> list[list[Address]]:
    members = set(nodes)
    graph = {node: [e.target for e in edges[node] if e.target in members] for node in sorted(members)}
    return [sorted(ring) for ring in components(graph) if len(ring) > 1 or ring[0] in graph[ring[0]]]


def _best_cut(
    drafts: Mapping[Address, Draft],
    edges: Mapping[Address, list[_Edge]],
    ring: list[Address],
    cuts: Mapping[Address, list[MaskPath]],
) -> tuple[Address, MaskPath]:
    """The preferred field of the ring's resources that holds a reference into the ring."""
    members = set(ring)
    candidates = [
        (drafts[address].kind.cut_rank, place, -count, address, path)
        for address in ring
        for place, path in enumerate(map(mask_path, drafts[address].kind.cuts))
        if path not in cuts.get(address, ())
        if (count := sum(1 for e in edges[address] if e.target in members and path.covers(e.at)))
    ]
    if not candidates:
        names = " → ".join(map(str, ring))
        raise CesplanError(
            summary="These resources form a reference cycle that cannot be created step by step.",
            detail=f"{names}\nRemove one of the references.",
        )
    best = min(candidates)
    return best[3], best[4]


def _field_at(spec: MessageSpec, path: MaskPath) -> FieldSpec:
    *parents, last = path.fields
    for name in parents:
        spec = spec.fields[name].message
    return spec.fields[last]


def _pruned(known: FieldSpec, value: Any, going: frozenset[str]) -> Any:
    if isinstance(value, list):
        return [item for item in value if not _names(known, item, going)]
    return None if _names(known, value, going) else value


def _names(known: FieldSpec, value: Any, going: frozenset[str]) -> bool:
    if isinstance(value, str):
        return value in going
    return isinstance(value, dict) and any(ref in going for _, ref in references(known.message, value))
