"""
A fleet: many apps of some 50 resources in trees of ten, checked for drift whole, quickly and in shards.

Every app has the stamp of a complete apply, and its change log the entry of that. One resource of every tenth
app was edited since. `python -m tests.benchmarks.fleets 100 1000` measures fleets of these sizes.
"""

import json
import os
import shutil
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
from tests.benchmarks.measuring import Server, folder, run, server

RESOURCES = 48
"""Some fifty, in whole blocks that refer to one another."""
_EDITED = "executionType"
"""The field of one tool in which live differs from its file."""
_APPS_A_TREE = 10
_PROGRAM = """
import io, json, sys
from contextlib import redirect_stdout
from cesplan.cli.main import collect_rarely
collect_rarely()
from cesplan.cli.running import run
out = io.StringIO()
with redirect_stdout(out):
    code = run(sys.argv[1:])
report = json.loads(out.getvalue())
print(json.dumps({
    "code": code, "seconds": report["seconds"], "apps": report["apps"], "summary": report["summary"],
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
    """Trees of ten apps each, the last of what is left; live as they were applied but for the edits."""
    with folder() as root, server() as running:
        write_tree(root / "one", RESOURCES)
        template = root / "one" / "apps" / "big-desk"
        bodies = [*live(RESOURCES)]
        for number, start in enumerate(range(0, apps, _APPS_A_TREE)):
            tree = root / f"tree-{number:03}"
            (tree / "apps").mkdir(parents=True)
            project = (root / "one" / "cesplan.yaml").read_text()
            (tree / "cesplan.yaml").write_text(f"{project}tree: {tree.name}\n")
            keys = [f"desk-{number:03}-{place}" for place in range(min(_APPS_A_TREE, apps - start))]
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
        name = f"{PLACE}/apps/{app.key}"
        stamp = new_stamp(app, desired, match_resources(app, None, desired.settings.place), 0)
        for body in bodies:
            made = json.loads(json.dumps(body).replace(APP, name))
            if made["name"] == name:
                before = {**made, "displayName": app.key, "metadata": {}}
                made |= {"displayName": app.key, "metadata": stamp_texts(stamp)}
                yield _entry(name, 1, "ci@acme.example", before, made)
            elif _EDITED in made:
                edit, made = made, {**made, _EDITED: "SYNCHRONOUS"}
                if app.key == edited and edit != made:
                    yield _entry(name, 2, "bob@acme.example", made, edit)
                    made = edit
            yield made


def _entry(app: str, number: int, author: str, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": f"{app}/changelogs/{number}",
        "sequenceNumber": str(number),
        "author": author,
        "action": "Update",
        "resource": after["name"],
        "createTime": f"2026-11-20T10:00:{number:02}Z",
        "originalResource": before,
        "newResource": after,
    }


def check(root: Path, running: Server, *words: str) -> Measured:
    """Check every tree in a process of its own."""
    trees = sorted(str(path) for path in root.iterdir())
    command = [sys.executable, "-c", _PROGRAM, "drift", *trees, "--format", "json", *words]
    used = run(command, {**os.environ, "CES_EMULATOR_HOST": running.address})
    return Measured(**json.loads(used.said), cpu=used.cpu, megabytes=used.megabytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """What checks of one fleet took: whole, quickly, and in shards, one after the other."""

    whole: Measured
    quick: Measured
    shards: Sequence[Measured]

    @property
    def is_whole(self) -> bool:
        """Whether the shards together found what one run found; only the requests of an app may differ."""
        found = sorted((app for part in self.shards for app in part.apps), key=_key)
        return [{**app, "requests": 0} for app in found] == [{**app, "requests": 0} for app in self.whole.apps]


def measure(size: int, shards: int = 8) -> Fleet:
    """Check a fleet of so many apps in every way."""
    with fleet(size) as (root, running):
        parts = [check(root, running, "--shard", f"{index}/{shards}") for index in range(1, shards + 1)]
        return Fleet(whole=check(root, running), quick=check(root, running, "--quick"), shards=parts)


def main(sizes: Sequence[int]) -> int:
    """Print a table of fleets of these sizes in Markdown; 1 where shards found something else than one run."""
    print("| apps | check | requests an app | CPU | memory | drifted |\n|---|---|---|---|---|---|", flush=True)
    found = [measure(size) for size in sizes]
    for size, item in zip(sizes, found, strict=True):
        for what, runs in (("whole", [item.whole]), ("`--quick`", [item.quick]), ("8 shards", item.shards)):
            requests = sum(run.requests for run in runs) / size
            cpu, megabytes = sum(run.cpu for run in runs), max(run.megabytes for run in runs)
            told = f"{requests:.1f} | {cpu:.1f} s | {megabytes:.0f} MB"
            print(f"| {size:,} | {what} | {told} | {sum(run.summary['drift'] for run in runs):,} |", flush=True)
    return int(not all(item.is_whole for item in found))


def _key(app: dict[str, Any]) -> tuple[str, str]:
    return app["tree"], app["app"]


if __name__ == "__main__":
    sys.exit(main([int(word) for word in sys.argv[1:]]))
