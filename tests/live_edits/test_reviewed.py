"""Applying a reviewed plan makes no base of edits that it does not show: the next plan, drift and merge do."""

import json
from typing import Any

import pytest

from tests.cli.conftest import Run, Tree
from tests.live_edits.conftest import BOB, Console, forget_history, git

AGENT = "apps/help-desk/agents/front-desk.yaml"
APPLIER = "emulator@localhost"
"""Who the service takes for the author of an apply."""


@pytest.mark.parametrize("author", [BOB, APPLIER])
@pytest.mark.parametrize("has_git", [True, False])
def test_an_edit_between_a_plan_and_its_apply_stays_a_live_edit(
    applied: Tree, console: Console, cesplan: Run, author: str, has_git: bool
) -> None:
    """Whoever made it, the account that applies included, and with the tree changed once more since."""
    _apply_reviewed(
        applied, cesplan, lambda: console.edit("guardrails/no-cards", "enabled", author, enabled=False)
    )
    if not has_git:
        forget_history(applied)
    assert _guardrail(cesplan) == ("live", author)
    applied.replace("apps/help-desk/guardrails/no-cards.yaml", "displayName: ", "displayName: The ")
    assert _guardrail(cesplan) == ("live", author)
    assert cesplan("apply", "--auto-approve").code == 5
    merged = cesplan("pull", "--merge")
    assert merged.code == 0, merged.err
    assert "enabled: false" in (applied.root / "apps/help-desk/guardrails/no-cards.yaml").read_text()


@pytest.mark.parametrize("has_git", [True, False])
def test_an_edit_of_a_resource_that_the_plan_writes_too_stays_a_live_edit(
    applied: Tree, console: Console, cesplan: Run, has_git: bool
) -> None:
    """
    Of another field, by the account that applies: the plan is as it was reviewed.

    Without git the log has no state that is without the edit and with the apply, so both fields count.
    """
    _apply_reviewed(
        applied,
        cesplan,
        lambda: console.edit("agents/front-desk", "description", APPLIER, description="By hand"),
    )
    if not has_git:
        forget_history(applied)
    applied.replace(AGENT, "Desk two", "Desk three")
    assert _told(cesplan)["help-desk/agents/front-desk description"] == ("live", APPLIER)
    name = _told(cesplan)["help-desk/agents/front-desk displayName"]
    assert name == (("tree", "") if has_git else ("both", ""))


def test_what_an_apply_wrote_itself_is_no_live_edit_without_git(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    """Creates, updates of references and deletes among it."""
    applied.write("apps/help-desk/agents/back-desk.yaml", "displayName: Back desk\ninstruction: Wait.\n")
    applied.replace(AGENT, "Front desk", "Desk two")
    assert cesplan("apply", "--auto-approve").code == 0
    forget_history(applied)
    applied.replace(AGENT, "Desk two", "Desk three")
    applied.replace("apps/help-desk/agents/back-desk.yaml", "Wait.", "Wait longer.")
    assert set(_told(cesplan).values()) == {("tree", "")}


def _apply_reviewed(tree: Tree, cesplan: Run, meanwhile: Any) -> None:
    tree.replace(AGENT, "Front desk", "Desk two")
    git(tree, "commit", "-qam", "A name")
    assert cesplan("plan", "--out", "plan.json").code == 0
    meanwhile()
    ran = cesplan("apply", "plan.json")
    assert ran.code == 0, ran.err
    (tree.root / "plan.json").unlink()


def _guardrail(cesplan: Run) -> tuple[str, str]:
    return _told(cesplan)["help-desk/guardrails/no-cards enabled"]


def _told(cesplan: Run) -> dict[str, tuple[str, str]]:
    """Origin and author by address and field."""
    ran = cesplan("plan", "--format", "json")
    assert ran.code == 0, ran.err
    return {
        f"{item['address']} {change['path']}": (change["origin"], (change["live_edit"] or {}).get("author", ""))
        for item in json.loads(ran.out)["resource_changes"]
        if item["action_reason"] != "stamp"
        for change in item["field_changes"]
    }
