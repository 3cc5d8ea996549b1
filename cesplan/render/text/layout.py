"""Layout: how wide a page is, whether it has color, and where its right column begins."""

from collections.abc import Iterable

from cesplan.domain.frozen import dataclass
from cesplan.render.page import Line, Page, Span, padded, width_of, wrapped

_GAP = 3
_NARROWEST = 30
"""The left column never gets narrower than this, so that pages of small plans look alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """
    The output that a page is made for: its `width` in columns, and whether it has color.

    A `full` page shows everything that will be written and shortens nothing.
    """

    width: int = 80
    colour: bool = False
    full: bool = False


PLAIN = View()
"""The view for a file or a pipe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A view and the place of its right column."""

    view: View
    column: int

    @property
    def width(self) -> int:
        return self.view.width

    def row(self, left: Line, right: Line) -> Page:
        """
        Two columns: on one line if they fit; otherwise the right column goes below, indented. `left` includes
        its own indentation.
        """
        if not right:
            return [left]
        if width_of(left) + 2 <= self.column and self.column + width_of(right) <= self.width:
            return [(*padded(left, self.column), *right)]
        if width_of(left) + 2 + width_of(right) <= self.width:
            return [(*left, Span("  "), *right)]
        indent = indentation(left) + 2
        return [left, *wrapped((Span(" " * indent), *right), self.width, indent + 2)]


def layout_for(view: View, lefts: Iterable[Line]) -> Layout:
    """A right column that leaves room for most of these texts; never far past the middle."""
    widest = view.width // 2 + 4
    fitting = [size for size in map(width_of, lefts) if size + _GAP <= widest]
    return Layout(view=view, column=max([_NARROWEST, *(size + _GAP for size in fitting)]))


def indentation(item: Line) -> int:
    """How many spaces a line begins with."""
    text = "".join(span.text for span in item)
    return len(text) - len(text.lstrip(" "))
