"""
Untrusted texts in Markdown: they are shown literally and have no effect.

Names and messages come from the live service, from policies, and from trees of strangers. In a comment they
must not load an image, hide a link, notify a person, refer to another issue, or close the markup around them.
Characters that Markdown would act on are written as character references, which neither Markdown nor HTML reads
as structure.

Source: CommonMark 0.31, section 2.5; GitHub and GitLab look for mentions (`@name`) and references (`#12`,
`!12`, `&12`, `%12`) in the displayed text, so an invisible word joiner (U+2060) splits those.
"""

import html
import re
from collections.abc import Callable

from cesplan.render.page import printable

_JOINER = "\u2060"
_SPAN = re.compile(r"(?<!`)(`+)(?!`)([^\n]+?)(?<!`)\1(?!`)")
"""A span of code on one line."""
_ACTIVE = re.compile(r"[\\`*\[\]~|]|(?<![^\W_])_|_(?![^\W_])")
"""An underscore inside a word has no effect in Markdown."""
_OPENING = re.compile(r"(?m)^( *)([-+=#>]|\d+(?=[.)]))")
"""Text that could open a list or a heading."""
_REFERENCE = re.compile(r"@(?=\w)|[#!&%$~](?=\d)")


def inert(text: str) -> str:
    """A text for use in Markdown, with its line feeds. Code between backticks stays code."""
    return _by_spans(text, lambda code: code)


def inert_html(text: str) -> str:
    """A text for use in HTML, inside Markdown or not; code between backticks becomes an element."""
    return _by_spans(text, lambda code: f"<code>{_plain(code.strip('`'))}</code>")


def code_html(text: str) -> str:
    """A name as a `code` element, for use in HTML, inside Markdown or not."""
    return f"<code>{_escaped(printable(text))}</code>"


def _by_spans(text: str, code: Callable[[str], str]) -> str:
    shown = "\n".join(map(printable, text.split("\n")))
    parts: list[str] = []
    end = 0
    for found in _SPAN.finditer(shown):
        parts += [_plain(shown[end : found.start()]), code(found[0])]
        end = found.end()
    return "".join([*parts, _plain(shown[end:])])


def _plain(text: str) -> str:
    parted = _REFERENCE.sub(lambda found: f"{found[0]}{_JOINER}", text)
    return _OPENING.sub(lambda found: found[1] + _referenced(found[2]), _escaped(parted))


def _escaped(text: str) -> str:
    return _ACTIVE.sub(_reference, html.escape(text, quote=False))


def _reference(found: re.Match[str]) -> str:
    return _referenced(found[0])


def _referenced(text: str) -> str:
    return "".join(f"&#{ord(sign)};" for sign in text)
