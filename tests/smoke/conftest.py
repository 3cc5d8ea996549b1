"""A desk with agents that talk by a script, live in an emulator of the test, and commands typed in its tree."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.desks import PIN, applied_once, copied
from tests.typed import Ran, Run, typing

APP = "projects/acme-dev/locations/us/apps/help-desk"
FILES = {
    "cesplan.yaml": "cesplan: 1\nproject: acme-dev\nlocation: us\nvariables: {pin: {secret: true}}\n",
    "apps/help-desk/app.yaml": "displayName: Help desk\nrootAgent: front-desk\n",
    "apps/help-desk/agents/front-desk.yaml": "displayName: Front desk\ntools: [lookup-order]\n",
    "apps/help-desk/agents/orders.yaml": "displayName: Orders\ntools: [lookup-order]\n",
    "apps/help-desk/tools/lookup-order.yaml": """\
pythonFunction:
  name: lookup_order
  pythonCode: |
    def lookup_order(order: str) -> dict:
        return {"order": order}
""",
    "apps/help-desk/toolsets/shop.yaml": """\
displayName: Shop
$id: web-shop
openApiToolset:
  openApiSchema: |
    openapi: 3.0.0
    info: {title: Shop, version: "1"}
    servers: [{url: "https://shop.acme.example"}]
    paths:
      /orders: {get: {operationId: get__orders, responses: {"200": {description: ok}}}}
""",
    "apps/help-desk/versions/v1.yaml": "displayName: First\n$id: version-one\n",
    "apps/help-desk/deployments/web-chat.yaml": """\
displayName: Web chat
appVersion: v1
channelProfile: {channelType: API}
""",
}
SCRIPT = (
    {
        "input": "where*",
        "steps": [
            {"call": {"tool": "lookup-order", "args": {"order": 7}, "response": {"state": "sent", "pin": PIN}}},
            {"transfer": "Orders"},
            {"say": "Order 7 is on\nits way."},
        ],
    },
    {"input": "bye", "steps": [{"say": "Bye."}, {"end": {"reason": "done"}}]},
    {"input": "evil", "steps": [{"say": "\x1b[2J\x1b]0;owned\x07::error::no\u202egnp"}]},
    {"input": "secret", "steps": [{"say": f"Your pin is {PIN}."}]},
    {"input": "paint", "steps": [{"ask": {"tool": "lookup-order", "args": {"n": 1}}}, {"say": "Thanks."}]},
    {"input": "down", "steps": [{"error": {"code": "FAILED_PRECONDITION", "message": f"not now {PIN}"}}]},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The tree and its app."""

    root: Path
    emulator: EmbeddedEmulator
    typed: Run

    def smoke(self, steps: object, *words: str) -> Ran:
        """Run a file of steps."""
        (self.root / "steps.yaml").write_text(json.dumps(steps), encoding="utf-8")
        return self.typed("smoke", "steps.yaml", *words)

    @property
    def talks(self) -> list[dict[str, Any]]:
        """All conversations, oldest first."""
        rows = self.emulator.store.children(APP, "conversations")
        return [{"name": row.name, **row.body} for row in rows]


applied = applied_once(FILES)


@pytest.fixture
def desk(
    applied: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Desk]:
    """Applied, with a script for its agents."""
    monkeypatch.setenv("COLUMNS", "100")

    typed = typing(capsys, never=PIN)
    with copied(applied, tmp_path / "desk", monkeypatch) as emulator:
        emulator.converse(*SCRIPT, tools=[{"tool": "lookup-order", "response": {"state": "sent"}}])
        yield Desk(root=tmp_path / "desk", emulator=emulator, typed=typed)
