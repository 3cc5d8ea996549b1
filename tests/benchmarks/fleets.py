"""
A fleet: many apps of some 50 resources in trees of ten, checked for drift whole and in shards.

Every app has the stamp of a complete apply, and one resource of every tenth app was edited since.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cesplan.domain.app_metadata.stamp import stamp_texts
from cesplan.engine.comparing.match import match_resources
from cesplan.engine.comparing.stamp import new_stamp
from cesplan.workflow.validating import desired_of, validate
from tests.benchmarks.growing import APP, PLACE, live, write_tree
from tests.benchmarks.measuring import Server, folder, server

RESOURCES = 48
"""Some fifty, in whole blocks that refer to one another."""
_EDITED = "executionType"
"""The field of one tool in which live differs from its file."""
_APPS_A_TREE = 10
_PROGRAM = """
import io, json, sys
from contextlib import redirect_stdout
from resource import RUSAGE_SELF, getrusage
from cesplan.cli.main import collect_rarely
collect_rarely()
from cesplan.cli.running import run
out = io.StringIO()
with redirect_stdout(out):
    code = run(sys.argv[1:])
used = getrusage(RUSAGE_SELF)
report = json.loads(out.getvalue())
print(json.dumps({
    "code": code, "cpu": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1024,
    "seconds": report["seconds"], "apps": report["apps"], "summary": report["summary"],
}))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One check: CPU seconds of the process, its memory at its largest, and what it found in each app."""

    code: int
    cpu: float
    megabytes: float
    seconds: float
    apps: Sequence[dict[str, Any]]
    summary: dict[str, int]

    @property
    def requests(self) -> int:
        return sum(app["requests"] for app in self.apps)


@contextmanager
def fleet(apps: int) -> Iterator[tuple[Path, Server]]:
    """Trees of ten apps each, live as they were applied but for the edits."""
    with folder() as root, server() as running:
        write_tree(root / "one", RESOURCES)
        template = root / "one" / "apps" / "big-desk"
        bodies = [*live(RESOURCES)]
        for number in range(apps // _APPS_A_TREE):
            tree = root / f"tree-{number:03}"
            (tree / "apps").mkdir(parents=True)
            shutil.copy(root / "one" / "cesplan.yaml", tree)
            keys = [f"desk-{number:03}-{place}" for place in range(_APPS_A_TREE)]
            for key in keys:
                shutil.copytree(template, tree / "apps" / key)
                file = tree / "apps" / key / "app.yaml"
                file.write_text(file.read_text().replace("Big desk", key))
            running.seed([*_seeds(tree, bodies, edited=keys[0])])
        shutil.rmtree(root / "one")
        yield root, running


def _seeds(tree: Path, bodies: Sequence[dict[str, Any]], *, edited: str) -> Iterator[dict[str, Any]]:
    desired = desired_of(validate(tree))
    for app in desired.apps:
        stamp = new_stamp(app, desired, match_resources(app, None, desired.settings.place), 0)
        for body in bodies:
            made = json.loads(json.dumps(body).replace(APP, f"{PLACE}/apps/{app.key}"))
            if made["name"].endswith(f"/apps/{app.key}"):
                made |= {"displayName": app.key, "metadata": stamp_texts(stamp)}
            elif app.key != edited and _EDITED in made:
                made[_EDITED] = "SYNCHRONOUS"
            yield made


def check(root: Path, running: Server, *words: str) -> Measured:
    """Check every tree in a process of its own."""
    trees = sorted(str(path) for path in root.iterdir())
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, "drift", *trees, "--format", "json", *words],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "CES_EMULATOR_HOST": running.address},
    )
    return Measured(**json.loads(done.stdout))
