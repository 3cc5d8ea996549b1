"""Following an apply in a log."""

from collections.abc import Iterator
from typing import Any

import pytest

from cesplan.cli.console import Console
from cesplan.cli.progress import follow
from cesplan.domain.outcome import Applied, Event, Started, Waiting
from tests.unit.render.builders import create, plan

_APP = create("desk")
_TOOL = create("desk/tools/one")


class _Events:
    """Stands for an apply under way."""

    interrupted = False

    def __init__(self, *events: Event) -> None:
        self._events = iter(events)

    def __iter__(self) -> Iterator[Event]:
        return self._events

    def stop(self) -> None:
        self.interrupted = True


def _follow(*events: Event) -> Any:
    made: Any = _Events(*events)
    return follow(made, plan(_APP, _TOOL), Console())


def test_a_log_has_a_line_for_each_outcome(capsys: pytest.CaptureFixture[str]) -> None:
    """Progress goes to stderr, without the only app of the plan in every name."""
    finished = _follow(
        Started(operation=_TOOL, step=_TOOL.steps[0]),
        Applied(operation=_TOOL, seconds=0.5),
        Applied(operation=_APP, seconds=2),
    )
    out, err = capsys.readouterr()
    assert out == ""
    assert err == ("\n  + tools/one  created        0.5 s\n  + app        created        2.0 s\n\n")
    assert [item.operation for item in finished.outcomes] == [_TOOL, _APP]


def test_long_operations_say_that_they_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    """Every half minute, and not more often."""
    _follow(*(Waiting(operation=_APP, step=_APP.steps[0], seconds=at) for at in (5, 29, 31, 40, 62)))
    assert capsys.readouterr().err.strip().split("\n") == [
        "… desk still running, 31 s",
        "  … desk still running, 1 min 2 s",
    ]
