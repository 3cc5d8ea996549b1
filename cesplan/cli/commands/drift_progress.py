"""Progress of a fleet check: a line that is redrawn on a terminal, an occasional line in a log."""

import threading
from collections.abc import Callable, Sequence
from time import monotonic

from cesplan.cli.console import Console
from cesplan.domain.diagnostic import Diagnostic, Severity
from cesplan.domain.features.drift import AppDrift
from cesplan.domain.lazily import lazily
from cesplan.workflow.drift.checking import TreeToCheck, Watcher

with lazily():
    from cesplan.render.text import diagnostics


_EVERY = 30.0
"""Seconds between two lines of a log."""


class FleetProgress(Watcher):
    """`show` displays a line on a terminal, and nothing elsewhere."""

    def __init__(self, console: Console, show: Callable[[str], None]) -> None:
        self._console = console
        self._show = show
        self._lock = threading.Lock()
        self._shown_at = monotonic()

    def findings(self, tree: TreeToCheck, found: Sequence[Diagnostic]) -> None:
        errors = tuple(item for item in found if item.severity is Severity.ERROR)
        if errors:
            self._console.notify(diagnostics.diagnostics_text(errors, self._console.err_view))

    def checked(self, done: int, known: int, app: AppDrift) -> None:
        with self._lock:
            text = f"Checked {done:,} of {known:,} apps"
            self._show(text)
            if not self._console.is_live and monotonic() - self._shown_at >= _EVERY:
                self._shown_at = monotonic()
                self._console.notify(f"{text}\n")
