"""What work costs, for tests that it grows with the input and no faster."""

from collections.abc import Callable
from cProfile import Profile
from time import thread_time


def calls_of(work: Callable[[], object], *, builtins: bool = False) -> int:
    """How many functions are called, with `builtins` also those in C: the same number on every machine."""
    counting = Profile(builtins=builtins)
    counting.runcall(work)
    return sum(entry.callcount for entry in counting.getstats())


def growth(work: Callable[[int], Callable[[], object]], small: int, large: int) -> float:
    """
    How many times the CPU seconds of the small work the large one takes, each the least of three runs.

    For what calls do not show: a search by a regular expression, or a loop without a call. A bound holds on
    every machine if it is far from both the growth that is right and the one that is wrong.
    """
    return _cpu_of(work(large)) / _cpu_of(work(small))


def _cpu_of(work: Callable[[], object]) -> float:
    def once() -> float:
        began = thread_time()
        work()
        return thread_time() - began

    return min(once() for _ in range(3))
