"""A desk with a release, live in an emulator of the test, and commands typed in its tree."""

import json
import sqlite3
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cesplan.emulator import EmbeddedEmulator, Switches
from tests.desks import applied_once, copied
from tests.evaluation.conftest import FILES as EVALUATED
from tests.evaluation.conftest import PASS
from tests.machine_outputs import check_document
from tests.typed import Ran, Run, typing

APP = "projects/acme-dev/locations/us/apps/help-desk"
WEB = f"{APP}/deployments/web-chat"
RELEASE = """\
deployment: web-chat
suites:
  regression:
    evaluations: {all: true}
    repeats: 3
    require: {each: 2 of 3}
limits: {sessions: 100, minutes: 5}
canary:
  - {percent: 5, hold: 1h, conversations: 20}
  - {percent: 25, hold: 2h}
  - {percent: 100}
"""
DEPLOYMENT = "displayName: Web chat\nappVersion: {}\nchannelProfile: {{channelType: WEB_UI}}\n"
FILES = {
    **EVALUATED,
    "apps/help-desk/agents/front-desk.yaml": "displayName: Front desk\ntools: [lookup-order]\n"
    "instruction: Help with orders.\n",
    "apps/help-desk/versions/release-1.yaml": "displayName: Release 1\n",
    "apps/help-desk/deployments/web-chat.yaml": DEPLOYMENT.format("release-1"),
    "apps/help-desk/releases/web.yaml": RELEASE,
}
FAIL = {"evaluation": "*", "outcome": "FAIL"}


@dataclass(kw_only=True)
class Clock:
    """The time that a release sees; the emulator has the real one."""

    ahead: timedelta = timedelta()

    def now(self, zone: Any = UTC) -> datetime:
        return datetime.now(zone) + self.ahead


@dataclass(kw_only=True)
class Desk:
    """The tree, its app, and the time."""

    root: Path
    emulator: EmbeddedEmulator
    run: Run
    clock: Clock
    switches: Switches
    _talks: int = field(default=0)

    def typed(self, *words: str) -> Ran:
        return self.run(*words)

    def release(self, *words: str) -> Ran:
        return self.run("release", *words)

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def candidate(self, name: str = "release-2", instruction: str = "Help politely.") -> None:
        """A better prompt, a version of it, and the deployment that names it; applied."""
        text = FILES["apps/help-desk/agents/front-desk.yaml"]
        self.write("apps/help-desk/agents/front-desk.yaml", text.replace("Help with orders.", instruction))
        self.write(f"apps/help-desk/versions/{name}.yaml", f"displayName: {name}\n")
        self.write("apps/help-desk/deployments/web-chat.yaml", DEPLOYMENT.format(name))
        self.once(frozenset(self._files().items()), self._apply)

    def _apply(self) -> None:
        ran = self.typed("apply", "--auto-approve")
        assert ran.code == 0, ran.out + ran.err

    def _files(self) -> dict[str, str]:
        """All of the tree, and the evidence, but not the release files: an apply knows nothing of them."""
        paths = {*self.root.rglob("*.*")} - {*self.root.glob("apps/*/releases/*")}
        texts = {str(path.relative_to(self.root)): path for path in paths if path.is_file()}
        return {name: path.read_text(encoding="utf-8") for name, path in texts.items()}

    def once(self, key: Hashable, act: Callable[[], None]) -> None:
        """Do it; if it was done to a desk like this one, restore what was live then, and the files."""
        live = self.emulator.store._db
        if live.total_changes:
            act()
            return
        if (key, self.switches) not in _DONE:
            act()
            data = sqlite3.connect(":memory:", check_same_thread=False)
            live.backup(data)
            _DONE[key, self.switches] = data, self._files()
            return
        data, files = _DONE[key, self.switches]
        data.backup(live)
        for path, text in files.items():
            self.write(path, text)

    @property
    def runs(self) -> list[dict[str, Any]]:
        """The bodies of all runs, oldest first."""
        return [{"name": row.name, **row.body} for row in self.emulator.store.children(APP, "evaluationRuns")]

    @property
    def web(self) -> dict[str, Any]:
        """The live deployment."""
        body: dict[str, Any] = self.emulator.store.get(WEB).body
        return body

    @property
    def traffic(self) -> dict[str, int]:
        """The share of each version, by id."""
        split = self.web.get("experimentConfig", {}).get("versionRelease", {}).get("trafficAllocations", [])
        found = {item["appVersion"].rpartition("/")[2]: item["trafficPercentage"] for item in split}
        return found or {self.web["appVersion"].rpartition("/")[2]: 100}

    @property
    def evidence(self) -> dict[str, Any]:
        (path,) = (self.root / ".cesplan/releases").glob("*.json")
        text = path.read_text(encoding="utf-8")
        check_document("release_evidence", text)
        found: dict[str, Any] = json.loads(text)
        return found

    def talk(self, version: str, number: int, *, errors: int = 0, escalated: int = 0) -> None:
        """So many conversations of a version, of which the first have errors or were escalated."""
        for at in range(number):
            self._talks += 1
            answer = {"error": "No such order."} if at < errors else {"order": "7"}
            ended = {"displayName": "end_session", "args": {"session_escalated": at < escalated}}
            chunks = [
                {"toolResponse": {"displayName": "lookup-order", "response": answer}},
                {"toolCall": ended},
            ]
            now = datetime.now(UTC)
            self.emulator.seed(
                {
                    "name": f"{APP}/conversations/talk-{self._talks:05}",
                    "startTime": now.isoformat().replace("+00:00", "Z"),
                    "endTime": now.isoformat().replace("+00:00", "Z"),
                    "source": "LIVE",
                    "deployment": WEB,
                    "appVersion": f"{APP}/versions/{version}",
                    "turns": [{"messages": [{"role": "agent", "chunks": chunks}]}],
                }
            )

    def writes_to(self, resource: str, verb: str = "PATCH") -> list[dict[str, Any]]:
        """The bodies of the updates of a resource so far."""
        requests = self.emulator.journal.summary()["requests"]
        return [
            item
            for item in requests
            if item["method"] == verb and item["path"].partition("?")[0].endswith(resource)
        ]


_DONE: dict[object, tuple[sqlite3.Connection, dict[str, str]]] = {}

applied = applied_once(FILES)


@pytest.fixture
def switches() -> Switches:
    return Switches()


@pytest.fixture
def desk(
    applied: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    switches: Switches,
) -> Iterator[Desk]:
    """Applied, with release-1 served and nothing to wait for between two polls."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr("cesplan.workflow.evaluation.evaluating.sleep", lambda seconds: None)
    clock = Clock()
    monkeypatch.setattr("cesplan.workflow.releases.releasing.datetime", clock)

    typed = typing(capsys)
    with copied(applied, tmp_path, monkeypatch, switches) as emulator:
        emulator.play(PASS)
        yield Desk(root=tmp_path, emulator=emulator, run=typed, clock=clock, switches=switches)
