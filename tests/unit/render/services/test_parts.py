"""A long text in parts: nothing is lost, nothing becomes Markdown, no part is too large."""

import html
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cesplan.render.page import printable
from cesplan.render.services.parts import markdown_parts

_PARSER = MarkdownIt("commonmark", {"html": True})
_HOSTILE = "</pre>\n~~~~\n```\n\n# Approved\n![x](https://evil.example/x.png) @acme/all &lt;b>\n<script>\n<!--"


def _read(page: str) -> str:
    """The text of a part, as a browser shows it."""
    inside = re.fullmatch(r"#### .*\n\n<pre>\n(.*)</pre>\n\n", page, re.DOTALL)
    assert inside is not None, page
    return html.unescape(inside[1])


@given(st.text(max_size=3000), st.integers(min_value=2000, max_value=4000))
@example(_HOSTILE, 2000)
@example("&" * 9000, 2000)
@example("\U0001f600\n" * 900, 2000)
def test_every_character_is_in_a_part_and_no_part_is_too_large(text: str, limit: int) -> None:
    """What does not print is spelled out; only a line that is longer than a part is broken."""
    pages = markdown_parts(text, title="prod", limit=limit)
    assert [page for page in pages if len(page.encode()) > limit] == []
    shown = "".join(map(_read, pages)).replace("\n", "")
    assert shown == "".join(printable(line) for line in text.removesuffix("\n").split("\n"))


def test_nothing_in_a_text_is_read_as_markdown() -> None:
    """It cannot end the block that it is in, nor can the title become anything but a title."""
    (page,) = markdown_parts(f"{_HOSTILE}\n", title=_HOSTILE)
    rendered = _PARSER.render(page)
    assert set(re.findall(r"<(\w+)", rendered)) == {"h4", "code", "pre"}
    assert _read(page) == f"{_HOSTILE}\n"


def test_parts_say_which_they_are_and_one_alone_does_not() -> None:
    pages = markdown_parts("a line\n" * 600, title="prod", limit=2000)
    assert pages[0].startswith("#### <code>prod</code>, part 1 of 5\n")
    assert pages[-1].startswith("#### <code>prod</code>, part 5 of 5\n")
    assert markdown_parts("one\n", title="prod") == ("#### <code>prod</code>\n\n<pre>\none\n</pre>\n\n",)


def test_a_part_needs_room() -> None:
    with pytest.raises(ValueError, match="at least 2000 bytes"):
        markdown_parts("one\n", title="prod", limit=1999)
