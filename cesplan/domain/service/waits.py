"""Waits: why requests wait before a retry, and for how long, to show at the terminal."""

import threading
import time
from collections.abc import Callable


class Waits:
    """What requests are waiting for at the moment. Safe to share between threads, and only informative."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._until: dict[str, float] = {}

    def note(self, reason: str, seconds: float) -> None:
        """Record that a request waits this long from now on, for a reason in a few words: `quota (429)`."""
        with self._lock:
            now = self._monotonic()
            self._until = {one: until for one, until in self._until.items() if until > now}
            self._until[reason] = max(self._until.get(reason, 0.0), now + seconds)

    def current(self) -> tuple[float, str] | None:
        """The seconds left of the longest wait, and its reason; None if no request waits."""
        with self._lock:
            now = self._monotonic()
            left = [(until - now, reason) for reason, until in self._until.items() if until > now]
        return max(left, default=None)
