"""
Programs that do not import anything: forks of a process that has imported everything, and run a few commands.

`launched` starts that process, and `Warm.script` is what a shell script calls. A call hands its arguments,
streams, working directory, and environment to a fork, and ends with the exit code of the fork. So each call has
a process, streams, and memory of its own; only its imports, and the first use of what never changes, happened
earlier. Tests of how a process starts (isolation, options of the interpreter, signals that are ignored from the
start, time) start a real one instead.

A request is a list of texts, each ended by a NUL: the working directory, the number of words, the words (the
first is the program, `MODULE:FUNCTION`), and the environment. Before them is one byte, with which the three
standard streams are sent; after them the caller sends nothing more. The answer is one byte, the exit code. If
the connection ends without it, a signal ended the fork. With `W` as the first byte, as `Warm.start` sends it,
the process is watched: it leads a session, takes the terminal that its input is, and the answer is its id, and
once it has ended how, as `os.waitstatus_to_exitcode` says it.
"""

import faulthandler
import fcntl
import gc
import importlib
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import termios
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from shlex import join
from tempfile import TemporaryDirectory
from typing import NoReturn

_CALL = """\
import sys, os, posix, _socket
_, path, *words = sys.argv
texts = [posix.getcwdb(), b"%d" % len(words), *map(os.fsencode, words)]
texts += [name + b"=" + value for name, value in posix.environ.items()]
server = _socket.socket(_socket.AF_UNIX)
server.connect(path)
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
server.sendmsg([b"C"], [(_socket.SOL_SOCKET, 1, streams)])
server.sendall(b"".join(text + b"\\0" for text in texts))
server.shutdown(_socket.SHUT_WR)
answer = server.recv(1)
posix._exit(answer[0] if answer else 137)
"""
"""Only modules that the interpreter brings along: nothing is imported from a file."""
_CESPLAN = "cesplan.cli.main:main"
_USED_LAZILY = ("google.auth.transport.urllib3", "jsonpatch", "rich.console", "rich.progress")


@dataclass(kw_only=True)
class Started:
    """A process that leads a session; a negative `returncode` is the number of the signal that ended it."""

    pid: int
    returncode: int | None = None
    _connection: socket.socket
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self, timeout: float = 60) -> int:
        """Raises TimeoutError."""
        with self._lock:
            if self.returncode is None:
                self._connection.settimeout(timeout)
                self.returncode = int.from_bytes(self._connection.recv(4), "big", signed=True)
                self._connection.close()
            return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal to it, and to what it started."""
        os.killpg(self.pid, number)

    def kill(self) -> None:
        """End it, if it has not ended, and wait for that."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                self.send_signal(signal.SIGKILL)
            self.wait()


