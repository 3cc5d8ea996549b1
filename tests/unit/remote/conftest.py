"""A clock that only moves when someone sleeps, a sender with prepared answers, and a server with odd ways."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from cesplan.domain.resource_name import Place
from cesplan.domain.service.quota import Quotas
from cesplan.domain.settings import Settings
from cesplan.emulator import EmbeddedEmulator
from cesplan.remote.calling import Calling
from cesplan.remote.calls import Call
from cesplan.remote.client import Client
from cesplan.remote.clock import Backoff, Clock
from cesplan.remote.connecting import assemble, connect
from cesplan.remote.endpoints import emulator_endpoint
from cesplan.remote.pools import direct_pool
from cesplan.remote.throttle import Throttles
from cesplan.remote.transport import WRITING, Answer, Transport

PLACE = Place(project="acme-dev", location="us")


class Hourglass:
    """Time that passes only by sleeping; `chance` is what the jitter draws."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []
        self.chance = 1.0
        self._lock = threading.Lock()

    @property
    def clock(self) -> Clock:
        return Clock(
            monotonic=lambda: self.now, wall=lambda: self.now, sleep=self._sleep, chance=lambda: self.chance
        )

    def _sleep(self, seconds: float) -> None:
        with self._lock:
            self.slept.append(seconds)
            self.now += seconds


def answer(status: int, body: Any = None, **headers: str) -> Answer:
    """An answer with a JSON body, or with bytes as they are."""
    data = body if isinstance(body, bytes) else json.dumps({} if body is None else body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status=status, headers=named, data=data)


def refusal(http: int, status: str, message: str = "No.", details: Any = None) -> Answer:
    """An error answer of the service (google.rpc.Status)."""
    error = {"code": http, "status": status, "message": message, "details": details or []}
    return answer(http, {"error": error})


class PreparedSender:
    """Gives the prepared answers one after the other; an exception among them is raised."""

    def __init__(self, *replies: Answer | Exception) -> None:
        self.replies = list(replies)
        self.sent: list[Call] = []
        self.headers: list[Mapping[str, str]] = []

    def send(self, call: Call, headers: Mapping[str, str]) -> Answer:
        self.sent.append(call)
        self.headers.append(headers)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


@dataclass
class OddServer:
    """
    A real server on the loopback. `replies` are used one after the other, the last one for ever:
    `(status, body)` or `(status, body, headers)`, where bytes go out as they are, or the name of a fault:
    `drop` (closed without an answer), `reset` (RST), `truncate` (half a body), `stall` (never an answer).
    """

    replies: list[Any]
    requests: list[tuple[str, str, Mapping[str, str], bytes]] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    address: str = ""

    def next_reply(self) -> Any:
        with self.lock:
            return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


class _Handler(BaseHTTPRequestHandler):
    odd: OddServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        self.odd.requests.append((self.command, self.path, dict(self.headers.items()), data))
        reply = self.odd.next_reply()
        if isinstance(reply, str):
            self.close_connection = True
            getattr(self, f"_{reply}")()
        else:
            self._answer(*reply)

    def log_message(self, *_: Any) -> None:
        pass

    def _answer(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _drop(self) -> None:
        self.connection.shutdown(socket.SHUT_RDWR)

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def _truncate(self) -> None:
        self._answer(200, b'{"name": "projects/', {"Content-Length": "1000"})

    def _stall(self) -> None:
        self.odd.released.wait(20)


for _method in ("POST", "PATCH", "DELETE"):
    setattr(_Handler, f"do_{_method}", _Handler.do_GET)


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """A connection that was reset on purpose is nothing to tell about."""

    def shutdown_request(self, request: Any) -> None:
        if request.fileno() >= 0:
            super().shutdown_request(request)


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Token endpoints on the loopback are not behind the proxy of the machine that runs the tests."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def hourglass() -> Hourglass:
    return Hourglass()


@pytest.fixture
def settings() -> Settings:
    return Settings(place=PLACE)


@pytest.fixture
def emulator() -> Iterator[EmbeddedEmulator]:
    with EmbeddedEmulator() as running:
        yield running


@pytest.fixture
def odd_server() -> Iterator[Callable[..., OddServer]]:
    running: list[tuple[OddServer, _Quiet, threading.Thread]] = []

    def start(*replies: Any) -> OddServer:
        odd = OddServer(replies=list(replies))
        http = _Quiet(("127.0.0.1", 0), type("Handler", (_Handler,), {"odd": odd}))
        odd.address = f"127.0.0.1:{http.server_address[1]}"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        running.append((odd, http, thread))
        return odd

    yield start
    for odd, http, thread in running:
        odd.released.set()
        http.shutdown()
        http.server_close()
        thread.join()


@pytest.fixture
def writer(settings: Settings, emulator: EmbeddedEmulator) -> Iterator[Client]:
    """A client that may write to the emulator."""
    with connect(settings, emulator=emulator.address, read_only=False) as client:
        yield client


@pytest.fixture
def dialled(hourglass: Hourglass) -> Iterator[Callable[..., Client]]:
    """Makes clients of an odd server, which may write, with the hourglass for a clock."""
    clients: list[Client] = []

    def dial(server: OddServer, *, credentials: Any = None, **chosen: Any) -> Client:
        transport = Transport(
            endpoint=emulator_endpoint(server.address),
            pool=direct_pool(),
            methods=chosen.pop("methods", WRITING),
            api_version="v1beta",
            **chosen,
        )
        made = assemble(transport, credentials=credentials, api_version="v1beta", clock=hourglass.clock)
        clients.append(made)
        return made

    yield dial
    for client in clients:
        client.close()


@pytest.fixture
def calling(hourglass: Hourglass) -> Callable[..., tuple[Calling, PreparedSender]]:
    """Makes a Calling over prepared answers."""

    def make(*replies: Answer | Exception, **chosen: Any) -> tuple[Calling, PreparedSender]:
        sender = PreparedSender(*replies)
        clock = chosen.pop("clock", hourglass.clock)
        made = Calling(
            transport=sender,
            credentials=chosen.pop("credentials", None),
            throttles=chosen.pop("throttles", None) or Throttles(Quotas(), clock),
            clock=clock,
            backoff=chosen.pop("backoff", Backoff()),
            **chosen,
        )
        return made, sender

    return make


@pytest.fixture
def answered() -> Callable[..., Answer]:
    return answer


@pytest.fixture
def refused() -> Callable[..., Answer]:
    return refusal
