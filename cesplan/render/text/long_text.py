"""How differences in long text look: numbered hunks, changed words, and syntax colors if colors are on."""

from collections.abc import Iterator, Sequence

from cesplan.domain.text.words import count
from cesplan.render.page import Ink, Line, Page, Span, line, width_of, wrapped
from cesplan.render.text.highlighting import LEXERS, highlighted
from cesplan.render.text.layout import Layout
from cesplan.render.text.text_diff import DiffLine, Piece, Sign, text_diff, word_diff
from cesplan.render.values import shortened

INDENT = 8
_INKS = {Sign.OLD: Ink.DELETE, Sign.NEW: Ink.CREATE, Sign.SAME: Ink.DIM, Sign.GAP: Ink.DIM}
_LONGEST_BLOCK = 12
"""The most lines shown of an added or removed text; its file or live has the full text."""
_LONGEST_DIFF = 400
"""The most lines shown of the differences in one text; the page ends with a command that shows all of them."""
_LONGEST_LINE = 480
"""A longer line shows only its changes and the text around them."""
_KEPT = 40


def hunks_page(before: str, after: str, language: str, layout: Layout) -> tuple[Page, str]:
    """The hunks of two texts, and how much of the text they are (`3 of 41 lines`)."""
    diff = text_diff(before, after)
    colours = _Colours(before, after, language, on=layout.view.colour)
    digits = len(str(max((item.number for item in diff.lines), default=1)))
    most = len(diff.lines) if layout.view.full else _LONGEST_DIFF
    shown, rest = diff.lines[:most], len(diff.lines) - most
    rows = [row for item in shown for row in _diff_row(item, digits, colours, layout)]
    if rest > 0:
        rows.append(_more(INDENT, rest))
    coarse = ", in part compared as a whole" if diff.is_coarse else ""
    return rows, f"{diff.changed:,} of {count(diff.total, 'line')}{coarse}"


def words_page(before: str, after: str, width: int) -> Page:
    """Two single lines, one below the other, with the words that changed."""
    old, new = word_diff(before, after)
    return [*_word_row(Sign.OLD, old, width), *_word_row(Sign.NEW, new, width)]


def block_page(text: str, language: str, layout: Layout, *, new: bool) -> Page:
    """The beginning of a text that was added or removed as a whole."""
    sign, ink = (Sign.NEW, Ink.CREATE) if new else (Sign.OLD, Ink.DELETE)
    rows = highlighted(text, language) if layout.view.colour and language in LEXERS else _plain(text, ink)
    rest = len(rows) - _LONGEST_BLOCK
    if rest == 1:
        rest = 0
    shown = rows[:_LONGEST_BLOCK] if rest > 0 else rows
    page: Page = []
    for row in shown:
        page += wrapped(line(" " * INDENT, Span(f"{sign} ", ink), *row), layout.width, INDENT + 2)
    if rest > 0:
        page.append(_more(INDENT + 2, rest))
    return page


def _more(indent: int, number: int) -> Line:
    """How much is left out; the mark counts it among what the whole view leaves out."""
    return line(" " * indent, Span(f"… {count(number, 'more line')} (--full shows them)", Ink.DIM, cut=True))


class _Colours:
    """The syntax colors of both texts, computed once, and only for lines that are shown."""

    def __init__(self, before: str, after: str, language: str, *, on: bool) -> None:
        self.on = on and language in LEXERS
        self._old: Sequence[Line] = highlighted(before, language) if self.on else ()
        self._new: Sequence[Line] = highlighted(after, language) if self.on else ()

    def row(self, item: DiffLine) -> Line:
        """The colored spans of a line, with its changes marked."""
        side = self._old if item.sign is Sign.OLD else self._new
        return tuple(_overlaid(side[item.number - 1], item.pieces))


def _diff_row(item: DiffLine, digits: int, colours: _Colours, layout: Layout) -> Page:
    ink = _INKS[item.sign]
    if item.sign is Sign.GAP:
        return [line(" " * INDENT, Span("⋮".rjust(digits), Ink.DIM))]
    head = line(" " * INDENT, Span(f"{item.number:>{digits}} ", Ink.DIM), Span(f"{item.sign} ", ink))
    hang = width_of(head)
    if item.sign is Sign.SAME:
        text = shortened(item.pieces[0].text, layout.width - hang)
        whole = text == item.pieces[0].text
        return [(*head, *(colours.row(item) if whole and colours.on else (Span(text, ink, cut=not whole),)))]
    pieces = item.pieces
    if sum(len(piece.text) for piece in pieces) > _LONGEST_LINE:
        pieces = tuple(_pruned(pieces))
    cut = pieces != item.pieces
    spans = colours.row(item) if colours.on and not cut else _spans(pieces, ink, cut=cut)
    return wrapped((*head, *spans), layout.width, hang)


def _word_row(sign: Sign, pieces: tuple[Piece, ...], width: int) -> Page:
    ink = _INKS[sign]
    shown = tuple(_pruned(pieces)) if sum(len(piece.text) for piece in pieces) > width * 2 else pieces
    return wrapped((Span(f"{sign} ", ink), *_spans(shown, ink, cut=shown != pieces)), width, 2)


def _spans(pieces: Sequence[Piece], ink: str, *, cut: bool) -> Line:
    # A line that changed as a whole needs no marks.
    mark = len(pieces) > 1
    return tuple(Span(piece.text, ink, marked=piece.changed and mark, cut=cut) for piece in pieces)


def _pruned(pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """Unchanged stretches keep only the text next to a change; long changes lose their middle."""
    for place, piece in enumerate(pieces):
        text = piece.text
        if piece.changed or len(pieces) == 1:
            yield Piece(shortened(text, _LONGEST_LINE), piece.changed)
        elif place == 0 and len(text) > _KEPT:
            yield Piece(f"… {text[-_KEPT:].lstrip()}")
        elif place == len(pieces) - 1 and len(text) > _KEPT:
            yield Piece(f"{text[:_KEPT].rstrip()} …")
        elif len(text) > 2 * _KEPT:
            yield Piece(f"{text[:_KEPT].rstrip()} … {text[-_KEPT:].lstrip()}")
        else:
            yield piece


def _overlaid(row: Line, pieces: tuple[Piece, ...]) -> Iterator[Span]:
    """Spans cut at the boundaries of pieces, and marked where a piece changed."""
    ends: list[tuple[int, bool]] = []
    total = 0
    for piece in pieces:
        total += len(piece.text)
        ends.append((total, piece.changed and len(pieces) > 1))
    at = 0
    for span in row:
        text = span.text
        while text:
            end, marked = next(((end, mark) for end, mark in ends if end > at), (at + len(text), False))
            size = min(len(text), end - at)
            yield Span(text[:size], span.ink, marked)
            at, text = at + size, text[size:]


def _plain(text: str, ink: str) -> list[Line]:
    return [(Span(row, ink),) for row in text.split("\n")]
