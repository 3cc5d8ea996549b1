"""A line that shows what is waited for, on terminals, once it has taken long enough to wonder."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from cesplan.cli.console import Console
from cesplan.cli.session import Session

_LONG_ENOUGH = 0.4
_EVERY = 0.1
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_CLEAR = "\r\x1b[2K"


@contextmanager
def patience(session: Session, what: str) -> Iterator[None]:
    """Show `what` and the seconds while the context lasts; the line is gone afterwards."""
    console = session.console
    if not console.is_live or session.debug:  # with --debug requests scroll by
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_show, args=(console, what, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _show(console: Console, what: str, over: threading.Event) -> None:
    started = monotonic()
    if over.wait(_LONG_ENOUGH):
        return
    turn = 0
    while not over.wait(_EVERY):
        frame = _FRAMES[turn % len(_FRAMES)]
        console.tell(f"{_CLEAR}{frame} {what}, {monotonic() - started:.0f} s")
        turn += 1
    console.tell(_CLEAR)


@contextmanager
def told(session: Session) -> Iterator[Callable[[str], None]]:
    """Progress on a terminal: one line that says what is going on. In a log, nothing: a pull takes seconds."""
    if not session.console.is_live:
        yield lambda text: None
        return
    from rich.console import Console as Terminal

    terminal = Terminal(
        stderr=True, highlight=False, markup=False, no_color=not session.console.err_view.colour
    )
    with terminal.status("Starting …", spinner="dots") as status:
        yield lambda text: status.update(f"{text} …")
