"""
A plan file is applied once, or goes on where it broke off; applied again it does not undo what came later.

Between the applies of one file people revert and edit in the console. Other files that were planned at the same
time and write other things stay good.
"""

import json
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree, cesplan, service, tree

__all__ = ["cesplan", "service", "tree"]

_APP = "projects/acme-dev/locations/us/apps/help-desk"
_DESK = f"{_APP}/agents/front-desk"
_WORDS = f"{_APP}/guardrails/no-cards"
_ALICE = "alice@acme.example"
_AGENT = "apps/help-desk/agents/billing-expert.yaml"


def ask(
    service: EmbeddedEmulator, method: str, path: str, body: dict[str, Any] | None = None
) -> dict[str, Any]:
    """What Alice does in the console."""
    data = json.dumps(body).encode() if body is not None else None
    headers = {"Content-Type": "application/json", "x-emulator-author": _ALICE}
    request = Request(f"http://{service.address}/v1beta/{path}", data, headers, method=method)
    with urlopen(request, timeout=10) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def writes(service: EmbeddedEmulator) -> int:
    return sum(entry.method != "GET" for entry in service.journal.entries)


@pytest.fixture
def applied(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> Tree:
    """The tree, applied, with one agent more."""
    tree.write(_AGENT, "displayName: Billing\ninstruction: Bill.\n")
    assert cesplan("apply", "--auto-approve").code == 0
    return tree


def planned(cesplan: Run, name: str = "plan.json") -> None:
    ran = cesplan("plan", "--out", name, "--allow-mass-delete")
    assert ran.code == 0, ran.err


def is_stale(service: EmbeddedEmulator, cesplan: Run, *words: str) -> None:
    """Nothing is written, and each of these is reported."""
    before = writes(service)
    ran = cesplan("apply", "plan.json")
    assert (ran.code, writes(service)) == (4, before), ran.err
    for word in words:
        assert word in " ".join(ran.err.split())


def test_an_update_that_was_reverted_stays_so(service: EmbeddedEmulator, cesplan: Run, applied: Tree) -> None:
    applied.write("apps/help-desk/agents/front-desk.md", "Be brief.\n")
    planned(cesplan)
    before = ask(service, "GET", _DESK)["instruction"]
    assert cesplan("apply", "plan.json").code == 0
    ask(service, "PATCH", f"{_DESK}?updateMask=instruction", {"instruction": before})
    is_stale(service, cesplan, "front-desk written after this plan was made", f"by {_ALICE}, 20")
    document = json.loads(cesplan("apply", "plan.json", "--format", "json").out)
    assert [(item["movement"], item["edited_by"]) for item in document["stale"]] == [("written", _ALICE)]
    assert ask(service, "GET", _DESK)["instruction"] == before


def test_what_was_deleted_and_made_again_is_not_deleted_again(
    service: EmbeddedEmulator, cesplan: Run, applied: Tree
) -> None:
    """Made again just as it was, so that nothing but the log tells."""
    applied.remove(_AGENT)
    planned(cesplan)
    body = ask(service, "GET", f"{_APP}/agents/billing-expert")
    assert cesplan("apply", "plan.json").code == 0
    ask(
        service,
        "POST",
        f"{_APP}/agents?agentId=billing-expert",
        {"displayName": body["displayName"], "instruction": body["instruction"]},
    )
    is_stale(service, cesplan, "billing-expert")
    assert ask(service, "GET", f"{_APP}/agents/billing-expert")["instruction"] == "Bill."


def test_what_was_created_and_deleted_is_not_created_again(
    service: EmbeddedEmulator, cesplan: Run, applied: Tree
) -> None:
    applied.write("apps/help-desk/agents/returns-expert.yaml", "displayName: Returns\n")
    planned(cesplan)
    assert cesplan("apply", "plan.json").code == 0
    ask(service, "DELETE", f"{_APP}/agents/returns-expert")
    is_stale(service, cesplan, "returns-expert written after this plan was made", f"by {_ALICE}, 20")


def test_the_second_of_two_open_pull_requests_is_applied(
    service: EmbeddedEmulator, cesplan: Run, applied: Tree
) -> None:
    """They were planned at the same time and write different resources; both leave the stamp of the app."""
    applied.write(_AGENT, "displayName: Billing\ninstruction: Bill kindly.\n")
    planned(cesplan, "first.json")
    applied.write(_AGENT, "displayName: Billing\ninstruction: Bill.\n")
    applied.write("apps/help-desk/agents/front-desk.md", "Be brief.\n")
    planned(cesplan, "second.json")
    assert cesplan("apply", "first.json").code == 0
    ran = cesplan("apply", "second.json")
    assert ran.code == 0, ran.err
    assert ask(service, "GET", _DESK)["instruction"] == "Be brief."
    assert ask(service, "GET", f"{_APP}/agents/billing-expert")["instruction"] == "Bill kindly."


def test_an_apply_that_broke_off_goes_on(service: EmbeddedEmulator, cesplan: Run, applied: Tree) -> None:
    """Also between the two writes of a ring: what this plan wrote itself is not news."""
    applied.write(_AGENT, "displayName: Billing\nchildAgents: [returns-expert]\n")
    rule = "{childAgent: billing-expert, direction: CHILD_TO_PARENT, deterministicTransfer: {}}"
    applied.write(
        "apps/help-desk/agents/returns-expert.yaml",
        f"displayName: Returns\nchildAgents: [credit-expert]\ntransferRules: [{rule}]\n",
    )
    applied.write(
        "apps/help-desk/agents/credit-expert.yaml",
        f"displayName: Credit\ntransferRules: [{rule.replace('billing', 'returns')}]\n",
    )
    applied.write("apps/help-desk/agents/front-desk.md", "Be brief.\n")
    planned(cesplan)
    service.break_with({"method": "UpdateAgent", "times": 3, "status": {"code": "INVALID_ARGUMENT"}})
    assert cesplan("apply", "plan.json").code == 3
    ran = cesplan("apply", "plan.json")
    assert ran.code == 0, ran.err
    assert cesplan("plan", "--detailed-exitcode").code == 0


@pytest.mark.parametrize("is_readable", [True, False], ids=["log", "no log"])
def test_without_a_log_another_complete_apply_makes_the_plan_stale(
    service: EmbeddedEmulator, cesplan: Run, applied: Tree, is_readable: bool
) -> None:
    """Nothing tells what it wrote, so it may have been this."""
    applied.write(_AGENT, "displayName: Billing\ninstruction: Bill kindly.\n")
    planned(cesplan, "first.json")
    applied.write("apps/help-desk/agents/front-desk.md", "Be brief.\n")
    applied.write(_AGENT, "displayName: Billing\ninstruction: Bill.\n")
    planned(cesplan)
    if not is_readable:
        denied = {"code": "PERMISSION_DENIED"}
        service.break_with({"method": "ListChangelogs", "times": 99, "status": denied})
    assert cesplan("apply", "first.json").code == 0
    if is_readable:
        assert cesplan("apply", "plan.json").code == 0
    else:
        is_stale(service, cesplan, "another apply ran, and the change log does not say what it wrote")


def test_without_a_log_a_plan_is_applied_as_long_as_no_other_was(
    service: EmbeddedEmulator, cesplan: Run, applied: Tree
) -> None:
    service.break_with({"method": "ListChangelogs", "times": 99, "status": {"code": "PERMISSION_DENIED"}})
    applied.write("apps/help-desk/agents/front-desk.md", "Be brief.\n")
    planned(cesplan)
    assert cesplan("apply", "plan.json").code == 0
    is_stale_no_more = cesplan("apply", "plan.json")
    assert is_stale_no_more.out == "No changes. Everything in this plan is already live.\n"


def test_an_edit_beside_the_change_lets_it_through(
    service: EmbeddedEmulator, cesplan: Run, applied: Tree
) -> None:
    """The log tells of it, and the plan would take nothing of it back."""
    applied.write("apps/help-desk/agents/front-desk.md", "Be brief.\n")
    planned(cesplan)
    ask(service, "PATCH", f"{_DESK}?updateMask=description", {"description": "Alice's note."})
    assert cesplan("apply", "plan.json").code == 0
    assert ask(service, "GET", _DESK)["description"] == "Alice's note."


def test_the_guard_is_asked_again(service: EmbeddedEmulator, cesplan: Run, applied: Tree) -> None:
    """One of two agents was to go; now it is the last one."""
    applied.remove(_AGENT)
    assert cesplan("plan", "--out", "plan.json").code == 0
    ask(service, "PATCH", f"{_APP}?updateMask=rootAgent", {})
    ask(service, "DELETE", _DESK)
    before = writes(service)
    ran = cesplan("apply", "plan.json")
    assert (ran.code, writes(service)) == (5, before), ran.err
    assert "The plan is refused because of changes in live. Nothing was written." in ran.err
    assert "1 of 1 agents would be deleted (that is all of them)" in ran.err


def test_the_guard_asks_under_the_flags_of_the_plan(
    service: EmbeddedEmulator, cesplan: Run, applied: Tree
) -> None:
    """What was allowed and reviewed stays allowed."""
    applied.remove("apps/help-desk/guardrails/no-cards.yaml")
    applied.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    (Path("apps/help-desk/guardrails") / "keep").write_text("", encoding="utf-8")
    assert "--allow-mass-delete" in cesplan("plan", "--out", "refused.json").out
    assert cesplan("apply", "refused.json").code == 5
    planned(cesplan)
    ran = cesplan("apply", "plan.json")
    assert ran.code == 0, ran.err
    assert "guardrails" not in ask(service, "GET", f"{_APP}/guardrails")


def test_an_app_that_was_locked_since_is_not_written(
    service: EmbeddedEmulator, cesplan: Run, applied: Tree
) -> None:
    applied.write("apps/help-desk/agents/front-desk.md", "Be brief.\n")
    planned(cesplan)
    ask(service, "PATCH", f"{_APP}?updateMask=locked", {"locked": True})
    before = writes(service)
    ran = cesplan("apply", "plan.json")
    assert (ran.code, writes(service)) == (5, before)
    assert "help-desk is locked" in ran.err


def test_what_an_apply_that_broke_off_left_in_the_app_is_no_news(
    service: EmbeddedEmulator, cesplan: Run, applied: Tree
) -> None:
    """It leaves digests of what it wrote beside the stamp, in the very field that the plan has yet to write."""
    applied.replace("apps/help-desk/app.yaml", "displayName", "metadata: {team: care}\ndisplayName")
    applied.write(_AGENT, "displayName: Billing\ninstruction: Bill kindly.\n")
    planned(cesplan)
    service.break_with({"method": "UpdateApp", "status": {"code": "INVALID_ARGUMENT"}})
    assert cesplan("apply", "plan.json").code == 3
    assert "cesplan-partial" in ask(service, "GET", _APP)["metadata"]
    ran = cesplan("apply", "plan.json")
    assert ran.code == 0, ran.err
    assert ask(service, "GET", _APP)["metadata"]["team"] == "care"
