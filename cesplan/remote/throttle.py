"""
Rate limits: a token bucket for reads and one for writes, shared by all workers of a client.

The service counts reads and writes separately. A 429 response pauses all callers of the bucket, empties it and
halves its rate, because others use the same quota. If no more follow, the rate recovers step by step.
"""

import threading

from cesplan.domain.service.quota import Quota, Quotas
from cesplan.remote.calls import Call
from cesplan.remote.clock import Clock

_SLOWER = 2.0
"""The factor for the interval between two requests after a 429."""
_SLOWEST = 16.0
_RECOVERY = 20.0
"""The seconds without a 429 after which one slowdown is undone."""


class Throttle:
    """
    Makes callers wait until they may send. Safe to share between threads.

    With an unlimited quota, callers wait only after `pause`.
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

    def acquire(self) -> bool:
        """
        Wait until another request may be sent. False if a stop was requested meanwhile, so that it must not be
        sent.

        Requests after the stop (such as a re-read, or locking an app again) do not wait.
        """
        is_stopping = self._clock.halt.is_requested
        start = self._reserve()
        while not is_stopping and (wait := start - self._clock.monotonic()) > 0:
            if not self._clock.rest(wait):
                return False
            if self._paused_after(start):
                start = self._reserve()
        return True

    def pause(self, seconds: float) -> None:
        """
        Hold back all requests that were not sent yet, and allow no burst afterwards.

        Several 429 responses to requests sent at the same time cause only one slowdown.
        """
        with self._lock:
            now = self._clock.monotonic()
            if now >= self._resume_at:
                self._slowness = min(self._slowness * _SLOWER, _SLOWEST)
            self._slowed_at = max(self._slowed_at, now + seconds)
            self._resume_at = max(self._resume_at, now + seconds)
            self._next_due = max(self._next_due, self._resume_at + self._interval * self._spare)

    def _reserve(self) -> float:
        """When the caller may send, by the generic cell rate algorithm, a token bucket without refilling."""
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
        """The bucket of a call."""
        return self._reads if call.reads else self._writes
