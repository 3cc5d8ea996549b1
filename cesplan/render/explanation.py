"""The page that explains a code, for people and for machines."""

from cesplan.render.documents import opening, text_of
from cesplan.render.layout import View
from cesplan.render.page import BLANK, COMMAND, DIM, STRONG, Page, Span, line, paint, wrapped

_PLAIN = View()


def explanation_text(
    *, code: str, title: str, severity: str, silenceable: bool, page: str, view: View = _PLAIN
) -> str:
    """The page of a code, ended by a line feed. Prose is wrapped; what is indented or fenced stays as it is."""
    can = "can be silenced: $silence: {" + code + ': "why"}' if silenceable else "cannot be silenced"
    head = line(Span(f"{code}  {title}", STRONG))
    facts = line(Span(f"{severity}; {can}", DIM))
    return paint([head, facts, BLANK, *_body(page, view)], colour=view.colour)


def explanation_json(*, code: str, title: str, severity: str, silenceable: bool, page: str) -> str:
    """The same as a JSON document."""
    told = {"code": code, "title": title, "severity": severity, "silenceable": silenceable, "page": page}
    return text_of({**opening(), **told})


def _body(page: str, view: View) -> Page:
    rows: Page = []
    fenced = False
    for text in page.strip("\n").split("\n"):
        if text.startswith("```"):
            fenced = not fenced
        elif fenced or text.startswith("    "):
            rows.append(line(Span(f"    {text}" if fenced else text, COMMAND)))
        elif text.startswith("#"):
            rows.append(line(Span(text.lstrip("# "), STRONG)))
        else:
            rows += wrapped(line(text), view.width, 2 if text.startswith(("- ", "* ")) else 0)
    return rows
