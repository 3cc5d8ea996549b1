"""Time and chance, handed in so that tests decide both."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """
    `monotonic` and `wall` are in seconds, `wall` since the epoch (for HTTP dates); `sleep` takes seconds;
    `chance` is uniform in [0, 1).
    """

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random
