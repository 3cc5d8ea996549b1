"""
What a number of passed runs shows, and what does not follow from it.

Repeats are few, so nothing here approximates by a normal distribution: Wilson's interval, and exact tests over
fractions. Repeats of one case are not independent cases; two runs are compared case by case.
"""

from fractions import Fraction
from math import comb, sqrt
from statistics import NormalDist

MOST_EXACT = 2_000
"""Runs of an exact test: as many terms of as many digits are added up."""


def wilson_lower_bound(passed: int, total: int, confidence: float = 0.95) -> float:
    """
    The rate that the true one reaches with this confidence, one-sided.

    Without a run it is 0: nothing was shown.
    """
    return wilson_interval(passed, total, 2 * confidence - 1)[0]


def wilson_interval(passed: int, total: int, confidence: float = 0.95) -> tuple[float, float]:
    """The two-sided interval of Wilson."""
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
    """The smallest number of runs that, if all pass, show this rate; Wilson's bound, one-sided."""
    if not 0 <= rate < 1:
        raise ValueError(f"no number of runs shows a rate of {rate}")
    z = NormalDist().inv_cdf(confidence)
    needed = max(1, int(rate / (1 - rate) * z * z) - 1)
    while wilson_lower_bound(needed, needed, confidence) < rate:
        needed += 1
    return needed


def sign_test(worse: int, better: int) -> float:
    """
    How likely it is that at least so many cases got worse if nothing changed: exact, one-sided.

    `worse` are cases that passed before and fail now, `better` the reverse. Others say nothing.
    """
    _check(worse, worse + better, MOST_EXACT)
    total = worse + better
    return float(Fraction(sum(comb(total, number) for number in range(worse, total + 1)), 2**total))


def fisher_test(baseline: tuple[int, int], candidate: tuple[int, int]) -> float:
    """
    How likely it is that the candidate passes so few runs if it is as good as the baseline: exact, one-sided.

    Both are `(passed, total)`, of runs that are not paired.
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
