"""
Pages: lines of marked text, which become plain or colored text only at the end.

Everything that people read is a page first. Color never says more than the words do, so a page without color
loses nothing: changed words are then set in ‹angle quotes› instead of being underlined.
"""

import re
import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import TypeAlias

from cesplan.domain.frozen import dataclass
from cesplan.domain.text.characters import commandless


class Ink(StrEnum):
    """Words of ATTRIBUTES and COLOURS. The 16 colors of the terminal are readable on light and dark."""

    CREATE = "green"
    UPDATE = "yellow"
    DELETE = "red"
    STRONG = "bold"
    DIM = "dim"
    COMMAND = "cyan"
    ERROR = "bold red"
    WARNING = "bold yellow"
    NOTICE = "bold blue"


ATTRIBUTES = ("bold", "dim", "italic", "underline")
COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
"""In the order of their SGR numbers (ECMA-48), which begin at 1 and at 30; bright colors begin at 90."""

MARK = "bold underline"
_WORDS = re.compile(r"\s+|\S+")
_FLAGS = re.compile(r"--(?:allow-delete|allow-policy|force|resend) \S+|\s+|\S+")
"""Like `_WORDS`, but a flag and its value are one word, so that they can be copied together."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text; `marked` if it changed inside a line, `cut` if it stands for omitted content."""

    text: str
    ink: str = ""
    marked: bool = False
    cut: bool = False

    def plain(self) -> str:
        text = printable(self.text)
        return f"‹{text}›" if self.marked else text

    def coloured(self) -> str:
        return _inked(printable(self.text), f"{self.ink} {MARK}" if self.marked else self.ink)


Line: TypeAlias = tuple[Span, ...]
Page: TypeAlias = list[Line]

BLANK: Line = ()


def line(*parts: Span | str) -> Line:
    """A line from spans and plain texts."""
    return tuple(Span(part) if isinstance(part, str) else part for part in parts)


def paint(page: Iterable[Line], *, colour: bool) -> str:
    """The text of a page, each line ended by a line feed, without log commands; empty for an empty page."""
    return commandless("".join(f"{_painted(item, colour=colour)}\n" for item in page))


def width_of(item: Line | str) -> int:
    """The number of terminal columns that a text takes without color."""
    text = item if isinstance(item, str) else "".join(span.plain() for span in item)
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def is_cut(page: Iterable[Line]) -> bool:
    """Whether anything was left out of a page."""
    return any(span.cut for item in page for span in item)


def padded(item: Line, width: int) -> Line:
    """The line filled with spaces up to a width."""
    return (*item, Span(" " * max(0, width - width_of(item))))


def labeled(label: str, text: str, width: int, ink: str = Ink.NOTICE) -> Page:
    """`Notice: a text`, wrapped so that its lines are aligned after the label; `label` ends with a space."""
    return wrapped((Span(label, ink), Span(text)), width, len(label))


def indented(page: Iterable[Line], by: int) -> Page:
    """The page moved to the right; blank lines stay blank."""
    return [(Span(" " * by), *item) if item else item for item in page]


def printable(text: str) -> str:
    """A text in which every character that could move the cursor, or hide or reorder text, is made visible."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign == " " else _visible(sign) for sign in text)


def wrapped(item: Line, width: int, hang: int) -> Page:
    """
    A line broken at spaces so that it fits a width; the lines after the first are indented by `hang`.

    A word that is wider than a line is left whole, because it may be something to copy.
    """
    if width_of(item) <= width:
        return [item]
    words = _words(item, width - hang)
    page: Page = []
    row: list[Span] = []
    used = 0
    for word in words:
        size = width_of((word,))
        if row and used + size > width and word.text.strip() and used > hang:
            page.append(_trimmed(row))
            row, used = [Span(" " * hang)], hang
        row.append(word)
        used += size
    return [*page, _trimmed(row)]


def _words(item: Line, room: int) -> list[Span]:
    """
    Spans cut into words and white space; a flag and its value stay together if both fit. A marked span stays
    whole if it fits on a line; otherwise it is cut at spaces into parts that fit, each with its own mark.
    """
    found: list[Span] = []
    for span in item:
        if span.marked and width_of((span,)) <= room:
            found.append(span)
            continue
        pieces = _lines(span, room) if span.marked else _pieces(span.text, room)
        found += [Span(piece, span.ink, span.marked and not piece.isspace(), span.cut) for piece in pieces]
    return found


def _lines(span: Span, room: int) -> list[str]:
    """A marked text as parts that fit a line with their mark, and the white space between them."""
    parts: list[str] = []
    for piece in _WORDS.findall(span.text):
        grown = f"{parts[-1]}{piece}" if parts and not parts[-1].isspace() else ""
        if grown and width_of((Span(grown, marked=True),)) <= room:
            parts[-1] = grown
        else:
            parts.append(piece)
    return [text for part in parts for text in (part.rstrip(), part[len(part.rstrip()) :]) if text]


def _pieces(text: str, room: int) -> list[str]:
    if "--" not in text:
        return _WORDS.findall(text)
    return [
        word
        for piece in _FLAGS.findall(text)
        for word in ([piece] if width_of(piece) <= room else _WORDS.findall(piece))
    ]


def _trimmed(row: list[Span]) -> Line:
    while row and not row[-1].marked and not row[-1].text.strip():
        row.pop()
    return tuple(row)


def _painted(item: Line, *, colour: bool) -> str:
    if colour:
        return "".join(span.coloured() for span in item)
    return "".join(span.plain() for span in item).rstrip(" ")


@cache
def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _visible(sign: str) -> str:
    match sign:
        case "\t":
            return "    "
        case "\n":
            return "⏎"
        case "\r":
            return "␍"
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}"


def _inked(text: str, ink: str) -> str:
    codes = _codes(ink)
    return f"\x1b[{codes}m{text}\x1b[0m" if codes and text else text


@cache
def _codes(ink: str) -> str:
    """The SGR numbers of an ink: those of its attributes, then that of the last color that it names."""
    words = ink.split()
    found = [str(number) for number, word in enumerate(ATTRIBUTES, 1) if word in words]
    colours = [word for word in words if word not in ATTRIBUTES]
    if colours:
        name = colours[-1].removeprefix("bright_")
        found.append(str(COLOURS.index(name) + (90 if name != colours[-1] else 30)))
    return ";".join(found)
