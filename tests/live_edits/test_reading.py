"""What is read is of one moment, and a quick read hides nothing that the change log tells."""

import json
from typing import Any

import pytest

from tests.cli.conftest import Run, Tree
from tests.live_edits.conftest import APP, BOB, EVE, Console

AGENT = "apps/help-desk/agents/front-desk.yaml"


def _plan(cesplan: Run, *words: str) -> dict[str, Any]:
    ran = cesplan("plan", "--format", "json", *words)
    assert ran.code == 0, ran.err
    return dict(json.loads(ran.out))


def _changed(made: dict[str, Any]) -> list[str]:
    return sorted(item["address"] for item in made["resource_changes"] if item["action_reason"] != "stamp")


def _without_stamp(made: dict[str, Any]) -> list[Any]:
    """Of which only a full plan knows how far the change log had come."""
    return [item for item in made["resource_changes"] if item["action_reason"] != "stamp"]


def _edit(name: str, **body: Any) -> dict[str, Any]:
    return {"name": f"{APP}/{name}", "author": BOB, "body": body}


def test_edits_while_the_lists_are_read_are_all_in_the_plan(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    """The agents have been listed when the slow list of guardrails begins, and Bob edits one of each."""
    slow = {"method": "ListGuardrails", "latency": {"seconds": 0.4}}
    console.service.break_with(slow)
    console.service.break_with(
        {"method": "ListGuardrails", "edit": _edit("agents/front-desk", description="x")}
    )
    console.service.break_with({"method": "ListTools", "edit": _edit("guardrails/no-cards", displayName="x")})
    made = _plan(cesplan)
    assert _changed(made) == ["help-desk/agents/front-desk", "help-desk/guardrails/no-cards"]
    assert {item["live_edit"]["author"] for item in made["resource_changes"] if item["live_edit"]} == {BOB}


def test_a_creation_and_a_deletion_while_the_lists_are_read_are_in_the_plan(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    console.service.break_with({"method": "ListGuardrails", "latency": {"seconds": 0.4}})
    made = _edit("agents/try-out", displayName="Try out", instruction="Try.")
    console.service.break_with({"method": "ListGuardrails", "edit": made})
    gone = {"name": f"{APP}/guardrails/no-cards", "author": EVE, "delete": True, "after": True}
    console.service.break_with({"method": "ListTools", "edit": gone})
    assert _changed(_plan(cesplan)) == ["help-desk/agents/try-out", "help-desk/guardrails/no-cards"]


def test_where_nothing_moves_consistency_costs_two_requests(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    """One more where the newest entries are on the app itself, which is then read again."""
    for number in range(12):
        console.edit("agents/front-desk", "description", BOB, description=f"{number % 2}")
    console.edit("agents/front-desk", "description", BOB, description="")
    whole = _plan(cesplan)["requests"]
    console.service.break_with(
        {"method": "ListChangelogs", "times": 9, "status": {"code": "PERMISSION_DENIED"}}
    )
    assert whole - _plan(cesplan)["requests"] == 1  # where the first look is refused there is no second


def test_endless_editing_ends_with_a_notice(applied: Tree, console: Console, cesplan: Run) -> None:
    for number in range(30):
        edit = _edit("agents/front-desk", description=f"{number}")
        console.service.break_with({"method": "ListChangelogs", "edit": edit})
    made = _plan(cesplan)
    assert any("kept changing while it was read" in text for text in made["notices"])


@pytest.mark.parametrize("what", ["nothing", "edit", "creation", "deletion", "the app", "all"])
def test_a_quick_plan_says_what_a_full_plan_says(
    applied: Tree, console: Console, cesplan: Run, what: str
) -> None:
    if what in ("edit", "all"):
        console.edit("agents/front-desk", "description", BOB, description="By hand")
    if what in ("creation", "all"):
        console.create("agents/try-out", EVE, displayName="Try out", instruction="Try.")
    if what in ("the app", "all"):
        console.edit("", "description", EVE, description="By hand")
    if what in ("deletion", "all"):
        console.delete("tools/lookup-order", EVE, force=True)
    quick, full = _plan(cesplan, "--quick"), _plan(cesplan)
    assert _without_stamp(quick) == _without_stamp(full)
    if what == "nothing":
        assert quick["requests"] == 2  # the apps, and the log
    if what in ("nothing", "edit", "creation", "the app"):
        assert quick["requests"] < full["requests"]


def test_a_quick_plan_reads_whole_where_the_log_is_not_enough(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    """Another tree than the applied one, or a log that cannot be read; and says so."""
    console.edit("guardrails/no-cards", "enabled", BOB, enabled=False)
    console.service.break_with(
        {"method": "ListChangelogs", "times": 9, "status": {"code": "PERMISSION_DENIED"}}
    )
    made = _plan(cesplan, "--quick")
    assert _changed(made) == ["help-desk/guardrails/no-cards"]
    assert any("was read in full despite --quick" in text for text in made["notices"])


def test_a_quick_plan_of_a_changed_tree_shows_both_sides(applied: Tree, console: Console, cesplan: Run) -> None:
    applied.replace(AGENT, "Front desk", "Desk of the tree")
    console.edit("guardrails/no-cards", "enabled", BOB, enabled=False)
    made = _plan(cesplan, "--quick")
    assert _changed(made) == ["help-desk/agents/front-desk", "help-desk/guardrails/no-cards"]
    assert any("the tree differs from the last applied state" in text for text in made["notices"])


def test_an_edit_of_the_account_that_applies_is_seen_quickly_too(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    """Made between a reviewed plan and its apply."""
    applied.replace(AGENT, "Front desk", "Desk two")
    assert cesplan("plan", "--out", ".git/plan.json").code == 0
    console.edit("guardrails/no-cards", "enabled", "emulator@localhost", enabled=False)
    assert cesplan("apply", ".git/plan.json").code == 0
    assert _changed(_plan(cesplan, "--quick")) == ["help-desk/guardrails/no-cards"]
