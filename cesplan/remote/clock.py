"""Time and chance, handed in so that tests decide both; and the stop that ends all waiting."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from cesplan.remote.halt import Halt


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """
    `monotonic` and `wall` are in seconds, `wall` since the epoch (for HTTP dates); `sleep` takes seconds, and
    without one a sleep ends early once somebody asks for the `halt`; `chance` is uniform in [0, 1).
    """

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], None] | None = None
    chance: Callable[[], float] = random.random
    halt: Halt = field(default_factory=Halt)

    def rest(self, seconds: float) -> bool:
        """Sleep; False where a stop was asked for, and nobody should go on as if nothing had happened."""
        (self.sleep or self.halt.sleep)(seconds)
        return not self.halt.asked
