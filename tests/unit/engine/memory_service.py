"""
A service in memory that implements the port: etags, masks, ids, and faults that tests script.

Nothing sleeps: what should take time waits for an event that the test sets.
"""

from collections import defaultdict
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any

from cesplan.domain.errors import AlreadyExists, Conflict, LostResponse, NotFound, Unavailable
from cesplan.domain.field_path import MaskPath
from cesplan.domain.value import Body, reveal
from cesplan.engine.applying.ports import OnProgress, Verify
from cesplan.model.kinds import Kind

TRANSPORT = ("name", "etag")


@dataclass(frozen=True, kw_only=True)
class Fault:
    """
    What goes wrong with one request, once.

    `error` is raised instead of acting; `lost_before` and `lost_after` lose the answer without and with the
    effect; `then` runs before the request acts; `hold` makes it wait; `answer` changes what is answered.
    """

    error: Exception | None = None
    lost_before: bool = False
    lost_after: bool = False
    then: Callable[[], object] | None = None
    hold: Event | None = None
    answer: Callable[[Body], Body] | None = None


@dataclass
class MemoryService:
    """`resources` are live bodies by name; `calls` every request; `effects` the writes that took effect."""

    enforces_etags: bool = True
    sends_etags: bool = True
    resources: dict[str, Body] = field(default_factory=dict)
    calls: list[tuple[str, str]] = field(default_factory=list)
    effects: list[tuple[str, str]] = field(default_factory=list)
    sent: list[Body] = field(default_factory=list)
    started: dict[tuple[str, str], Event] = field(default_factory=lambda: defaultdict(Event))
    in_flight: int = 0
    most_in_flight: int = 0
    interruptions: int = 0
    _faults: dict[tuple[str, str], list[Fault]] = field(default_factory=lambda: defaultdict(list))
    _lock: Lock = field(default_factory=Lock)
    _etags: int = 0

    def put(self, name: str, body: Body) -> Body:
        """A resource that is there from the start, or an edit by someone else; returns it as a read would."""
        with self._lock:
            kept = {key: value for key, value in body.items() if key not in TRANSPORT}
            self.resources[name] = {"name": name, **deepcopy(kept), **self._etag()}
            return deepcopy(self.resources[name])

    def touch(self, name: str) -> None:
        """Move the etag and nothing else, as a side effect does."""
        self.put(name, self.resources[name])

    def fault(self, method: str, name: str, **what: Any) -> None:
        """The next request of this kind that has no fault yet gets this one."""
        self._faults[method, name].append(Fault(**what))

    def writes(self, *methods: str) -> list[tuple[str, str]]:
        """The requests that were sent, reads left out."""
        return [call for call in self.calls if call[0] in (methods or ("create", "update", "delete"))]

    def get(self, kind: Kind, name: str) -> Body:
        return self._handle("get", name, lambda: deepcopy(self._found(name)))

    def create(self, kind: Kind, parent: str, resource_id: str, body: Body, waiting: OnProgress) -> Body:
        name, body = f"{parent}/{kind.name}/{resource_id}", reveal(body)

        def act() -> Body:
            if name in self.resources:
                raise AlreadyExists(summary="taken", status="ALREADY_EXISTS", http_status=409)
            self.resources[name] = {"name": name, **deepcopy(body), **self._etag()}
            return deepcopy(self.resources[name])

        if "create" in kind.long_running:
            waiting(1.5)
        return self._handle("create", name, act, body)

    def update(
        self, kind: Kind, name: str, body: Body, mask: tuple[MaskPath, ...], verify: Verify | None = None
    ) -> Body:
        etag = verify() if verify else ""
        body = {**reveal(body), **({"etag": etag} if etag else {})}

        def act() -> Body:
            found = self._found(name)
            self._check(found, str(body.get("etag", "")))
            for path in mask:
                _assign(found, path.fields, _take(body, path.fields))
            found.update(self._etag())
            return deepcopy(found)

        return self._handle("update", name, act, body)

    def delete(
        self,
        kind: Kind,
        name: str,
        etag: str,
        force: bool,
        waiting: OnProgress,
        verify: Verify | None = None,
    ) -> None:
        etag = verify() if verify else etag

        def act() -> Body:
            self._check(self._found(name), etag)
            del self.resources[name]
            return {}

        if "delete" in kind.long_running:
            waiting(1.5)
        self._handle("delete", name, act)

    def interrupt(self) -> None:
        self.interruptions += 1

    def _handle(self, method: str, name: str, act: Callable[[], Body], body: Body | None = None) -> Body:
        fault = self._begin(method, name, body)
        try:
            if fault.then:
                fault.then()
            if fault.hold:
                assert fault.hold.wait(10)
            if fault.error:
                raise fault.error
            if fault.lost_before:
                raise LostResponse(summary="no answer")
            with self._lock:
                answer = act()
                if method != "get":
                    self.effects.append((method, name))
        finally:
            with self._lock:
                self.in_flight -= 1
        if fault.lost_after:
            raise LostResponse(summary="no answer")
        return fault.answer(answer) if fault.answer else answer

    def _begin(self, method: str, name: str, body: Body | None) -> Fault:
        with self._lock:
            self.calls.append((method, name))
            if body is not None:
                self.sent.append(deepcopy(body))
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            faults = self._faults[method, name]
            fault = faults.pop(0) if faults else Fault()
            self.started[method, name].set()
        return fault

    def _found(self, name: str) -> Body:
        if name not in self.resources:
            raise NotFound(summary="not found", status="NOT_FOUND", http_status=404)
        return self.resources[name]

    def _check(self, found: Body, etag: str) -> None:
        if self.enforces_etags and etag and etag != found.get("etag"):
            raise Conflict(summary="etag mismatch", status="ABORTED", http_status=409)

    def _etag(self) -> Body:
        self._etags += 1
        return {"etag": f"e{self._etags}"} if self.sends_etags else {}


def unavailable() -> Unavailable:
    return Unavailable(summary="not now", status="UNAVAILABLE", http_status=503)


def _take(body: Any, fields: tuple[str, ...]) -> Any:
    for name in fields:
        body = body.get(name) if isinstance(body, dict) else None
    return deepcopy(body)


def _assign(body: Body, fields: tuple[str, ...], value: Any) -> None:
    *parents, last = fields
    for name in parents:
        body = body.setdefault(name, {})
    if value is None:
        body.pop(last, None)
    else:
        body[last] = value
