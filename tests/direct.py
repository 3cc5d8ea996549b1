"""
Requests without connections: those to an emulator in this process are handed to it.

Everything else is real: what a request says, retries, deadlines, threads, and the answers, byte by byte. A test
that needs hundreds of requests spends most of its time in HTTP; HTTP itself is tested in `tests/unit/remote`,
`tests/security`, `tests/cli`, and wherever a command is a process of its own. Scripted faults break
connections, so while one of them is pending requests go over HTTP.
"""

import threading
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import pytest

from cesplan.emulator import EmbeddedEmulator
from cesplan.remote.calls import Call
from cesplan.remote.transport import Answer, Transport, _encoded


@pytest.fixture(scope="package", autouse=True)
def directly() -> Iterator[None]:
    """Import it in a conftest: from there on requests to emulators that start later need no connections."""
    enter, leave, exchange = EmbeddedEmulator.__enter__, EmbeddedEmulator.__exit__, Transport._exchange
    known: dict[str, EmbeddedEmulator] = {}
    turn = threading.Lock()  # the server answers one request after the other, too

    def entered(emulator: EmbeddedEmulator) -> EmbeddedEmulator:
        enter(emulator)
        known[f"http://{emulator.address}"] = emulator
        return emulator

    def left(emulator: EmbeddedEmulator, *given: Any) -> None:
        known.pop(f"http://{emulator.address}", None)
        leave(emulator, *given)

    def exchanged(self: Transport, call: Call, headers: Mapping[str, str]) -> Answer:
        emulator = known.get(str(self._endpoint))
        if emulator is None or emulator.faults.any:
            return exchange(self, call, headers)
        path, _, query = call.target(self._api_version).partition("?")
        scope = {
            "method": call.method,
            "path": unquote(path),
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        }
        data = b"" if call.body is None else _encoded(call.body)
        with turn:
            reply = emulator.application.respond(scope, data)
        found = {name.decode(): value.decode() for name, value in reply.head()}
        return Answer(status=reply.status, headers=found, data=reply.data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EmbeddedEmulator, "__enter__", entered)
        patch.setattr(EmbeddedEmulator, "__exit__", left)
        patch.setattr(Transport, "_exchange", exchanged)
        yield
