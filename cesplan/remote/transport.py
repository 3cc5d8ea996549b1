"""
Sending a single request over HTTP, without retries: connections are kept alive, TLS is verified, time is
limited, and requests are counted.

There are two kinds of failure without a response: nothing was sent, or the outcome is unknown. Other modules
decide what to do then, and what a response means. A transport only allows the methods that it was created with,
which prevents read-only commands from writing.
"""

import json
import ssl
import threading
import time
from collections.abc import Mapping

import urllib3
from urllib3 import exceptions as broken

from cesplan import __version__
from cesplan.domain.errors import CesplanError
from cesplan.domain.frozen import dataclass
from cesplan.domain.service.endpoint import Endpoint
from cesplan.domain.value import UNREAD, reveal
from cesplan.remote.calls import Call
from cesplan.remote.exchange import Exchange, Log, answer_names, field_names

READING = frozenset({"GET"})
WRITING = READING | {"POST", "PATCH", "DELETE"}

CONNECT_SECONDS = 10.0
READ_SECONDS = 60.0
"""
The longest silence during a response. The service's public configuration limits a call to 60 s.

`cesplan.remote.deadlines` limits the time of a whole response.
"""

MOST_BYTES = 64 * 1024 * 1024
"""
The maximum size of a response, uncompressed.

A page of 1,000 resources is about 4 MB, and the service does not accept resources of many megabytes.
"""

_PIECE = 64 * 1024
_ENCODINGS = frozenset({"", "identity", "gzip"})
"""The requested encodings. Nested ones could expand a small response enormously."""

HEADERS = {
    "Accept": "application/json",
    # Google's front ends compress only if the user agent contains gzip.
    "Accept-Encoding": "gzip",
    "User-Agent": f"cesplan/{__version__} (gzip)",
}

_NOTHING_WAS_SENT = (
    broken.NewConnectionError,
    broken.ConnectTimeoutError,
    broken.ProxyError,
    broken.LocationValueError,
)


class ForbiddenMethod(RuntimeError):
    """A programming error: a read-only transport was asked to write. Nothing was sent."""


class NotSent(Exception):
    """No connection was made, so the service did not get the request. `permanent`: a retry cannot help."""

    def __init__(self, reason: str, *, permanent: bool = False) -> None:
        super().__init__(reason)
        self.permanent = permanent


