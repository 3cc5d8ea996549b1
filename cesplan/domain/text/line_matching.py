"""
Which lines two texts have in common, in a time that no text can stretch.

difflib compares each line with every equal one on the other side, again for the rest behind each match: two
kilobytes of `a` and `b` take minutes. So lines that repeat too often on both sides are not anchors and match
only beside others that do. Long texts are cut first, at lines that both have exactly once; a long stretch
without such lines counts as replaced as a whole.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

MOST_PAIRS = 100_000
"""Pairs of equal lines that are looked at: more than texts of people have, and less than a second."""

MOST_LINES = 4_000
"""Lines that are compared with each other, on either side; what is longer is cut at lines that occur once."""

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
    frequent = _too_frequent(old, new)
    if max(len(old), len(new)) <= MOST_LINES:
        return _matched(old, new, frequent)
    found: list[Opcode] = []
    at = there = 0
    for place, other in [*_anchors(old, new), (len(old), len(new))]:
        one, two = old[at:place], new[there:other]
        found += [
            (tag, at + i1, at + i2, there + j1, there + j2)
            for tag, i1, i2, j1, j2 in _matched(one, two, frequent)
        ]
        if place < len(old):
            found.append(("equal", place, place + 1, other, other + 1))
        at, there = place + 1, other + 1
    return _coalesced(found)


def _matched(old: Sequence[str], new: Sequence[str], frequent: frozenset[str]) -> list[Opcode]:
    if max(len(old), len(new)) > MOST_LINES and old and new:
        return [("replace", 0, len(old), 0, len(new))]
    matcher = SequenceMatcher(frequent.__contains__ if frequent else None, old, new, autojunk=False)
    return list(matcher.get_opcodes())


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """
    Lines that both texts have once and in the same order, as many as there are: where a long text is cut.

    This is what Bram Cohen calls a patience diff: the longest run of such lines that goes up on both sides.
    """
    once = _once(new)
    pairs = [(place, once[line]) for line, place in _once(old).items() if line in once]
    tops: list[int] = []
    piles: list[int] = []
    before: list[int] = []
    for number, (_, other) in enumerate(pairs):
        pile = bisect_left(tops, other)
        before.append(piles[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [other]
        piles[pile : pile + 1] = [number]
    found: list[tuple[int, int]] = []
    at = piles[-1] if piles else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


def _once(lines: Sequence[str]) -> dict[str, int]:
    """The places of lines that occur once, in their order."""
    counts = Counter(lines)
    return {line: place for place, line in enumerate(lines) if counts[line] == 1}


def _coalesced(found: list[Opcode]) -> list[Opcode]:
    """Equal stretches in one piece, and what changed between two of them too."""
    made: list[Opcode] = []
    for tag, i1, i2, j1, j2 in found:
        if made and (made[-1][0] == "equal") == (tag == "equal"):
            _, a, _, c, _ = made[-1]
            kind = "equal" if tag == "equal" else "insert" if a == i2 else "delete" if c == j2 else "replace"
            made[-1] = (kind, a, i2, c, j2)
        else:
            made.append((tag, i1, i2, j1, j2))
    return made


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
