"""
The two streams of a command: data to stdout, everything else to stderr, each with its own width and color.
"""

import contextlib
import os
import sys
from collections.abc import Mapping
from typing import TextIO

from cesplan.domain.errors import CesplanError
from cesplan.domain.text.characters import commandless
from cesplan.render.page import printable
from cesplan.render.text.layout import View

_PLAIN_WIDTH = 80
_NARROWEST, _WIDEST = 60, 140
"""A narrower page cannot be laid out, and a wider one is hard to read."""


class Console:
    """Writes texts. A reader that went away (`| head`) ends the writing, not the command."""

    def __init__(self, *, colour: bool | None = None, environ: Mapping[str, str] = os.environ) -> None:
        """With `colour` None, the streams and the environment decide."""
        self._out, self._err = sys.stdout or _sink(), sys.stderr or _sink()  # None for one that is closed
        for stream in (self._out, self._err, *([sys.stdin] if sys.stdin else [])):
            _make_tolerant(stream)
        self._can_move = environ.get("TERM") != "dumb"
        self.out_view = _view(self._out, colour, environ)
        self.err_view = _view(self._err, colour, environ)

    @property
    def is_live(self) -> bool:
        """True if stderr is a terminal that can redraw a line."""
        return _is_terminal(self._err) and self._can_move

    @property
    def can_ask(self) -> bool:
        """True if a person can see a question and answer it."""
        return _is_terminal(self._err) and _is_terminal(sys.stdin)

    def data(self, text: str) -> None:
        """Write the result. Raises CesplanError if it cannot be written."""
        try:
            self._out = _write(self._out, text)
        except OSError as error:
            self._out = _discarding(self._out)
            raise CesplanError(summary=f"Cannot write the result: {error.strerror or error}.") from error

    def notify(self, text: str) -> None:
        """Write progress and errors; a failure to write them is ignored."""
        try:
            self._err = _write(self._err, commandless(text))
        except OSError:
            self._err = _discarding(self._err)

    def notify_escaped(self, text: str) -> None:
        """
        The same for untrusted text: unprintable characters except line feeds are made visible.
        """
        self.notify("\n".join(map(printable, text.split("\n"))))

    def notify_unbuffered(self, text: str) -> None:
        """The same from a signal handler: past every buffer, which may be in the middle of something."""
        with contextlib.suppress(OSError, ValueError):
            os.write(self._err.fileno(), text.encode(errors="replace"))

    def ask(self, question: str) -> str | None:
        """A line that the user types, without surrounding white space; None at the end of input."""
        self.notify(question)
        answer = sys.stdin.readline() if sys.stdin else ""
        if not answer:
            self.notify("\n")  # the next output begins on a new line
        return answer.strip() if answer else None


def _view(stream: TextIO, colour: bool | None, environ: Mapping[str, str]) -> View:
    terminal = _is_terminal(stream)
    return View(
        width=_width(environ, terminal=terminal),
        colour=_has_colour(environ, terminal=terminal) if colour is None else colour,
    )


def _width(environ: Mapping[str, str], *, terminal: bool) -> int:
    given = environ.get("COLUMNS", "")
    requested = int(given) if given.isdecimal() else 0
    found = requested or (_columns() if terminal else 0) or _PLAIN_WIDTH
    return max(_NARROWEST, min(_WIDEST, found))


def _columns() -> int:
    """The width of the terminal in columns; 0 if unknown."""
    for descriptor in (1, 2, 0):
        with contextlib.suppress(OSError):
            return os.get_terminal_size(descriptor).columns
    return 0


def _has_colour(environ: Mapping[str, str], *, terminal: bool) -> bool:
    """https://no-color.org and its opposite; a dumb terminal has none."""
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return terminal and environ.get("TERM") != "dumb"


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def _make_tolerant(stream: TextIO) -> None:
    """Data is UTF-8 whatever the locale; what cannot be shown or read is replaced, never an error."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        with contextlib.suppress(OSError):  # this flushes buffered output, and the disk may be full
            reconfigure(errors="replace", **({} if _is_terminal(stream) else {"encoding": "utf-8"}))


def _write(stream: TextIO, text: str) -> TextIO:
    """Write and flush; return the stream to write to from now on."""
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        return _discarding(stream)
    return stream


def _discarding(stream: TextIO) -> TextIO:
    """
    A stream that discards everything, in place of one whose reader is gone.

    The file descriptor is replaced too, or the interpreter would fail when it flushes on exit.
    """
    sink = _sink()
    os.dup2(sink.fileno(), stream.fileno())
    return sink


def _sink() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # lives as long as the process
