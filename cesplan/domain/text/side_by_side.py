"""Threads for concurrent work, and how Ctrl-C ends them."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


@contextmanager
def side_by_side(
    workers: int, interrupt: Callable[[], None], cancelled: Callable[[], bool] = lambda: False
) -> Iterator[ThreadPoolExecutor]:
    """
    A pool of `workers` threads. On exit, all submitted work is done.

    A KeyboardInterrupt calls `interrupt`. After that, or once `cancelled` returns true, no more work starts,
    and running work is not awaited.
    """
    pool = ThreadPoolExecutor(workers)
    waits = True
    try:
        yield pool
        waits = not cancelled()
    except KeyboardInterrupt:
        waits = False
        interrupt()
        raise
    finally:
        pool.shutdown(wait=waits, cancel_futures=not waits)
