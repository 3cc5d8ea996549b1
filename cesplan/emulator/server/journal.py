"""The requests to the server, so that tests can prove how many requests a command sends."""

import json
import threading
from collections import deque
from dataclasses import dataclass
from typing import Any

# A server that runs for days must not grow without limit; only the count continues.
_KEPT = 100_000
# The newest bodies are kept, up to this many bytes in total. Older requests are listed without bodies.
KEPT_BYTES = 64 * 2**20


@dataclass(slots=True, kw_only=True)
class Entry:
    """One request. `rpc` is the API method, '' if there is none. `status` is the HTTP status."""

    method: str
    path: str
    query: str
    rpc: str
    status: int
    raw: bytes = b""

    @property
    def body(self) -> Any:
        """Return the JSON body, None if there was none or it is no longer kept."""
        return json.loads(self.raw) if self.raw.strip() else None

    def shown(self) -> dict[str, Any]:
        """Return the request as JSON."""
        names = ("method", "path", "query", "rpc", "status", "body")
        return {name: getattr(self, name) for name in names}


class Journal:
    """The requests to the API since the start or the last `clear`, without control routes."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=_KEPT)
        self._with_body: deque[Entry] = deque()
        self._bytes = 0
        self._count = 0
        self._lock = threading.Lock()

    def add(self, entry: Entry) -> None:
        with self._lock:
            self._entries.append(entry)
            self._count += 1
            if not entry.raw:
                return
            self._with_body.append(entry)
            self._bytes += len(entry.raw)
            while self._bytes > KEPT_BYTES or len(self._with_body) > _KEPT:
                oldest = self._with_body.popleft()
                self._bytes -= len(oldest.raw)
                oldest.raw = b""

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._with_body.clear()
            self._bytes = 0
            self._count = 0

    @property
    def count(self) -> int:
        """Return the number of requests."""
        return self._count

    @property
    def entries(self) -> list[Entry]:
        """Return the requests, oldest first."""
        with self._lock:
            return list(self._entries)

    def summary(self) -> dict[str, Any]:
        """Return counts and requests as JSON. `writes` counts requests other than GET."""
        entries = self.entries
        return {
            "count": self._count,
            "writes": sum(entry.method != "GET" for entry in entries),
            "requests": [entry.shown() for entry in entries],
        }
