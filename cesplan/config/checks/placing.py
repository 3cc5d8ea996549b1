"""Positions inside texts."""

import re
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple, TypedDict

from cesplan.config.manifest import ResourceFile
from cesplan.domain.field_path import FieldPath


class TextPlace(NamedTuple):
    """A position in a text: line and column from 1, in characters."""

    line: int = 1
    column: int = 1
    span: int = 1


START = TextPlace()


class InText(TypedDict):
    """The part of a Finding that points into an included text."""

    line: int
    column: int
    span: int


def in_text(file: ResourceFile, path: FieldPath, place: TextPlace | None) -> InText:
    """
    The place of a Finding in an included text; the place of the value if the text is in the resource file.
    """
    if place is None or str(path) not in file.included:
        return InText(line=0, column=1, span=1)
    return InText(line=max(place.line, 1), column=max(place.column, 1), span=max(place.span, 1))


def place_at(text: str, offset: int, span: int = 1) -> TextPlace:
    """The place of an offset in a text (in characters, from 0)."""
    starts = _line_starts(text)
    line = bisect_right(starts, offset)
    return TextPlace(line=line, column=offset - starts[line - 1] + 1, span=span)


@lru_cache(maxsize=4)
def _line_starts(text: str) -> list[int]:
    """The offsets where the lines of a text begin, computed once for all places in it."""
    return [0, *(found.end() for found in re.finditer("\n", text))]


def shown(text: str, most: int = 60) -> str:
    """A user's text for a message: on one line, and not too long."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"


def line_in_words(file: ResourceFile, path: FieldPath, text: str, place: TextPlace) -> str:
    """Names the line if no included file can show it; empty for a text of one line."""
    if str(path) in file.included or "\n" not in text:
        return ""
    return f" (line {place.line} of the text)"
