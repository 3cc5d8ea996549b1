"""An emulator and a folder for tests of pull."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from cesplan.config.source import read_source
from cesplan.config.tree.load import load
from cesplan.domain.features.merge import MergeOutcome
from cesplan.domain.field_path import mask_path
from cesplan.domain.options import ApplyOptions, PlanOptions
from cesplan.domain.outcome import Applied, Started, Waiting
from cesplan.domain.plan import Plan
from cesplan.domain.resource_name import Place
from cesplan.domain.value import Body
from cesplan.emulator import EmbeddedEmulator
from cesplan.engine.applying.run import apply
from cesplan.engine.planning.plan import plan
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client
from cesplan.remote.connecting import connect
from cesplan.workflow.connecting import Connection
from cesplan.workflow.merging import merge
from cesplan.workflow.reading import read_live

PLACE = Place(project="acme-dev", location="us")
APP = PLACE.app("help-desk")


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A folder and the service. Resources go by `<kind>/<id>`, the app by an empty text."""

    root: Path
    emulator: EmbeddedEmulator

    @property
    def connection(self) -> Connection:
        return Connection(emulator=self.emulator.address)

    def seed(self, resources: Mapping[str, Mapping[str, Any]], app: str = APP) -> None:
        """Put resources there, past every rule."""
        self.emulator.seed(*({"name": _name(text, app), **body} for text, body in resources.items()))

    def write(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_bytes(text.encode())

    def applied(self, files: Mapping[str, str]) -> "Project":
        """The files, committed and applied."""
        self.write(files)
        self.commit()
        self.apply()
        return self

    def merged(self, **options: Any) -> MergeOutcome:
        return merge(self.root, connection=self.connection, **options)

    def replace(self, path: str, old: str, new: str) -> None:
        text = (self.root / path).read_bytes().decode()
        assert old in text
        self.write({path: text.replace(old, new)})

    def files(self, folder: str = ".") -> dict[str, str]:
        """Every file below a folder, by path, but git's own."""
        at = self.root / folder
        return {
            str(path.relative_to(at)): path.read_bytes().decode()
            for path in sorted(at.rglob("*"))
            if path.is_file() and ".git" not in path.parts
        }

    def plan(self, environment: str = "", **options: Any) -> Plan:
        """What a plan of the tree would do, commit and all."""
        loaded = load(self.root, environment=environment)
        assert [item.summary for item in loaded.diagnostics if item.severity == "error"] == []
        desired = loaded.desired
        assert desired is not None
        desired = replace(desired, source=read_source(self.root))
        with self._client(read_only=True) as client:
            return plan(desired, read_live(desired, client), PlanOptions(**options))

    def apply(self, environment: str = "", **options: Any) -> None:
        """Apply the tree, wholly."""
        made = self.plan(environment, **options)
        with self._client(read_only=False) as client:
            for event in apply(made, client, ApplyOptions()):
                assert isinstance(event, Applied | Started | Waiting), event

    def edit(self, text: str, mask: str, body: Mapping[str, Any]) -> None:
        """An edit in the console."""
        kind = kind_of(text.partition("/")[0] if text else "apps")
        with self._client(read_only=False) as client:
            client.update(kind, _name(text, APP), dict(body), tuple(map(mask_path, mask.split(","))))

    def log(self, text: str) -> list[Body]:
        """The entries of the change log on a resource, newest first."""
        with self._client(read_only=True) as client:
            return [item for item in client.list_changes(APP) if item["resource"] == _name(text, APP)]

    def create(self, text: str, body: Mapping[str, Any]) -> None:
        kind, _, resource_id = text.partition("/")
        with self._client(read_only=False) as client:
            client.create(kind_of(kind), APP, resource_id, dict(body), lambda seconds: None)

    def delete(self, text: str) -> None:
        with self._client(read_only=False) as client:
            client.delete(kind_of(text.partition("/")[0]), _name(text, APP), "", False, lambda seconds: None)

    def read(self, text: str) -> dict[str, Any]:
        with self._client(read_only=True) as client:
            return client.get(kind_of(text.partition("/")[0] if text else "apps"), _name(text, APP))

    def git(self, *arguments: str, date: str = "") -> str:
        name = ("-c", "user.name=Ann", "-c", "user.email=ann@acme.example", "-c", "commit.gpgsign=false")
        environ = {**os.environ, **({"GIT_COMMITTER_DATE": date} if date else {})}
        command = ("git", *name, *arguments)
        done = subprocess.run(command, cwd=self.root, env=environ, capture_output=True, text=True, check=True)
        return done.stdout

    def commit(self, date: str = "") -> None:
        """Commit everything; `date` (RFC 3339) instead of now."""
        if not (self.root / ".git").exists():
            self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "State", "--allow-empty", date=date)

    def _client(self, *, read_only: bool) -> Client:
        desired = load(self.root).desired
        assert desired is not None
        settings = replace(desired.settings, place=PLACE)
        return connect(settings, emulator=self.emulator.address, read_only=read_only)


def _name(text: str, app: str) -> str:
    return f"{app}/{text}" if text else app


@pytest.fixture(scope="module")
def emulator() -> Iterator[EmbeddedEmulator]:
    with EmbeddedEmulator() as running:
        yield running


@pytest.fixture
def project(tmp_path: Path, emulator: EmbeddedEmulator) -> Project:
    """An empty folder, and a service with nothing in it."""
    emulator.reset()
    return Project(root=tmp_path, emulator=emulator)
