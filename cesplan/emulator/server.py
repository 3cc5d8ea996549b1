"""Running the emulator: in the foreground, or in a thread of this process."""

import socket
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import uvicorn

from cesplan.emulator.application import Application
from cesplan.emulator.journal import Journal
from cesplan.emulator.seeding import seed
from cesplan.emulator.store import Store
from cesplan.emulator.switches import Switches

_HOST = "127.0.0.1"
_DEFAULTS = Switches()


def serve(port: int, data: Path | None = None, switches: Switches = _DEFAULTS) -> None:
    """
    Serve on 127.0.0.1 until interrupted. `data` is the SQLite file, None for memory; port 0 takes
    a free one. Raise OSError when the port is taken.
    """
    store = Store(data)
    listener = _listen(port)
    try:
        _server(Application(store, switches)).run(sockets=[listener])
    finally:
        listener.close()
        store.close()


class EmbeddedEmulator:
    """
    A context manager that serves from a thread, on a free loopback port.

    Requests go through HTTP as everywhere; `seed`, `journal` and `store` are short cuts for tests
    and hold what the control routes hold.
    """

    def __init__(self, data: Path | None = None, switches: Switches = _DEFAULTS) -> None:
        self._data = data
        self._switches = switches

    def __enter__(self) -> Self:
        self.store = Store(self._data)
        self._application = Application(self.store, self._switches)
        self._listener = _listen(0)
        self._server = _server(self._application)
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
        self._server.should_exit = True
        self._thread.join()
        self._listener.close()
        self.store.close()

    @property
    def address(self) -> str:
        """Return host and port, as CES_EMULATOR_HOST wants them."""
        return f"{_HOST}:{self._listener.getsockname()[1]}"

    @property
    def journal(self) -> Journal:
        """Return the requests so far."""
        return self._application.journal

    def seed(self, *resources: dict[str, Any]) -> list[str]:
        """Put resources there past every rule; return their names. See `seeding`."""
        return seed(self._application.service, list(resources))


def _listen(port: int) -> socket.socket:
    """Return a listening socket: connections wait in its queue until the server is up."""
    # asyncio switches Nagle's delay (40 ms an answer) off only where the protocol is named.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_HOST, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def _server(application: Application) -> uvicorn.Server:
    config = uvicorn.Config(
        application,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    return uvicorn.Server(config)
