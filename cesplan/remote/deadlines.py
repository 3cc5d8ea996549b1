"""
Connections that allow an answer only so much time in all, from its first byte to its last.

A timeout of a socket begins again with every byte that arrives, so a server that sends one byte a second, in
the headers or in the body, would hold a reader for ever. Here each read is given what is left of the whole.
"""

import io
import socket
import time
from functools import partial
from http.client import HTTPResponse
from typing import Any, cast

from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

ANSWER_SECONDS = 120.0
"""The service gives itself 60 s for a call; the rest is for a large page over a slow line."""


def pool_classes(seconds: float = ANSWER_SECONDS) -> dict[str, Any]:
    """The classes of connection pools by scheme, as `urllib3.PoolManager.pool_classes_by_scheme` wants them."""
    response = partial(_Response, seconds=seconds)
    plain = type("Connection", (HTTPConnection,), {"response_class": staticmethod(response)})
    secure = type("TlsConnection", (HTTPSConnection,), {"response_class": staticmethod(response)})
    return {
        "http": type("Pool", (HTTPConnectionPool,), {"ConnectionCls": plain}),
        "https": type("TlsPool", (HTTPSConnectionPool,), {"ConnectionCls": secure}),
    }


class _Response(HTTPResponse):
    """An answer that raises TimeoutError once its time is over, wherever in it the reader is."""

    def __init__(self, sock: socket.socket, *args: Any, seconds: float, **named: Any) -> None:
        super().__init__(cast("socket.socket", _Source(sock, seconds)), *args, **named)


class _Source:
    """What `http.client` asks of a socket: a file to read from."""

    def __init__(self, sock: socket.socket, seconds: float) -> None:
        self._sock = sock
        self._seconds = seconds

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Limited(self._sock, self._seconds))


class _Limited(io.RawIOBase):
    """Reads a socket until the whole is late; the socket's own timeout holds for every single read too."""

    def __init__(self, sock: socket.socket, seconds: float) -> None:
        self._sock = sock
        self._raw = cast("io.RawIOBase", sock.makefile("rb", buffering=0))
        self._single = sock.gettimeout()
        self._ends = time.monotonic() + seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError("the whole response took too long")
        self._sock.settimeout(left if self._single is None else min(self._single, left))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()
