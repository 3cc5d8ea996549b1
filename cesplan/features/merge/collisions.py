"""A collision of two edits as text: the lines of both sides, of the base, and the lines around them."""

from collections.abc import Iterator

from cesplan.domain.features.merge import FieldMerge
from cesplan.domain.text.text_merge import Collision
from cesplan.domain.text.words import count
from cesplan.render.page import Ink, Line, Page, Span, line, wrapped
from cesplan.render.text.layout import Layout

_AROUND = 2
"""Lines of the tree's text that are shown before and after a collision."""
_MOST_COLLISIONS = 20
_MOST_LINES = 12
"""The most lines shown of one side of a collision; the JSON report has all of them."""
_MARGIN = 8


def collisions_page(found: FieldMerge, head: Line, layout: Layout) -> Page:
    """The collisions in a text that stays unchanged, one after the other."""
    places = count(len(found.collisions), "place")
    page = layout.row(head, (Span(f"the edits collide in {places}", Ink.WARNING),))
    for collision in found.collisions[:_MOST_COLLISIONS]:
        page += _collision(found, collision, layout)
    rest = len(found.collisions) - _MOST_COLLISIONS
    if rest > 0:
        page.append(line(" " * _MARGIN, Span(f"… and {count(rest, 'more place')}", Ink.DIM, cut=True)))
    return page


def _collision(found: FieldMerge, collision: Collision, layout: Layout) -> Page:
    lines = str(found.tree).replace("\r\n", "\n").split("\n")
    first, after = collision.line - 1, collision.line - 1 + collision.lines
    where = f"{found.file}:{collision.line}" if found.file else f"line {collision.line}"
    page: Page = [line(" " * _MARGIN, Span(where, Ink.DIM))]
    page += _around(lines[max(first - _AROUND, 0) : first], layout)
    for name, text, ink in (
        ("tree", collision.ours, Ink.DELETE),
        ("base", collision.base, Ink.DIM),
        ("live", collision.theirs, Ink.CREATE),
    ):
        rows = ["(nothing)"] if text is None else text.split("\n")
        page += _rows(name, rows, ink, layout)
    return [*page, *_around(lines[after : after + _AROUND], layout)]


def _around(texts: list[str], layout: Layout) -> Iterator[Line]:
    """Lines that do not collide, each on one row."""
    width = max(layout.width - _MARGIN - 8, 20)
    for text in texts:
        cut = len(text) > width
        yield line(
            " " * _MARGIN, Span("     │ ", Ink.DIM), Span(f"{text[:width]}…" if cut else text, Ink.DIM, cut=cut)
        )


def _rows(name: str, texts: list[str], ink: str, layout: Layout) -> Iterator[Line]:
    """Lines of one side, with its name before the first of them."""
    for place, text in enumerate(texts[:_MOST_LINES]):
        head = line(" " * _MARGIN, Span(f"{name if not place else '':>4} │ ", Ink.DIM))
        yield from wrapped((*head, Span(text, ink)), layout.width, _MARGIN + 7)
    rest = len(texts) - _MOST_LINES
    if rest > 0:
        yield line(" " * (_MARGIN + 7), Span(f"… {count(rest, 'more line')}", Ink.DIM, cut=True))
