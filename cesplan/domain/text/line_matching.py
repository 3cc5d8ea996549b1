"""
Which lines two texts have in common, in a time that no text can stretch.

difflib compares each line with every equal one on the other side, again for the rest behind each match: two
kilobytes of `a` and `b` take minutes. So lines that repeat too often on both sides are no anchors and match
only beside others that do, and what is longer than any text of a person counts as replaced as a whole.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

MOST_PAIRS = 100_000
"""Pairs of equal lines that are looked at: more than texts of people have, and less than a second."""

MOST_LINES = 4_000
"""Lines between the common beginning and the common end, on either side."""

Opcode: TypeAlias = tuple[str, int, int, int, int]
"""As difflib has it: `equal`, `replace`, `delete` or `insert`, and the ranges of the old and the new."""


def opcodes(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """How the new lines come from the old ones; lines may as well be words, or any other texts."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    ends = len(old) - tail, len(new) - tail
    found: list[Opcode] = [("equal", 0, head, 0, head)] if head else []
    found += [
        (tag, head + i1, head + i2, head + j1, head + j2)
        for tag, i1, i2, j1, j2 in _between(old[head : ends[0]], new[head : ends[1]])
    ]
    return [*found, *([("equal", ends[0], len(old), ends[1], len(new))] if tail else [])]


def grouped(found: list[Opcode], context: int) -> Iterator[list[Opcode]]:
    """The opcodes in groups with so many equal lines around each change, as difflib forms them."""
    matcher = SequenceMatcher(None, "", "")
    matcher.opcodes = [*found]  # type: ignore[attr-defined]  # what get_opcodes() keeps
    yield from matcher.get_grouped_opcodes(context)


def _between(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    if max(len(old), len(new)) > MOST_LINES and old and new:
        return [("replace", 0, len(old), 0, len(new))]
    frequent = _too_frequent(old, new)
    matcher = SequenceMatcher(frequent.__contains__ if frequent else None, old, new, autojunk=False)
    return list(matcher.get_opcodes())


def _too_frequent(old: Sequence[str], new: Sequence[str]) -> frozenset[str]:
    """The lines that have the most equal partners, as many as it takes to stay below the limit."""
    there = Counter(new)
    pairs = {line: count * there[line] for line, count in Counter(old).items() if line in there}
    left = sum(pairs.values()) - MOST_PAIRS
    found = []
    for line in sorted(pairs, key=lambda line: (-pairs[line], line)):
        if left <= 0:
            break
        found.append(line)
        left -= pairs[line]
    return frozenset(found)


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines both begin with."""
    pairs = zip(old, new, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(old), len(new)))
