"""Processes of `cesplan` on the example, begun with all that they import, and how they end."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.desk import EXAMPLE
from tests.warm import Started, Warm

PATIENCE = 60
"""Seconds after which a process that does not end has failed its test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a process ended; a negative code is the number of the signal that ended it."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


def environ(address: str) -> Mapping[str, str]:
    return {**os.environ, "CES_EMULATOR_HOST": address, "NO_COLOR": "1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A process that leads a session; it writes to files, for nobody reads while it runs."""

    process: "Started | subprocess.Popen[bytes]"
    folder: Path

    @property
    def err(self) -> str:
        return (self.folder / "err").read_text(encoding="utf-8")

    def end(self) -> Ended:
        try:
            code = self.process.wait(PATIENCE)
        except (TimeoutError, subprocess.TimeoutExpired) as late:
            self.process.send_signal(signal.SIGUSR1)
            time.sleep(1)
            raise AssertionError(self.err) from late
        finally:
            self.process.kill()
        return Ended(code=code, out=(self.folder / "out").read_text(encoding="utf-8"), err=self.err)


def begin(warm: Warm, folder: Path, address: str, *words: str, root: Path = EXAMPLE) -> Running:
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err, Path(os.devnull).open() as null:
        streams = (null.fileno(), out.fileno(), err.fileno())
        process = warm.start(*words, streams=streams, folder=root, environ=environ(address))
    return Running(process=process, folder=folder)


def begin_ignoring(folder: Path, address: str, *words: str) -> Running:
    """The same in a process that ignores Ctrl-C and the end of its terminal from its start."""
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        command = [*IGNORING, sys.executable, "-m", "cesplan", *words]
        process = subprocess.Popen(command, cwd=EXAMPLE, env=environ(address), stdout=out, stderr=err)
    return Running(process=process, folder=folder)


APPLY = ("apply", "--auto-approve")
IGNORING = ("sh", "-c", 'trap "" INT HUP; exec "$@"', "sh")
"""What `nohup` and a shell's `&` do to a command."""


Begin = Callable[..., Running]
"""Begins a command at an address, with these arguments."""
