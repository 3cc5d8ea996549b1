"""Errors for people: one line that says what went wrong, then why and what to do."""

from cesplan.domain.errors import ApiError, CesplanError, Refused
from cesplan.render.page import Ink, Page, Span, line, paint, wrapped
from cesplan.render.text.layout import PLAIN, View


def error_text(error: CesplanError, view: View = PLAIN) -> str:
    """The text of an error, ended by a line feed."""
    head = wrapped((Span("Error: ", Ink.ERROR), Span(error.summary)), view.width, 2)
    return paint([*head, *detail_page(error, view.width)], colour=view.colour)


def detail_page(error: CesplanError, width: int, indent: int = 2) -> Page:
    """The lines below the summary. Indented lines of a detail are commands and are not wrapped."""
    texts = list(error.reasons) if isinstance(error, Refused) else []
    if error.detail:
        texts += error.detail.split("\n")
    page: Page = []
    for text in texts:
        row = line(" " * indent, text)
        page += [row] if text.startswith("    ") else wrapped(row, width, indent)
    return page


def status_of(error: CesplanError) -> str:
    """The canonical status of an answer (`ABORTED`), or nothing."""
    known = isinstance(error, ApiError) and error.status not in ("", "UNKNOWN")
    return error.status if known and isinstance(error, ApiError) else ""
