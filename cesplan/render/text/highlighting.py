"""
Syntax colors of code, line by line, if the extra `highlight` is installed.

Only called when colors are on, because the lexers load slowly.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from cesplan.render.page import Line, Span

if TYPE_CHECKING:
    from rich.text import Text

LEXERS = {"python": "python", "yaml": "yaml", "json": "json"}
"""Languages of texts that get syntax colors; prose is left as it is."""


def highlighted(text: str, language: str) -> list[Line]:
    """The lines of a text, colored if the language is supported; as many lines as `text.split` gives."""
    lexer = LEXERS.get(language)
    lines = text.split("\n")
    if lexer is None or find_spec("rich") is None:
        return [(Span(item),) for item in lines]
    from rich.syntax import Syntax

    code = Syntax("", lexer, theme="ansi_dark").highlight(text)
    code.plain = text  # the highlighter adds a final line feed
    return [_spans(item) for item in code.split("\n", allow_blank=True)][: len(lines)]


def _spans(row: "Text") -> Line:
    """The colored pieces of one line, and the text between them."""
    found: list[Span] = []
    at = 0
    for start, end, style in sorted(row.spans, key=lambda span: (span.start, span.end)):
        start = max(start, at)
        if start >= end:
            continue
        found.append(Span(row.plain[at:start]))
        found.append(Span(row.plain[start:end], str(style).replace("none", "")))
        at = end
    found.append(Span(row.plain[at:]))
    return tuple(span for span in found if span.text)