@dataclass(frozen=True, slots=True, kw_only=True)
class Warm:
    """A server of forks, in a folder of its own."""

    folder: Path

    def script(self, program: str, *words: str) -> str:
        """The shell command that calls `MODULE:FUNCTION` with these arguments and those of the script."""
        call = (sys.executable, "-IS", self.folder / "call.py", self.folder / "socket", program, *words)
        return f'exec {join(map(str, call))} "$@"'

    def install(self, folder: Path) -> str:
        """Make a folder with the command `cesplan`; returns a PATH that begins with it."""
        folder.mkdir()
        program = folder / "cesplan"
        program.write_text(f"#!/bin/sh\n{self.script(_CESPLAN)}\n", encoding="utf-8")
        program.chmod(0o755)
        return os.pathsep.join((str(folder), str(Path(sys.executable).parent), os.environ["PATH"]))

    def start(
        self,
        *words: str,
        streams: tuple[int, int, int],
        folder: Path | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> Started:
        """Start `cesplan` with these arguments; the streams are file descriptors of this process."""
        pairs = (f"{name}={text}" for name, text in (environ or os.environ).items())
        texts = (str(folder or Path.cwd()), str(1 + len(words)), _CESPLAN, *words, *pairs)
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(str(self.folder / "socket"))
        socket.send_fds(connection, [b"W"], streams)
        connection.sendall(b"".join(os.fsencode(text) + b"\0" for text in texts))
        connection.shutdown(socket.SHUT_WR)
        return Started(pid=int.from_bytes(connection.recv(4), "big"), _connection=connection)


@contextmanager
def launched(folder: Path, *modules: str) -> Iterator[Warm]:
    """Serve forks that have imported these modules; without any, all of cesplan."""
    (folder / "call.py").write_text(_CALL, encoding="utf-8")
    command = [sys.executable, "-m", "tests.warm", str(folder / "socket"), *modules]
    server = subprocess.Popen(
        command, cwd=Path(__file__).parents[1], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    try:
        yield Warm(folder=folder)
    finally:
        server.stdout.close()
        server.stdin.close()  # is how it learns of the end; also if this process was killed
        server.wait()


def serve(path: str, modules: list[str]) -> None:
    """Answer calls until stdin ends."""
    gc.disable()  # nothing of what is imported goes before the end
    for name in modules or (*_modules("cesplan"), *_USED_LAZILY):
        importlib.import_module(name)
    if not modules:
        _rehearse()
    gc.collect()
    gc.freeze()
    gc.enable()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        print("ready", flush=True)
        while 0 not in select.select([listener, 0], [], [])[0]:
            connection, _ = listener.accept()
            if not os.fork():
                listener.close()
                try:
                    _answer(connection)
                finally:
                    os._exit(1)
            connection.close()
            _collect_the_dead()


def _modules(package: str) -> Iterator[str]:
    found = importlib.import_module(package)
    for module in pkgutil.walk_packages(found.__path__, f"{package}."):
        if not module.name.startswith("cesplan.emulator"):
            yield module.name


def _rehearse() -> None:
    """
    Run a few commands: what a process computes when it first needs it, such as specs and templates, is there.

    None of it depends on a tree, a folder, or the environment.
    """
    from cesplan.cli.running import run  # others that import this module need none of it
    from cesplan.emulator import EmbeddedEmulator

    with TemporaryDirectory() as folder, open(os.devnull, "w", encoding="utf-8") as nowhere:
        saved, page = Path(folder, "plan.json"), Path(folder, "plan.html")
        tree = Path(folder, "tree")
        with redirect_stdout(nowhere), redirect_stderr(nowhere), EmbeddedEmulator() as emulator:
            os.environ["CES_EMULATOR_HOST"] = emulator.address
            commands = (
                f"init {tree}",
                f"plan -C {tree} --out {saved} --report markdown={folder}/plan.md",
                f"show {saved} --report html={page}",
                f"apply {saved}",
                f"drift -C {tree} --format json",
            )
            codes = [run(command.split()) for command in commands]
            del os.environ["CES_EMULATOR_HOST"]
    assert not any(codes), codes


def _collect_the_dead() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _answer(connection: socket.socket) -> NoReturn:
    """In the fork: become the process that was asked for, and end as it does."""
    first, streams, _, _ = socket.recv_fds(connection, 1, 3)
    with connection.makefile("rb") as request:
        folder, number, *texts = request.read().split(b"\0")[:-1]
    words, environment = texts[: int(number)], texts[int(number) :]
    is_watched = first == b"W"
    if is_watched:
        _watch(connection, streams)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process lives
    sys.stdout, sys.stderr = (
        open(number, "w", buffering=1 if os.isatty(number) else -1, encoding="utf-8", closefd=False)  # noqa: SIM115
        for number in (1, 2)
    )
    os.chdir(folder)
    os.environ.clear()
    os.environb.update(pair.split(b"=", 1) for pair in environment)
    sys.argv = [*map(os.fsdecode, words)]
    if is_watched and os.isatty(0):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # Ctrl-C reaches those whose terminal it is
    faulthandler.register(signal.SIGUSR1)  # what asks why it does not end
    code = _run(sys.argv[0])
    if not is_watched:
        connection.send(bytes([code]))
    os._exit(code)


def _watch(connection: socket.socket, streams: list[int]) -> None:
    """Fork once more: return in the process that was asked for, and tell its id and how it ends."""
    pid = os.fork()
    if not pid:
        os.setsid()
        connection.sendall(os.getpid().to_bytes(4, "big"))
        connection.close()
        return
    for stream in streams:
        os.close(stream)
    _, status = os.waitpid(pid, 0)
    connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))
    os._exit(0)


def _run(program: str) -> int:
    """As a script of an entry point ends: with what is returned or `SystemExit` holds, or with a traceback."""
    module, _, function = program.partition(":")
    try:
        code = getattr(importlib.import_module(module), function)()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
        code = 1
    if not isinstance(code, int | None):
        print(code, file=sys.stderr)
        code = 1
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        return 120
    return code or 0


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2:])
