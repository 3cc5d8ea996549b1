"""
From a call to a body or an error: credentials, rate, retries, translation.

Reads are retried after every transient failure. Writes are retried only if the service cannot have acted: it
was never reached, or it said itself that it is too busy (429, 503). A write whose response is lost ends in
LostResponse, and the caller must read the resource to find out (AIP-194 says what may be retried). Methods that
start something new with each call are not retried after a 503 either, because it may come from a proxy that
passed the request on.

Rate limits and retries take seconds, in which anyone may edit the resource. So a caller can have a write
verified right before each attempt.
"""

import threading
from collections.abc import Callable, Collection, Mapping
from typing import Protocol, TypeVar

from cesplan.domain.errors import (
    AlreadyExists,
    ApiError,
    CesplanError,
    Conflict,
    FailedPrecondition,
    Interrupted,
    LostResponse,
    NotAuthenticated,
    NotFound,
    Unavailable,
)
from cesplan.domain.frozen import dataclass
from cesplan.domain.service.waits import Waits
from cesplan.domain.text.json_text import DEEPEST, TooDeep, decoded
from cesplan.domain.value import Body
from cesplan.remote.calls import Call, Verb, with_etag
from cesplan.remote.clock import Backoff, Clock, Tries, duration
from cesplan.remote.credentials import WHAT_TO_DO
from cesplan.remote.statuses import NOT_THE_SERVICE, TRANSIENT, Status, read_status, readable, to_error
from cesplan.remote.text_redactor import redacted, text_redactor
from cesplan.remote.throttle import Throttles
from cesplan.remote.transport import Answer, NoAnswer, NotSent

MOST_LISTED = 1024 * 1024 * 1024
"""
The maximum size in bytes of all lists that a client reads. 1,000 resources of a real project are about 4 MB.
"""

_E = TypeVar("_E", bound=ApiError)

_BUSY = frozenset({429, 503})
"""Statuses that say that the service did not act."""

_LOST = frozenset({502, 504})
"""Statuses from a proxy that gave up waiting for the service."""


_SIGN_OF_HAVING_ACTED: Mapping[Verb, tuple[type[ApiError], ...]] = {
    Verb.CREATE: (AlreadyExists, FailedPrecondition),
    Verb.UPDATE: (Conflict,),
    Verb.DELETE: (NotFound,),
    Verb.RUN: (),
    Verb.ASK: (),
}
"""
Errors that the service returns for a write that it already carried out.

Creating a version again may fail with FAILED_PRECONDITION instead (docs/api-facts.md).
"""


class Sender(Protocol):
    """Sends one request: a Transport."""

    def send(self, call: Call, headers: Mapping[str, str]) -> Answer: ...


class Authorizer(Protocol):
    """Provides the authorization headers: Credentials. Unavailable from it is transient."""

    def headers(self) -> Mapping[str, str]: ...

    def renew(self, refused: Mapping[str, str]) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    """
    A call without a usable body, and why.

    `transient`: a retry may succeed. `acted`: the service may have acted anyway. `delay`: the minimum wait in
    seconds. `rate_limited`: all calls that use the same quota wait.
    """

    error: CesplanError
    transient: bool = False
    acted: bool = False
    delay: float = 0.0
    rate_limited: bool = False

    @property
    def why(self) -> str:
        """The reason for a retry in a few words."""
        status = self.error.http_status if isinstance(self.error, ApiError) else 0
        if self.rate_limited:
            return f"quota ({status})"
        return f"the service answered {status}" if status else "no response"


def _as_it_is(body: Body) -> Body:
    return body


