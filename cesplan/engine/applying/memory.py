"""
Remembering: what this run last saw of each resource it writes, and with which etag.

At first that is what the plan saw; after each write it is the answer. Shared by all workers.
"""

from collections.abc import Iterable
from threading import Lock

from cesplan.domain.address import Address, AppKey
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Operation
from cesplan.domain.value import Body


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One resource as it was last seen. `body` is raw, None if it was never seen or is gone."""

    body: Body | None = None
    etag: str = ""


class Memories:
    """The memories of a run, by resource name. Safe to share between threads."""

    def __init__(self, operations: Iterable[tuple[str, Operation]]) -> None:
        """Operations come with the full name of the resource they write; the first that saw it counts."""
        self._lock = Lock()
        self._known: dict[str, Memory] = {}
        self._forced: frozenset[tuple[AppKey, str]] = frozenset()
        for name, operation in operations:
            if operation.seen is not None and name not in self._known:
                self._known[name] = Memory(body=operation.seen, etag=operation.etag)

    def of(self, name: str) -> Memory:
        with self._lock:
            return self._known.get(name, Memory())

    def forced(self, app: AppKey) -> frozenset[str]:
        """What this run deletes by force in an app, as `<kind>/<key>`: the service drops what refers to it."""
        return frozenset(text for owner, text in self._forced if owner == app)

    def force(self, address: Address) -> None:
        """A delete by force is about to be sent."""
        with self._lock:
            self._forced |= {(address.app, address.within_app)}

    def there_again(self, address: Address) -> None:
        """What was deleted by force exists again, and references to it count again."""
        with self._lock:
            self._forced -= {(address.app, address.within_app)}

    def keep(self, name: str, body: Body) -> None:
        """A read, or the answer to a write; an answer without an etag leaves none to send."""
        with self._lock:
            self._known[name] = Memory(body=body, etag=str(body.get("etag") or ""))

    def forget(self, name: str) -> None:
        """The resource is gone, by a write of this run or of others."""
        with self._lock:
            self._known[name] = Memory()
