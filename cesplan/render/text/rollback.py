"""A rollback after a failure: a line for each operation, and a part of the report."""

from collections.abc import Sequence

from cesplan.domain.outcome import NotRolledBack, RolledBack, Undone
from cesplan.domain.plan import Action
from cesplan.domain.text.words import count, seconds
from cesplan.render.page import BLANK, Ink, Page, Span, line, padded, paint, width_of, wrapped
from cesplan.render.text.errors import detail_page
from cesplan.render.text.layout import PLAIN, View

_SIGN = "↶"
_WORDS = {Action.CREATE: "deleted again", Action.UPDATE: "restored", Action.DELETE: "created again"}
_WORD_WIDTH = 15
_TIME_WIDTH = 8


def undone_text(undone: Undone, view: View = PLAIN, *, widest: int = 34, name: str = "") -> str:
    """The line of one operation to roll back, ended by a line feed; `name` replaces its address."""
    left = line("  ", Span(f"{_SIGN} ", Ink.DIM), f"{(name or undone.operation.address.short).ljust(widest)}  ")
    word = Span(undone_word(undone), Ink.DELETE if isinstance(undone, NotRolledBack) else Ink.UPDATE)
    row = padded((*left, word), width_of(left) + _WORD_WIDTH)
    page: Page = [(*row, Span(seconds(undone.seconds).rjust(_TIME_WIDTH)))]
    if isinstance(undone, NotRolledBack):
        page += _reason(undone, view.width)
    return paint(page, colour=view.colour)


def undone_page(undone: Sequence[Undone], view: View) -> Page:
    """The rollback in the report; empty if there was nothing to roll back."""
    if not undone:
        return []
    left = [item for item in undone if isinstance(item, NotRolledBack)]
    return [BLANK, _headline(undone, left), *_left(left, view), *_losses(undone, view)]


def undone_words(undone: Sequence[Undone]) -> tuple[str, str]:
    """The verdict and its numbers: `Rolled back in part`, `1 of 2 undone, in 1 write.`"""
    left = sum(isinstance(item, NotRolledBack) for item in undone)
    writes = count(sum(item.writes for item in undone), "write")
    if left:
        return "Rolled back in part", f"{len(undone) - left:,} of {len(undone):,} undone, in {writes}."
    return "Rolled back", f"everything undone, in {writes}. Read back: live is as it was before."


def undone_word(undone: Undone) -> str:
    """The outcome of one operation's rollback: `restored`, `not undone`."""
    match undone:
        case RolledBack():
            return _WORDS[undone.operation.action] if undone.writes else "unchanged"
        case NotRolledBack():
            return "not undone"


def _headline(undone: Sequence[Undone], left: Sequence[NotRolledBack]) -> tuple[Span, ...]:
    verdict, details = undone_words(undone)
    return line(Span(f"{verdict}: ", f"{Ink.STRONG} {Ink.UPDATE}" if left else Ink.STRONG), details)


def _left(left: Sequence[NotRolledBack], view: View) -> Page:
    page: Page = []
    for item in left:
        text = f"{item.operation.address.short}: {item.because}"
        page += wrapped(line("  ", Span("not undone    ", Ink.DELETE), text), view.width, 16)
    return page


def _losses(undone: Sequence[Undone], view: View) -> Page:
    page: Page = []
    for item in undone:
        for text in item.lost:
            row = f"{item.operation.address.short}: {text}"
            page += wrapped(line("  ", Span("not restored  ", Ink.UPDATE), row), view.width, 16)
    return page


def _reason(undone: NotRolledBack, width: int) -> Page:
    rows = wrapped(line("      ", undone.because), width, 6)
    return [*rows, *(detail_page(undone.error, width, 6) if undone.error else [])]
