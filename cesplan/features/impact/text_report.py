"""
A graph as text: the agents from the root agent down, each with what it uses, then the exceptional resources.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from cesplan.domain.address import APPS, Address
from cesplan.domain.settings import Settings
from cesplan.features.impact.mermaid import has_own_title, title, words_of
from cesplan.features.impact.reaching import search
from cesplan.features.impact.values import Direction, Edge, Graph
from cesplan.model.kinds import AGENTS, RUNNING_KINDS
from cesplan.render.page import BLANK, Ink, Line, Page, Span, line, paint, wrapped
from cesplan.render.text.layout import View
from cesplan.render.text.plan import heading
from cesplan.render.values import inline

_DEEPEST = 34
"""The maximum indentation: deeper agents are not indented further, or a long chain would have no room."""
_LABEL = 12
"""The width in columns of the label before a list."""


def graph_text(graph: Graph, settings: Settings, view: View, focus: Address | None = None) -> str:
    """The text of a graph, ended by a line feed; with a `focus` as it looks from one resource."""
    apps = sorted({item.address.app for item in graph.nodes})
    page: Page = []
    for app in apps:
        part = _Part(graph, app, view)
        page += [heading(app, settings), BLANK]
        page += part.around(focus) if focus is not None and not focus.is_app else part.page()
        page += [BLANK]
    return paint([*page, *_highlights(graph, view)], colour=view.colour)


class _Part:
    """One app of a graph."""

    def __init__(self, graph: Graph, app: str, view: View) -> None:
        self._nodes = {item.address: item for item in graph.nodes if item.address.app == app}
        self._from: dict[Address, list[Edge]] = defaultdict(list)
        self._to: dict[Address, list[Edge]] = defaultdict(list)
        for edge in graph.edges:
            self._from[edge.source].append(edge)
            self._to[edge.target].append(edge)
        self._view = view

    def page(self) -> Page:
        """The app, its agents from the root agent down, those without a way to them, then everything else."""
        rows: Page = []
        for address in self._nodes:
            if address.is_app:
                rows += self._uses(address, 2)
        shown: set[Address] = set()
        roots = [item.address for item in self._nodes.values() if item.is_root]
        agents = [item for item in self._nodes if item.kind == AGENTS]
        for start in (*roots, *agents):
            if start not in shown:
                rows += [*([BLANK] if rows else []), *self._agents(start, shown)]
        return [*rows, *self._others()]

    def around(self, focus: Address) -> Page:
        """One resource: what refers to it, and what it refers to."""
        node = self._nodes[focus]
        name = f"{focus.within_app}   {inline(node.display_name)}" if has_own_title(node) else focus.within_app
        rows: Page = [line("  ", Span(name, Ink.STRONG))]
        rows += self._list("used by", _named((edge.source, edge) for edge in self._to[focus]), 4)
        rows += self._list("uses", _named((edge.target, edge) for edge in self._from[focus]), 4)
        near = {focus, *(edge.source for edge in self._to[focus]), *(edge.target for edge in self._from[focus])}
        users = {item: [edge.source for edge in found] for item, found in self._to.items()}
        before = {*search(focus, users)} - near
        after = {*self._nodes} - before - near
        rows += self._list("leads here", (item.in_words for item in sorted(before)), 4)
        return [*rows, *self._list("leads to", (item.in_words for item in sorted(after)), 4)]

    def _agents(self, start: Address, shown: set[Address]) -> Page:
        """An agent and those below it, each in full once."""
        rows: Page = []
        pending: list[tuple[Address, int, Edge | None]] = [(start, 2, None)]
        while pending:
            address, indent, by = pending.pop()
            is_new = address not in shown
            shown.add(address)
            rows.append(self._agent(address, indent, by, is_new=is_new))
            if is_new:
                rows += self._uses(address, indent + 4)
                below = self._children(address)
                deeper = min(indent + 4, _DEEPEST)
                pending += [(edge.target, deeper, edge) for edge in reversed(below)]
        return rows

    def _children(self, address: Address) -> list[Edge]:
        """The agents that an agent hands over to, each once."""
        found: dict[Address, Edge] = {}
        for edge in self._from[address]:
            if edge.target.kind == AGENTS and edge.direction is None:
                found.setdefault(edge.target, edge)
        return [*found.values()]

    def _agent(self, address: Address, indent: int, by: Edge | None, *, is_new: bool) -> Line:
        parts = [Span("root agent", Ink.DIM)] if self._nodes[address].is_root else []
        if by is not None:
            rules = [item for item in self._from[by.source] if item.target == address and item.direction]
            parts += [
                Span(_RULES[direction], Ink.DIM)
                for direction in Direction
                if any(item.direction is direction for item in rules)
            ]
        parts += [] if is_new else [Span("shown above", Ink.DIM)]
        details = [piece for part in parts for piece in (Span(", ", Ink.DIM), part)][1:]
        arrow = "→ " if by is not None else ""
        gap = [Span("   ")] if details else []
        return (Span(f"{' ' * indent}{arrow}"), Span(self._name(address), Ink.STRONG), *gap, *details)

    def _uses(self, address: Address, indent: int) -> Page:
        """What an agent or the app uses, by kind; what it hands over to follows below."""
        rows: Page = []
        for kind in RUNNING_KINDS:
            found = {edge.target for edge in self._from[address] if edge.target.kind == kind}
            if kind != AGENTS:
                rows += self._list(str(kind), (self._name(item) for item in sorted(found)), indent)
        return rows

    def _others(self) -> Page:
        """All other resources with references: tools, guardrails, evaluations, deployments."""
        rows: Page = []
        for address in self._nodes:
            if address.kind in (AGENTS, APPS):
                continue
            names = _named((edge.target, edge) for edge in self._from[address])
            rows += self._list(f"{address.within_app} →", names, 2)
        return [BLANK, *rows] if rows else []

    def _list(self, label: str, items: Iterable[str], indent: int) -> Page:
        texts = [*items]
        if not texts:
            return []
        head = f"{' ' * indent}{label if '→' in label else label.ljust(_LABEL)} "
        return wrapped(
            line(Span(head, Ink.DIM), ", ".join(texts)), self._view.width, min(len(head), indent + _LABEL + 1)
        )

    def _name(self, address: Address) -> str:
        return title(self._nodes[address])


_RULES = {Direction.TO_CHILD: "transfer rule to it", Direction.TO_PARENT: "transfer rule back from it"}


def _named(ends: Iterable[tuple[Address, Edge]]) -> Iterator[str]:
    """Resources, each with the fields that hold the reference."""
    found: dict[Address, list[str]] = defaultdict(list)
    for address, edge in ends:
        found[address] += [words] if (words := words_of(edge)) else []
    for address, fields in found.items():
        yield f"{address.in_words} ({', '.join(dict.fromkeys(fields))})" if fields else address.in_words


def _highlights(graph: Graph, view: View) -> Page:
    """Cycles, what no conversation reaches, and what no evaluation runs through."""
    several = len({item.address.app for item in graph.nodes}) > 1

    def names(addresses: Sequence[Address]) -> str:
        return ", ".join(str(item) if several else item.in_words for item in addresses)

    rows = [("Cycle: ", " → ".join([names([item]) for item in (*cycle, cycle[0])])) for cycle in graph.cycles]
    rows += [("No conversation reaches ", names(graph.unreached))] if graph.unreached else []
    rows += [("No evaluation runs through ", names(graph.uncovered))] if graph.uncovered else []
    return [
        row for label, text in rows for row in wrapped((Span(label, Ink.WARNING), Span(text)), view.width, 4)
    ]
