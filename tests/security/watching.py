"""Running cesplan in a process of its own that writes down what it opens, starts and talks to."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_CHILD = Path(__file__).with_name("watched_child.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """
    What a run did: the exit code of each command, all output, and the audit events that matter.

    `status` is how the process itself ended; another one than 0 is a crash or a limit.
    """

    status: int
    codes: list[int]
    events: list[tuple[str, list[Any]]]
    output: str

    def of(self, *names: str) -> list[list[Any]]:
        """The arguments of all events of these names."""
        return [arguments for name, arguments in self.events if name in names]


def watched(
    tree: Path,
    scratch: Path,
    *commands: Sequence[str],
    emulator: str,
    variables: Mapping[str, str] | None = None,
    memory: int = 3 << 30,
    seconds: int = 60,
) -> Seen:
    """
    Run commands one after another, started in a tree, against the emulator at an address.

    `scratch` is the only folder for files: home and temporary files are there. `memory` is the limit of address
    space in bytes, `seconds` that of CPU time; three times that much time may pass.
    """
    found = scratch / "seen.json"
    found.unlink(missing_ok=True)
    asked = {"commands": [list(command) for command in commands], "memory": memory, "seconds": seconds}
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "CES_EMULATOR_HOST": emulator,
        **(variables or {}),
    }
    done = subprocess.run(
        (sys.executable, "-I", "-B", str(_CHILD), str(found)),
        cwd=tree,
        env=environment,
        input=json.dumps(asked).encode(),
        capture_output=True,
        timeout=seconds * 3,
        check=False,
    )
    killed = b'{"codes": [], "events": []}'
    told = json.loads((found.read_bytes() if found.exists() else b"") or killed)
    return Seen(
        status=done.returncode,
        codes=told["codes"],
        events=[(name, arguments) for name, arguments in told["events"]],
        output=(done.stdout + done.stderr).decode(errors="replace"),
    )
