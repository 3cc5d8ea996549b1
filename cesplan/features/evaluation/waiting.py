"""
Waiting: poll the operation until it is done, and the run until it is neither queued nor running. The API does
not document that they end together, so cesplan waits for both.
"""

from collections.abc import Callable

from cesplan.domain.errors import NotFound
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Body
from cesplan.features.evaluation.starting import StartedRun

UNDER_WAY = frozenset({"QUEUED", "RUNNING"})
_FIRST_DELAY, _FACTOR, _LONGEST_DELAY = 1.0, 1.3, 10.0
"""How often to ask, in seconds; each wait is so many times the one before."""
_READS_AFTER_AN_ERROR = 5
"""A run whose operation failed is read again this many times; then the wait ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waited:
    """A run as it was last read; `gave_up` is the reason for giving up the wait, if any."""

    run: Body
    gave_up: str = ""


def await_run(
    started: StartedRun,
    read: Callable[[str], Body],
    *,
    timeout: float,
    monotonic: Callable[[], float],
    rest: Callable[[float], object],
    on_progress: Callable[[Body, float], None],
) -> Waited:
    """
    Wait for the end of a run, for at most `timeout` seconds.

    `read` returns a run or an operation by name. `on_progress` receives the current run, and the seconds since
    the wait began. Raises errors of the service.
    """
    begun = monotonic()
    delay, operation, failed_reads = _FIRST_DELAY, started.operation, 0
    while True:
        is_done, error = _operation_state(operation, read)
        operation = "" if is_done else operation
        run = read(started.name)
        waited = monotonic() - begun
        on_progress(run, waited)
        is_under_way = run.get("state") in UNDER_WAY
        if not is_under_way and is_done:
            return Waited(run=run)
        failed_reads += bool(error) or failed_reads > 0
        if failed_reads > _READS_AFTER_AN_ERROR:
            return Waited(run=run, gave_up="its operation failed, but the run did not end")
        if waited + delay > timeout:
            return Waited(run=run, gave_up=f"it did not end within {timeout:g} s")
        rest(delay)
        delay = min(delay * _FACTOR, _LONGEST_DELAY)


def _operation_state(name: str, read: Callable[[str], Body]) -> tuple[bool, bool]:
    """Whether an operation is done, and whether it failed. An operation that no longer exists is done."""
    if not name:
        return True, False
    try:
        operation = read(name)
    except NotFound:
        return True, False
    return bool(operation.get("done")), "error" in operation
