"""
The transport without its connections: requests are handed to an emulator in this process.

Everything else is real: what a request says, retries, deadlines, and the answers, byte by byte. A law that
needs thousands of requests spends most of its time in HTTP, and so does a command that runs in the process of
its emulator. HTTP itself is tested in `tests/unit/remote`, in `tests/facts`, in `tests/security`, and wherever
a command runs in a process of its own. Scripted faults break connections, so with one of them a request goes
over HTTP.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote
from weakref import WeakKeyDictionary, WeakValueDictionary

import pytest

from cesplan.emulator import EmbeddedEmulator
from cesplan.emulator.server.application import Application
from cesplan.remote.calls import Call
from cesplan.remote.endpoints import emulator_endpoint
from cesplan.remote.pools import direct_pool
from cesplan.remote.transport import Answer, Transport, _encoded

_SERVED: WeakValueDictionary[str, Application] = WeakValueDictionary()
"""The emulators of this process, by host and port."""
_TURNS: WeakKeyDictionary[Application, threading.RLock] = WeakKeyDictionary()
"""The server answers one request after the other; so do all transports to one emulator, and both together."""
_enter, _respond, _exchange = EmbeddedEmulator.__enter__, Application.respond, Transport._exchange


def _entered(emulator: EmbeddedEmulator) -> EmbeddedEmulator:
    found = _enter(emulator)
    _SERVED[emulator.address] = emulator.application
    return found


def _responded(application: Application, scope: Any, raw: bytes) -> Any:
    with _TURNS.setdefault(application, threading.RLock()):
        return _respond(application, scope, raw)


def _handed_over(transport: Transport, call: Call, headers: Mapping[str, str]) -> Answer:
    endpoint = transport._endpoint
    application = _SERVED.get(f"{endpoint.host}:{endpoint.port}")
    if application is None or application.faults.any:
        return _exchange(transport, call, headers)
    path, _, query = call.target(transport._api_version).partition("?")
    sent = {**headers, **transport._headers}
    scope = {
        "method": call.method,
        "path": unquote(path),
        "query_string": query.encode(),
        "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
    }
    reply = application.respond(scope, b"" if call.body is None else _encoded(call.body))
    found = {name.decode(): value.decode() for name, value in reply.head()}
    return Answer(status=reply.status, headers=found, data=reply.data)


EmbeddedEmulator.__enter__ = _entered  # type: ignore[method-assign, assignment]
Application.respond = _responded  # type: ignore[method-assign]


class Direct(Transport):
    """Sends calls to an emulator in this process; the other parameters are those of `Transport`."""

    def __init__(self, emulator: EmbeddedEmulator, *, api_version: str, **given: Any) -> None:
        endpoint = emulator_endpoint(emulator.address)
        super().__init__(endpoint=endpoint, pool=direct_pool(), api_version=api_version, **given)

    _exchange = _handed_over


@contextmanager
def without_http() -> Iterator[None]:
    """Inside, every transport hands its calls to the emulator of this process that its endpoint is."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Transport, "_exchange", _handed_over)
        yield
