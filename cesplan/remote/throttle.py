"""
The rate of requests: one token bucket that all workers of a client share.

The usual quota is 600 reads and 600 writes a minute, so 8 requests a second stay below it and
leave room for others. A 429 response pauses all callers and empties the bucket.
"""

import threading

from cesplan.remote.clock import Clock

RATE = 8.0
"""Requests a second; the project's default."""

BURST = 16
"""What may go out at once after a rest: enough for every list of a plan, far below a minute's quota."""


class Throttle:
    """
    Makes callers wait for their turn. Safe to share between threads.

    `rate` is in requests a second; 0 means no limit, and then only `pause` makes anyone wait.
    """

    def __init__(self, *, rate: float = RATE, burst: int = BURST, clock: Clock) -> None:
        self._interval = 1 / rate if rate else 0.0
        self._tolerance = self._interval * max(burst - 1, 0)
        self._clock = clock
        self._lock = threading.Lock()
        self._next_due = 0.0
        self._resume_at = 0.0

    def take(self) -> bool:
        """
        Wait until one more request may be sent; False if a stop came meanwhile, and it must not be.

        What is asked for after the stop (a look, a lock that closes again) waits for nothing.
        """
        hurries = self._clock.halt.asked
        start = self._reserve()
        while not hurries and (wait := start - self._clock.monotonic()) > 0:
            if not self._clock.rest(wait):
                return False
            if self._paused_after(start):
                start = self._reserve()
        return True

    def pause(self, seconds: float) -> None:
        """Hold back all requests that were not sent yet, and let none go as a burst afterwards."""
        with self._lock:
            until = self._clock.monotonic() + seconds
            self._resume_at = max(self._resume_at, until)
            self._next_due = max(self._next_due, self._resume_at + self._tolerance)

    def _reserve(self) -> float:
        """When the caller may go: the generic cell rate algorithm, a bucket that needs no refilling."""
        with self._lock:
            due = max(self._next_due, self._clock.monotonic())
            start = max(due - self._tolerance, self._clock.monotonic(), self._resume_at)
            self._next_due = max(due, start) + self._interval
            return start

    def _paused_after(self, start: float) -> bool:
        with self._lock:
            return self._resume_at > start
