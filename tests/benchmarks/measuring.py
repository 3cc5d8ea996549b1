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
            found[name].append(_run(command, environment, folder))
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


def _run(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> Used:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        if process.returncode:
            raise RuntimeError(
                f"{' '.join(command)} ended with {process.returncode}: {errors.read()[-2000:]!r}"
            )
        return Used(
            cpu=used.ru_utime + used.ru_stime,
            megabytes=used.ru_maxrss / 1024,
            said=out.read().decode(errors="replace"),
        )


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
