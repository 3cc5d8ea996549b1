"""
The rate of requests: a token bucket for reads and one for writes, which all workers of a client share.

The service counts reads and writes apart. A 429 response pauses the callers of that bucket, empties it and
halves its rate, because others use the same quota; while no more come, the rate returns step by step.
"""

import threading

from cesplan.domain.service.quota import Quota, Quotas
from cesplan.remote.calls import Call
from cesplan.remote.clock import Clock

_SLOWER = 2.0
"""What the interval between two requests is multiplied with after a 429."""
_SLOWEST = 16.0
_RECOVERY = 20.0
"""Seconds without a 429 after which one slowing down is taken back."""


class Throttle:
    """
    Makes callers wait for their turn. Safe to share between threads.

    A quota without a limit makes nobody wait; then only `pause` does.
    """

    def __init__(self, quota: Quota, clock: Clock) -> None:
        self._fastest = 1 / quota.rate if quota.rate else 0.0
        self._spare = max(quota.burst - 1, 0)
        self._slowness = 1.0
        self._slowed_at = 0.0
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
        """
        Hold back all requests that were not sent yet, and let none go as a burst afterwards.

        Answers to requests that were on their way together slow down once.
        """
        with self._lock:
            now = self._clock.monotonic()
            if now >= self._resume_at:
                self._slowness = min(self._slowness * _SLOWER, _SLOWEST)
            self._slowed_at = max(self._slowed_at, now + seconds)
            self._resume_at = max(self._resume_at, now + seconds)
            self._next_due = max(self._next_due, self._resume_at + self._interval * self._spare)

    def _reserve(self) -> float:
        """When the caller may go: the generic cell rate algorithm, a bucket that needs no refilling."""
        with self._lock:
            now = self._clock.monotonic()
            while self._slowness > 1 and now >= self._slowed_at + _RECOVERY:
                self._slowness /= _SLOWER
                self._slowed_at += _RECOVERY
            due = max(self._next_due, now)
            start = max(due - self._interval * self._spare, now, self._resume_at)
            self._next_due = max(due, start) + self._interval
            return start

    @property
    def _interval(self) -> float:
        return self._fastest * self._slowness

    def _paused_after(self, start: float) -> bool:
        with self._lock:
            return self._resume_at > start


class Throttles:
    """The buckets of one service. Safe to share between threads."""

    def __init__(self, quotas: Quotas, clock: Clock) -> None:
        self._reads = Throttle(quotas.reads, clock)
        self._writes = Throttle(quotas.writes, clock)

    def of(self, call: Call) -> Throttle:
        """The bucket that a call takes its turn from."""
        return self._reads if call.reads else self._writes
