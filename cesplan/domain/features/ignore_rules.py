"""
Ignore rules: known and accepted differences, kept out of the drift alarm for a stated reason.

A rule never changes what a plan does. It selects resources by an address pattern, as `--target` does, and
fields by a path pattern. It may have an expiry date.
"""

import re
from collections.abc import Iterator
from dataclasses import field
from datetime import date

from cesplan.domain.features.drift import DriftItem
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass

_STRING = r'"(?:[^"\\]|\\.)*"'
_SEGMENT = re.compile(rf'(?P<name>[A-Za-z_*][A-Za-z0-9_*]*)|\[(?P<inside>(?:[^\]"]|{_STRING})+)\]')

_FORM = "Write a field path as reports show it, such as `modelSettings.*` or `transferRules[*].direction`."

LONGEST_PATTERN = 500
"""The most characters of a pattern: longer than any path of the API, not counting map keys."""


@dataclass(frozen=True, slots=True)
class FieldPattern:
    """
    A field path in which `*` matches any text inside one segment. It also matches everything inside the field.

    `modelSettings.*`, `transferRules[*].condition`, `metadata["team-*"]`, `variableDeclarations[name=*]`.
    """

    text: str
    _segments: tuple[str, ...] = field(repr=False)

    def __str__(self) -> str:
        return self.text

    @classmethod
    def parse(cls, text: str) -> "FieldPattern":
        """Parse a pattern. Raises ValueError for an invalid one."""
        if len(text) > LONGEST_PATTERN:
            raise ValueError(f"It is longer than {LONGEST_PATTERN} characters.")
        segments: list[str] = []
        end = 0
        while end < len(text) or not segments:
            dot = bool(segments) and text.startswith(".", end)
            found = _SEGMENT.match(text, end + dot)
            if found is None or (found["name"] is not None) != (dot or not segments):
                raise ValueError(_FORM)
            segments.append(found[0])
            end = found.end()
        return cls(text, tuple(segments))

    def names(self, path: FieldPath) -> bool:
        """Whether the pattern matches a field or something that contains it."""
        texts = [str(segment) for segment in path.segments]
        pairs = zip(self._segments, texts, strict=False)
        return len(texts) >= len(self._segments) and all(fits(pattern, text) for pattern, text in pairs)


def fits(pattern: str, text: str) -> bool:
    """Whether a pattern matches a whole text; `*` matches any text. There is no backtracking."""
    first, *rest = pattern.split("*")
    if not rest:
        return pattern == text
    *middle, last = rest
    if len(text) < len(first) + len(last) or not (text.startswith(first) and text.endswith(last)):
        return False
    at, end = len(first), len(text) - len(last)
    for part in middle:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


@dataclass(frozen=True, kw_only=True)
class IgnoreRule:
    """Which differences are accepted, and why. At least one of `address` and `field` is set."""

    address: str = ""
    """An address pattern; empty for all resources."""
    field: FieldPattern | None = None
    """Only these fields; None for the whole resource, which may then also appear or disappear."""
    reason: str
    until: date | None = None
    """The last day on which the rule applies, in UTC; None if it does not expire."""

    def __str__(self) -> str:
        return ", ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        if self.address:
            yield f"address {self.address}"
        if self.field:
            yield f"field {self.field}"

    def has_expired(self, today: date) -> bool:
        return self.until is not None and today > self.until

    def names_field(self, item: DriftItem) -> bool:
        """Whether the rule matches the field of a difference, whatever its address."""
        if self.field is None:
            return True
        change = item.change
        return change is not None and (self.field.names(change.path) or self.field.names(change.place_live))
