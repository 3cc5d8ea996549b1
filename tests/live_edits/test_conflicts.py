"""A conflict during an apply names who wrote the resource meanwhile, in every report."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Ran, Run, Tree
from tests.live_edits.conftest import BOB, Console

AGENT = "apps/help-desk/agents/front-desk.yaml"
REPORTS = ("json", "jsonl", "markdown", "junit")


@pytest.fixture
def edited(applied: Tree, console: Console) -> Tree:
    """A change to apply; Bob edits the agent between the plan and its write."""
    applied.replace(AGENT, "Front desk", "Desk of the tree")
    edit = {"author": BOB, "body": {"displayName": "Desk of the console"}}
    console.service.break_with({"method": "UpdateAgent", "edit": edit})
    return applied


def _reports(folder: Path) -> list[str]:
    return [part for name in REPORTS for part in ("--report", f"{name}={folder / name}")]


def test_the_editor_of_a_conflict_is_named_in_every_report(
    edited: Tree, console: Console, cesplan: Run, tmp_path: Path
) -> None:
    ran = _apply(cesplan, *_reports(tmp_path))
    said = " ".join((ran.out + ran.err).split())
    assert f"Last written by {BOB}, 20" in said
    assert console.get("agents/front-desk")["displayName"] == "Desk of the console"
    report = json.loads((tmp_path / "json").read_text())
    (failed,) = [item for item in report["outcomes"] if item["outcome"] == "failed"]
    assert failed["error"]["live_edit"]["author"] == BOB
    lines = [json.loads(row) for row in (tmp_path / "jsonl").read_text().splitlines()]
    assert BOB in [((item.get("error") or {}).get("live_edit") or {}).get("author") for item in _flat(lines)]
    assert f"Last written by {BOB}" in (tmp_path / "markdown").read_text()
    (case,) = ElementTree.fromstring((tmp_path / "junit").read_text()).iter("failure")
    assert f"Last written by {BOB}" in (case.text or "")


def test_without_the_log_a_conflict_is_told_all_the_same(edited: Tree, console: Console, cesplan: Run) -> None:
    console.service.break_with(
        {"method": "ListChangelogs", "times": 99, "status": {"code": "PERMISSION_DENIED"}}
    )
    ran = _apply(cesplan)
    assert "changed in displayName after this plan was made" in " ".join((ran.out + ran.err).split())


def _apply(cesplan: Run, *words: str) -> Ran:
    ran = cesplan("apply", "--auto-approve", *words)
    assert ran.code in (3, 4), ran.out + ran.err
    return ran


def _flat(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [*lines, *(item["outcome"] for item in lines if isinstance(item.get("outcome"), dict))]
