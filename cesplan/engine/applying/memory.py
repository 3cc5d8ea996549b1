"""
Memory: the last known state and etag of each resource that this run writes.

At first this is the state that the plan saw. After each write it is the response. Shared by all workers.
"""

from collections.abc import Iterable
from threading import Lock

from cesplan.domain.address import Address, AppKey
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Operation
from cesplan.domain.value import Body


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """The last known state of a resource. `body` is raw; None if it was never seen or does not exist."""

    body: Body | None = None
    etag: str = ""


class Memories:
    """The last known states of a run, by resource name. Safe to share between threads."""

    def __init__(self, operations: Iterable[tuple[str, Operation]]) -> None:
        """Operations come with the resource name that they write. The first one that has seen it counts."""
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
        """The forced deletes of this run in an app, as `<kind>/<key>`; the service drops references to them."""
        return frozenset(text for owner, text in self._forced if owner == app)

    def force(self, address: Address) -> None:
        """Record that a forced delete is about to be sent."""
        with self._lock:
            self._forced |= {(address.app, address.within_app)}

    def there_again(self, address: Address) -> None:
        """Record that a resource deleted by force exists again, so that references to it count again."""
        with self._lock:
            self._forced -= {(address.app, address.within_app)}

    def keep(self, name: str, body: Body) -> None:
        """Record a read, or the response to a write. Without an etag in it, none is sent later."""
        with self._lock:
            self._known[name] = Memory(body=body, etag=str(body.get("etag") or ""))

    def forget(self, name: str) -> None:
        """Record that the resource no longer exists, because of this run or someone else."""
        with self._lock:
            self._known[name] = Memory()