class Calling:
    """Calls the service, with retries, until there is a final result. Safe to share between threads."""

    def __init__(
        self,
        *,
        transport: Sender,
        credentials: Authorizer | None,
        throttles: Throttles,
        clock: Clock,
        backoff: Backoff,
        unreachable: str = "",
        secrets: Collection[str] = (),
        most_listed: int = MOST_LISTED,
        waits: Waits | None = None,
    ) -> None:
        """
        `credentials` None sends none. `unreachable` is advice for a service that cannot be reached; if it is
        given, there is no retry then. `secrets` are redacted in all texts from the service. `most_listed` is
        the maximum size of all lists together, in bytes. `waits` records each wait before a retry.
        """
        self._waits = waits or Waits()
        self._most_listed = most_listed
        self._secrets = frozenset(secrets)
        self._transport = transport
        self._credentials = credentials
        self._throttles = throttles
        self._clock = clock
        self._backoff = backoff
        self._unreachable = unreachable
        self._lock = threading.Lock()
        self._decoding = threading.Lock()
        self._listed = 0

    def call(
        self, call: Call, verify: Callable[[], str] | None = None, shape: Callable[[Body], Body] = _as_it_is
    ) -> Body:
        """
        The body of the response. Raises the errors of `cesplan.domain.errors`.

        `verify` is called right before each attempt, after any waiting. It returns the etag to send, and an
        error that it raises ends the call. `shape` makes what is kept of the body, before another response is
        decoded: of pages that arrive at the same time, only one is in memory as a whole.
        """
        tries = Tries(self._backoff, self._clock)
        acted = False
        failure: _Failure | None = None
        while True:
            answer = self._try(call, verify)
            result = answer if isinstance(answer, _Failure) else self._read(call, answer, shape)
            if not isinstance(result, _Failure):
                return result
            if failure is None or not isinstance(result.error, Interrupted):
                failure = result
            if not result.transient or not self._may_try_again(failure, call, tries):
                raise self._final(failure, call, tries, acted=acted)
            acted = acted or (failure.acted and not call.reads)

    def error_of(self, status: Status, call: Call) -> ApiError:
        """The error that a status means for a call, without secrets."""
        shown = readable(status, text_redactor(call, self._secrets))
        return redacted(to_error(shown, call), call, self._secrets)

    def _try(self, call: Call, verify: Callable[[], str] | None) -> Answer | _Failure:
        if self._credentials is None:
            return self._judged(call, {}, verify)
        try:
            return self._authorized(call, self._credentials, verify)
        except Unavailable as error:
            # There was no token, so nothing was sent.
            return _Failure(error=error, transient=True)

    def _authorized(
        self, call: Call, credentials: Authorizer, verify: Callable[[], str] | None
    ) -> Answer | _Failure:
        headers = credentials.headers()
        result = self._judged(call, headers, verify)
        if not _is_unauthenticated(result):
            return result
        credentials.renew(headers)
        return self._judged(call, credentials.headers(), verify)

    def _judged(
        self, call: Call, headers: Mapping[str, str], verify: Callable[[], str] | None
    ) -> Answer | _Failure:
        if not self._throttles.of(call).acquire():
            return _Failure(error=Interrupted(summary=f"Could not {call.what}: interrupted before it was sent"))
        if verify is not None:
            try:
                call = with_etag(call, verify())
            except CesplanError as error:
                return _Failure(error=error)
        try:
            answer = self._transport.send(call, headers)
        except NotSent as error:
            return self._not_sent(call, error)
        except NoAnswer as error:
            return _no_answer(
                call, str(error), NOT_THE_SERVICE if error.permanent else "", permanent=error.permanent
            )
        if 200 <= answer.status < 300:
            return self._too_much(call, answer) or answer
        return self._refusal(call, answer)

    def _read(self, call: Call, answer: Answer, shape: Callable[[Body], Body]) -> Body | _Failure:
        with self._decoding:
            body = _body(call, answer)
            return body if isinstance(body, _Failure) else shape(body)

    def _too_much(self, call: Call, answer: Answer) -> _Failure | None:
        """The failure if the lists of this run, page after page, would exceed the size limit."""
        if call.verb is not Verb.LIST:
            return None
        with self._lock:
            self._listed += len(answer.data)
            total = self._listed
        if total <= self._most_listed:
            return None
        why = f"the lists of this run exceed {self._most_listed >> 20} MiB in total"
        return _no_answer(call, why, NOT_THE_SERVICE, permanent=True)

    def _may_try_again(self, failure: _Failure, call: Call, tries: Tries) -> bool:
        """Wait until the next attempt; False if there will be none."""
        delay = None if self._clock.halt.is_requested else tries.next_delay(failure.delay)
        if delay is None:
            return False
        self._waits.note(failure.why, delay)
        if failure.rate_limited:
            self._throttles.of(call).pause(delay)
            return True
        return self._clock.rest(delay)

    def _final(self, failure: _Failure, call: Call, tries: Tries, *, acted: bool) -> CesplanError:
        """
        The error to raise after the last attempt.

        If an earlier attempt may have acted, an error that is consistent with that proves nothing.
        """
        error = failure.error
        if acted and isinstance(error, _SIGN_OF_HAVING_ACTED[call.verb]):
            return _lost(call, error)
        tried = f"Tried {tries.count} times in {tries.seconds:.0f} s." if tries.count > 1 else ""
        if self._clock.halt.is_requested:
            tried = "Interrupted before the retry."
        if failure.transient:
            error.detail = "\n".join(filter(None, (error.detail, self._retry_advice(failure, tries), tried)))
        return error

    def _retry_advice(self, failure: _Failure, tries: Tries) -> str:
        """Advice if the service requests a longer wait than this command retries."""
        if not failure.delay or tries.seconds + failure.delay <= self._backoff.total:
            return ""
        return (
            f"The service asks for a wait of {duration(failure.delay)} before a retry (Retry-After), but "
            f"cesplan gives up after {duration(self._backoff.total)}. Run the command again later."
        )

    def _not_sent(self, call: Call, error: NotSent) -> _Failure:
        summary = f"Could not {call.what}: the service could not be reached ({error})"
        detail = self._unreachable or "Nothing was sent. Check the endpoint, the network, and proxies."
        unavailable = _api_error(Unavailable, call, summary, detail)
        unavailable.__cause__ = error
        return _Failure(error=unavailable, transient=not error.permanent and not self._unreachable)

    def _refusal(self, call: Call, answer: Answer) -> _Failure:
        status = read_status(answer, self._clock.wall())
        error: CesplanError = self.error_of(status, call)
        if answer.status == 401:
            return _Failure(error=NotAuthenticated(summary=str(error.summary), detail=WHAT_TO_DO))
        if not call.reads and _was_lost(call, answer, status):
            return _Failure(error=_lost(call, error))
        return _Failure(
            error=error,
            transient=answer.status in (TRANSIENT if call.reads else _BUSY),
            acted=answer.status == 503,
            delay=status.retry_after or 0.0,
            rate_limited=answer.status == 429,
        )


