"""Scenes of drift: the example tree applied, edited on both sides, and what every command says of it."""

import json
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cesplan.cli.running import run
from cesplan.domain.field_path import FieldPath
from cesplan.emulator import EmbeddedEmulator, Switches
from tests.machine_outputs import check_output

EXAMPLE = Path(__file__).parents[2] / "examples" / "support-desk"
APP = "projects/hearth-pine-sandbox/locations/us/apps/support-desk"
PEOPLE = {"bob": "bob@acme.example", "eve": "eve@acme.example"}

Say = Callable[..., tuple[int, str, str]]
"""Run a command line; its exit code, and what it wrote to both streams."""


@dataclass(kw_only=True)
class Scene:
    """A copy of the example in a git repository, and an emulator; `times` are numbers of edits by moment."""

    root: Path
    service: EmbeddedEmulator
    say: Say
    times: dict[str, int] = field(default_factory=dict)

    @property
    def app(self) -> Path:
        return self.root / "apps" / "support-desk"

    def git(self, *arguments: str) -> str:
        name = ("-c", "user.name=Ann", "-c", "user.email=ann@acme.example", "-c", "commit.gpgsign=false")
        done = subprocess.run(
            ("git", *name, *arguments), cwd=self.root, capture_output=True, text=True, check=True
        )
        return done.stdout

    def commit(self) -> str:
        if not (self.root / ".git").exists():
            self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "State", "--allow-empty")
        return self.git("rev-parse", "HEAD").strip()

    def forget_history(self) -> None:
        """Make the repository anew, as a shallow clone of another commit is."""
        shutil.rmtree(self.root / ".git")
        self.commit()

    def apply(self, *more: str) -> None:
        code, _, err = self.say("apply", "--auto-approve", *more)
        assert code == 0, err

    def change_tree(self, change: Mapping[str, Any]) -> None:
        path = self.app / change["file"]
        if change.get("remove"):
            path.unlink()
            return
        text = path.read_text() if path.exists() else ""
        if "replace" in change:
            assert change["replace"] in text, change
            text = text.replace(change["replace"], change["by"], 1)
        path.write_text(change.get("write", text + change.get("append", "")))

    def edit(self, number: int, edit: Mapping[str, Any]) -> None:
        """One edit in the console; the times of its entries in the change log are remembered."""
        before = {entry["name"] for entry in self.log()}
        author = PEOPLE[edit["by"]]
        if "post" in edit:
            self.call("POST", f"{edit['post']}?{_id_of(edit['post'])}={edit['id']}", edit["body"], author)
        elif "delete" in edit:
            self.call("DELETE", f"{edit['delete']}{'?force=true' if edit.get('force') else ''}", None, author)
        elif "call" in edit:
            self.call("POST", edit["call"], edit.get("body", {}), author)
        else:
            mask, body = self._patch(edit)
            self.call("PATCH", f"{edit['patch']}?updateMask={mask}", body, author)
        for entry in self.log():
            if entry["name"] not in before:
                self.times[entry["createTime"]] = number

    def log(self) -> list[dict[str, Any]]:
        return list(self.call("GET", "changelogs?pageSize=1000").get("changelogs", []))

    def call(self, method: str, path: str, body: Any = None, author: str = "") -> dict[str, Any]:
        if path.startswith("projects/"):
            name = path
        elif path.startswith("securitySettings"):
            name = f"{APP.rpartition('/apps/')[0]}/{path}"
        else:
            name = APP + ("" if path[:1] in ("", "?", ":") else "/") + path
        request = urllib.request.Request(
            f"http://{self.service.address}/v1beta/{name}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"content-type": "application/json", **({"x-emulator-author": author} if author else {})},
        )
        try:
            with urllib.request.urlopen(request) as answer:
                return dict(json.loads(answer.read() or b"{}"))
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.read().decode()}") from error

    def _patch(self, edit: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """The mask and the body of an update, made of what is live."""
        if "body" in edit:
            return edit["mask"], edit["body"]
        live = self.call("GET", edit["patch"])
        if "text" in edit:
            path, old, new = edit["text"]
            text = FieldPath.parse(path).get(live)
            assert old in text, (old, text)
            return path, _at(path, text.replace(old, new, 1))
        if "merge" in edit:
            value = FieldPath.parse(edit["mask"]).get(live) or {}
            return edit["mask"], _at(edit["mask"], {**value, **edit["merge"].get(edit["mask"], edit["merge"])})
        items = list(FieldPath.parse(edit["list"]).get(live) or [])
        if "remove" in edit:
            del items[edit["remove"]]
        elif "move" in edit:
            items.insert(edit["move"][1], items.pop(edit["move"][0]))
        elif "set" in edit:
            items[edit["set"][0]] = edit["set"][1]
        else:
            added = edit["add"]
            items.append(f"{APP}/{added['tool']}" if "tool" in added else added["value"])
        return edit["list"], _at(edit["list"], items)

    def drift(self, *more: str) -> "Found":
        code, out, err = self.say("drift", "--format", "json", *more)
        document = json.loads(out)
        return Found(code=code, document=document, err=err, times=self.times)


@dataclass(frozen=True, kw_only=True)
class Found:
    """A drift report, as lines that a person can compare."""

    code: int
    document: dict[str, Any]
    err: str
    times: Mapping[str, int]

    @property
    def app(self) -> dict[str, Any]:
        return next(app for app in self.document["apps"] if app["app"] == "support-desk")

    @property
    def items(self) -> list[dict[str, Any]]:
        return [item for app in self.document["apps"] for item in app["items"]]

    def lines(self) -> str:
        return "".join(f"{self._line(item)}\n" for item in self.items)

    def _line(self, item: dict[str, Any]) -> str:
        path = item["field"]["path"] if item["field"] else f"({item['kind']})"
        edit = item["live_edit"]
        by = ""
        if edit is not None:
            number = self.times.get(edit["time"], "?") if edit["time"] else "-"
            by = f"  {edit['author'].partition('@')[0] or 'unattributed'} #{number}"
        note = f"  {item['note']}" if item["note"] else ""
        return f"{item['drift_class']:<9}  {item['address'].removeprefix('support-desk/')}  {path}{by}{note}"


def _at(path: str, value: Any) -> dict[str, Any]:
    return dict(FieldPath.parse(path).put({}, value))


def _id_of(kind: str) -> str:
    return f"{kind.removesuffix('s')}Id"


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    def said(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([*arguments])
        out, err = capsys.readouterr()
        check_output(arguments, out)
        return code, out, err

    return said


Stage = Callable[..., Scene]


@pytest.fixture(scope="session")
def applied_examples(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Folders with a `tree` and the `data` of an emulator to which it was applied, each made once."""

    @cache
    def made(*, stamp: bool, more: tuple[tuple[str, str], ...], **switches: Any) -> Path:
        folder = tmp_path_factory.mktemp("applied")
        root = folder / "tree"
        shutil.copytree(EXAMPLE, root, ignore=shutil.ignore_patterns(".cesplan"))
        for file, text in more:
            (root / file).write_text(text)
        if not stamp:
            project = root / "cesplan.yaml"
            project.write_text(project.read_text().replace("apps: [apps/*]", "apps: [apps/*]\nstamp: false"))
        service = EmbeddedEmulator(folder / "data", Switches(**switches))
        with service, pytest.MonkeyPatch.context() as patch:
            patch.setenv("CES_EMULATOR_HOST", service.address)
            patch.chdir(root)
            scene = Scene(root=root, service=service, say=lambda *words: (run([*words]), "", ""))
            scene.commit()
            scene.apply()
        return folder

    return made


@pytest.fixture
def stage(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    say: Say,
    applied_examples: Callable[..., Path],
) -> Iterator[Stage]:
    """Set up a scene: the example with `more` files, committed and applied; `switches` are the emulator's."""
    running: list[EmbeddedEmulator] = []

    def set_up(*, stamp: bool = True, more: tuple[tuple[str, str], ...] = (), **switches: Any) -> Scene:
        folder = applied_examples(stamp=stamp, more=more, **switches)
        data = Path(shutil.copy(folder / "data", tmp_path / "data"))
        service = EmbeddedEmulator(data, Switches(**switches)).__enter__()
        running.append(service)
        monkeypatch.setenv("CES_EMULATOR_HOST", service.address)
        monkeypatch.setenv("COLUMNS", "140")
        root = tmp_path / "tree"
        shutil.copytree(folder / "tree", root)
        monkeypatch.chdir(root)
        return Scene(root=root, service=service, say=say)

    yield set_up
    for service in running:
        service.__exit__(None, None, None)


FLEET_APP = "displayName: {name}\nrootAgent: desk-agent\n"
FLEET_AGENT = "displayName: Desk agent\ninstruction: Help.\n"
FLEET_PROJECT = """\
cesplan: 1
project: acme-dev
location: us
apps: [apps/*]
environments:
  prod: {project: acme-prod}
  eu: {location: eu}
"""


class Fleet:
    """Trees below a folder, and the emulator that they are applied to."""

    def __init__(self, root: Path, service: EmbeddedEmulator, say: Say) -> None:
        self.root, self.service, self.say = root, service, say

    def add(self, tree: str, *apps: str) -> None:
        for app in apps:
            folder = self.root / tree / "apps" / app
            (folder / "agents").mkdir(parents=True)
            (folder / "app.yaml").write_text(FLEET_APP.format(name=app))
            (folder / "agents" / "desk-agent.yaml").write_text(FLEET_AGENT)
        (self.root / tree / "cesplan.yaml").write_text(FLEET_PROJECT + f"tree: {tree}\n")

    def apply(self, tree: str, environment: str = "") -> None:
        chosen = ["-e", environment] if environment else []
        assert self.say("apply", "-C", str(self.root / tree), "--auto-approve", *chosen)[0] == 0

    def edit(self, app: str, project: str = "acme-dev", location: str = "us", author: str = "") -> None:
        """Without an author no entry of the change log tells of it."""
        name = f"projects/{project}/locations/{location}/apps/{app}/agents/desk-agent"
        body = {"displayName": "Desk agent", "instruction": "Do not."}
        if not author:
            self.service.seed({"name": name, **body})
            return
        request = urllib.request.Request(
            f"http://{self.service.address}/v1beta/{name}?updateMask=instruction",
            method="PATCH",
            data=json.dumps(body).encode(),
            headers={"content-type": "application/json", "x-emulator-author": author},
        )
        urllib.request.urlopen(request).close()

    def report(self, *words: str) -> tuple[int, list[str]]:
        """The exit code, and one line an app."""
        code, out, _ = self.say("drift", "--format", "json", *words)
        lines = []
        for app in json.loads(out)["apps"]:
            what = app["error"].split("\n")[0] or f"{len(app['items'])} {app['project']}/{app['location']}"
            lines.append(f"{app['tree']} {app['environment'] or '-'} {app['app'] or '-'}: {what}")
        return code, lines


@pytest.fixture(scope="session")
def applied_fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two trees of two apps each in `trees`, and the `data` of an emulator to which they were applied."""
    folder = tmp_path_factory.mktemp("fleet")
    with EmbeddedEmulator(folder / "data") as service, pytest.MonkeyPatch.context() as patch:
        patch.setenv("CES_EMULATOR_HOST", service.address)
        made = Fleet(folder / "trees", service, say=lambda *words: (run([*words]), "", ""))
        made.add("one", "alpha", "bravo")
        made.add("two", "charlie", "delta")
        made.apply("one")
        made.apply("two")
    return folder


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, say: Say, applied_fleet: Path) -> Iterator[Fleet]:
    """Two trees of two apps each, applied."""
    root = Path(shutil.copytree(applied_fleet / "trees", tmp_path / "trees"))
    monkeypatch.chdir(root)
    with EmbeddedEmulator(Path(shutil.copy(applied_fleet / "data", tmp_path))) as service:
        monkeypatch.setenv("CES_EMULATOR_HOST", service.address)
        yield Fleet(root, service, say)
