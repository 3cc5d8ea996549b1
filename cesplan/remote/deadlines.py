"""
Connections that limit the total time of a response, from its first byte to its last.

A socket timeout starts again with every byte received, so a server that sends one byte per second, in the
headers or the body, would block a reader forever. Here each read gets only the remaining time.
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
"""The service limits a call to 60 s. The rest is for a large page over a slow connection."""


def pool_classes(seconds: float = ANSWER_SECONDS) -> dict[str, Any]:
    """The connection pool classes by scheme, for `urllib3.PoolManager.pool_classes_by_scheme`."""
    response = partial(_Response, seconds=seconds)
    plain = type("Connection", (HTTPConnection,), {"response_class": staticmethod(response)})
    secure = type("TlsConnection", (HTTPSConnection,), {"response_class": staticmethod(response)})
    return {
        "http": type("Pool", (HTTPConnectionPool,), {"ConnectionCls": plain}),
        "https": type("TlsPool", (HTTPSConnectionPool,), {"ConnectionCls": secure}),
    }


class _Response(HTTPResponse):
    """A response that raises TimeoutError when its time is over, at any point of reading."""

    def __init__(self, sock: socket.socket, *args: Any, seconds: float, **named: Any) -> None:
        super().__init__(cast("socket.socket", _Source(sock, seconds)), *args, **named)


class _Source:
    """The part of a socket that `http.client` uses: a file to read from."""

    def __init__(self, sock: socket.socket, seconds: float) -> None:
        self._sock = sock
        self._seconds = seconds

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Limited(self._sock, self._seconds))


class _Limited(io.RawIOBase):
    """Reads a socket; raises TimeoutError once the total time is over. The socket's own timeout applies too."""

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
