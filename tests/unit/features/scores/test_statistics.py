"""Intervals and tests, as scipy and statsmodels compute them."""

from collections.abc import Callable
from typing import Any

import pytest

from cesplan.domain.features.statistics import (
    fisher_test,
    runs_needed,
    wilson_interval,
    wilson_lower_bound,
)
from tests.unit.features.scores.reference import cases

CASES = cases("statistics")


@pytest.mark.parametrize("case", CASES["intervals"], ids=lambda case: f"{case['passed']} of {case['total']}")
def test_intervals_are_those_of_wilson(case: dict[str, Any]) -> None:
    """The low end of the 90% interval is the one-sided 95% bound."""
    runs = case["passed"], case["total"]
    assert wilson_interval(*runs) == pytest.approx(case["two_sided_95"]["wilson"], abs=1e-8)
    assert wilson_interval(*runs, 0.9) == pytest.approx(case["two_sided_90"]["wilson"], abs=1e-8)
    assert wilson_lower_bound(*runs) == pytest.approx(case["two_sided_90"]["wilson"][0], abs=1e-8)


@pytest.mark.parametrize("case", CASES["fisher"], ids=lambda case: f"{case['baseline']} {case['candidate']}")
def test_the_test_of_fisher_is_exact(case: dict[str, Any]) -> None:
    """Of runs that are not paired."""
    found = fisher_test(tuple(case["baseline"]), tuple(case["candidate"]))
    assert found == pytest.approx(case["p_candidate_worse"], abs=1e-8)


@pytest.mark.parametrize(
    "case", [item for item in CASES["need"] if item["interval"] == "wilson"], ids=lambda case: str(case["rate"])
)
def test_so_many_runs_show_a_rate(case: dict[str, Any]) -> None:
    """One fewer does not."""
    needed = runs_needed(case["rate"])
    assert needed == case["runs_all_passed"]
    assert wilson_lower_bound(needed - 1, needed - 1) < case["rate"] <= wilson_lower_bound(needed, needed)


def test_no_run_shows_nothing() -> None:
    """Neither a rate nor a difference."""
    assert wilson_lower_bound(0, 0) == 0.0
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert fisher_test((0, 0), (0, 0)) == 1.0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: wilson_interval(2, 1),
        lambda: wilson_interval(-1, 1),
        lambda: wilson_interval(1, 1, 1.0),
        lambda: fisher_test((1, 1), (2, 1)),
        lambda: fisher_test((0, 10**9), (0, 1)),
        lambda: runs_needed(1.0),
    ],
)
def test_what_is_no_number_of_runs_is_refused(wrong: Callable[[], object]) -> None:
    """More passed than there were, fewer than none, or so many that the sum would not end."""
    with pytest.raises(ValueError, match=r"not a number of runs|a confidence is|no number of runs"):
        wrong()
