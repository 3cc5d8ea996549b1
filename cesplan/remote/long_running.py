"""
Long-running operations: polling until they are done (AIP-151).

When polling begins, the write was already accepted, so not learning its outcome is a LostResponse, never a
plain error. Creating an app can take more than 200 s (docs/api-facts.md).
"""

from collections.abc import Callable

from cesplan.domain.errors import CesplanError, LostResponse
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Body, as_object
from cesplan.remote.calling import Calling
from cesplan.remote.calls import Call, get_other
from cesplan.remote.clock import Clock
from cesplan.remote.statuses import parse_status


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The polling intervals, in seconds. Each wait is `factor` times the previous one."""

    first: float = 0.15
    factor: float = 1.5
    longest: float = 5.0
    patience: float = 15 * 60.0


class LongRunning:
    """Waits for operations. Safe to share between threads."""

    def __init__(self, *, calling: Calling, clock: Clock, pace: Pace) -> None:
        self._calling = calling
        self._clock = clock
        self._pace = pace

    def result(self, call: Call, operation: Body, on_progress: Callable[[float], None]) -> Body:
        """
        The response of the operation that a call started, without its `@type`.

        `on_progress` is called before each poll with the seconds since the wait began. Raises the error of a
        failed operation, and LostResponse if its outcome is unknown or a stop was requested.
        """
        started = self._clock.monotonic()
        delay = self._pace.first
        while not operation.get("done"):
            waited = self._clock.monotonic() - started
            if waited > self._pace.patience:
                raise _unfinished(call, operation, f"it is still running after {waited / 60:.0f} minutes")
            on_progress(waited)
            if not self._clock.rest(delay):
                raise _unfinished(call, operation, "it is still running, and the wait was interrupted")
            delay = min(delay * self._pace.factor, self._pace.longest)
            operation = self._again(call, operation)
        if isinstance(failure := operation.get("error"), dict):
            raise self._calling.error_of(parse_status(failure), call)
        return _response(operation)

    def _again(self, call: Call, operation: Body) -> Body:
        name = str(operation.get("name", ""))
        if not name:
            raise _unfinished(call, operation, "the service returned no operation name")
        try:
            return {"name": name, **self._calling.call(get_other(name))}
        except CesplanError as error:
            raise _unfinished(call, operation, error.summary) from error


def _response(operation: Body) -> Body:
    response = operation.get("response")
    body = as_object(response)
    return {name: value for name, value in body.items() if name != "@type"}


def _unfinished(call: Call, operation: Body, why: str) -> LostResponse:
    return LostResponse(
        summary=f"The outcome of the request to {call.what} is unknown: {why}",
        detail=f"The service accepted the request as {operation.get('name', 'an unnamed operation')}.",
        status="UNKNOWN",
        method=call.method,
        resource=call.resource,
        accepted=True,
    )
