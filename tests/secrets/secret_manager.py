"""A stand-in of Secret Manager: `projects.secrets.versions.access` of v1, over plain HTTP on this machine."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cesplan.remote.other_services.secret_manager import crc32c

Body = dict[str, Any]


@dataclass
class SecretManager:
    """
    The versions by their full names: a value, or an error (its HTTP code, its status, and a reason).

    `damaged` versions have a checksum of another value. `seen` are the paths and headers of all requests.
    """

    versions: dict[str, bytes | tuple[int, str, str]] = field(default_factory=dict)
    damaged: set[str] = field(default_factory=set)
    seen: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    address: str = ""

    def answer(self, path: str) -> tuple[int, Body]:
        name = path.removeprefix("/v1/").removesuffix(":access")
        found = self.versions.get(name, (404, "NOT_FOUND", ""))
        if isinstance(found, tuple):
            code, status, reason = found
            info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}
            message = f"Secret Version [{name}] is not available."
            return code, {"error": {"code": code, "message": message, "status": status, "details": [info]}}
        checksum = crc32c(found) ^ (name in self.damaged)
        payload = {"data": base64.b64encode(found).decode(), "dataCrc32c": str(checksum)}
        return 200, {"name": name.replace("/latest", "/7"), "payload": payload}


@contextmanager
def secret_manager() -> Iterator[SecretManager]:
    """A stand-in that runs while the context lasts."""
    stand_in = SecretManager()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            stand_in.seen.append((path, {name.lower(): text for name, text in self.headers.items()}))
            code, body = stand_in.answer(path)
            text = json.dumps(body).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stand_in.address = f"127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield stand_in
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
