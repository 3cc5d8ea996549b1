"""Waiting longer and longer, with jitter, and giving up."""

import signal
import threading
import time

import pytest

from cesplan.remote.clock import Backoff, Halt, Tries

BACKOFF = Backoff(first=1, factor=2, longest=5, tries=5, total=100)


def _delays(tries, hourglass, at_least=0.0):
    found = []
    while (delay := tries.next_delay(at_least)) is not None:
        found.append(delay)
        hourglass.now += delay
    return found


def test_ceilings_double_up_to_the_longest(hourglass):
    """With the highest draw the delays are 1, 2, 4, then the longest; five tries have four gaps."""
    assert _delays(Tries(BACKOFF, hourglass.clock), hourglass) == [1, 2, 4, 5]


def test_jitter_is_full(hourglass):
    """A draw of a quarter waits for a quarter of the ceiling: delays reach down to nothing."""
    hourglass.chance = 0.25
    assert _delays(Tries(BACKOFF, hourglass.clock), hourglass) == [0.25, 0.5, 1, 1.25]


def test_what_the_service_asks_for_is_the_least(hourglass):
    """Retry-After lengthens a delay and never shortens one."""
    assert _delays(Tries(BACKOFF, hourglass.clock), hourglass, at_least=3) == [3, 3, 4, 5]


def test_the_total_ends_it(hourglass):
    """A delay that would end after the total is not begun."""
    short = Backoff(first=1, factor=2, longest=60, tries=50, total=10)
    assert _delays(Tries(short, hourglass.clock), hourglass) == [1, 2, 4]


def test_the_defaults_give_up_within_the_total(hourglass):
    """Seven tries, within two and a half minutes."""
    tries = Tries(Backoff(), hourglass.clock)
    assert _delays(tries, hourglass) == [0.5, 1, 2, 4, 8, 16]
    assert tries.count == 7
    assert tries.seconds == 31.5


def test_ctrl_c_ends_a_sleep_even_if_another_thread_receives_it():
    """As if it had come just before the sleep: nothing wakes the main thread."""

    ended = threading.Event()
    in_time: list[bool] = []

    def strike():
        time.sleep(0.1)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        in_time.append(ended.wait(15))

    striker = threading.Thread(target=strike)
    striker.start()
    with pytest.raises(KeyboardInterrupt):
        Halt().sleep(30)
    ended.set()
    striker.join()
    assert in_time == [True]


def test_a_sleep_lasts_as_long_as_asked_or_until_the_stop():
    began = time.monotonic()
    Halt().sleep(0.05)
    assert time.monotonic() - began >= 0.05
    halt = Halt()
    threading.Timer(0.05, halt.request).start()
    halt.sleep(30)
    assert halt.is_requested
