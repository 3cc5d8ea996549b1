"""
Serving over stdin and stdout until the input ends.

Ctrl-C, SIGTERM, and SIGHUP end the input, so that there is only one way to end: calls are cancelled, an apply
finishes its requests in flight, and the process ends. A second signal ends it at once.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import anyio
from mcp.server.stdio import stdio_server

from cesplan.cli.progress import ending_signals
from cesplan.mcp.server import server_of
from cesplan.mcp.workspace import Workspace

_PIECE = 64 * 1024
_STDIN = 0
_INTERRUPTED = 130


def serve(workspace: Workspace, log: Callable[[str], None]) -> bool:
    """Serve until the input ends; True if a signal ended it. `log` must not write to stdout."""
    with _ended_by_signals() as signals:
        anyio.run(_serve, workspace, log)
        return bool(signals)


async def _serve(workspace: Workspace, log: Callable[[str], None]) -> None:
    server = server_of(workspace, log)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


@contextmanager
def _ended_by_signals() -> Iterator[list[int]]:
    """
    Replace stdin with a pipe that ends with it, or with the first signal; yields the received signals. The SDK
    reads stdin in a thread that only the end of the input can wake.
    """
    theirs = os.dup(_STDIN)
    end, entry = os.pipe()
    os.dup2(end, _STDIN)
    os.close(end)
    came: list[int] = []
    lock = threading.Lock()
    is_open = True

    def close() -> None:
        nonlocal is_open
        with lock:
            if is_open:
                is_open = False
                os.close(entry)

    def pump() -> None:
        with suppress(OSError):
            while piece := os.read(theirs, _PIECE):
                while piece:
                    with lock:
                        if not is_open:
                            return
                        piece = piece[os.write(entry, piece) :]
        close()

    def stop(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if len(came) > 1:
            os._exit(_INTERRUPTED)
        threading.Thread(target=close, daemon=True).start()  # a handler must not wait for a lock

    old = {number: signal.signal(number, stop) for number in ending_signals()}
    threading.Thread(target=pump, daemon=True).start()
    try:
        yield came
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
