"""
Time: the clock, the stop request that ends all waiting, and the waits before retries.

Time and randomness are injected, so that tests can control both.
"""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import field

from cesplan.domain.frozen import dataclass
from cesplan.domain.service.side_by_side import ATTENTION


class Halt:
    """A request to stop. It is never withdrawn. Safe to use from any thread."""

    def __init__(self) -> None:
        self._event = threading.Event()

    @property
    def is_requested(self) -> bool:
        return self._event.is_set()

    def request(self) -> None:
        """Request the stop, and wake all sleepers."""
        self._event.set()

    def sleep(self, seconds: float) -> None:
        """Sleep this long, or until the stop is requested. A Ctrl-C ends it in the main thread."""
        end = time.monotonic() + seconds
        while not self.is_requested and (left := end - time.monotonic()) > 0:
            self._event.wait(min(left, ATTENTION))


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """
    `monotonic` and `wall` return seconds, `wall` since the epoch (for HTTP dates). `sleep` takes seconds; by
    default, a sleep ends early once a `halt` is requested. `chance` is uniform in [0, 1).
    """

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], None] | None = None
    chance: Callable[[], float] = random.random
    halt: Halt = field(default_factory=Halt)

    def rest(self, seconds: float) -> bool:
        """Sleep. False if a stop was requested, so that the caller must stop too."""
        (self.sleep or self.halt.sleep)(seconds)
        return not self.halt.is_requested


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """Times in seconds. `tries` includes the first attempt. `total` limits the whole call, including waits."""

    first: float = 0.5
    factor: float = 2.0
    longest: float = 32.0
    tries: int = 7
    total: float = 150.0


class Tries:
    """The attempts of one request."""

    def __init__(self, backoff: Backoff, clock: Clock) -> None:
        self._backoff = backoff
        self._clock = clock
        self._started = clock.monotonic()
        self.count = 1

    @property
    def seconds(self) -> float:
        """The time since the first attempt."""
        return self._clock.monotonic() - self._started

    def next_delay(self, at_least: float = 0.0) -> float | None:
        """The seconds to wait before the next attempt; None if it is time to give up."""
        if self.count >= self._backoff.tries:
            return None
        ceiling = min(self._backoff.longest, self._backoff.first * self._backoff.factor ** (self.count - 1))
        delay = max(at_least, self._clock.chance() * ceiling)
        if self.seconds + delay > self._backoff.total:
            return None
        self.count += 1
        return delay


def duration(seconds: float) -> str:
    """A duration in words, in a suitable unit: `90 s`, `45 minutes`, `2 hours`, `3 days`."""
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}" if seconds < 10_000 * size else f"more than 9999 {unit}"
    return f"{seconds:.3g} s"
