"""A desk whose second version is bad, live in an emulator of the test, and commands typed in its tree."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import urllib3

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import at_terminal, begun_at_terminal
from tests.desks import PIN, applied_once, copied
from tests.typed import Ran, Run, typing

__all__ = ["at_terminal", "begun_at_terminal"]

APP = "projects/acme-dev/locations/us/apps/help-desk"
WEB = f"{APP}/deployments/web-chat"
FIRST, SECOND = f"{APP}/versions/version-one", f"{APP}/versions/version-two"
FILES = {
    "cesplan.yaml": """\
cesplan: 1
project: acme-dev
location: us
variables: {pin: {secret: true}}
environments: {prod: {}}
""",
    "apps/help-desk/app.yaml": "displayName: Help desk\nrootAgent: front-desk\n",
    "apps/help-desk/agents/front-desk.yaml": "displayName: Front desk\ninstruction: Be kind.\n",
    "apps/help-desk/versions/v1.yaml": "displayName: First\n$id: version-one\n",
    "apps/help-desk/deployments/web-chat.yaml": """\
displayName: Web chat
appVersion: v1
channelProfile: {channelType: API}
""",
}
BAD = {
    "apps/help-desk/agents/front-desk.yaml": "displayName: Front desk\ninstruction: Be rude.\n",
    "apps/help-desk/agents/billing.yaml": "displayName: Billing\ninstruction: Ask for money.\n",
    "apps/help-desk/versions/v2.yaml": "displayName: Second\n$id: version-two\n",
    "apps/help-desk/deployments/web-chat.yaml": FILES["apps/help-desk/deployments/web-chat.yaml"].replace(
        "appVersion: v1", "appVersion: v2"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The tree and its app."""

    root: Path
    emulator: EmbeddedEmulator
    typed: Run

    def back(self, *words: str, **more: str) -> Ran:
        return self.typed("rollback", "--auto-approve", *words, **more)

    def get(self, name: str) -> dict[str, Any]:
        """A resource as the service answers it."""
        found: dict[str, Any] = urllib3.request("GET", f"http://{self.emulator.address}/v1beta/{name}").json()
        return found

    def edit(self, name: str, mask: str, body: dict[str, Any], author: str = "eve@acme.example") -> None:
        """Edit live, as somebody in the console does."""
        url = f"http://{self.emulator.address}/v1beta/{name}?updateMask={mask}"
        answer = urllib3.request("PATCH", url, json=body, headers={"x-emulator-author": author})
        assert answer.status == 200, answer.json()

    @property
    def instruction(self) -> str:
        return str(self.get(f"{APP}/agents/front-desk").get("instruction", ""))

    @property
    def serves(self) -> Any:
        body = self.get(WEB)
        return body.get("experimentConfig") or body.get("appVersion")

    @property
    def versions(self) -> list[str]:
        return [item["name"] for item in self.get(f"{APP}/versions")["appVersions"]]

    def writes(self) -> list[tuple[str, str]]:
        """The requests that are no reads, since the last time."""
        found = [
            (item["method"], f"{item['path'].rpartition('/apps/')[2]}?{item['query']}".rstrip("?"))
            for item in self.emulator.journal.summary()["requests"]
            if item["method"] != "GET"
        ]
        self.emulator.journal.clear()
        return found


applied = applied_once(FILES, BAD)


@pytest.fixture
def desk(
    applied: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Desk]:
    """The second version is applied and served."""
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("cesplan.workflow.going_back.restoring.sleep", lambda seconds: None)

    typed = typing(capsys, never=PIN)
    with copied(applied, tmp_path / "desk", monkeypatch) as emulator:
        yield Desk(root=tmp_path / "desk", emulator=emulator, typed=typed)
