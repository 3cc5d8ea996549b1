"""
A graph as a flowchart of Mermaid (https://mermaid.js.org/syntax/flowchart.html), which GitHub and GitLab draw.

Names come from the live service and from untrusted trees. Every character that Mermaid, Markdown, or HTML might
interpret is written as a character code of Mermaid (`#60;`), so a name cannot end its label or open an element
or a link.
"""

import re
from collections.abc import Iterator

from cesplan.domain.plan import Action
from cesplan.domain.text.words import letters_of
from cesplan.features.impact.values import Direction, Edge, Graph, Node
from cesplan.render.page import printable

MOST_EDGES = 500
MOST_CHARACTERS = 50_000
"""The default limits of Mermaid (`maxEdges`, `maxTextSize`)."""

_LONGEST_NAME = 60
_SAFE = re.compile(r"[^\w /_.,:+@()\-]")
_LIST = re.compile(r"^(\s*)([-+*]|\d+(?=[.)]))")
"""What Markdown in a label interprets as the start of a list."""

_SHAPES = {
    "agents": ('(["', '"])'),
    "tools": ('[["', '"]]'),
    "toolsets": ('[("', '")]'),
    "guardrails": ('{{"', '"}}'),
}
_STYLES = {
    "create": "fill:#dafbe1,stroke:#1a7f37,color:#0b2e13",
    "update": "fill:#fff8c5,stroke:#9a6700,color:#3b2300",
    "delete": "fill:#ffebe9,stroke:#cf222e,color:#4c0d12,stroke-dasharray:5 3",
    "root": "stroke-width:3px",
}


def mermaid(graph: Graph) -> str:
    """The text of the flowchart, ended by a line feed."""
    ids = {item.address: f"n{number}" for number, item in enumerate(graph.nodes)}
    rows = ["flowchart LR"]
    rows += [f"  {ids[item.address]}{_shape(item)}" for item in graph.nodes]
    rows += [f"  {_arrow(item, ids[item.source], ids[item.target])}" for item in graph.edges]
    rows += _classes(graph, [ids[item.address] for item in graph.nodes])
    return "\n".join(rows) + "\n"


def why_not_drawn(graph: Graph) -> str:
    """Why services refuse to draw the flowchart; empty if they draw it."""
    limits = (
        (len(graph.edges), MOST_EDGES, "references"),
        (len(mermaid(graph)), MOST_CHARACTERS, "characters"),
    )
    for number, most, what in limits:
        if number > most:
            return (
                f"Mermaid draws at most {most:,} {what} unless it is configured, and this graph has {number:,}"
            )
    return ""


def label(text: str) -> str:
    """A text inside the quotes of a label."""
    escaped = _SAFE.sub(lambda found: f"#{ord(found[0])};", printable(text))
    return _LIST.sub(lambda found: found[1] + "".join(f"#{ord(sign)};" for sign in found[2]), escaped)


def has_own_title(node: Node) -> bool:
    """Whether a display name says more than the key in another spelling."""
    return letters_of(node.display_name) not in ("", letters_of(str(node.address.key)))


def _shape(node: Node) -> str:
    begin, end = _SHAPES.get(str(node.address.kind), ('["', '"]'))
    return f"{begin}{label(title(node))}{end}"


def title(node: Node) -> str:
    """
    The key of a node, with its kind if the shape does not show it, and its display name if that adds something.
    """
    address = node.address
    name = str(address.app) if address.is_app else str(address.key)
    if not address.is_app and str(address.kind) not in _SHAPES:
        name = address.within_app
    shown = (
        node.display_name
        if len(node.display_name) <= _LONGEST_NAME
        else f"{node.display_name[:_LONGEST_NAME]}…"
    )
    return f"{name} ({shown})" if has_own_title(node) else name


def words_of(edge: Edge) -> str:
    """The label of a reference; empty where its target makes it obvious."""
    match edge.direction:
        case Direction.TO_CHILD:
            return "transfer rule"
        case Direction.TO_PARENT:
            return "transfer rule back"
    return _WORDS.get(edge.field, ".".join(edge.field.split(".")[-2:]))


_WORDS = {
    "rootAgent": "root agent",
    "childAgents": "child",
    "tools": "",
    "toolsets.toolset": "",
    "guardrails": "",
    "evaluationExpectations": "",
}


def _arrow(edge: Edge, source: str, target: str) -> str:
    if edge.direction is Direction.TO_PARENT:
        source, target = target, source
    arrow = "-.->" if edge.direction or edge.action is Action.DELETE else "==>" if edge.action else "-->"
    words = words_of(edge) or ("dropped" if edge.action is Action.DELETE else "")
    return f'{source} {arrow}|"{label(words)}"| {target}' if words else f"{source} {arrow} {target}"


def _classes(graph: Graph, ids: list[str]) -> Iterator[str]:
    for name, style in _STYLES.items():
        found = [
            node_id
            for node_id, item in zip(ids, graph.nodes, strict=True)
            if (item.is_root if name == "root" else item.action == name)
        ]
        if found:
            yield f"  classDef {name} {style}"
            yield f"  class {','.join(found)} {name}"