def _is_unauthenticated(result: Answer | _Failure) -> bool:
    return isinstance(result, _Failure) and isinstance(result.error, NotAuthenticated)


def _was_lost(call: Call, answer: Answer, status: Status) -> bool:
    """
    True if a proxy answered instead of the service and may have passed the request on.

    The effect of a custom method cannot be looked up afterwards: after any error of the server it may have run,
    except after the service's own UNIMPLEMENTED, which says that there is nothing to run (google.rpc.Code).
    """
    if call.verb is Verb.RUN:
        return answer.status >= 500 and not (status.genuine and status.code == "UNIMPLEMENTED")
    foreign = answer.status >= 500 and not status.genuine and answer.status not in _BUSY
    return foreign or answer.status in _LOST


def _body(call: Call, answer: Answer) -> Body | _Failure:
    """
    The body of a response.

    The service sends `{}` for an empty result. An empty response to a read would make everything look absent,
    so it is a failure.
    """
    if call.reads and not answer.data:
        return _no_answer(call, "the response is empty", NOT_THE_SERVICE)
    try:
        body = decoded(answer.data or b"{}")
    except TooDeep:
        why = f"the response is nested more than {DEEPEST} levels deep"
        return _no_answer(call, why, NOT_THE_SERVICE, permanent=True)
    except ValueError:
        return _no_answer(call, "the response is not JSON", NOT_THE_SERVICE)
    if not isinstance(body, dict):
        return _no_answer(call, "the response is not a JSON object", NOT_THE_SERVICE)
    return body


def _no_answer(call: Call, reason: str, detail: str = "", *, permanent: bool = False) -> _Failure:
    summary = f"Could not {call.what}: no usable response ({reason})"
    error = _api_error(Unavailable, call, summary, detail)
    return _Failure(error=error, transient=not permanent) if call.reads else _Failure(error=_lost(call, error))


def _lost(call: Call, error: CesplanError) -> LostResponse:
    """The response to a write is lost; `error` says how."""
    what = "request" if call.verb is Verb.RUN else "write"
    detail = "\n".join(filter(None, (error.detail, f"The {what} may have taken effect anyway.")))
    lost_response = _api_error(LostResponse, call, error.summary, detail)
    if isinstance(error, ApiError):
        lost_response.status, lost_response.http_status = error.status, error.http_status
    lost_response.__cause__ = error
    return lost_response


def _api_error(error_type: type[_E], call: Call, summary: str, detail: str) -> _E:
    return error_type(
        summary=summary, detail=detail, status="UNAVAILABLE", method=call.method, resource=call.resource
    )
