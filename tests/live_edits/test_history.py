"""`cesplan history`: applies and the edits between them, by the change log and the stamps."""

from pathlib import Path
from typing import Any

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.live_edits.conftest import APP, BOB, EVE, Console, Run, Tree, git

ROBOT = "emulator@localhost"
COUPONS = "pythonFunction: {name: coupons, pythonCode: 'def coupons(): ...'}\n"
FIRST_APPLY = ("apply", ROBOT, ["", "agents/front-desk", "guardrails/no-cards", "tools/lookup-order"])


def _events(cesplan: Run, *words: str) -> list[dict[str, Any]]:
    ran = cesplan("history", *words, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    found: list[dict[str, Any]] = ran.json["events"]
    return found


def _short(event: dict[str, Any]) -> tuple[str, str, list[str]]:
    return event["event"], event["author"], [item["address"].partition("/")[2] for item in event["resources"]]


@pytest.fixture
def storied(applied: Tree, console: Console, cesplan: Run) -> Tree:
    """Two applies; before the second one bob edits twice and eve once, after it bob once."""
    console.edit("agents/front-desk", "instruction", instruction="Mine.")
    console.create("tools/coupons", pythonFunction={"name": "coupons", "pythonCode": "def coupons(): pass"})
    console.edit("agents/front-desk", "instruction,description", instruction="Mine.\n", description="Mine")
    applied.write("apps/help-desk/agents/front-desk.md", "Help.\n")
    applied.write("apps/help-desk/tools/coupons.yaml", COUPONS)
    git(applied, "add", "-A")
    git(applied, "commit", "-qm", "Shorter instruction")
    assert cesplan("apply", "--auto-approve", "--allow-revert", "all").code == 0
    console.edit("guardrails/no-cards", "enabled", enabled=False)
    return applied


def test_applies_and_the_edits_between_them(storied: Tree, cesplan: Run) -> None:
    """Newest first; each apply with its commit and what it wrote, edits by author."""
    events = _events(cesplan)
    assert [_short(event) for event in events] == [
        ("edit", BOB, ["guardrails/no-cards"]),
        ("apply", ROBOT, ["agents/front-desk", "tools/coupons"]),
        ("edit", BOB, ["agents/front-desk"]),
        ("edit", EVE, ["tools/coupons"]),
        FIRST_APPLY,
    ]
    commits = git(storied, "log", "--format=%H").split()
    assert [event["commit"] for event in events] == ["", commits[0], "", "", commits[1]]
    subjects = ["", "Shorter instruction", "", "", "The help desk"]
    assert [event["subject"] for event in events] == subjects
    assert [item["times"] for item in events[2]["resources"]] == [2]
    assert [item["edits"] for item in events[3]["resources"]] == [["created"]]
    assert events[4]["resources"][0]["edits"] == ["created", "updated"]


def test_the_text_and_the_page_say_the_same(storied: Tree, cesplan: Run) -> None:
    ran = cesplan("history", "--report", "markdown=past.md")
    assert ran.out.startswith("help-desk · acme-dev/us · v1beta · EMULATOR\n\nedit  ")
    assert "\n    Shorter instruction\n    ~ agents/front-desk  Front desk\n" in ran.out
    said = "2 writes; Update Agent 'Front desk': description, instruction\n"
    assert f"\n    ~ agents/front-desk  {said}".replace(", inst", ",\n          inst") in ran.out
    assert (
        "\n2 complete applies and 4 live edits by 2 authors. Read 13 entries of the change\nlog.\n" in ran.out
    )
    page = Path("past.md").read_text()
    assert "2 complete applies and 4 live edits by 2 authors.\n" in page
    assert f"  - <code>&#126; agents/front-desk</code> {said}" in page


def test_one_resource_has_each_edit_with_the_fields(storied: Tree, cesplan: Run) -> None:
    """Edits are not put together, and an apply shows only this resource."""
    events = _events(cesplan, "--target", "agents/front-desk")
    assert [(*_short(event)[:2], event["resources"][0]["fields"]) for event in events] == [
        ("apply", ROBOT, ["description", "instruction"]),
        ("edit", BOB, ["description", "instruction"]),
        ("edit", BOB, ["instruction"]),
        ("apply", ROBOT, None),
    ]


def test_a_part_of_it(storied: Tree, cesplan: Run) -> None:
    """What is not needed is not read: of the first apply not one entry."""
    parts = {
        ("--limit", "1"): 1,
        ("--limit", "0"): 5,
        ("--since", "1h"): 5,
        ("--since", "2999-01-01"): 0,
        ("--author", "EVE@*"): 1,
        ("--author", ROBOT, "--limit", "1"): 1,
        ("--target", "agents/*", "--author", BOB): 2,
    }
    assert {words: len(_events(cesplan, *words)) for words in parts} == parts
    assert "no entry" not in cesplan("history", "--since", "2999-01-01").out
    report = cesplan("history", "--limit", "1", "--format", "json").json
    assert (report["has_more"], report["entries"]) == (True, 4)
    assert "To see more:  cesplan history --limit 5\n" in cesplan("history", "--limit", "1").out


def test_what_is_not_looked_into_is_said(
    storied: Tree, console: Console, cesplan: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest entries are looked into first; those of a target take nothing from those with the stamps."""
    monkeypatch.setattr("cesplan.workflow.views.history.MOST_READ", 1)
    ran = cesplan("history", "--limit", "0")
    assert [_short(event)[0] for event in _events(cesplan)] == ["edit", "apply", "edit", "edit", "edit"]
    assert "3 older entries of the app were not looked into" in " ".join(ran.out.split())
    events = _events(cesplan, "--target", "agents/front-desk")
    assert [event["resources"][0]["fields"] is None for event in events] == [False, True, True, True]


def test_an_apply_in_part_says_what_it_wrote(applied: Tree, console: Console, cesplan: Run) -> None:
    """It leaves records of its writes: the newest ones of its author."""
    console.edit("guardrails/no-cards", "enabled", author=ROBOT, enabled=False)
    applied.write("apps/help-desk/agents/front-desk.md", "Help.\n")
    applied.write("apps/help-desk/tools/coupons.yaml", COUPONS)
    assert cesplan("apply", "--auto-approve", "--target", "agents/*", "--target", "tools/*").code == 0
    assert [_short(event) for event in _events(cesplan)] == [
        ("partial_apply", ROBOT, ["agents/front-desk", "tools/coupons"]),
        ("edit", ROBOT, ["guardrails/no-cards"]),
        FIRST_APPLY,
    ]
    assert "\napply in part  " in cesplan("history").out


def test_leases_and_the_loss_of_a_stamp(applied: Tree, console: Console, cesplan: Run) -> None:
    """A lease is nothing that happened to the app; who removes the stamp edits it."""
    project = (applied.root / "cesplan.yaml").read_text()
    applied.write("cesplan.yaml", f"{project}lease: true\n")
    applied.write("apps/help-desk/agents/front-desk.md", "Help.\n")
    assert cesplan("apply", "--auto-approve").code == 0
    git(applied, "commit", "-qam", "Leases")
    console.edit("", "metadata", metadata={})
    events = _events(cesplan)
    assert [_short(event) for event in events] == [
        ("edit", BOB, [""]),
        ("apply", ROBOT, ["agents/front-desk"]),
        FIRST_APPLY,
    ]
    assert [event["dirty"] for event in events] == [False, True, False]


def test_without_a_tree(
    storied: Tree, cesplan: Run, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The app is named, and its resources are called by their ids; a folder names a tree."""
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert len(_events(cesplan, "--app", APP)) == 5
    assert len(_events(cesplan, str(storied.root))) == 5
    ran = cesplan("history")
    assert (ran.code, ran.out) == (64, "")
    assert "cesplan history --app APP --project PROJECT" in ran.err


def test_what_is_not_there(tree: Tree, service: EmbeddedEmulator, cesplan: Run) -> None:
    ran = cesplan("history")
    assert ran.code == 0
    assert "Notice: help-desk is not live: it has no history\n" in ran.out
    assert cesplan("apply", "--auto-approve").code == 0
    ran = cesplan("history", "--target", "agents/front-dsk")
    assert (ran.code, ran.out) == (64, "")
    assert "Did you mean `help-desk/agents/front-desk`?" in " ".join(ran.err.split())
    service.break_with({"method": "ListChangelogs", "status": {"code": "PERMISSION_DENIED"}, "times": 20})
    assert cesplan("history").code == 6


def test_entries_that_cannot_be_read_are_edits_and_said(
    storied: Tree, service: EmbeddedEmulator, cesplan: Run
) -> None:
    service.break_with({"method": "GetChangelog", "status": {"code": "PERMISSION_DENIED"}, "times": 50})
    ran = cesplan("history")
    assert ran.code == 0
    assert "apply" not in ran.out.partition("Notice:")[0]
    assert "the change log cannot be read whole" in ran.out


def test_texts_of_the_log_do_nothing(applied: Tree, console: Console, cesplan: Run) -> None:
    """Names and authors come from whoever may edit the app."""
    hostile = "\u001b[31m@all ![x](http://x.invalid/) <script>"
    console.edit("agents/front-desk", "displayName", author="@all<script>", displayName=hostile)
    ran = cesplan("history", "--report", "markdown=past.md")
    assert "\u001b" not in ran.out
    page = Path("past.md").read_text()
    assert "<script>" not in page
    assert "![x](" not in page
    assert "@all" not in page
