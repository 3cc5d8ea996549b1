"""A desk with evaluations, live in an emulator of the test, and commands typed in its tree."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cesplan.emulator import EmbeddedEmulator, Switches
from tests.cli.conftest import begun_at_terminal
from tests.desks import applied_once, copied
from tests.typed import Ran, Run, typing

__all__ = ["begun_at_terminal"]

APP = "projects/acme-dev/locations/us/apps/help-desk"
GOLD, WILD = f"{APP}/evaluations/late-order", f"{APP}/evaluations/angry-caller"
FILES = {
    "cesplan.yaml": "cesplan: 1\nproject: acme-dev\nlocation: us\nvariables: {pin: {secret: true}}\n",
    "apps/help-desk/app.yaml": """\
displayName: Help desk
rootAgent: front-desk
evaluationMetricsThresholds:
  goldenEvaluationMetricsThresholds:
    turnLevelMetricsThresholds: {semanticSimilaritySuccessThreshold: 2}
""",
    "apps/help-desk/agents/front-desk.yaml": "displayName: Front desk\ntools: [lookup-order]\n",
    "apps/help-desk/tools/lookup-order.yaml": """\
pythonFunction:
  name: lookup_order
  pythonCode: |
    def lookup_order(order: str) -> dict:
        \"\"\"Find an order.\"\"\"
        return {"order": order}
""",
    "apps/help-desk/evaluations/late-order.yaml": """\
displayName: Late order
tags: [orders]
golden:
  turns:
  - steps:
    - userInput: {text: Where is it?}
    - expectation: {agentResponse: {role: front-desk, chunks: [{text: Which order?}]}}
  - steps:
    - userInput: {text: "7"}
    - expectation: {toolCall: {tool: lookup-order, args: {order: "7"}}}
""",
    "apps/help-desk/evaluations/angry-caller.yaml": """\
displayName: Angry caller
tags: [moods]
scenario: {task: Complain about a late order., rubrics: [Stay calm.]}
""",
    "apps/help-desk/evaluationDatasets/nightly.yaml": "displayName: Nightly\nevaluations: [late-order]\n",
}
PASS = {"evaluation": "*", "outcome": "PASS"}
ALL = ("--all", "--auto-approve")


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The tree and its app."""

    root: Path
    emulator: EmbeddedEmulator
    typed: Run

    def evaluate(self, *words: str) -> Ran:
        return self.typed("evaluate", *words)

    def play(self, *parts: dict[str, Any], **course: Any) -> None:
        self.emulator.play(*parts, run=course or None)

    @property
    def runs(self) -> list[dict[str, Any]]:
        """The bodies of all runs, oldest first."""
        return [{"name": row.name, **row.body} for row in self.emulator.store.children(APP, "evaluationRuns")]

    def process(self, *words: str) -> "subprocess.Popen[str]":
        """The command in a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "cesplan", "evaluate", *words],
            cwd=self.root,
            env=dict(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )


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
    """Applied, with nothing to wait for between two polls."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr("cesplan.workflow.evaluation.evaluating.sleep", lambda seconds: None)

    typed = typing(capsys)
    with copied(applied, tmp_path, monkeypatch, switches) as emulator:
        yield Desk(root=tmp_path, emulator=emulator, typed=typed)
