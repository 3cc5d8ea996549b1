"""Threads, and how a Ctrl-C ends them."""

import signal
import threading
import time
from concurrent.futures import Future
from contextlib import nullcontext
from typing import Any

import pytest

from cesplan.domain.service.side_by_side import result_of, side_by_side


def test_at_the_end_everything_is_done() -> None:
    gate = threading.Event()
    done: list[str] = []
    with side_by_side(1, interrupt=lambda: None) as pool:
        pool.submit(gate.wait, 10)
        pool.submit(done.append, "later")
        gate.set()
    assert done == ["later"]


def test_ctrl_c_waits_for_nothing_and_begins_nothing() -> None:
    """Running work is interrupted, and nothing waits for its end."""
    gate, begun = threading.Event(), threading.Event()
    interrupts: list[str] = []
    later: list[str] = []
    submitted: list[Future[Any]] = []

    def hang() -> None:
        begun.set()
        gate.wait(10)

    def interrupted() -> None:
        with side_by_side(1, interrupt=lambda: interrupts.append("stop")) as pool:
            submitted.extend([pool.submit(hang), pool.submit(later.append, "never")])
            assert begun.wait(10)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    under_way, waiting = submitted
    assert (interrupts, under_way.done(), waiting.cancelled()) == (["stop"], False, True)
    gate.set()
    under_way.result(10)
    assert later == []


@pytest.mark.parametrize("ends_by", [None, GeneratorExit, ValueError])
def test_a_cancelled_pool_does_not_wait_either(ends_by: type[BaseException] | None) -> None:
    """Also if the one that takes the results leaves, or fails."""
    gate = threading.Event()
    submitted: list[Future[Any]] = []
    with (
        nullcontext() if ends_by is None else pytest.raises(ends_by),
        side_by_side(1, interrupt=lambda: None, cancelled=lambda: True) as pool,
    ):
        submitted.append(pool.submit(gate.wait, 10))
        if ends_by:
            raise ends_by
    assert not submitted[0].done()
    gate.set()
    submitted[0].result(10)


def test_ctrl_c_ends_the_wait_for_a_result_even_if_another_thread_receives_it() -> None:
    """As if it had come just before the wait: nothing wakes the main thread."""
    over, ended = threading.Event(), threading.Event()
    lasted: list[bool] = []

    def struck() -> None:
        time.sleep(0.1)  # the main thread waits by now
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        lasted.append(not over.wait(10))
        ended.set()

    with pytest.raises(KeyboardInterrupt), side_by_side(1, interrupt=over.set) as pool:
        result_of(pool.submit(struck))
    assert ended.wait(10)
    assert lasted == [False]


@pytest.mark.parametrize("error", [TimeoutError("mine"), ValueError("mine")])
def test_an_error_of_the_work_is_raised_where_its_result_is_awaited(error: Exception) -> None:
    def fail() -> None:
        raise error

    with side_by_side(1, interrupt=lambda: None) as pool, pytest.raises(type(error), match="mine"):
        result_of(pool.submit(fail))
