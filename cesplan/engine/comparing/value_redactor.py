"""
Redaction by value: secrets in live bodies, recognized by the current values of the tree's variables.

The service returns the values that it was sent, so a header that was renamed or removed in the tree still has
its token in plain text live. A text that equals or contains a known secret is wrapped as a Secret before it can
be shown.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from cesplan.domain.value import SHORTEST_PART, Secret, folded, joined, known_secrets, mask_secrets


class ValueRedactor:
    """Wraps the secrets of one run wherever they occur in a value."""

    def __init__(self, secrets: Iterable[Secret]) -> None:
        self._known = {item.text: item for item in known_secrets(*secrets)}

    def redact(self, value: Any) -> Any:
        """A copy of a value in which every text that contains a known secret is a Secret."""
        if not self._known:
            return value
        return folded(value, lambda leaf: self._text(leaf) if isinstance(leaf, str) else leaf)

    def masked(self, value: Any) -> Any:
        """A copy for reports, in which every known secret is a placeholder."""
        return mask_secrets(self.redact(value))

    def name(self, text: str) -> str:
        """A name as text, with a placeholder if it contains a secret."""
        return str(self._text(text))

    def _text(self, text: str) -> Any:
        if text in self._known:
            return self._known[text]
        inside = [known for known in self._known if len(known) >= SHORTEST_PART and known in text]
        if not inside:
            return text
        names = sorted({name for known in inside for name in self._known[known].variables})
        return Secret(tuple(names), text, self._template(text, inside))

    def _template(self, text: str, inside: Sequence[str]) -> str:
        """
        The template of a text with known secrets; empty if they overlap, because it would reveal part of one.
        """
        parts: list[str | Secret] = []
        end = 0
        for start, stop in _outermost(_places(text, inside)):
            if start < end:
                return ""
            parts += [text[end:start], self._known[text[start:stop]]]
            end = stop
        template = joined([*parts, text[end:]])
        return template.recipe if isinstance(template, Secret) else ""


def _places(text: str, inside: Iterable[str]) -> list[tuple[int, int]]:
    return [
        (found.start(), found.start() + len(known))
        for known in inside
        for found in re.finditer(f"(?={re.escape(known)})", text)
    ]


def _outermost(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places that no other place contains, sorted by their start."""
    ordered = sorted(set(places), key=lambda place: (place[0], -place[1]))
    kept: list[tuple[int, int]] = []
    for start, stop in ordered:
        if not kept or stop > kept[-1][1]:
            kept.append((start, stop))
    return kept


NOTHING_SECRET = ValueRedactor(())
"""For use without a tree."""
