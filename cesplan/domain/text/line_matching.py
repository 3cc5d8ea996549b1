"""
Which lines two texts have in common, in bounded time for any text.

difflib compares each line with every equal line on the other side, and again for the rest after each match: two
kilobytes of `a` and `b` take minutes. So lines that repeat too often on both sides are not anchors, and match
only next to lines that are. Texts that are long or need too much work are split first, at lines that occur
exactly once in both. A long range without such lines counts as replaced, and so does everything that is left
when the work limit is reached.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import Match, SequenceMatcher
from heapq import heappop, heappush
from itertools import accumulate
from typing import TypeAlias

from cesplan.domain.frozen import dataclass

MOST_PAIRS = 100_000
"""The most pairs of equal lines to examine: more than human texts have, and less than a second of work."""

MOST_LINES = 4_000
"""The most lines to compare on either side. Longer texts are split at lines that occur once."""

MOST_WORK = 4_000_000
"""The work limit, in lines and pairs of equal lines examined after each match: less than a second."""

_WORK_PER_LINE = 100
"""The additional work for each line of a long text."""

Opcode: TypeAlias = tuple[str, int, int, int, int]
"""As in difflib: `equal`, `replace`, `delete`, or `insert`, and the ranges of the old and the new lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineComparison:
    """The edits from old to new lines. `is_coarse` if some range was not compared line by line."""

    opcodes: list[Opcode]
    is_coarse: bool


