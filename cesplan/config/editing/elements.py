"""
Elements of a block list with the comments that belong to them and move with them.

A comment belongs to the element below it if it is directly above its dash, in the same column, without an empty
line between them. A comment on a line of the element, or indented below it, is part of it. A comment about the
whole list is separated by an empty line, or is on the line of its key.
"""

import re

from cesplan.config.editing.syntax import Part, SourceText, dash_of, walk
from cesplan.domain.frozen import dataclass

_COMMENT = re.compile(r"[ \t]*#")


@dataclass(frozen=True, slots=True)
class Chunk:
    """The lines of one element: `start` is the first comment above it, `end` is after its last line."""

    start: int
    end: int


def chunks(source: SourceText, part: Part) -> list[Chunk]:
    """The lines of all elements of a block list, in order."""
    column = source.column(part.start)
    found: list[Chunk] = []
    floor = source.line_start(part.start)
    for place, item in enumerate(part.items):
        dash = source.line_start(dash_of(source.text, item))
        after = part.items[place + 1] if place + 1 < len(part.items) else None
        ceiling = source.line_start(dash_of(source.text, after)) if after else len(source.text)
        start = _above(source, dash, floor if place else 0, column)
        end = _below(source, min(source.next_line(item.end), ceiling), ceiling, column)
        found.append(Chunk(start, end))
        floor = end
    return found


def can_move(item: Part) -> bool:
    """False for an element with an anchor or an alias, whose meaning depends on the order."""
    return not any(part.anchor or part.style == "alias" for part in walk(item))


def _above(source: SourceText, start: int, floor: int, column: int) -> int:
    """The first of the comment lines directly above a line, in this column."""
    while start > floor:
        line = source.line_start(start - 1)
        text = source.text[line:start]
        if line < floor or not _COMMENT.match(text) or len(text) - len(text.lstrip(" ")) != column:
            break
        start = line
    return start


def _below(source: SourceText, end: int, ceiling: int, column: int) -> int:
    """The end of the comment lines directly below a line that are indented more than this column."""
    while end < ceiling:
        after = source.next_line(end)
        text = source.text[end:after]
        if not _COMMENT.match(text) or len(text) - len(text.lstrip(" ")) <= column:
            break
        end = after
    return end
