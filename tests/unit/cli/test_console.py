"""The two streams: width, colour, and readers that go away."""

import io
import sys

import pytest

from cesplan.cli.console import Console


class _Stream(io.StringIO):
    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def _console(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], *, terminal: bool, colour: bool | None = None
) -> Console:
    monkeypatch.setattr(sys, "stdout", _Stream(terminal=terminal))
    monkeypatch.setattr(sys, "stderr", _Stream(terminal=False))
    return Console(colour=colour, environ=environ)


@pytest.mark.parametrize(
    ("environ", "terminal", "coloured"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_colour_is_for_terminals(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], terminal: bool, coloured: bool
) -> None:
    """NO_COLOR wins over everything, a pipe has none unless asked for."""
    assert _console(monkeypatch, environ, terminal=terminal).out_view.colour is coloured


def test_the_flag_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """--no-color is the last word."""
    console = _console(monkeypatch, {"FORCE_COLOR": "1"}, terminal=True, colour=False)
    assert console.out_view.colour is False


@pytest.mark.parametrize(("columns", "width"), [("", 80), ("100", 100), ("20", 60), ("900", 140), ("x", 80)])
def test_width_has_bounds(monkeypatch: pytest.MonkeyPatch, columns: str, width: int) -> None:
    """Pipes are 80 wide unless COLUMNS says otherwise, within what can be laid out and read."""
    assert _console(monkeypatch, {"COLUMNS": columns}, terminal=False).out_view.width == width


def test_each_stream_decides_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report on a terminal is coloured although its progress goes to a file."""
    console = _console(monkeypatch, {}, terminal=True)
    assert (console.out_view.colour, console.err_view.colour) == (True, False)
