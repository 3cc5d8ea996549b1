"""The quota of a project: the requests per minute that it allows, and their distribution over time."""

import math

from cesplan.domain.frozen import dataclass

_SAVED = 10
"""One request in this many is reserved for a burst, so that no minute exceeds the quota."""


@dataclass(frozen=True, slots=True)
class Quota:
    """
    `per_minute` is the maximum number of requests in any minute; 0 means no limit.

    Requests are sent at `rate`, and after a pause `burst` of them are sent at once. `burst` plus one minute at
    `rate` never exceed the quota, so the limit holds for every minute, wherever it begins.
    """

    per_minute: int = 0

    @property
    def burst(self) -> int:
        """The number of requests that may be sent at once."""
        return max(1, self.per_minute // _SAVED)

    @property
    def rate(self) -> float:
        """Requests per second; 0 means no limit."""
        return max(self.per_minute - self.burst, self.per_minute / 2) / 60

    def seconds(self, requests: int) -> int:
        """The minimum time for this many requests, in seconds."""
        return math.ceil(max(requests - self.burst, 0) / self.rate) if self.rate else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotas:
    """The service counts read requests and write requests separately."""

    reads: Quota = Quota()
    writes: Quota = Quota()
