"""`examples/three-environments` in a folder of the test's own, and one emulator for all three projects."""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from cesplan.cli.running import run
from cesplan.emulator import EmbeddedEmulator
from tests.typed import Ran

EXAMPLE = Path(__file__).parents[2] / "examples" / "three-environments"
ENVIRONMENTS = ("dev", "staging", "prod")
SECRETS = {name: f"carrier-key-of-{name}-7d31" for name in ENVIRONMENTS}
KEY = "CESPLAN_SECRET_carrierKey"
KINDS = ("agents", "tools", "toolsets", "guardrails", "evaluations", "deployments")
"""All that the example has but versions, which repeat the others."""

_OF_THE_SERVICE = ("metadata.cesplan-", "deploymentCount")
"""The stamp, and what is counted."""

APPS = {
    "dev": "projects/fjordpost-dev/locations/us/apps/parcel-desk",
    "staging": "projects/fjordpost-staging/locations/eu/apps/parcel-desk",
    "prod": "projects/fjordpost-prod/locations/eu/apps/5f0c7a52-31f4-4f0e-9a51-6a3d2f1b7c90",
}


class Desk:
    """The tree, the live apps, and commands typed in the tree."""

    def __init__(self, root: Path, emulator: EmbeddedEmulator, typed: Callable[[str, list[str]], Ran]) -> None:
        self.root, self.emulator = root, emulator
        self._typed = typed

    def type(self, key_of: str, *words: str) -> Ran:
        """Run a command with the secret of an environment, in this process."""
        return self._typed(SECRETS[key_of], [*words])

    def start(self, key_of: str, *words: str) -> "subprocess.Popen[str]":
        """The same in a process of its own, which goes on."""
        return subprocess.Popen(
            [sys.executable, "-m", "cesplan", *words],
            cwd=self.root,
            env={**os.environ, KEY: SECRETS[key_of]},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )

    def apply(self, *environments: str) -> None:
        """The first time a person has to approve what production serves: nothing can have been evaluated."""
        for name in environments:
            words = ("--allow-policy", "evaluated") if name == "prod" else ()
            done = self.type(name, "apply", "-e", name, "--auto-approve", *words)
            assert done.code == 0, done.text

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def replace(self, path: str, old: str, new: str) -> None:
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        self.write(path, text.replace(old, new))

    def edit(self, environment: str, resource: str, body: Mapping[str, Any]) -> None:
        """What a console does: an update of some fields."""
        name = f"{APPS[environment]}/{resource}"
        data = json.dumps({"name": name, **body}).encode()
        url = f"http://{self.emulator.address}/v1beta/{name}?updateMask={','.join(body)}"
        request = urllib.request.Request(url, data, {"content-type": "application/json"}, method="PATCH")
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert answer.status == 200

    def live(self, environment: str) -> dict[str, str]:
        """The leaves of all live bodies, by `agents/claims modelSettings.temperature`, as text."""
        app, store = APPS[environment], self.emulator.store
        root = store.get(app)
        assert root is not None, f"nothing is live in {environment}"
        rows = [
            ("app", root),
            *((row.name.removeprefix(f"{app}/"), row) for row in store.children(app, *KINDS)),
        ]
        return {
            f"{name} {path}": str(value).replace(app, "…")
            for name, row in rows
            for path, value in _leaves(row.body)
            if not path.startswith(_OF_THE_SERVICE)
        }


def differing(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """
    What is not the same in both; of long texts the lines that are not.

    A resource that only one has is one entry, `there` on its side.
    """
    names = [frozenset(leaf.partition(" ")[0] for leaf in side) for side in (one, other)]
    found: dict[str, tuple[str, str]] = {}
    for name in names[0] ^ names[1]:
        found[name] = ("there", "") if name in names[0] else ("", "there")
    for leaf in {*one, *other}:
        if leaf.partition(" ")[0] in names[0] & names[1] and one.get(leaf) != other.get(leaf):
            texts = one.get(leaf, "").splitlines(), other.get(leaf, "").splitlines()
            found[leaf] = _lines(texts[0], texts[1]), _lines(texts[1], texts[0])
    return found


def _lines(text: list[str], other: list[str]) -> str:
    return "\n".join(line.strip() for line in text if line not in other)


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Lists of plain values are leaves."""
    if isinstance(value, dict) and value:
        for name, item in value.items():
            yield from _leaves(item, f"{path}.{name}".lstrip("."))
    else:
        yield path, value


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Desk]:
    root = tmp_path / "tree"
    shutil.copytree(EXAMPLE, root)
    monkeypatch.chdir(root)
    monkeypatch.delenv("COLUMNS", raising=False)

    def typed(secret: str, words: list[str]) -> Ran:
        monkeypatch.setenv(KEY, secret)
        capsys.readouterr()
        code = run(words)
        out, err = capsys.readouterr()
        return Ran(code=code, out=out, err=err)

    with EmbeddedEmulator() as emulator:
        monkeypatch.setenv("CES_EMULATOR_HOST", emulator.address)
        yield Desk(root, emulator, typed)
