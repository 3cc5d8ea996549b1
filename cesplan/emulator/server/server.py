"""Running the emulator: in the foreground, or in a thread of this process."""

import asyncio
import socket
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from cesplan.emulator.evaluating.script import Script
from cesplan.emulator.faults.registry import Faults
from cesplan.emulator.judging.script import JudgeScript
from cesplan.emulator.seeding import seed
from cesplan.emulator.server.application import Application
from cesplan.emulator.server.journal import Journal
from cesplan.emulator.sessions.script import SessionScript
from cesplan.emulator.storage.store import Store
from cesplan.emulator.switches import Switches

_HOST = "127.0.0.1"
_DEFAULTS = Switches()


def serve(
    port: int,
    data: Path | None = None,
    switches: Switches = _DEFAULTS,
    announce: Callable[[str], None] | None = None,
    *,
    faults: Faults | None = None,
    script: Script | None = None,
    sessions: SessionScript | None = None,
    judges: JudgeScript | None = None,
) -> None:
    """
    Serve on 127.0.0.1 until interrupted. `data` is the SQLite file, None for memory. Port 0 selects a free
    port. `announce` is called with "127.0.0.1:PORT" once connections are accepted. `faults`, `script`,
    `sessions`, and `judges` are loaded from files with the `load` methods of their classes. Raise OSError if
    the port is in use, and KeyboardInterrupt after Ctrl-C, with everything closed.
    """
    listener = _listen(port)
    store = Store(data)
    try:
        config = _config(Application(store, switches, faults, script, sessions, judges))
        _Foreground(config, announce, _address(listener)).run(sockets=[listener])
    finally:
        listener.close()
        store.close()


class EmbeddedEmulator:
    """
    A context manager that serves from a thread, on a free loopback port.

    Requests use HTTP as usual; `application` answers those that need no connection. `seed`, `journal`, and
    `store` are shortcuts for tests to the data of the control routes.
    """

    def __init__(
        self,
        data: Path | None = None,
        switches: Switches = _DEFAULTS,
        *,
        faults: Faults | None = None,
        script: Script | None = None,
        sessions: SessionScript | None = None,
        judges: JudgeScript | None = None,
    ) -> None:
        self._data = data
        self._starting = (switches, faults, script, sessions, judges)

    def __enter__(self) -> Self:
        self.store = Store(self._data)
        self.application = Application(self.store, *self._starting)
        self._listener = _listen(0)
        self._server = _Embedded(_config(self.application))
        run = {"sockets": [self._listener]}
        self._thread = threading.Thread(target=self._server.run, kwargs=run, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.stop()
        self._thread.join()
        self._listener.close()
        self.store.close()

    @property
    def address(self) -> str:
        """Return the host and port for CES_EMULATOR_HOST."""
        return _address(self._listener)

    @property
    def journal(self) -> Journal:
        """Return the requests so far."""
        return self.application.journal

    @property
    def faults(self) -> Faults:
        """Return the faults, to add some and to see which happened."""
        return self.application.faults

    def break_with(self, *faults: dict[str, Any]) -> list[str]:
        """Add faults, in the format of `faults.specs`, and return their ids."""
        return self.faults.add({"faults": list(faults)})

    def play(self, *parts: dict[str, Any], run: dict[str, Any] | None = None) -> None:
        """Set the script of evaluation runs, in the format of `evaluating.script`."""
        self.application.service.runs.script = Script.parse(
            {"evaluations": list(parts)} | ({"run": run} if run else {})
        )

    def converse(self, *sessions: dict[str, Any], tools: Sequence[dict[str, Any]] = ()) -> None:
        """Set the script of sessions and tools, in the format of `sessions.script`."""
        self.application.service.play_sessions(
            SessionScript.parse({"sessions": list(sessions), "tools": list(tools)})
        )

    def judge(self, *judges: dict[str, Any]) -> None:
        """Set the script of judges, in the format of `judging.script`."""
        self.application.service.judging.script = JudgeScript.parse({"judges": list(judges)})

    def reset(self) -> None:
        """Return to the state of a new emulator."""
        self.application.reset()

    def seed(self, *resources: dict[str, Any]) -> list[str]:
        """Store resources, bypassing all rules, and return their names. See `seeding`."""
        return seed(self.application.service, list(resources))


def _listen(port: int) -> socket.socket:
    """Return a listening socket, whose queue holds connections until the server is up."""
    # asyncio disables Nagle's algorithm (40 ms per response) only if the protocol is given.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_HOST, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def _address(listener: socket.socket) -> str:
    return f"{_HOST}:{listener.getsockname()[1]}"


class _Protocol(AutoHTTPProtocol):  # type: ignore[valid-type,misc]  # chosen when uvicorn is imported
    """
    The server's protocol, which gives the application access to the connection, so that faults can break it.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self.app_state: dict[str, Any] = {"transport": transport}


class _Foreground(uvicorn.Server):
    """A server that announces when it is up. From then on Ctrl-C stops it cleanly."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[str], None] | None, address: str) -> None:
        super().__init__(config)
        self._announce, self._address = announce, address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._announce is not None:
            self._announce(self._address)


class _Embedded(uvicorn.Server):
    """A server that stops at once; uvicorn itself polls ten times per second."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._up = threading.Event()

    async def main_loop(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        self._up.set()
        await self._wake.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close without uvicorn's fixed delay of 0.1 s, but wait for requests that a fault makes slow."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        while self.server_state.connections or self.server_state.tasks:
            await asyncio.sleep(0)
            if tasks := list(self.server_state.tasks):
                await asyncio.wait(tasks)
        for server in self.servers:
            await server.wait_closed()

    def stop(self) -> None:
        """Stop the server from another thread."""
        self._up.wait()
        self.should_exit = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake.set)


def _config(application: Application) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        http=_Protocol,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=2,
        server_header=False,
        proxy_headers=False,
    )
