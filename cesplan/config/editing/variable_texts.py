"""
Texts with variables: a new value is inserted into the written text without touching `${…}`.

The text in the file is split into pieces with their values. The new value replaces the pieces that differ,
first by line and then by word. A change inside a variable cannot be written.
"""

import re
from collections.abc import Callable, Iterable

from cesplan.config.writing.shaping import escaped
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.line_matching import opcodes

_PIECE = re.compile(r"\$\$\{|\$\{[A-Za-z_][A-Za-z0-9_]*\}")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text as written, and its value. `is_variable` pieces are not split."""

    written: str
    value: str
    is_variable: bool = False


def pieces(text: str, value_of: Callable[[str], str | None]) -> list[Piece] | None:
    """The pieces of a written text; None if a variable has no value."""
    found: list[Piece] = []
    end = 0
    for match in _PIECE.finditer(text):
        found += _signs(text[end : match.start()])
        word = match[0]
        value = "${" if word == "$${" else value_of(word[2:-1])
        if value is None:
            return None
        found.append(Piece(word, value, is_variable=word != "$${"))
        end = match.end()
    return found + _signs(text[end:])


def carry(old: list[Piece], new: str) -> str | None:
    """The written text for a new value; None if a variable would have to change."""
    if not any(piece.is_variable for piece in old):
        return escaped(new)
    value = "".join(piece.value for piece in old)
    written: list[str] = []
    for tag, low, high, first, last in _opcodes(value, new):
        inside = _between(old, low, high)
        if tag == "equal":
            if inside is None:
                return None
            written += [piece.written for piece in inside]
        elif inside is None or any(piece.is_variable for piece in inside):
            return None
        else:
            written.append(escaped(new[first:last]))
    return "".join(written)


def _signs(text: str) -> list[Piece]:
    return [Piece(sign, sign) for sign in text]


def _opcodes(old: str, new: str) -> Iterable[tuple[str, int, int, int, int]]:
    """Differences by line, and inside replaced lines by word and punctuation."""
    one, two = old.splitlines(keepends=True), new.splitlines(keepends=True)
    starts, others = _starts(one), _starts(two)
    for tag, low, high, first, last in opcodes(one, two):
        at, to, at2, to2 = starts[low], starts[high], others[first], others[last]
        if tag != "replace":
            yield tag, at, to, at2, to2
            continue
        inner, inner2 = _words(old[at:to]), _words(new[at2:to2])
        words, words2 = _starts(inner), _starts(inner2)
        for kind, a, b, c, d in opcodes(inner, inner2):
            yield kind, at + words[a], at + words[b], at2 + words2[c], at2 + words2[d]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+|\W", text)


def _starts(parts: list[str]) -> list[int]:
    found = [0]
    for part in parts:
        found.append(found[-1] + len(part))
    return found


def _between(old: list[Piece], low: int, high: int) -> list[Piece] | None:
    """The pieces for a range of the value; None if the range splits a variable."""
    found: list[Piece] = []
    at = 0
    for piece in old:
        end = at + len(piece.value)
        if at >= low and end <= high and (low < high or not piece.value):
            if not (at == end == high and high > low):
                found.append(piece)
        elif at < high and end > low:
            return None
        at = end
    return found
