"""Measuring: processes of their own, the least CPU time of several runs, and a server beside them."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import urllib3

REPOSITORY = Path(__file__).parents[2]
EXAMPLE = REPOSITORY / "examples" / "support-desk"
CESPLAN = str(Path(sys.executable).with_name("cesplan"))
_BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """CPU seconds, user and system, and memory at its largest of a process; what it said on stdout."""

    cpu: float
    megabytes: float
    said: str = ""


def measured(
    commands: Mapping[str, Sequence[str]],
    environment: Mapping[str, str],
    *,
    runs: int,
    folder: Path = REPOSITORY,
) -> dict[str, Used]:
    """
    The least that each of these commands used in so many runs, for CPU and memory apart.

    The commands take turns, so that what else the machine does meets them alike. Raises RuntimeError with what
    was said on stderr if a command fails.
    """
    found: dict[str, list[Used]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            found[name].append(run(command, environment, folder))
    return {
        name: Used(
            cpu=min(item.cpu for item in used),
            megabytes=min(item.megabytes for item in used),
            said=used[0].said,
        )
        for name, used in found.items()
    }


def cpu_seconds(command: Sequence[str], folder: Path, *, runs: int) -> float:
    """The least CPU time, user and system, that a command took in so many runs."""
    return measured({"": command}, os.environ, runs=runs, folder=folder)[""].cpu


_LAUNCHER = """
import json, os, sys
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(child, 0)
code = os.waitstatus_to_exitcode(status)
said = {"code": code, "cpu": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1024}
os.write(2, f"\\n{json.dumps(said)}".encode())
"""
"""
Starts a command from a small process.

Linux counts the memory of whoever starts a process as that process's own, until it has become the program.
"""


def run(command: Sequence[str], environment: Mapping[str, str], folder: Path = REPOSITORY) -> Used:
    """
    What one run of a command used. Raises RuntimeError with what was said on stderr if it fails.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        launched = [sys.executable, "-S", "-c", _LAUNCHER, *command]
        subprocess.run(launched, cwd=folder, env=environment, stdout=out, stderr=errors, check=True)
        out.seek(0)
        errors.seek(0)
        *said, last = errors.read().splitlines()
        used = json.loads(last)
        if used["code"]:
            raise RuntimeError(f"{' '.join(command)} ended with {used['code']}: {b' '.join(said)[-2000:]!r}")
        return Used(cpu=used["cpu"], megabytes=used["megabytes"], said=out.read().decode(errors="replace"))


class Server:
    """An emulator in a process of its own, at `address`."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        assert process.stdout is not None
        self.address = process.stdout.readline().split("http://")[1].split(",")[0].strip()
        self._pool = urllib3.PoolManager()

    def seed(self, resources: Sequence[dict[str, Any]]) -> None:
        """Put resources there past every rule."""
        for at in range(0, len(resources), _BATCH):
            data = json.dumps({"resources": resources[at : at + _BATCH]})
            answer = self._pool.request("POST", f"http://{self.address}/emulator/resources", body=data)
            assert answer.status == 200, answer.data

    def cpu(self) -> float:
        """The CPU seconds that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def server() -> Iterator[Server]:
    arguments = [sys.executable, "-m", "cesplan", "emulator", "serve", "--port", "0"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, encoding="utf-8") as process:
        try:
            yield Server(process)
        finally:
            process.terminate()


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)
