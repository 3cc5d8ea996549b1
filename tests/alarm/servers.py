"""Servers on this machine: a webhook that behaves as it is asked to, and a bucket of Cloud Storage."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

from cesplan.render.documents import text_of
from tests.machine_outputs import check_document

SECRET = "T0KEN-0F-THE-WEBH00K"


@dataclass(slots=True)
class Post:
    """A request that arrived."""

    path: str
    headers: dict[str, str]
    body: Any


@dataclass(slots=True)
class Receiver:
    """
    A webhook. `answers` are the statuses of the next answers, after which all are 200; `hang` makes it silent.

    `location` goes along with a redirect, `retry_after` with every answer.
    """

    port: int = 0
    posts: list[Post] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    location: str = ""
    retry_after: str = ""
    hang: threading.Event | None = None
    before: Callable[[], None] = lambda: None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/services/{SECRET}?key={SECRET}"

    def occasions(self) -> list[str]:
        """What the messages in our own form say, one after the other; each fits the published schema."""
        for post in self.posts:
            check_document("drift_notification", text_of(post.body))
        return [post.body["occasion"] for post in self.posts]


@contextmanager
def receiver() -> Iterator[Receiver]:
    """A webhook that listens as long as the context lasts."""
    state = Receiver()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            with lock:
                state.posts.append(Post(self.path, dict(self.headers.items()), json.loads(data)))
                status = state.answers.pop(0) if state.answers else 200
            state.before()
            if state.hang is not None:
                state.hang.wait()
                return
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", state.location)
            if state.retry_after:
                self.send_header("Retry-After", state.retry_after)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

        def log_message(self, *_: Any) -> None:
            pass

    with _serving(Handler) as port:
        state.port = port
        try:
            yield state
        finally:
            if state.hang is not None:
                state.hang.set()


@dataclass(slots=True)
class Bucket:
    """
    Objects by `bucket/name`, each with its generation, in a bucket that is called `acme-state`.

    `answers` are the statuses of the next answers, before anything is done; `lose` drops the answers to so many
    uploads that were carried out. `before` is called before an upload is looked at.
    """

    host: str = ""
    objects: dict[str, tuple[bytes, int]] = field(default_factory=dict)
    answers: list[int] = field(default_factory=list)
    lose: int = 0
    tokens: list[str] = field(default_factory=list)
    uploads: int = 0
    before: Callable[[], None] = lambda: None

    def document(self, name: str = "acme-state/drift.json") -> Any:
        return json.loads(self.objects[name][0])


class _Storage(BaseHTTPRequestHandler):
    """
    The two methods of Cloud Storage's JSON API that are used, with the precondition `ifGenerationMatch`.

    As documented: 0 asks that there is no object, and 412 is the answer to any other generation.
    """

    protocol_version = "HTTP/1.1"
    held: ClassVar[Bucket]
    lock: ClassVar[threading.Lock]

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        assert path.startswith("/storage/v1/b/acme-state/o/"), path
        if self._is_refused():
            return
        with self.lock:
            found = self.held.objects.get(f"acme-state/{unquote(path.rpartition('/')[2])}")
        if found is None:
            self._answer(404, b"{}")
        else:
            self._answer(200, found[0], {"x-goog-generation": str(found[1])})

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if self._is_refused():
            return
        if parts.path != "/upload/storage/v1/b/acme-state/o":
            self._answer(404, b"{}")
            return
        assert query["uploadType"] == "media"
        self.held.before()
        with self.lock:
            generation = self._put(f"acme-state/{query['name']}", data, int(query["ifGenerationMatch"]))
        if not generation:
            self._answer(412, b"{}")
        elif self.held.lose:
            self.held.lose -= 1
            self.close_connection = True
            self.connection.close()
        else:
            self._answer(200, json.dumps({"kind": "storage#object", "generation": str(generation)}).encode())

    def _put(self, name: str, data: bytes, wanted: int) -> int:
        """The new generation; 0 where the object has another one than is wanted."""
        if wanted != self.held.objects.get(name, (b"", 0))[1]:
            return 0
        self.held.uploads += 1
        generation = 1_700_000_000_000_000 + self.held.uploads
        self.held.objects[name] = (data, generation)
        return generation

    def _is_refused(self) -> bool:
        self.held.tokens.append(self.headers.get("Authorization", ""))
        status = self.held.answers.pop(0) if self.held.answers else 0
        if status:
            self._answer(status, b"{}")
        return bool(status)

    def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def bucket() -> Iterator[Bucket]:
    """A bucket that is there as long as the context lasts."""
    held = Bucket()
    with _serving(type("Storage", (_Storage,), {"held": held, "lock": threading.Lock()})) as port:
        held.host = f"127.0.0.1:{port}"
        yield held


@contextmanager
def _serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