def opcodes(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """The edits from old to new lines. The units may also be words, or any other texts."""
    return compared(old, new).opcodes


def compared(old: Sequence[str], new: Sequence[str]) -> LineComparison:
    """The edits from old to new lines, and whether they are coarse."""
    head = common_length(old, new)
    tail = common_length(old[head:][::-1], new[head:][::-1])
    ends = len(old) - tail, len(new) - tail
    found: list[Opcode] = [("equal", 0, head, 0, head)] if head else []
    between = _between(old[head : ends[0]], new[head : ends[1]])
    found += [(tag, head + i1, head + i2, head + j1, head + j2) for tag, i1, i2, j1, j2 in between.opcodes]
    if tail:
        found.append(("equal", ends[0], len(old), ends[1], len(new)))
    return LineComparison(opcodes=found, is_coarse=between.is_coarse)


def grouped(found: list[Opcode], context: int) -> Iterator[list[Opcode]]:
    """The opcodes in groups with `context` equal lines around each change, as in difflib."""
    matcher = SequenceMatcher(None, "", "")
    matcher.opcodes = [*found]  # type: ignore[attr-defined]  # what get_opcodes() keeps
    yield from matcher.get_grouped_opcodes(context)


class _Work:
    """The remaining work."""

    def __init__(self, most: int) -> None:
        self._left = most
        self.is_coarse = False

    def spend(self, amount: int) -> bool:
        """Take this amount and return true, or take nothing and return false if less is left."""
        if amount > self._left:
            self.is_coarse = True
            return False
        self._left -= amount
        return True


def _between(old: Sequence[str], new: Sequence[str]) -> LineComparison:
    frequent = _too_frequent(old, new)
    if max(len(old), len(new)) <= MOST_LINES:
        work = _Work(MOST_WORK)
        exact = _matched(old, new, frequent, work)
        if not work.is_coarse:
            return LineComparison(opcodes=exact, is_coarse=False)
    work = _Work(MOST_WORK + _WORK_PER_LINE * (len(old) + len(new)))
    found: list[Opcode] = []
    at = there = 0
    for place, other in [*_anchors(old, new), (len(old), len(new))]:
        one, two = old[at:place], new[there:other]
        found += [
            (tag, at + i1, at + i2, there + j1, there + j2)
            for tag, i1, i2, j1, j2 in _matched(one, two, frequent, work)
        ]
        if place < len(old):
            found.append(("equal", place, place + 1, other, other + 1))
        at, there = place + 1, other + 1
    return LineComparison(opcodes=_coalesced(found), is_coarse=work.is_coarse)


def _matched(old: Sequence[str], new: Sequence[str], frequent: frozenset[str], work: _Work) -> list[Opcode]:
    if max(len(old), len(new)) > MOST_LINES and old and new:
        work.is_coarse = True
        return [("replace", 0, len(old), 0, len(new))]
    matcher = SequenceMatcher(frequent.__contains__ if frequent else None, old, new, autojunk=False)
    blocks = [*_blocks(matcher, old, new, work), Match(len(old), len(new), 0)]
    matcher.matching_blocks = blocks  # type: ignore[attr-defined]  # what get_matching_blocks() keeps
    return list(matcher.get_opcodes())


def _blocks(
    matcher: SequenceMatcher[str], old: Sequence[str], new: Sequence[str], work: _Work
) -> Iterator[Match]:
    """The equal ranges that difflib finds while work is left, those in long ranges first."""
    partners: Mapping[str, list[int]] = matcher.b2j  # type: ignore[attr-defined]  # as documented in difflib
    before = [0, *accumulate(1 + len(partners.get(line, ())) for line in old)]
    found: list[Match] = []
    pending = [(-len(old) - len(new), 0, len(old), 0, len(new))]
    while pending:
        _, low, high, first, last = heappop(pending)
        if not work.spend(before[high] - before[low]):
            break
        match = matcher.find_longest_match(low, high, first, last)
        if not match.size:
            continue
        found.append(match)
        ends = match.a + match.size, match.b + match.size
        for a, b, c, d in ((low, match.a, first, match.b), (ends[0], high, ends[1], last)):
            if a < b and c < d:
                heappush(pending, (a - b + c - d, a, b, c, d))
    at = Match(0, 0, 0)
    for match in sorted(found):
        if (at.a + at.size, at.b + at.size) == (match.a, match.b):
            at = Match(at.a, at.b, at.size + match.size)
            continue
        if at.size:
            yield at
        at = match
    if at.size:
        yield at


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """
    The lines that occur once in both texts, in the same order, as many as possible: a long text is split there.

    This is Bram Cohen's patience diff: the longest sequence of such lines that is increasing on both sides.
    """
    once = _once(new)
    return rising([(place, once[line]) for line, place in _once(old).items() if line in once])


def _once(lines: Sequence[str]) -> dict[str, int]:
    """The positions of the lines that occur once, in order."""
    counts = Counter(lines)
    return {line: place for place, line in enumerate(lines) if counts[line] == 1}


def _coalesced(found: list[Opcode]) -> list[Opcode]:
    """Adjacent equal ranges joined, and also adjacent changes between them."""
    opcodes: list[Opcode] = []
    for tag, i1, i2, j1, j2 in found:
        if opcodes and (opcodes[-1][0] == "equal") == (tag == "equal"):
            _, a, _, c, _ = opcodes[-1]
            kind = "equal" if tag == "equal" else "insert" if a == i2 else "delete" if c == j2 else "replace"
            opcodes[-1] = (kind, a, i2, c, j2)
        else:
            opcodes.append((tag, i1, i2, j1, j2))
    return opcodes


def _too_frequent(old: Sequence[str], new: Sequence[str]) -> frozenset[str]:
    """The lines with the most equal partners, as many as necessary to stay below the limit."""
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


def common_length(old: Sequence[object], new: Sequence[object]) -> int:
    """The length of the common prefix."""
    pairs = zip(old, new, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(old), len(new)))


def rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs, given in the order of their first number, in which the second one rises too."""
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


def overlap(one: Iterable[Hashable], other: Iterable[Hashable]) -> float:
    """The part of two bags of words that both have, from 0 to 1 (the coefficient of Dice); 1 for empty bags."""
    counts = Counter(one), Counter(other)
    total = counts[0].total() + counts[1].total()
    return 2 * (counts[0] & counts[1]).total() / total if total else 1.0
