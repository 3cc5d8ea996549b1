"""The line that is redrawn: what scrolls by stays, and the line itself leaves nothing."""

import os
import pty
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from time import sleep

import pytest

from cesplan.cli.console import Console
from cesplan.cli.live_line import LiveLine
from cesplan.domain.service.waits import Waits

CLEAR = "\r\x1b[2K"


class Terminal:
    """What a terminal was sent."""

    def __init__(self, descriptor: int) -> None:
        self.sent = ""
        self._descriptor = descriptor
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            while data := os.read(self._descriptor, 65_536):
                self.sent += data.decode()
        except OSError:
            return

    def rows(self) -> list[str]:
        """What is left to see."""
        self._thread.join(5)
        return [row.rpartition(CLEAR)[2] for row in self.sent.replace("\r\n", "\n").split("\n")]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Console, Terminal]]:
    shown, own = pty.openpty()
    terminal = Terminal(shown)
    with os.fdopen(own, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        yield Console(), terminal
    os.close(shown)


def _closed(console: Console, terminal: Terminal) -> list[str]:
    console._err.close()
    return terminal.rows()


def test_lines_stay_and_the_line_goes(terminal: tuple[Console, Terminal]) -> None:
    """Whatever else happens meanwhile."""
    console, screen = terminal
    with suppress(RuntimeError), LiveLine(console, "Applying …") as shown:
        sleep(0.25)
        for number in range(3):
            shown.update(f"{number} of 3")
            shown.print(f"line {number}\n")
        raise RuntimeError
    rows = _closed(console, screen)
    assert rows == ["line 0", "line 1", "line 2", ""]
    assert "Applying …" in screen.sent
    assert "2 of 3" in screen.sent


def test_what_takes_no_time_is_not_shown(terminal: tuple[Console, Terminal]) -> None:
    console, screen = terminal
    with LiveLine(console, "Reading", after=5.0, counts=True):
        pass
    assert _closed(console, screen) == [""]
    assert screen.sent == ""


def test_it_is_one_row_and_commands_nothing(terminal: tuple[Console, Terminal]) -> None:
    """Text of others is made visible, and what has no room is cut: a second row could not be taken back."""
    console, screen = terminal
    with LiveLine(console, "日本\x1b[2J\n" * 80):
        sleep(0.25)
    assert _closed(console, screen) == [""]
    assert "\x1b[2J" not in screen.sent
    assert "日本\\u001b[2J⏎" in screen.sent
    assert max(map(len, screen.sent.split(CLEAR))) < 80


def test_a_wait_has_its_time_and_its_reason(terminal: tuple[Console, Terminal]) -> None:
    """Counted down, also where the text is too long; the longest of several; gone when it is over."""
    console, screen = terminal
    now = [0.0]
    waits = Waits(lambda: now[0])
    with LiveLine(console, "long " * 40, waits=waits):
        waits.note("the service answered 503", 1.0)
        waits.note("quota (429)", 12.0)
        sleep(0.25)
        now[0] = 3.5
        sleep(0.25)
        now[0] = 13.0
        sleep(0.25)
    rows = _closed(console, screen)
    assert rows == [""]
    drawn = screen.sent.split(CLEAR)
    assert any(text.endswith("…   waiting 12 s: quota (429)") for text in drawn)
    assert any(text.endswith("…   waiting 9 s: quota (429)") for text in drawn)
    assert "waiting" not in drawn[-2]
    assert max(map(len, drawn)) <= 80


def test_a_clock_runs_while_nothing_happens(terminal: tuple[Console, Terminal]) -> None:
    """The text is asked for each time that it is drawn."""
    console, screen = terminal
    turns = iter(range(1000))
    with LiveLine(console, "Starting") as shown:
        shown.update(lambda: f"turn {next(turns)}")
        sleep(0.35)
    _closed(console, screen)
    assert "turn 2" in screen.sent
