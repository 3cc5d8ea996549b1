"""
Merge two edited versions of a text: by line, and inside a long paragraph by sentence, then by word.

As in git, two edits collide if they change the same lines, or lines without an unchanged line between them. A
line of more than `LONGEST_LINE` characters is a paragraph without line breaks, and the same rule applies to its
sentences. Two edits of one sentence are separate if `WORDS_BETWEEN` unchanged words are between them, so a
sentence rewritten by one side is never mixed with the other side's edit of it.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import TypeAlias, assert_never

from cesplan.domain.frozen import dataclass
from cesplan.domain.text.diff3 import Clash, Region, Settled, Units, regions
from cesplan.domain.text.line_matching import MOST_LINES

LONGEST_LINE = 120
"""The longest line that counts as hard-wrapped, in characters; a longer one is a paragraph."""

WORDS_BETWEEN = 3
"""The unchanged words that separate two edits of one sentence; a single `the` or `of` is not enough."""

_SENTENCE_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=([ \t]*+\n\s*+|[ \t]++))"
    r"|[。！？]++[”’」』）]*+"
    r"|(?=(?<![ \t])([ \t]*+\n\s*+))"
)
"""The end of a sentence and the blanks after it: after a mark and closing quotes, or at the end of a line."""
_WORDS = re.compile(r"\s+|\S+")


class Finest(StrEnum):
    """How finely a text may be split where long lines collide."""

    LINE = "line"
    SENTENCE = "sentence"
    WORD = "word"


_PROSE = frozenset({"markdown", "text"})


def finest_of(language: str) -> Finest:
    """
    How finely a text of this language may be split: prose into words, code and documents into lines.

    A text without a language may be an expression, so it is split into sentences only.
    """
    if not language:
        return Finest.SENTENCE
    return Finest.WORD if language in _PROSE else Finest.LINE


class LineEnd(StrEnum):
    """How the lines of a text end."""

    NONE = ""
    LF = "\n"
    CRLF = "\r\n"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Collision:
    """
    A place that both sides changed differently: lines, or sentences of a paragraph.

    `line` is its first line in our text, from 1, and `lines` the number of our lines that it touches. A side
    that is None deleted it, or never had it.
    """

    line: int
    lines: int
    base: str | None
    ours: str | None
    theirs: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Both edits in one text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Collided:
    """
    Edits that collide in at least one place; `collisions` are in text order.

    `with_ours` and `with_theirs` are the merged text with all collisions decided for that side. `marked` has
    both sides of each collision between conflict markers, as git writes them. `why` says why the texts were not
    compared more finely, if they were not.
    """

    collisions: tuple[Collision, ...]
    with_ours: str
    with_theirs: str
    marked: str
    why: str = ""


TextMerge: TypeAlias = Merged | Collided


def merge_text(base: str, ours: str, theirs: str, *, finest: Finest = Finest.WORD) -> TextMerge:
    """
    Merge two versions of `base`: ours is the tree's text, theirs the live one.

    `finest` is WORD for prose, LINE for code and documents for machines, SENTENCE for texts that may be either.
    Line endings are a property of the text: if one side changed all of them, the result has the new ones. If
    one side left the text alone, the result is the other text, byte for byte.
    """
    if ours == theirs or base == theirs:
        return Merged(text=ours)
    if base == ours:
        return Merged(text=theirs)
    ending = _line_end(base, ours, theirs)
    joint = "\r\n" if ending is LineEnd.CRLF else "\n"
    sides = [text if ending is LineEnd.MIXED else text.replace("\r\n", "\n") for text in (base, ours, theirs)]
    pieces = [*_pieces(regions(*(text.split("\n") for text in sides)), finest)]
    return _outcome(pieces, joint)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """A part of the result, in lines: decided for ours, decided for theirs, and with markers."""

    ours: Units
    theirs: Units
    marked: Units
    collisions: tuple[Collision, ...] = ()


def _line_end(base: str, ours: str, theirs: str) -> LineEnd:
    """The line endings of the result: those that a side changed to, if each text has only one kind."""
    before, mine, their = ends = [_line_end_of(text) for text in (base, ours, theirs)]
    if LineEnd.MIXED in ends:
        return LineEnd.MIXED
    decided = their if mine in (before, LineEnd.NONE) else mine
    return decided or mine or before


def _line_end_of(text: str) -> LineEnd:
    breaks, with_return = text.count("\n"), text.count("\r\n")
    if not breaks:
        return LineEnd.NONE
    return LineEnd.LF if not with_return else LineEnd.CRLF if with_return == breaks else LineEnd.MIXED


def _pieces(found: list[Region], finest: Finest) -> Iterator[_Piece]:
    line = 1
    for region in found:
        match region:
            case Settled(units=units, ours=ours):
                yield _Piece(ours=units, theirs=units, marked=units)
            case Clash(ours=ours):
                yield _clashing(region, line, finest)
            case _:
                assert_never(region)
        line += len(ours)


def _clashing(clash: Clash, line: int, finest: Finest) -> _Piece:
    """Lines that collide. In paragraphs, some of their sentences may still merge."""
    is_long = all((clash.ours, clash.theirs)) and max(map(len, clash.base), default=0) > LONGEST_LINE
    base, ours, theirs = (_text(side) for side in (clash.base, clash.ours, clash.theirs))
    if finest is Finest.LINE or not is_long:
        found = Collision(line=line, lines=len(clash.ours), base=base, ours=ours, theirs=theirs)
        return _Piece(ours=clash.ours, theirs=clash.theirs, marked=_marked(clash), collisions=(found,))
    inner = _sentences(base or "", ours or "", theirs or "", finest)
    decided = Clash(base=clash.base, ours=_decided(inner, ours=True), theirs=_decided(inner, ours=False))
    collisions = tuple(_placed(inner, line))
    marked = _marked(decided) if collisions else decided.ours
    return _Piece(ours=decided.ours, theirs=decided.theirs, marked=marked, collisions=collisions)


def _sentences(base: str, ours: str, theirs: str, finest: Finest) -> list[Region]:
    """The regions of a paragraph by sentence, and by word where sentences collide."""
    sides = (_cut(text) for text in (base, ours, theirs))
    found = regions(*sides, gap=2)
    return [_by_word(region) for region in found] if finest is Finest.WORD else found


def _by_word(region: Region) -> Region:
    if isinstance(region, Settled) or not all((region.base, region.ours, region.theirs)):
        return region
    sides = ["".join(side) for side in (region.base, region.ours, region.theirs)]
    found = regions(*(_WORDS.findall(text) for text in sides), gap=2 * WORDS_BETWEEN)
    settled = [item for item in found if isinstance(item, Settled)]
    if len(settled) < len(found):
        return region
    return Settled(units=tuple(unit for item in settled for unit in item.units), ours=region.ours)


def _cut(text: str) -> list[str]:
    """Alternating sentences and the blanks between them."""
    found: list[str] = []
    at = 0
    for match in _SENTENCE_END.finditer(text):
        if match.end() >= at:
            blanks = match[1] or match[2] or ""
            found += [text[at : match.end()], blanks]
            at = match.end() + len(blanks)
    return [*found, text[at:]]


def _decided(inner: list[Region], *, ours: bool) -> Units:
    texts: list[str] = []
    for region in inner:
        match region:
            case Settled(units=units):
                texts += units
            case Clash():
                texts += region.ours if ours else region.theirs
            case _:
                assert_never(region)
    return tuple("".join(texts).split("\n"))


def _placed(inner: list[Region], line: int) -> Iterator[Collision]:
    """The colliding sentences, with their lines."""
    for region in inner:
        mine = "".join(region.ours)
        if isinstance(region, Clash):
            base, theirs = "".join(region.base), "".join(region.theirs)
            lines = 1 + mine.count("\n")
            yield Collision(line=line, lines=lines, base=base or None, ours=mine or None, theirs=theirs or None)
        line += mine.count("\n")


def _marked(clash: Clash) -> Units:
    sides = ("<<<<<<< tree", *clash.ours, "||||||| base", *clash.base, "=======", *clash.theirs)
    return (*sides, ">>>>>>> live")


def _outcome(pieces: list[_Piece], joint: str) -> TextMerge:
    """All parts joined into one text, without lines that became empty."""
    collisions = tuple(item for piece in pieces for item in piece.collisions)
    with_ours = joint.join(line for piece in pieces for line in piece.ours)
    if not collisions:
        return Merged(text=with_ours)
    too_long = any(max(len(text.split("\n")) for text in _sides(item)) > MOST_LINES for item in collisions)
    return Collided(
        collisions=collisions,
        with_ours=with_ours,
        with_theirs=joint.join(line for piece in pieces for line in piece.theirs),
        marked=joint.join(line for piece in pieces for line in piece.marked),
        why=f"more than {MOST_LINES} lines in a row differ: they are compared as a whole" if too_long else "",
    )


def _sides(found: Collision) -> tuple[str, ...]:
    return found.base or "", found.ours or "", found.theirs or ""


def _text(lines: Units) -> str | None:
    return "\n".join(lines) if lines else None
