"""
A wire that misbehaves: the real transport to a real emulator, with a script for its writes.

What a fault does is what the network and the service do: an answer that never comes, one that comes cut in
half, a refusal; before the service saw the request or after it acted.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from cesplan.domain.settings import Settings
from cesplan.emulator import EmbeddedEmulator
from cesplan.remote.calls import Call
from cesplan.remote.client import Client
from cesplan.remote.clock import Clock
from cesplan.remote.connecting import assemble
from cesplan.remote.transport import WRITING, Answer, NoAnswer, NotSent
from tests.properties.direct import Direct

Fault = Callable[[Callable[[], Answer]], Answer]
"""Gets what sends the request, and answers in its place."""

Script = Callable[[int, Call], Fault | None]
"""The fault of a request, by its number among the writes (from 1; 0 for reads)."""


class Wire(Direct):
    """Sends what its script lets through; `writes` are those that began."""

    def __init__(self, emulator: EmbeddedEmulator, api_version: str, script: Script) -> None:
        super().__init__(emulator, methods=WRITING, api_version=api_version)
        self._script = script
        self._guard = threading.Lock()
        self.writes: list[Call] = []
        self.is_cut = False

    def send(self, call: Call, headers: Mapping[str, str]) -> Answer:
        with self._guard:
            if not call.reads:
                self.writes.append(call)
            fault = self._script(0 if call.reads else len(self.writes), call)
            if self.is_cut:
                fault = cut_before
            self.is_cut = self.is_cut or fault in (cut_before, cut_after)
        if fault is None:
            return super().send(call, headers)
        return fault(lambda: super(Wire, self).send(call, headers))


@contextmanager
def wired(emulator: EmbeddedEmulator, settings: Settings, script: Script) -> Iterator[tuple[Client, Wire]]:
    """A client that may write over such a wire, on a clock that never waits."""
    wire = Wire(emulator, settings.api_version, script)
    clock = Clock(sleep=lambda seconds: None, chance=lambda: 0.0)
    made = assemble(wire, credentials=None, api_version=settings.api_version, clock=clock)
    with made:
        yield made, wire


def nothing(number: int, call: Call) -> Fault | None:
    """The script of a wire on a good day."""
    return None


def at(number: int, fault: Fault) -> Script:
    """One fault, at one write."""
    return lambda count, call: fault if count == number else None


def refusal(http: int, status: str, message: str = "No.", **error: Any) -> Fault:
    """The service refuses (google.rpc.Status), and did nothing."""
    body = json.dumps({"error": {"code": http, "status": status, "message": message, **error}})
    return lambda send: Answer(status=http, headers={}, data=body.encode())


def lost_before(send: Callable[[], Answer]) -> Answer:
    """The connection breaks before the service saw the request."""
    raise NoAnswer("connection reset")


def lost_after(send: Callable[[], Answer]) -> Answer:
    """The service acts, and the connection breaks."""
    send()
    raise NoAnswer("connection reset")


def cut_in_half(send: Callable[[], Answer]) -> Answer:
    """The service acts, and half of its answer arrives."""
    answer = send()
    return Answer(status=answer.status, headers=answer.headers, data=answer.data[: len(answer.data) // 2])


def gateway_gave_up(send: Callable[[], Answer]) -> Answer:
    """The service acts, and something in between answers in its place."""
    send()
    return Answer(status=502, headers={}, data=b"<html><title>Bad gateway</title></html>")


def cut_before(send: Callable[[], Answer]) -> Answer:
    """The process dies: neither this request nor any later one is seen."""
    raise NotSent("dead", permanent=True)


def cut_after(send: Callable[[], Answer]) -> Answer:
    """The process dies while the service acts: this request is the last one that is seen."""
    send()
    raise NotSent("dead", permanent=True)
