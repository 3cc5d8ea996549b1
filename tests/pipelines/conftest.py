"""A repository with a pipeline, an emulator for each of its environments' projects, and the stand-ins."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from cesplan.cli.running import run
from cesplan.emulator import EmbeddedEmulator
from cesplan.workflow import start
from tests.pipelines.fakes import World, install
from tests.warm import Warm, launched

_PROJECT = """\
cesplan: 1
project: acme-dev
location: us
apiVersion: v1beta
variables: {crmKey: {secret: true}}
environments:
  staging: {project: acme-staging}
  prod: {project: acme-prod}
"""
BIN = Path(sys.executable).parent
"""Where the judges are."""
SECRET = "s3cr3t-of-the-crm"
GREETER = "apps/hello-shop/agents/greeter.md"


def judged(*words: str | Path) -> None:
    """A judge that has nothing to say."""
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def shells_judged(folder: Path, scripts: Iterable[str]) -> None:
    """
    shellcheck has nothing to say of these scripts, each once; it reads each as the shell that runs it does.

    A script without a first line is one of bash, as runners start it.
    """
    paths = []
    for number, text in enumerate(sorted(set(scripts))):
        paths.append(folder / f"script-{number}")
        head = "" if text.startswith("#!") else "#!/bin/bash\nset -eo pipefail\n"
        paths[-1].write_text(f"{head}{text}", encoding="utf-8")
    assert paths
    # SC2154: variables come from the service.
    judged(BIN / "shellcheck", "--exclude", "SC2154", *paths)


def schema_kept(name: str, *paths: Path) -> None:
    """
    check-jsonschema has nothing to say of these files, by a schema of the public catalogue.

    In this process: a process of its own takes thirty times as long, most of it to import.
    """
    from check_jsonschema import main  # takes a third of a second, and few tests need it

    said = CliRunner().invoke(main, ["--builtin-schema", f"vendor.{name}", *map(str, paths)])
    assert said.exit_code == 0, said.output


def safe_workflows(*paths: Path) -> None:
    """zizmor has nothing to say of these workflows and actions."""
    judged(BIN / "zizmor", "--offline", "--no-config", "--no-progress", *paths)


def git(root: Path, *words: str) -> str:
    done = subprocess.run(
        ("git", "-c", "user.name=Ada", "-c", "user.email=ada@acme.example", *words),
        cwd=root,
        check=True,
        capture_output=True,
        encoding="utf-8",
    )
    return done.stdout.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How a script ended."""

    code: int
    out: str


