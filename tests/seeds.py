"""Random cases: the first few in every run of the tests, the others with `-m slow`."""

from collections.abc import Sequence
from typing import Any

import pytest


def seeds(few: int, every: Sequence[int]) -> list[Any]:
    """The seeds of a test: so many of them in every run."""
    return [*every[:few], *(pytest.param(seed, marks=pytest.mark.slow) for seed in every[few:])]
