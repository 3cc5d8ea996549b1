"""A small graph drawn in columns: the root agent on the left, the resources in use farther to the right."""

from cesplan.domain.address import Address
from cesplan.features.impact.graph import refers_in
from cesplan.features.impact.mermaid import title
from cesplan.features.impact.reaching import search
from cesplan.features.impact.values import Edge, Graph, Node
from cesplan.render.html.picture import Arrow, Picture, PictureBox

_LETTER = 7.8
"""The width in pixels of a character of the fixed-width font in boxes."""
_HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 28, 56, 14, 8
_LONGEST = 34
"""The most characters in a box; longer names are cut off."""


def picture_of(graph: Graph) -> Picture:
    """The drawing of a graph; empty for a graph without references."""
    if not graph.edges:
        return Picture()
    columns = _columns(graph)
    texts = {item.address: _text(item) for item in graph.nodes}
    boxes: dict[Address, PictureBox] = {}
    x = _MARGIN
    nodes = {item.address: item for item in graph.nodes}
    for column in columns:
        width = round(max(len(texts[address]) for address in column) * _LETTER) + 16
        for row, address in enumerate(column):
            y = _MARGIN + row * (_HEIGHT + _GAP_Y)
            boxes[address] = PictureBox(
                x=x, y=y, width=width, height=_HEIGHT, text=texts[address], looks=_looks(nodes[address])
            )
        x += width + _GAP_X
    return Picture(
        width=x - _GAP_X + _MARGIN,
        height=2 * _MARGIN + max(len(column) for column in columns) * (_HEIGHT + _GAP_Y) - _GAP_Y,
        boxes=tuple(boxes[item.address] for item in graph.nodes),
        arrows=tuple(_arrow(edge, boxes) for edge in graph.edges),
        words=tuple(map(_words, graph.edges)),
    )


def _columns(graph: Graph) -> list[list[Address]]:
    """Resources by their distance from the root agents, or from those that nothing leads to."""
    after = {who: sorted(targets) for who, targets in refers_in(graph).items()}
    targets = {edge.target for edge in graph.edges}
    roots = [item.address for item in graph.nodes if item.is_root]
    starts = [*roots, *(item.address for item in graph.nodes if item.address not in targets)]
    depth: dict[Address, int] = {}
    for start in (*starts, *(item.address for item in graph.nodes)):
        if start in depth:
            continue
        parents = search(start, after)
        for address, parent in parents.items():
            if address not in depth:
                depth[address] = 0 if address == start else depth.get(parent, 0) + 1
    found: dict[int, list[Address]] = {}
    for item in graph.nodes:
        found.setdefault(depth[item.address], []).append(item.address)
    return [found[number] for number in sorted(found)]


def _text(node: Node) -> str:
    text = title(node)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _looks(node: Node) -> str:
    return " ".join(
        [
            str(node.address.kind),
            *([str(node.action)] if node.action else []),
            *(["root"] if node.is_root else []),
        ]
    )


def _arrow(edge: Edge, boxes: dict[Address, PictureBox]) -> Arrow:
    one, other = boxes[edge.source], boxes[edge.target]
    y1, y2 = one.y + one.height // 2, other.y + other.height // 2
    if other.x > one.x:
        x1, x2 = one.x + one.width, other.x
        line = f"M{x1},{y1} C{x1 + _GAP_X // 2},{y1} {x2 - _GAP_X // 2},{y2} {x2},{y2}"
    else:
        x1, x2 = one.x + one.width // 2, other.x + other.width // 2
        y1, y2 = one.y + one.height, other.y + other.height
        line = f"M{x1},{y1} C{x1},{y1 + _GAP_Y} {x2},{y2 + _GAP_Y} {x2},{y2}"
    return Arrow(line=line, looks=str(edge.action) if edge.action else "")


def _words(edge: Edge) -> str:
    done = {"create": " (new)", "delete": " (dropped)"}.get(str(edge.action), "")
    return f"{edge.source.within_app} uses {edge.target.within_app}{done}"
