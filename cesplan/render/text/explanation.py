"""The page that explains a code."""

from collections.abc import Sequence

from cesplan.domain.diagnostic import Code
from cesplan.render.page import BLANK, Ink, Page, Span, line, paint, wrapped
from cesplan.render.text.layout import PLAIN, View

_OWN_LINE = ("#", "- ", "* ")
"""The beginnings of Markdown lines that are not joined."""


def explanation_text(known: Code, view: View = PLAIN) -> str:
    """The page of a code, ended by a line feed. Prose is wrapped; indented and fenced lines are unchanged."""
    can = f'can be silenced: $silence: {{{known.code}: "why"}}' if known.silenceable else "cannot be silenced"
    head = line(Span(f"{known.code}  {known.title}", Ink.STRONG))
    facts = line(Span(f"{known.severity}; {can}", Ink.DIM))
    return paint([head, facts, BLANK, *_body(known.page, view)], colour=view.colour)


def _body(page: str, view: View) -> Page:
    rows: Page = []
    fenced = False
    paragraph: list[str] = []
    for text in [*page.strip("\n").split("\n"), ""]:
        is_code = fenced or text.startswith("    ")
        if text.startswith("```"):
            fenced = not fenced
        elif not is_code and text.strip() and not text.startswith(_OWN_LINE):
            paragraph.append(text.strip())
            continue
        rows += _prose(paragraph, view)
        paragraph = [text.strip()] if text.startswith(_OWN_LINE) and not is_code else []
        if is_code and not text.startswith("```"):
            rows.append(line(Span(f"    {text}" if fenced else text, Ink.COMMAND)))
        elif not text.strip():
            rows.append(BLANK)
    return rows[:-1]


def _prose(paragraph: Sequence[str], view: View) -> Page:
    """One paragraph, rewrapped; bold Markdown text is strong."""
    if not paragraph:
        return []
    text = " ".join(paragraph)
    hang = 2 if text.startswith(("- ", "* ")) else 0
    parts = text.lstrip("# ").split("**") if text.startswith("#") else text.split("**")
    strong = text.startswith("#")
    spans = [Span(part, Ink.STRONG if strong or place % 2 else "") for place, part in enumerate(parts) if part]
    return wrapped(tuple(spans), view.width, hang)
