"""What was asked of the server, so that tests can prove how many requests a command makes."""

import threading
from collections import deque
from dataclasses import asdict, dataclass
from typing import Any

# A server that runs for days must not grow without end; the count goes on.
_KEPT = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One request: `rpc` is the API method, '' where there is none; `status` the HTTP status."""

    method: str
    path: str
    query: str
    rpc: str
    status: int
    body: Any = None


class Journal:
    """The requests to the API since the start or the last clearing; control routes are left out."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=_KEPT)
        self._count = 0
        self._lock = threading.Lock()

    def add(self, entry: Entry) -> None:
        with self._lock:
            self._entries.append(entry)
            self._count += 1

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._count = 0

    @property
    def count(self) -> int:
        """Return how many requests there were."""
        return self._count

    @property
    def entries(self) -> list[Entry]:
        """Return the requests, oldest first."""
        with self._lock:
            return list(self._entries)

    def summary(self) -> dict[str, Any]:
        """Return counts and requests as JSON: `writes` are those that are not GET."""
        entries = self.entries
        return {
            "count": self._count,
            "writes": sum(entry.method != "GET" for entry in entries),
            "requests": [asdict(entry) for entry in entries],
        }
