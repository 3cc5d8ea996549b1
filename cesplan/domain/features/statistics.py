"""
What a number of passed runs proves, and what it does not.

Repeats are few, so the test is exact, with fractions, and intervals are Wilson's. Repeats of one case are not
independent cases, so two runs are compared case by case.
"""

from fractions import Fraction
from math import comb, sqrt
from statistics import NormalDist

MOST_EXACT = 2_000
"""The most runs in an exact test, which adds up as many terms of as many digits."""


def wilson_lower_bound(passed: int, total: int, confidence: float = 0.95) -> float:
    """
    The lower bound of the true rate at this confidence, one-sided.

    It is 0 if there are no runs. Raises ValueError for impossible numbers, or a confidence that is not between
    0.5 and 1.
    """
    return wilson_interval(passed, total, 2 * confidence - 1)[0]


def wilson_interval(passed: int, total: int, confidence: float = 0.95) -> tuple[float, float]:
    """
    Wilson's two-sided interval. Raises ValueError for impossible numbers, or a confidence not between 0 and 1.
    """
    _check(passed, total)
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence is between 0 and 1, not {confidence}")
    if not total:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate, square = passed / total, z * z
    middle = (rate + square / (2 * total)) / (1 + square / total)
    half = z / (1 + square / total) * sqrt(rate * (1 - rate) / total + square / (4 * total * total))
    low = 0.0 if not passed else max(0.0, middle - half)
    high = 1.0 if passed == total else min(1.0, middle + half)
    return low, high


def runs_needed(rate: float, confidence: float = 0.95) -> int:
    """
    The smallest number of runs that, if all pass, prove this rate by Wilson's one-sided lower bound.

    Raises ValueError if no number of runs can.
    """
    if not 0 <= rate < 1:
        raise ValueError(f"no number of runs shows a rate of {rate}")
    z = NormalDist().inv_cdf(confidence)
    needed = max(1, int(rate / (1 - rate) * z * z) - 1)
    while wilson_lower_bound(needed, needed, confidence) < rate:
        needed += 1
    return needed


def fisher_test(baseline: tuple[int, int], candidate: tuple[int, int]) -> float:
    """
    The probability that the candidate passes so few runs if it is as good as the baseline: exact, one-sided.

    Both are `(passed, total)` of unpaired runs. Raises ValueError for impossible numbers, and for more runs
    than an exact test can take.
    """
    for passed, total in (baseline, candidate):
        _check(passed, total, MOST_EXACT)
    (passed_before, before), (passed_now, now) = baseline, candidate
    passed = passed_before + passed_now
    lowest = max(0, passed - before)
    ways = sum(comb(now, number) * comb(before, passed - number) for number in range(lowest, passed_now + 1))
    return float(Fraction(ways, comb(before + now, passed)))


def _check(passed: int, total: int, most: int | None = None) -> None:
    if not 0 <= passed <= total:
        raise ValueError(f"{passed} of {total} is not a number of runs")
    if most is not None and total > most:
        raise ValueError(f"{total} is not a number of runs for an exact test: the most is {most}")
