"""
A gateway before the emulator, for processes of their own: it counts writes, and strikes at one of them.

The strike runs before the write is passed on, or once the service has acted and before it is answered; so
what it does to the process happens at exactly that write.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import urllib3


@dataclass(kw_only=True)
class Gateway:
    """
    `strike` happens once, at write number `number` (from 1), `after` the service acted or before.

    A write that is `lost` dies with who sent it: the service never sees it.
    """

    upstream: str
    number: int
    strike: Callable[[], None]
    after: bool = False
    lost: bool = False
    address: str = ""
    writes: int = 0
    pool: urllib3.PoolManager = field(default_factory=lambda: urllib3.PoolManager(maxsize=16))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def pass_on(self, method: str, path: str, headers: dict[str, str], data: bytes) -> Any:
        """The answer of the emulator; None if there is nobody left to answer to."""
        with self.lock:
            self.writes += method != "GET"
            strikes = method != "GET" and self.writes == self.number
        if strikes and not self.after:
            self.strike()
            if self.lost:
                return None
        answer = self.pool.request(
            method, f"http://{self.upstream}{path}", body=data or None, headers=headers, retries=False
        )
        if strikes and self.after:
            self.strike()
        return answer


class _Handler(BaseHTTPRequestHandler):
    gateway: Gateway
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        announced = int(self.headers.get("content-length") or 0)
        data = self.rfile.read(announced)
        if len(data) < announced:
            return  # killed in the middle of a request: no server acts on half of one
        kept = {name: value for name, value in self.headers.items() if name.lower() == "content-type"}
        answer = self.gateway.pass_on(self.command, self.path, kept, data)
        if answer is None:
            self.close_connection = True
            return
        self.send_response(answer.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer.data)))
        self.end_headers()
        self.wfile.write(answer.data)

    def log_message(self, *_: Any) -> None:
        pass


for _method in ("POST", "PATCH", "DELETE"):
    setattr(_Handler, f"do_{_method}", _Handler.do_GET)


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # what is on its way to the service arrives before anyone looks what is there

    def handle_error(self, *_: Any) -> None:
        """Anyone who asked may be dead: that is the point."""


@contextmanager
def gateway(made: Gateway) -> Iterator[Gateway]:
    http = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"gateway": made}))
    made.address = f"127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
        made.pool.clear()
