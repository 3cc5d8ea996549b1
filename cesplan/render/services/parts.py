"""A long text in parts: pages of Markdown that fit into the size limit of a service."""

import html
from collections.abc import Iterator

from cesplan.render.page import printable
from cesplan.render.services.markdown_escaping import code_html

SUMMARY_BYTES = 1_000_000
"""Below the 1 MiB that GitHub accepts for the job summary of one step."""

_ROOM = 1_000
"""Bytes reserved for the heading of a part and the markup around its text."""
_SMALLEST = 2 * _ROOM
_TITLE = 80
_WIDEST_SIGN = 5
"""Bytes of `&amp;`; a character outside ASCII has at most four in UTF-8."""


def markdown_parts(text: str, *, title: str, limit: int = SUMMARY_BYTES) -> tuple[str, ...]:
    """
    All of a text as pages of Markdown of at most `limit` bytes of UTF-8 each, in order.

    Nothing is left out. The text is in `<pre>` elements with its `<` and `&` escaped, which nothing in it
    can close (CommonMark 0.31, section 4.6), so that no part of it is read as Markdown or HTML. Only a line
    that is longer than a page is broken. Raises ValueError for a limit that leaves no room.
    """
    if limit < _SMALLEST:
        raise ValueError(f"a part takes at least {_SMALLEST} bytes")
    lines = text.removesuffix("\n").split("\n")
    pages = tuple(_pages(lines, limit - _ROOM))
    name = code_html(title[:_TITLE])
    of = [f", part {number} of {len(pages)}" if len(pages) > 1 else "" for number in range(1, len(pages) + 1)]
    return tuple(
        f"#### {name}{which}\n\n<pre>\n{page}</pre>\n\n" for which, page in zip(of, pages, strict=True)
    )


def _pages(lines: list[str], room: int) -> Iterator[str]:
    page: list[str] = []
    used = 0
    for line in _escaped(lines, room):
        size = len(line.encode())
        if page and used + size > room:
            yield "".join(page)
            page, used = [], 0
        page.append(line)
        used += size
    yield "".join(page)


def _escaped(lines: list[str], room: int) -> Iterator[str]:
    """The lines, each ended by a line feed and none longer than the room."""
    longest = room // _WIDEST_SIGN - 1
    for line in lines:
        shown = printable(line)
        for start in range(0, max(len(shown), 1), longest):
            yield html.escape(shown[start : start + longest], quote=False) + "\n"
