"""A quota spread over time: no minute holds more, and what is left goes out at a steady rate."""

import pytest

from cesplan.domain.service.quota import Quota


@pytest.mark.parametrize("per_minute", [2, 10, 59, 60, 600, 601, 100_000])
def test_no_minute_holds_more_than_the_quota(per_minute):
    """The worst minute begins after a rest, with a burst."""
    quota = Quota(per_minute)
    assert quota.burst >= 1
    assert quota.burst + 60 * quota.rate <= per_minute
    assert quota.burst + 60 * quota.rate >= 0.99 * per_minute


def test_the_usual_quota():
    """A first apply of a few dozen resources waits for nothing; 1,000 writes take 105 s."""
    quota = Quota(600)
    assert (quota.burst, quota.rate) == (60, 9)
    assert [quota.seconds(requests) for requests in (0, 60, 69, 70, 1000)] == [0, 0, 1, 2, 105]


def test_without_a_limit_nothing_takes_time():
    assert Quota().seconds(1_000_000) == 0
