"""Measuring: processes of their own, the least CPU time of several runs, and a server beside them."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import urllib3

EXAMPLE = Path(__file__).parents[2] / "examples" / "support-desk"
_BATCH = 500


def cpu_seconds(command: Sequence[str], folder: Path, *, runs: int) -> float:
    """The least CPU time, user and system, that a command took in so many runs."""
    return min(_one_run(command, folder) for _ in range(runs))


def _one_run(command: Sequence[str], folder: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


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
