"""
The transport without its connections: requests are handed to an emulator in this process.

Everything else is real: what a request says, retries, deadlines, and the answers, byte by byte. A law that
needs thousands of requests spends most of its time in HTTP; HTTP itself is tested in `tests/unit/remote`, in
`tests/security`, and wherever a command runs. Scripted faults break connections, so with one of them a request
goes over HTTP.
"""

import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote
from weakref import WeakKeyDictionary

from cesplan.emulator import EmbeddedEmulator
from cesplan.emulator.server.application import Application
from cesplan.remote.calls import Call
from cesplan.remote.endpoints import emulator_endpoint
from cesplan.remote.pools import direct_pool
from cesplan.remote.transport import Answer, Transport, _encoded

_LOCKS: WeakKeyDictionary[Application, threading.Lock] = WeakKeyDictionary()
"""The server answers one request after the other; so do all transports to one emulator."""


class Direct(Transport):
    """Sends calls to an emulator in this process; the other parameters are those of `Transport`."""

    def __init__(self, emulator: EmbeddedEmulator, *, api_version: str, **given: Any) -> None:
        endpoint = emulator_endpoint(emulator.address)
        super().__init__(endpoint=endpoint, pool=direct_pool(), api_version=api_version, **given)
        self._application = emulator.application
        self._turn = _LOCKS.setdefault(self._application, threading.Lock())
        self._version = api_version

    def _exchange(self, call: Call, headers: Mapping[str, str]) -> Answer:
        if self._application.faults.any:
            return super()._exchange(call, headers)
        path, _, query = call.target(self._version).partition("?")
        scope = {
            "method": call.method,
            "path": unquote(path),
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        }
        with self._turn:
            reply = self._application.respond(scope, b"" if call.body is None else _encoded(call.body))
        found = {name.decode(): value.decode() for name, value in reply.head()}
        return Answer(status=reply.status, headers=found, data=reply.data)
