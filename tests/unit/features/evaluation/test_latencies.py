"""Percentiles by nearest rank."""

import pytest

from cesplan.features.evaluation.latencies import percentile


@pytest.mark.parametrize(
    ("values", "share", "found"),
    [
        ([4.0], 50, 4.0),
        ([1.0, 2.0], 50, 1.0),
        ([3.0, 1.0, 2.0], 50, 2.0),
        ([float(n) for n in range(1, 11)], 90, 9.0),
    ],
)
def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed(values, share, found):
    """In any order."""
    assert percentile(values, share) == found
