"""A line that shows what is waited for, on terminals, once it has taken long enough to wonder."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cesplan.cli.live_line import LiveLine
from cesplan.cli.session import Session

_LONG_ENOUGH = 0.4


@contextmanager
def patience(session: Session, what: str) -> Iterator[None]:
    """Show `what` and the seconds while the context lasts; the line is gone afterwards."""
    console = session.console
    if not console.is_live or session.debug:  # with --debug requests scroll by
        yield
        return
    with LiveLine(console, what, after=_LONG_ENOUGH, counts=True, waits=session.waits):
        yield


@contextmanager
def told(session: Session) -> Iterator[Callable[[str], None]]:
    """Progress on a terminal: one line that says what is going on. In a log, nothing: a pull takes seconds."""
    if not session.console.is_live:
        yield lambda text: None
        return
    with LiveLine(session.console, "Starting …", waits=session.waits) as shown:
        yield lambda text: shown.update(f"{text} …")
