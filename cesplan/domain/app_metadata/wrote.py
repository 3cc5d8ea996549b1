"""
What a complete apply wrote, as its stamp records it: how often each resource was written, by a short mark of
its id.

If there are too many resources, those written once become bits in a map (a Bloom filter with one hash). Then
about one in sixteen of the other resources looks written too, and more once the map is full.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import field
from typing import Self

from cesplan.domain.frozen import dataclass

MOST_MARKS = 2000
"""The most marks that are kept: 18 KB."""
_BITS_EACH = 16
_MOST_BYTES = 24_576
"""The largest map: 32 KB as text. It is full at 12,288 resources; more make it less precise, not longer."""
_WORD = re.compile(r"([0-9a-f]{8})(?:\*([0-9]{1,3}))?")
_MAP = re.compile(r"~([0-9]{1,7})~([A-Za-z0-9_-]{4,32768})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrote:
    """How often an apply wrote each resource."""

    marks: Mapping[str, int] = field(default_factory=dict)
    """The number of writes by the mark of an id."""
    bits: bytes = b""
    """A map of the other marks, of resources written once; empty if there are none."""
    count: int = 0
    """How many resources are in the map."""

    @classmethod
    def of(cls, times: Mapping[str, int]) -> Self:
        """The record for a number of writes by mark."""
        if len(times) <= MOST_MARKS:
            return cls(marks=dict(times))
        often = dict(sorted(item for item in times.items() if item[1] > 1)[:MOST_MARKS])
        rest = [mark for mark in times if mark not in often]
        bits = bytearray(min(_MOST_BYTES, -(-len(rest) * _BITS_EACH // 24) * 3))
        for mark in rest:
            place, bit = _place(mark, bits)
            bits[place] |= bit
        return cls(marks=often, bits=bytes(bits), count=len(rest))

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse a text; malformed words are ignored."""
        marks: dict[str, int] = {}
        bits, count = b"", 0
        for word in text.split(" "):
            if found := _WORD.fullmatch(word):
                marks[found[1]] = int(found[2] or "1")
            elif (found := _MAP.fullmatch(word)) and len(found[2]) % 4 == 0:
                count, bits = int(found[1]), urlsafe_b64decode(found[2])
        return cls(marks=marks, bits=bits, count=count)

    @property
    def text(self) -> str:
        """The text that `read` parses."""
        words = [mark if times == 1 else f"{mark}*{times}" for mark, times in sorted(self.marks.items())]
        if self.bits:
            words.append(f"~{self.count}~{urlsafe_b64encode(self.bits).decode()}")
        return " ".join(words)

    @property
    def total(self) -> int:
        """The number of writes."""
        return sum(self.marks.values()) + self.count

    def times(self, mark: str) -> int:
        """How often the resource with this mark was written."""
        if mark in self.marks or not self.bits:
            return self.marks.get(mark, 0)
        place, bit = _place(mark, self.bits)
        return int(bool(self.bits[place] & bit))


NOTHING = Wrote()


def _place(mark: str, bits: bytes | bytearray) -> tuple[int, int]:
    place, bit = divmod(int(mark, 16) % (8 * len(bits)), 8)
    return place, 1 << bit
