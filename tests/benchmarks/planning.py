"""A plan of a tree of some size, in a process of its own: CPU seconds of each stage, memory, requests."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.growing import live, write_tree
from tests.benchmarks.measuring import folder, server

_PROGRAM = """
import json, sys
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time as now
from cesplan.cli.main import collect_rarely
collect_rarely()
from cesplan.domain.options import Allowances, PlanOptions
from cesplan.engine.planning.guard import guard
from cesplan.engine.planning.plan import plan
from cesplan.workflow.connecting import Connection, connected
from cesplan.workflow.reading import read_live
from cesplan.workflow.validating import desired_of, validate
started = now()
desired = desired_of(validate(Path(sys.argv[1])))
loaded = now()
with connected(Connection(emulator=sys.argv[2]), desired.settings, read_only=True) as client:
    live = read_live(desired, client)
    read = now()
    made = plan(desired, live, PlanOptions())
    guard(made, live, Allowances())
planned = now()
print(json.dumps({
    "load": loaded - started, "read": read - loaded, "plan": planned - read, "requests": client.requests,
    "changes": len(made.shown), "megabytes": getrusage(RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """CPU seconds to read files, to read live, and to plan; the whole process's memory at its largest."""

    load: float
    read: float
    plan: float
    requests: int
    changes: int
    megabytes: float

    @property
    def cpu(self) -> float:
        return self.load + self.read + self.plan


def measure(size: int, *, runs: int) -> Measured:
    """The fastest of several plans of a tree of this size, of which one resource in a hundred was edited."""
    with folder() as root, server() as running:
        write_tree(root / "tree", size)
        running.seed([*live(size)])
        return min((_one(root / "tree", running.address) for _ in range(runs)), key=lambda item: item.cpu)


def _one(root: Path, address: str) -> Measured:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(root), address], capture_output=True, encoding="utf-8", check=True
    )
    return Measured(**json.loads(done.stdout))
