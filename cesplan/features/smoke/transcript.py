"""The actions of an agent, as text for a chat."""

from cesplan.domain.features.smoke import AgentReply
from cesplan.features.smoke import words
from cesplan.features.smoke.words import SAID
from cesplan.render.page import Ink, Page, Span, line, paint, wrapped
from cesplan.render.text.layout import View


def reply_text(reply: AgentReply, view: View) -> str:
    """Answers start at the margin, with the agent's name if it is known; other actions are indented."""
    page: Page = []
    for sign, text in words.reply_rows(reply):
        if sign == SAID:
            page += _text_page(text, view)
        else:
            page += wrapped(line(Span(f"  {sign} {text}", Ink.DIM)), view.width, 4)
    if not page:
        page.append(line(Span("(no answer)", Ink.DIM)))
    return paint(page, colour=view.colour)


def _text_page(text: str, view: View) -> Page:
    first, *rest = text.splitlines() or [""]
    page = wrapped(line(first), view.width, 2)
    for row in rest:
        page += wrapped(line(f"  {row}"), view.width, 2)
    return page
