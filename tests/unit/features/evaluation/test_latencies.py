"""Percentiles by nearest rank."""

import pytest

from cesplan.domain.features.evaluation import Latency
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place
from cesplan.features.evaluation.observed import latencies_of, percentile, sessions_of
from tests.unit.features.odd_shapes import odd_bodies

NAMING = Naming(place=Place(project="acme", location="us"), app_id="desk1")


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


def test_values_of_other_types_are_left_out():
    """Of the service's own report."""
    row = {
        "toolDisplayName": "lookup",
        "latencyMetrics": {"p50Latency": "1s", "p90Latency": "2s", "callCount": "3"},
    }
    run = {"latencyReport": {"sessionCount": 4, "toolLatencies": [row]}}
    assert latencies_of(run, (), NAMING) == (Latency(what="tool lookup", p50=1.0, p90=2.0, calls=3),)
    for odd in odd_bodies(run):
        assert len(latencies_of(odd, (), NAMING)) <= 1
        assert sessions_of(odd) is None or isinstance(sessions_of(odd), int)
