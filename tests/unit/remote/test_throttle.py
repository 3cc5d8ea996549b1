"""The token bucket: law by law, on a clock that only moves by sleeping."""

from dataclasses import replace

from cesplan.domain.frozen import dataclass
from cesplan.domain.service.quota import Quota
from cesplan.remote.clock import Halt
from cesplan.remote.throttle import Throttle


@dataclass(frozen=True, slots=True)
class Spread(Quota):
    """A quota whose rate and burst are given."""

    rate: float = 0
    burst: int = 1


def test_a_burst_goes_out_at_once_and_then_the_rate_holds(hourglass):
    """After a rest `burst` requests wait for nothing; the next ones come at 1/rate."""
    throttle = Throttle(Spread(rate=4, burst=3), hourglass.clock)
    due = []
    for _ in range(6):
        throttle.acquire()
        due.append(hourglass.now - 1000)
    assert due == [0, 0, 0, 0.25, 0.5, 0.75]


def test_a_rest_fills_the_bucket_up_to_the_burst_only(hourglass):
    """Idle time is not saved beyond one burst."""
    throttle = Throttle(Spread(rate=4, burst=2), hourglass.clock)
    hourglass.now += 3600
    for _ in range(3):
        throttle.acquire()
    assert hourglass.slept == [0.25]


def test_no_rate_means_no_waiting(hourglass):
    """Rate 0 never makes anyone wait."""
    throttle = Throttle(Spread(rate=0), hourglass.clock)
    for _ in range(1000):
        throttle.acquire()
    assert hourglass.slept == []


def test_a_pause_holds_everybody_back_and_lets_no_burst_follow(hourglass):
    """After a pause requests come one by one, even though the bucket was full before it."""
    throttle = Throttle(Spread(rate=4, burst=8), hourglass.clock)
    throttle.pause(10)
    due = []
    for _ in range(3):
        throttle.acquire()
        due.append(hourglass.now - 1000)
    assert due == [10, 10.5, 11]


def test_each_429_halves_the_rate_and_time_without_one_brings_it_back(hourglass):
    """Answers to what was on its way together count once; the slowest is a sixteenth."""
    throttle = Throttle(Spread(rate=4), hourglass.clock)

    def interval():
        throttle.acquire()
        before = hourglass.now
        throttle.acquire()
        return hourglass.now - before

    assert interval() == 0.25
    throttle.pause(1)
    throttle.pause(2)
    assert interval() == 0.5
    throttle.pause(1)
    assert interval() == 1
    hourglass.now += 20
    assert interval() == 0.5
    hourglass.now += 20
    assert interval() == 0.25
    for _ in range(10):
        throttle.pause(0)
    assert interval() == 4
    hourglass.now += 3600
    assert interval() == 0.25


def test_a_pause_holds_back_who_already_waits(hourglass):
    """A caller that sleeps towards its turn when the pause comes goes only after the pause."""
    waits = []

    def sleep(seconds):
        waits.append(seconds)
        if len(waits) == 1:
            throttle.pause(5)
        hourglass.clock.sleep(seconds)

    throttle = Throttle(Spread(rate=1, burst=1), replace(hourglass.clock, sleep=sleep))
    throttle.acquire()
    throttle.acquire()
    assert waits == [1, 4]
    assert hourglass.now == 1005


def test_a_shorter_pause_does_not_end_a_longer_one(hourglass):
    """Pauses do not cut each other short."""
    throttle = Throttle(Spread(rate=0), hourglass.clock)
    throttle.pause(10)
    throttle.pause(1)
    throttle.acquire()
    assert hourglass.slept == [10]


def test_a_stop_ends_the_wait_for_a_turn_and_later_ones_wait_for_nothing(hourglass):
    """Who waited must not send any more; who asks afterwards, for a look or a lock, goes at once."""
    halt = Halt()
    throttle = Throttle(
        Spread(rate=0), replace(hourglass.clock, sleep=lambda seconds: halt.request(), halt=halt)
    )
    throttle.pause(1000)
    assert not throttle.acquire()
    assert throttle.acquire()
    assert hourglass.now == 1000
