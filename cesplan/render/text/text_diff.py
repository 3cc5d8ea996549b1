"""
Differences between two long texts: hunks of lines with numbers, and the words that changed inside a line.

Only line feeds separate lines, so an added or removed final line feed shows as an empty line, and blank lines
stay. This module compares only; it does not know how a hunk looks.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from cesplan.domain.frozen import dataclass
from cesplan.domain.text.line_matching import Opcode, common_length, compared, grouped, opcodes, overlap

CONTEXT = 2
"""Lines shown around a change."""

_TOKENS = re.compile(r"\s+|\w+|[^\w\s]")
_ALIKE = 0.45
"""Below this similarity, two lines are unrelated, and marking their words would only be noise."""
_FURTHEST = 8
"""How many lines ahead to search for the new form of a line."""
_EXACT_WORDS = 250_000
"""The most pairs of words that are compared; the time grows with the square if words repeat."""
_MOST_PAIRED = 1000
"""The most replaced lines that are matched with their old form; more are shown as they are."""


class Sign(StrEnum):
    SAME = " "
    OLD = "-"
    NEW = "+"
    GAP = "⋮"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line; `changed` if the other side differs there."""

    text: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line: `number` counts from 1, in the old text for old lines, in the new text for all others."""

    sign: Sign
    number: int = 0
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class TextDiff:
    """
    `changed` counts lines that differ, a replaced line once; `total` these and the lines that both texts have.

    So `changed` is never more than `total`, and without deleted lines `total` is the length of the new text.
    """

    lines: tuple[DiffLine, ...]
    changed: int
    total: int
    is_coarse: bool = False
    """Whether a stretch was not compared line by line: too much of it differs, or repeats."""


def text_diff(before: str, after: str, context: int = CONTEXT) -> TextDiff:
    """The hunks that lead from one text to the other."""
    old, new = before.split("\n"), after.split("\n")
    comparison = compared(old, new)
    found = comparison.opcodes
    lines: list[DiffLine] = []
    for group in grouped(found, context):
        if lines:
            lines.append(DiffLine(Sign.GAP))
        for opcode in group:
            lines += _block(old, new, opcode)
    changed = sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in found if tag != "equal")
    same = sum(i2 - i1 for tag, i1, i2, _, _ in found if tag == "equal")
    return TextDiff(lines=tuple(lines), changed=changed, total=changed + same, is_coarse=comparison.is_coarse)


def word_diff(before: str, after: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both lines, cut into equal and changed pieces; uncut if they are not similar."""
    old, new = _TOKENS.findall(before), _TOKENS.findall(after)
    if _likeness(old, new) < _ALIKE:
        return (Piece(before),), (Piece(after),)
    head = common_length(old, new)
    tail = common_length(old[head:][::-1], new[head:][::-1])
    ends = len(old) - tail, len(new) - tail
    one, other = [Piece("".join(old[:head]))], [Piece("".join(new[:head]))]
    for tag, i1, i2, j1, j2 in _opcodes(old[head : ends[0]], new[head : ends[1]]):
        one.append(Piece("".join(old[head + i1 : head + i2]), tag != "equal"))
        other.append(Piece("".join(new[head + j1 : head + j2]), tag != "equal"))
    one.append(Piece("".join(old[ends[0] :])))
    other.append(Piece("".join(new[ends[1] :])))
    return _joined(one), _joined(other)


def _opcodes(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """How the middles of two lines differ; as one replacement if comparing word by word takes too long."""
    if len(old) * len(new) > _EXACT_WORDS:
        return [("replace", 0, len(old), 0, len(new))]
    return opcodes(old, new)


def _likeness(old: Sequence[str], new: Sequence[str]) -> float:
    """The share of words that two lines have in common, in any order: 0 to 1. White space does not count."""
    return overlap(*((token for token in side if not token.isspace()) for side in (old, new)))


def _block(old: Sequence[str], new: Sequence[str], opcode: tuple[str, int, int, int, int]) -> list[DiffLine]:
    tag, i1, i2, j1, j2 = opcode
    if tag == "equal":
        return [DiffLine(Sign.SAME, j + 1, (Piece(new[j]),)) for j in range(j1, j2)]
    pairs = dict(_alike(old[i1:i2], new[j1:j2]))
    marked = {i: word_diff(old[i1 + i], new[j1 + j]) for i, j in pairs.items()}
    back = {j: i for i, j in pairs.items()}
    removed = [
        DiffLine(Sign.OLD, i1 + i + 1, marked[i][0] if i in marked else (Piece(text),))
        for i, text in enumerate(old[i1:i2])
    ]
    come = [
        DiffLine(Sign.NEW, j1 + j + 1, marked[back[j]][1] if j in back else (Piece(text),))
        for j, text in enumerate(new[j1:j2])
    ]
    return removed + come


def _alike(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of an old and its new line, in order: each time the first similar line after the last pair."""
    start = 0
    if max(len(old), len(new)) > _MOST_PAIRED:
        return
    tokens = [_TOKENS.findall(text) for text in new]
    for i, text in enumerate(old):
        words = _TOKENS.findall(text)
        for j in range(start, min(len(new), start + _FURTHEST)):
            if text.strip() and _likeness(words, tokens[j]) >= _ALIKE:
                yield i, j
                start = j + 1
                break


def _joined(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Adjacent pieces of one sort are merged; a lone space between two changed pieces belongs to the change."""
    result: list[Piece] = []
    for place, piece in enumerate(pieces):
        between = 0 < place < len(pieces) - 1 and not piece.text.strip() and "\n" not in piece.text
        changed = piece.changed or (between and pieces[place - 1].changed and pieces[place + 1].changed)
        if not piece.text:
            continue
        if result and result[-1].changed == changed:
            result[-1] = Piece(result[-1].text + piece.text, changed)
        else:
            result.append(Piece(piece.text, changed))
    return tuple(part for piece in result for part in _trimmed(piece))


def _trimmed(piece: Piece) -> Iterator[Piece]:
    """White space around changed words counts as unchanged; white space alone counts as a change."""
    core = piece.text.strip()
    if not piece.changed or not core:
        yield piece
        return
    start = piece.text.index(core)
    for text, changed in ((piece.text[:start], False), (core, True), (piece.text[start + len(core) :], False)):
        if text:
            yield Piece(text, changed)