@dataclass(slots=True, kw_only=True)
class Repository:
    """
    A tree in git, and what a runner has beside it.

    `is_left_over`: a runner of one's own that has the checkout of an earlier job still in its workspace.
    """

    root: Path
    tree: Path
    folder: str
    world: World
    emulator: EmbeddedEmulator
    path: str
    temporary: Path
    fakes: Path
    environments: tuple[str, ...] = ("staging", "prod")
    is_left_over: bool = False
    is_cold: bool = False
    environ: dict[str, str] = field(default_factory=dict)
    ran: set[str] = field(default_factory=set)
    """The scripts that were run after `start_cold`."""

    def git(self, *words: str) -> str:
        return git(self.root, *words)

    def commit(self, message: str = "a change") -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def checkout(self, depth: int) -> Path:
        """The repository as a service checks it out: all of it for depth 0, else a shallow clone."""
        if not depth:
            return self.root
        made = Path(mkdtemp(dir=self.temporary)) / "clone"
        self.git("clone", "--quiet", "--depth", str(depth), f"file://{self.root}", str(made))
        return made

    def work_on(self, number: int) -> None:
        """Commits since the last apply."""
        for at in range(number):
            self.edit(f"Be kind, {at} times.")
            self.commit()

    def edit(self, text: str) -> None:
        """Another instruction for the one agent."""
        (self.tree / GREETER).write_text(f"{text}\n", encoding="utf-8")

    def run(self, script: str, environ: Mapping[str, str], *shell: str, folder: Path | None = None) -> Ran:
        """Run a script as a runner would: by this shell, in a clean environment."""
        environ = {**environ, "FAKES_COLD": "yes"} if self.is_cold and script not in self.ran else environ
        self.ran.add(script)
        done = subprocess.run(
            [*(shell or ("bash", "--noprofile", "--norc", "-eo", "pipefail")), "-c", script],
            cwd=folder or self.tree,
            env={
                "PATH": self.path,
                "HOME": str(self.temporary),
                "FAKES": str(self.world.folder),
                "FAKES_FOLDER": str(self.fakes),
                "CES_EMULATOR_HOST": self.emulator.address,
                "CI": "true",
                "CESPLAN_SECRET_crmKey": SECRET,
                **self.environ,
                **environ,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
            timeout=300,
        )
        return Ran(code=done.returncode, out=done.stdout)

    def start_cold(self) -> None:
        """
        From now on every program starts an interpreter of its own, as it does where a pipeline runs.

        When the same script runs again, in another job, its programs are forks as usual: how they start is told
        by the script.
        """
        self.is_cold = True

    def cesplan(self, *words: str) -> Ran:
        """Run a command that is not part of the pipeline; in this process, which is much faster."""
        shown = io.StringIO()
        with redirect_stdout(shown), redirect_stderr(shown):
            code = run(["-C", str(self.tree), *words])
        return Ran(code=code, out=shown.getvalue())

    def rename_live(self, environment: str) -> None:
        """Eve renames the agent in the console."""
        self._patch(environment, "displayName", "Mine", "eve@acme.example")

    def edit_live(self, environment: str, text: str) -> None:
        """Bob writes another instruction in the console."""
        self._patch(environment, "instruction", text, "bob@acme.example")

    def _patch(self, environment: str, field: str, text: str, author: str) -> None:
        name = f"projects/acme-{environment}/locations/us/apps/hello-shop/agents/greeter"
        request = Request(
            f"http://{self.emulator.address}/v1beta/{name}?updateMask={field}",
            data=json.dumps({field: text}).encode(),
            headers={"x-emulator-author": author, "Content-Type": "application/json"},
            method="PATCH",
        )
        urlopen(request).close()

    def instruction(self, environment: str) -> str:
        """What is live in an environment."""
        return str(self._live(environment, "/agents/greeter").get("instruction", ""))

    def stamp(self, environment: str) -> dict[str, str]:
        """What the last apply to an environment left in the app's metadata."""
        return dict(self._live(environment).get("metadata", {}))

    def _live(self, environment: str, below: str = "") -> Mapping[str, Any]:
        row = self.emulator.store.get(f"projects/acme-{environment}/locations/us/apps/hello-shop{below}")
        return {} if row is None else row.body


def check_origins(comment: str) -> None:
    """Eve's name of the agent is a live edit, the instruction is of the tree, and git was there to tell."""
    assert "Reverts 1 live edit" in comment
    assert re.search(r"`displayName`.*\n  - ⚠️ live edit by eve@", comment)
    assert comment.count("- ⚠️ live edit by") == 1
    assert "is not available" not in comment


@pytest.fixture
def folder() -> str:
    """Where the tree lies in the repository; tests may say otherwise."""
    return "voice/agents"


@pytest.fixture
def environments() -> tuple[str, ...]:
    """Those of the pipeline, in their order; tests may say otherwise."""
    return ("staging",)


@pytest.fixture(scope="session")
def first_commit(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Repositories on the branch main with a tree in a folder of this name, made once each: to be copied."""

    @cache
    def made(folder: str) -> Path:
        root = tmp_path_factory.mktemp("first-commit")
        tree = root / folder
        start(tree)
        (tree / "cesplan.yaml").write_text(_PROJECT, encoding="utf-8")
        with (tree / "apps/hello-shop/app.yaml").open("a", encoding="utf-8") as file:
            file.write("metadata: {crm: {$var: crmKey}}\n")
        git(root, "init", "--quiet", "--template", "", "--initial-branch", "main")
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", "the tree")
        return root

    return made


@pytest.fixture(scope="session")
def stand_ins() -> Iterator[Warm]:
    """A server of forks for the stand-ins: it is small, and to fork it takes a fifth of the time."""
    with TemporaryDirectory() as folder, launched(Path(folder), "tests.pipelines.fakes", "jq") as made:
        yield made


@pytest.fixture
def repository(
    tmp_path: Path,
    folder: str,
    environments: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    warm: Warm,
    stand_ins: Warm,
    first_commit: Callable[[str], Path],
) -> Iterator[Repository]:
    """Committed, on the branch main."""
    root = tmp_path / "repository"
    shutil.copytree(first_commit(folder), root)
    install(tmp_path / "bin", warm, stand_ins)
    (tmp_path / "world").mkdir()
    path = os.pathsep.join(map(str, (tmp_path / "bin", "/usr/bin", "/bin")))
    with EmbeddedEmulator() as emulator:
        monkeypatch.setenv("CES_EMULATOR_HOST", emulator.address)
        monkeypatch.setenv("CESPLAN_SECRET_crmKey", SECRET)
        yield Repository(
            root=root,
            tree=root / folder,
            folder=folder,
            world=World(tmp_path / "world"),
            emulator=emulator,
            path=path,
            temporary=tmp_path,
            fakes=tmp_path / "bin",
            environments=environments,
        )
