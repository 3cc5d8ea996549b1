"""
A graph in the DOT language of Graphviz (https://graphviz.org/doc/info/lang.html).

Names are quoted strings. In a label a backslash begins an escape (`\\N`, `\\l`) and an ampersand a character of
HTML (`&lt;`), so these and the quote are escaped; no label is HTML, and nothing has a link.
"""

from cesplan.domain.plan import Action
from cesplan.features.impact.mermaid import title, words_of
from cesplan.features.impact.values import Direction, Edge, Graph, Node
from cesplan.render.page import printable

_SHAPES = {
    "agents": ("shape=box", "style=rounded"),
    "tools": ("shape=component",),
    "toolsets": ("shape=cylinder",),
    "guardrails": ("shape=hexagon",),
}
_COLORS = {Action.CREATE: "#1a7f37", Action.UPDATE: "#9a6700", Action.DELETE: "#cf222e"}


def dot(graph: Graph) -> str:
    """The text of the graph, ended by a line feed."""
    ids = {item.address: f"n{number}" for number, item in enumerate(graph.nodes)}
    rows = [
        "digraph app {",
        "  rankdir=LR;",
        '  node [fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
    ]
    rows += [f"  {ids[item.address]} [{_node(item)}];" for item in graph.nodes]
    rows += [f"  {_edge(item, ids[item.source], ids[item.target])};" for item in graph.edges]
    return "\n".join([*rows, "}"]) + "\n"


def quoted(text: str) -> str:
    """A text as a string of DOT that is shown as it is."""
    escaped = printable(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return f'"{escaped}"'


def _node(node: Node) -> str:
    parts = [f"label={quoted(title(node))}", *_SHAPES.get(str(node.address.kind), ("shape=box",))]
    parts += ["penwidth=3"] if node.is_root else []
    parts += [f'color="{_COLORS[node.action]}"'] if node.action else []
    return ", ".join(parts)


def _edge(edge: Edge, source: str, target: str) -> str:
    if edge.direction is Direction.TO_PARENT:
        source, target = target, source
    parts = [f"label={quoted(words)}"] if (words := words_of(edge)) else []
    parts += ["style=dashed"] if edge.direction else []
    parts += [f'color="{_COLORS[edge.action]}"'] if edge.action else []
    return f"{source} -> {target}" + (f" [{', '.join(parts)}]" if parts else "")
