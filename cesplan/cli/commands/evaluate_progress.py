"""Progress of an evaluation run: a line that is redrawn on a terminal, an occasional line in a log."""

from collections.abc import Callable
from time import monotonic

from cesplan.cli.reports import LINES
from cesplan.cli.session import Session
from cesplan.domain.lazily import lazily
from cesplan.domain.text.words import seconds
from cesplan.domain.value import Body, as_object

with lazily():
    from cesplan.render.machine.formats import events


_EVERY = 30.0
"""Seconds between two identical lines of a log."""


class RunProgress:
    """`show` displays a line on a terminal, and nothing elsewhere."""

    def __init__(self, session: Session, show: Callable[[str], None]) -> None:
        self._session = session
        self._show = show
        self._last = ("", -1)
        self._said = monotonic()

    def __call__(self, run: Body, waited: float) -> None:
        state, done, total = str(run.get("state") or "unknown"), *_counts(run)
        self._show(f"The run is {state.lower()}, {done} of {total} results, {seconds(waited)}")
        reports = self._session.reports
        is_news = (state, done) != self._last
        if LINES in reports.formats and is_news:
            line = events.evaluation_run_line(str(run.get("name", "")), state, (done, total), waited)
            reports.stream(self._session.console, [line])
        if not self._session.console.is_live and (is_news or monotonic() - self._said >= _EVERY):
            self._said = monotonic()
            self._session.console.notify_escaped(f"{state} {done} of {total} results after {seconds(waited)}\n")
        self._last = (state, done)


def _counts(run: Body) -> tuple[int, int]:
    """Results that are finished, errors included, and all of them."""
    progress = run.get("progress")
    members = as_object(progress)
    ended = ("completedCount", "errorCount", "cancelledCount")
    return sum(_number(members.get(name)) for name in ended), _number(members.get("totalCount"))


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
