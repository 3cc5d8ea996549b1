"""Threads, and how a Ctrl-C ends them."""

import threading
from concurrent.futures import Future
from typing import Any

import pytest

from cesplan.domain.text.side_by_side import side_by_side


def test_at_the_end_everything_is_done() -> None:
    gate = threading.Event()
    done: list[str] = []
    with side_by_side(1, interrupt=lambda: None) as pool:
        pool.submit(gate.wait, 10)
        pool.submit(done.append, "later")
        gate.set()
    assert done == ["later"]


def test_ctrl_c_waits_for_nothing_and_begins_nothing() -> None:
    """What is under way hears of it, and goes on without anyone waiting."""
    gate, begun = threading.Event(), threading.Event()
    told: list[str] = []
    later: list[str] = []
    submitted: list[Future[Any]] = []

    def hang() -> None:
        begun.set()
        gate.wait(10)

    def interrupted() -> None:
        with side_by_side(1, interrupt=lambda: told.append("stop")) as pool:
            submitted.extend([pool.submit(hang), pool.submit(later.append, "never")])
            assert begun.wait(10)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    under_way, waiting = submitted
    assert (told, under_way.done(), waiting.cancelled()) == (["stop"], False, True)
    gate.set()
    under_way.result(10)
    assert later == []


def test_a_cancelled_pool_does_not_wait_either() -> None:
    gate = threading.Event()
    with side_by_side(1, interrupt=lambda: None, cancelled=lambda: True) as pool:
        under_way = pool.submit(gate.wait, 10)
    assert not under_way.done()
    gate.set()
    under_way.result(10)
