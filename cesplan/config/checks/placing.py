"""Positions inside texts."""

import re
from bisect import bisect_right
from functools import lru_cache

from cesplan.config.manifest import ResourceFile, TextPlace
from cesplan.domain.field_path import FieldPath

START = TextPlace()


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
