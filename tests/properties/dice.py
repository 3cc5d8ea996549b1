"""
Dice: the one source of choices for generators.

Hypothesis can throw them, and then shrinks what it found; a seeded random.Random can too, where a test only
wants many trees that are always the same.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

_BELOW = [st.integers(0, size) for size in range(100)]


class Dice:
    """Choices, each made from a number below a bound; the number 0 is the plainest choice."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self._below = below

    def below(self, bound: int) -> int:
        return self._below(bound) if bound > 1 else 0

    def chance(self, percent: int) -> bool:
        return self.below(100) >= 100 - percent

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def some(self, items: Sequence[T], most: int = 100) -> list[T]:
        """A few of these, each at most once, in any order."""
        size = self.below(min(most, len(items)) + 1)
        return self.shuffled(items)[:size]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]


def seeded(seed: int) -> Dice:
    """The same throws for the same seed, everywhere."""
    return Dice(random.Random(seed).randrange)


@st.composite
def dice(draw: Any) -> Dice:
    """Dice that Hypothesis throws."""
    return Dice(lambda bound: draw(_BELOW[bound - 1] if bound <= len(_BELOW) else st.integers(0, bound - 1)))
