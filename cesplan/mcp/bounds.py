"""
Bounds: the result of a tool fits what a model can read, and says what was left out. Only texts, lists, and very
large mappings are shortened, so that the document stays valid under its schema: no member of a shape is
dropped, and no number changes.
"""

import json
from dataclasses import field
from itertools import islice
from typing import Any

from cesplan.domain.frozen import dataclass
from cesplan.domain.text.words import first_rows
from cesplan.domain.value import Place, place_text, with_leaves

_STEPS = (
    (4000, 500), (2000, 200), (1000, 100), (500, 50), (300, 30),
    (200, 20), (200, 10), (200, 5), (200, 2), (200, 1),
)  # fmt: skip
"""The longest text and the longest list, from step to step. No address or digest is longer than 200."""
_SHAPE = 100
"""No shape has this many members; a mapping that does is free-form, such as `metadata`."""
_MOST_NAMED = 12
"""The most shortened lists that are named; more would themselves be too long."""


def size_of(document: Any) -> int:
    """The bytes of a document as compact JSON."""
    return len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass"))


def bounded(document: dict[str, Any], most: int) -> tuple[dict[str, Any], tuple[str, ...]] | None:
    """
    The document in at most `most` bytes, and what was left out; None if that is impossible. The limit is for
    the document alone; the notes about it are short and extra.
    """
    if size_of(document) <= most:
        return document, ()
    for texts, items in _STEPS:
        cutting = _Cutting(texts=texts, items=items)
        short = with_leaves(document, cutting.leaf, cutting.kept)
        if size_of(short) <= most:
            return short, cutting.said
    return None


def shortened(text: str, most: int) -> str:
    """The first lines of a text, in at most `most` characters, with a last line that says what is missing."""
    if len(text) <= most:
        return text
    kept = text[:most].rpartition("\n")[0] or text[:most]
    lines = text[len(kept) :].strip("\n").count("\n") + 1
    return f"{kept}\n… ({lines:,} more lines)\n"


@dataclass(slots=True, kw_only=True)
class _Cutting:
    """One attempt at one limit."""

    texts: int
    items: int
    lists: list[str] = field(default_factory=list)
    shortened: int = 0

    @property
    def said(self) -> tuple[str, ...]:
        """What was left out."""
        rows = first_rows(self.lists, _MOST_NAMED, "{:,} more lists are shortened")
        if self.shortened:
            rows.append(
                f"{self.shortened:,} texts are shortened; each ends with the number of missing characters"
            )
        return tuple(rows)

    def leaf(self, _: Place, value: Any) -> Any:
        if not isinstance(value, str) or len(value) <= self.texts:
            return value
        self.shortened += 1
        return f"{value[: self.texts]}… ({len(value) - self.texts:,} more characters)"

    def kept(self, at: Place, inside: Any) -> Any:
        is_list = isinstance(inside, list)
        if len(inside) <= (self.items if is_list else max(_SHAPE, self.items)):
            return inside
        entries = "" if is_list else " entries"
        self.lists.append(f"{place_text(at)}: {self.items:,} of {len(inside):,}{entries}")
        return inside[: self.items] if is_list else dict(islice(inside.items(), self.items))
