"""
The redrawn last line of a terminal: what the command waits for, or its progress. Other output scrolls by above
it. A log has no such line.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import ceil
from os import get_terminal_size
from time import monotonic
from types import TracebackType

from cesplan.cli.console import Console
from cesplan.cli.session import Session
from cesplan.domain.service.waits import Waits
from cesplan.render.page import printable, width_of

_LONG_ENOUGH = 0.4
"""Seconds after which a user begins to wonder."""
_EVERY = 0.1
"""Seconds between two updates."""
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_CLEAR = "\r\x1b[2K"
_NARROWEST, _USUAL = 20, 80


@contextmanager
def wait_line(session: Session, what: str) -> Iterator[None]:
    """Show `what` and the seconds while the context lasts; the line is gone afterwards."""
    console = session.console
    if not console.is_live or session.debug:  # with --debug, requests scroll by
        yield
        return
    with LiveLine(console, what, after=_LONG_ENOUGH, counts=True, waits=session.waits):
        yield


@contextmanager
def progress_line(session: Session) -> Iterator[Callable[[str], None]]:
    """Progress on a terminal: one line. In a log, nothing: a pull takes seconds."""
    if not session.console.is_live:
        yield lambda text: None
        return
    with LiveLine(session.console, "Starting …", waits=session.waits) as shown:
        yield lambda text: shown.update(f"{text} …")


class LiveLine:
    """
    A line that is redrawn by a thread of its own as long as the context lasts, and gone afterwards.

    `after` seconds pass before it is first shown. With `counts`, the text is followed by the seconds since
    then. After that comes what requests wait for, from `waits`. A text that is a function is called each time.
    """

    def __init__(
        self,
        console: Console,
        text: str,
        *,
        after: float = 0.0,
        counts: bool = False,
        waits: Waits | None = None,
    ) -> None:
        self._console = console
        self._text: str | Callable[[], str] = text
        self._waits = waits
        self._after = after
        self._counts = counts
        self._started = monotonic()
        self._turn = 0
        self._is_drawn = False
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._turn_on, daemon=True)

    def __enter__(self) -> "LiveLine":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()
        with self._lock:
            self._clear()

    def update(self, text: str | Callable[[], str]) -> None:
        """Show another text."""
        with self._lock:
            self._text = text
            if self._is_drawn:
                self._draw()

    def print(self, text: str) -> None:
        """Lines that stay, above this one."""
        with self._lock:
            was_drawn = self._is_drawn
            self._clear()
            self._console.notify(text)
            if was_drawn:
                self._draw()

    def _turn_on(self) -> None:
        wait = self._after
        while not self._over.wait(wait):
            with self._lock:
                self._turn += 1
                self._draw()
            wait = _EVERY

    def _draw(self) -> None:
        text = self._text if isinstance(self._text, str) else self._text()
        text = f"{text}, {monotonic() - self._started:.0f} s" if self._counts else text
        frame = _FRAMES[self._turn % len(_FRAMES)]
        wait, room = self._wait(), _room() - 3
        shown = _cut(printable(text), max(room - len(wait), _NARROWEST))
        self._console.notify(f"{_CLEAR}{frame} {_cut(shown + wait, room)}")
        self._is_drawn = True

    def _wait(self) -> str:
        """`  waiting 12 s: quota (429)`; empty if nothing waits."""
        found = self._waits.current() if self._waits else None
        return f"   waiting {ceil(found[0])} s: {found[1]}" if found else ""

    def _clear(self) -> None:
        if self._is_drawn:
            self._console.notify(_CLEAR)
            self._is_drawn = False


def _room() -> int:
    """The current width of the terminal: a wider line could not be erased."""
    with suppress(OSError):
        if columns := get_terminal_size(2).columns:  # 0 if unknown
            return max(_NARROWEST, columns)
    return _USUAL


def _cut(text: str, width: int) -> str:
    if width_of(text) <= width:
        return text
    while text and width_of(text) > width - 1:
        text = text[:-1]
    return f"{text}…"
