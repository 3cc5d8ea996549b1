"""Following an apply: a live line on a terminal, a line for each outcome in a log, and Ctrl-C."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

from cesplan.cli.console import Console
from cesplan.cli.live_line import LiveLine
from cesplan.domain.frozen import dataclass
from cesplan.domain.outcome import (
    Applied,
    Event,
    Failed,
    NotRolledBack,
    Outcome,
    RolledBack,
    Skipped,
    Started,
    Undone,
    Unknown,
    Waiting,
)
from cesplan.domain.plan import Operation, Plan
from cesplan.domain.service.waits import Waits
from cesplan.domain.text.words import seconds
from cesplan.render.text.outcome import name_of, outcome_text, waiting_text
from cesplan.render.text.rollback import undone_text

if TYPE_CHECKING:
    from cesplan.engine.applying.run import Applying

_WIDEST_NAME = 50
_WAITING_EVERY = 30.0
"""Seconds between two lines of a log about a long-running operation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedApply:
    """How an apply ended; `undone` lists what was rolled back after a failure."""

    outcomes: tuple[Outcome, ...]
    undone: tuple[Undone, ...]
    seconds: float
    interrupted: bool


class _Progress(Protocol):
    """Shows one event after the other."""

    def show(self, event: Event) -> None: ...


def follow(
    events: "Applying",
    plan: Plan,
    console: Console,
    on_event: Callable[[Event], None] = lambda event: None,
    waits: Waits | None = None,
) -> FinishedApply:
    """
    Show every event and gather the outcomes; `on_event` receives them, too. `waits` says what requests wait
    for, which a terminal shows. Ctrl-C stops operations that have not begun; a second one does not wait for
    responses either.
    """
    console.notify("\n")
    with _stopping(events, console), _progress(plan, console, waits) as progress:

        def show(event: Event) -> None:
            on_event(event)
            progress.show(event)

        finished = gathered(events, show)
    console.notify("\n")
    return finished


def gathered(events: "Applying", on_event: Callable[[Event], None] = lambda event: None) -> FinishedApply:
    """Carry out an apply to its end and gather the outcomes; `on_event` receives every event."""
    started = monotonic()
    outcomes: list[Outcome] = []
    undone: list[Undone] = []
    for event in events:
        on_event(event)
        if isinstance(event, RolledBack | NotRolledBack):
            undone.append(event)
        elif not isinstance(event, Started | Waiting):
            outcomes.append(event)
    return FinishedApply(
        outcomes=tuple(outcomes),
        undone=tuple(undone),
        seconds=monotonic() - started,
        interrupted=events.interrupted,
    )


@contextmanager
def _stopping(events: "Applying", console: Console) -> Iterator[None]:
    """
    The first signal lets requests in flight finish, the second one does not wait; then the old handlers are
    restored.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        if events.interrupted:
            restore()
            events.abandon()
            console.notify_unbuffered("\nStopping now. Requests in flight may still take effect.\n")
        else:
            events.stop()
            console.notify_unbuffered("\nStopping after the requests in flight.\n")

    old: dict[int, Any] = {number: signal.signal(number, stop) for number in ending_signals()}

    def restore() -> None:
        for number, handler in old.items():
            signal.signal(number, handler)

    try:
        yield
    finally:
        restore()


def ending_signals() -> Iterator[int]:
    """
    The signals that end a run: Ctrl-C, SIGTERM, and the end of the terminal, except those that are already
    ignored, as under `nohup` or a shell's `&`.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number and signal.getsignal(number) is not signal.SIG_IGN:
            yield number


@contextmanager
def _progress(plan: Plan, console: Console, waits: Waits | None) -> Iterator[_Progress]:
    names = _Names(plan)
    if not console.is_live:
        yield _Log(console, names)
        return
    with LiveLine(console, "Applying …", waits=waits) as shown:
        yield _Live(console, names, total=len(plan.operations), shown=shown)


class _Names:
    """The names of resources while a plan is applied: the only app of a plan is left out."""

    def __init__(self, plan: Plan) -> None:
        apps = sorted({item.address.app for item in plan.operations if not item.address.app.startswith("@")})
        self.app = apps[0] if len(apps) == 1 else ""
        self.widest = min(_WIDEST_NAME, max((len(self.of(item)) for item in plan.operations), default=0))

    def of(self, operation: Operation) -> str:
        return name_of(operation, self.app)

    def line(self, outcome: Outcome | Undone, console: Console) -> str:
        if isinstance(outcome, RolledBack | NotRolledBack):
            name = self.of(outcome.operation)
            return undone_text(outcome, console.err_view, widest=self.widest, name=name)
        return outcome_text(outcome, console.err_view, widest=self.widest, app=self.app)


class _Log:
    """One line per outcome, and an occasional line about long operations."""

    def __init__(self, console: Console, names: _Names) -> None:
        self._console = console
        self._names = names
        self._shown_at: dict[str, float] = {}

    def show(self, event: Event) -> None:
        match event:
            case Skipped(writes=0):
                pass  # the report has them, one line per reason
            case Applied() | Failed() | Skipped() | Unknown() | RolledBack() | NotRolledBack():
                self._console.notify(self._names.line(event, self._console))
            case Waiting() if event.seconds - self._shown_at.get(str(event.step.id), 0.0) >= _WAITING_EVERY:
                self._shown_at[str(event.step.id)] = event.seconds
                self._console.notify(waiting_text(event, self._console.err_view))
            case Waiting() | Started():
                pass


class _Live:
    """Outcomes scroll by; the last line shows the progress and the operations under way."""

    def __init__(self, console: Console, names: _Names, *, total: int, shown: LiveLine) -> None:
        self._console = console
        self._names = names
        self._total = total
        self._shown = shown
        self._done = 0
        self._running: dict[str, str] = {}
        self._under_way = ""
        self._started = monotonic()

    def show(self, event: Event) -> None:
        name = self._names.of(event.operation)
        match event:
            case Started():
                self._running[name] = name
            case Waiting():
                self._running[name] = f"{name} ({seconds(event.seconds)})"
            case RolledBack() | NotRolledBack():
                self._running.pop(name, None)
                self._shown.print(self._names.line(event, self._console))
            case Skipped(writes=0):
                self._done += 1
                self._running.pop(name, None)
            case Applied() | Failed() | Skipped() | Unknown():
                self._done += 1
                self._running.pop(name, None)
                self._shown.print(self._names.line(event, self._console))
        self._under_way = ", ".join(self._running.values())
        self._shown.update(self._line)

    def _line(self) -> str:
        """Called by the drawing thread, so that the clock runs while nothing happens."""
        elapsed = seconds(monotonic() - self._started)
        return f"{self._done} of {self._total}, {elapsed}   {self._under_way}"
