"""The quota of a project: how many requests a minute it allows, and how they are spread over time."""

import math

from cesplan.domain.frozen import dataclass

_SAVED = 10
"""One request in so many is kept for a burst, so that no minute holds more than the quota."""


@dataclass(frozen=True, slots=True)
class Quota:
    """
    `per_minute` is the number of requests that one minute may hold; 0 means no limit.

    Requests go out at `rate`; after a rest, `burst` of them go out at once. `burst` and a minute at `rate` are
    together no more than the quota, so it holds for every minute, wherever the minute begins.
    """

    per_minute: int = 0

    @property
    def burst(self) -> int:
        """Requests that may go out at once."""
        return max(1, self.per_minute // _SAVED)

    @property
    def rate(self) -> float:
        """Requests a second; 0 means no limit."""
        return max(self.per_minute - self.burst, self.per_minute / 2) / 60

    def seconds(self, requests: int) -> int:
        """The least time that so many requests take."""
        return math.ceil(max(requests - self.burst, 0) / self.rate) if self.rate else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotas:
    """The service counts requests that read and requests that write apart."""

    reads: Quota = Quota()
    writes: Quota = Quota()