class NoAnswer(Exception):
    """The request may have arrived, but there is no usable answer. `permanent`: a retry cannot help."""

    def __init__(self, reason: str, *, permanent: bool = False) -> None:
        super().__init__(reason)
        self.permanent = permanent


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A response. Header names are in lowercase."""

    status: int
    headers: Mapping[str, str]
    data: bytes


class Transport:
    """
    Sends calls to one endpoint. Safe to share between threads.

    Connections use the endpoint's scheme, host, and port directly, so that no URL has to be built and parsed
    again.

    `methods` are the allowed HTTP methods, `custom` the allowed custom methods. `headers` are sent with every
    request and override those of a call. `log` is called for each exchange. `most_bytes` is the maximum size of
    a response, uncompressed. With `keeps_pool`, others use the connections too.
    """

    def __init__(
        self,
        *,
        endpoint: Endpoint,
        pool: urllib3.PoolManager,
        methods: frozenset[str],
        custom: frozenset[str] = frozenset(),
        api_version: str,
        headers: Mapping[str, str] | None = None,
        log: Log | None = None,
        read_seconds: float = READ_SECONDS,
        most_bytes: int = MOST_BYTES,
        keeps_pool: bool = False,
    ) -> None:
        self._endpoint = endpoint
        self._pool = pool
        self._keeps_pool = keeps_pool
        self._methods = methods
        self._custom = custom
        self._api_version = api_version
        self._headers = {**HEADERS, **(headers or {})}
        self._log = log
        self._most_bytes = most_bytes
        self._timeout = urllib3.Timeout(connect=CONNECT_SECONDS, read=read_seconds)
        self._lock = threading.Lock()
        self.requests = 0

    def send(self, call: Call, headers: Mapping[str, str]) -> Answer:
        """
        Send a call with additional headers.

        Raises ForbiddenMethod before anything is sent, NotSent, and NoAnswer.
        """
        if call.custom not in self._custom if call.custom else call.method not in self._methods:
            raise ForbiddenMethod(
                f"{call.method} {call.resource}: this transport may only {_list(self._methods | self._custom)}"
            )
        with self._lock:
            self.requests += 1
            number = self.requests
        started = time.monotonic()
        answer: Answer | None = None
        note = ""
        try:
            answer = self._exchange(call, headers)
        except (NotSent, NoAnswer) as error:
            note = str(error)
            raise
        finally:
            self._log_exchange(call, number, answer, time.monotonic() - started, note)
        return answer

    def close(self) -> None:
        """Close all connections, unless others use them."""
        if not self._keeps_pool:
            self._pool.clear()

    def _connections(self) -> urllib3.HTTPConnectionPool:
        endpoint = self._endpoint
        return self._pool.connection_from_host(endpoint.host, endpoint.port, endpoint.scheme)

    def _exchange(self, call: Call, headers: Mapping[str, str]) -> Answer:
        data = None if call.body is None else _encoded(call.body)
        kind = {} if data is None else {"Content-Type": "application/json; charset=utf-8"}
        try:
            response = self._connections().urlopen(
                call.method,
                call.target(self._api_version),
                body=data,
                headers={**kind, **headers, **self._headers},
                timeout=self._timeout,
                retries=False,
                redirect=False,
                preload_content=False,
            )
            body = self._whole(response)
        except _NOTHING_WAS_SENT as error:
            raise NotSent(_reason(error), permanent=isinstance(error, broken.LocationValueError)) from error
        except broken.SSLError as error:
            raise _tls_failure(error) from error
        except broken.HTTPError as error:
            raise NoAnswer(_reason(error)) from error
        lowered = {name.lower(): value for name, value in response.headers.items()}
        return Answer(status=response.status, headers=lowered, data=body)

    def _whole(self, response: urllib3.BaseHTTPResponse) -> bytes:
        """The body of a response, decompressed in chunks and never beyond the limit."""
        encoding = response.headers.get("content-encoding", "").strip().lower()
        pieces: list[bytes] = []
        size = 0
        try:
            if encoding not in _ENCODINGS:
                raise NoAnswer(
                    f"the response is encoded as {encoding!a}, which was not requested", permanent=True
                )
            while piece := response.read(_PIECE, decode_content=True):
                pieces.append(piece)
                size += len(piece)
                if size > self._most_bytes:
                    raise NoAnswer(f"the response is larger than {_in_words(self._most_bytes)}", permanent=True)
        except BaseException:
            response.close()
            raise
        return b"".join(pieces)

    def _log_exchange(self, call: Call, number: int, answer: Answer | None, seconds: float, note: str) -> None:
        if self._log is None:
            return
        exchange = Exchange(
            number=number,
            method=call.method,
            target=call.target(self._api_version),
            sent=field_names(call.body),
            status=answer.status if answer else 0,
            seconds=seconds,
            size=len(answer.data) if answer else 0,
            received=answer_names(answer.data) if answer else (),
            note=note,
        )
        with self._lock:
            self._log(exchange)


def _encoded(body: object) -> bytes:
    """
    A body as JSON. Raises ValueError for NaN and infinity, which JSON does not have.

    Raises CesplanError for a body with a secret whose value was not read.
    """
    text = json.dumps(reveal(body), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if UNREAD in text:
        raise CesplanError(summary="The value of a secret was not read. Nothing was sent.")
    return text.encode()


def _tls_failure(error: broken.SSLError) -> NotSent | NoAnswer:
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in error.args):
        return NotSent(f"the server certificate is not trusted: {_reason(error)}", permanent=True)
    return NoAnswer(_reason(error))


def _reason(error: Exception) -> str:
    """The message without urllib3's object address prefix."""
    match error:
        case broken.NewConnectionError() | broken.ConnectTimeoutError() | broken.ReadTimeoutError():
            return str(error).partition(": ")[2] or str(error)
        case broken.ProtocolError() | broken.SSLError() | broken.ProxyError():
            return ": ".join(dict.fromkeys(str(part) for part in error.args)) or str(error)
    return str(error)


def _in_words(size: int) -> str:
    return f"{size // (1024 * 1024)} MiB" if size >= 1024 * 1024 else f"{size} bytes"


def _list(methods: frozenset[str]) -> str:
    return ", ".join(sorted(methods))
