"""Threads for concurrent work, and how Ctrl-C ends them."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

_T = TypeVar("_T")

ATTENTION = 1.0
"""
The seconds after which a thread that waits for another one looks for signals.

Python runs their handlers in the main thread, between two instructions. A wait for a lock does not end for a
signal that came just before it began, or that another thread received: a Ctrl-C would have no effect until the
wait is over, and a worker may wait for minutes until it can send its request again.
"""


@contextmanager
def side_by_side(
    workers: int, interrupt: Callable[[], None], cancelled: Callable[[], bool] = lambda: False
) -> Iterator[ThreadPoolExecutor]:
    """
    A pool of `workers` threads. On exit, all submitted work is done.

    A KeyboardInterrupt calls `interrupt`. After that, or if `cancelled` returns true on exit, no more work
    starts, and running work is not awaited, whatever ends the use of the pool.
    """
    pool = ThreadPoolExecutor(workers)
    is_interrupted = False
    try:
        yield pool
    except KeyboardInterrupt:
        is_interrupted = True
        interrupt()
        raise
    finally:
        waits = not (is_interrupted or cancelled())
        pool.shutdown(wait=waits, cancel_futures=not waits)


def result_of(future: Future[_T]) -> _T:
    """The result of work in a pool, or its error. Use this to wait: a Ctrl-C ends it."""
    while True:
        try:
            return future.result(ATTENTION)
        except TimeoutError:
            if future.done():  # the work itself raised it, or ended just now
                return future.result()
