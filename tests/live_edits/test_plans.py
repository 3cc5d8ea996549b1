"""What others edited live since the last apply is in every plan, with its author, and is not undone unseen."""

import json
from typing import Any

from tests.cli.conftest import AtTerminal, Run, Tree
from tests.live_edits.conftest import BOB, EVE, Console, forget_history, git

AGENT = "apps/help-desk/agents/front-desk.yaml"
GUARDRAIL = "apps/help-desk/guardrails/no-cards.yaml"


def _plan(cesplan: Run, *words: str) -> dict[str, Any]:
    ran = cesplan("plan", "--format", "json", *words)
    assert ran.code == 0, ran.err
    return dict(json.loads(ran.out))


def _told(cesplan: Run, *words: str) -> dict[str, tuple[str, str, str]]:
    """Origin, author and action by address, or by address and field."""
    found: dict[str, tuple[str, str, str]] = {}
    for item in _plan(cesplan, *words)["resource_changes"]:
        if item["action_reason"] == "stamp":
            continue
        if not item["field_changes"]:
            edit = item["live_edit"] or {}
            found[item["address"]] = (item["origin"], edit.get("author", ""), item["change"]["actions"][0])
        for change in item["field_changes"]:
            edit = change["live_edit"] or {}
            found[f"{item['address']} {change['path']}"] = (
                change["origin"],
                edit.get("author", ""),
                change["action"],
            )
    return found


def test_edits_of_both_sides_are_told_apart_with_their_authors(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    applied.replace("apps/help-desk/app.yaml", "temperature: 0.5", "temperature: 0.2")
    applied.replace(AGENT, "Front desk", "Desk of the tree")
    console.edit("agents/front-desk", "displayName", BOB, displayName="Desk of the console")
    console.edit("agents/front-desk", "description", EVE, description="By hand")
    console.edit("guardrails/no-cards", "enabled", BOB, enabled=False)
    console.create("agents/try-out", EVE, displayName="Try out", instruction="Try.")
    assert _told(cesplan) == {
        "help-desk modelSettings.temperature": ("tree", "", "modified"),
        "help-desk/agents/front-desk displayName": ("both", BOB, "modified"),
        "help-desk/agents/front-desk description": ("live", EVE, "removed"),
        "help-desk/guardrails/no-cards enabled": ("live", BOB, "added"),
        "help-desk/agents/try-out": ("live", EVE, "delete"),
    }
    assert _plan(cesplan)["summary"]["reverts"] == 3


def test_an_unattended_apply_refuses_and_names_both_ways_out(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    console.edit("guardrails/no-cards", "enabled", BOB, enabled=False)
    refused = cesplan("apply", "--auto-approve")
    assert refused.code == 5
    said = " ".join(refused.err.split())
    assert "help-desk/guardrails/no-cards reverts a live edit by bob@acme.example, 20" in said
    assert "cesplan pull --merge --target help-desk/guardrails/no-cards" in said
    assert "cesplan apply --auto-approve --allow-revert help-desk/guardrails/no-cards" in said
    assert "enabled" not in console.get("guardrails/no-cards")
    other = cesplan("apply", "--auto-approve", "--allow-revert", "help-desk/agents/front-desk")
    assert other.code == 5
    allowed = cesplan("apply", "--auto-approve", "--allow-revert", "help-desk/guardrails/no-cards")
    assert allowed.code == 0, allowed.err
    assert console.get("guardrails/no-cards")["enabled"] is True


def test_a_person_is_asked_with_the_edits_named(
    applied: Tree, console: Console, at_terminal: AtTerminal
) -> None:
    console.edit("guardrails/no-cards", "enabled", BOB, enabled=False)
    code, shown = at_terminal("apply", typed="yes\n")
    assert code == 0, shown
    assert "This reverts live edits:" in shown
    assert "help-desk/guardrails/no-cards reverts a live edit by bob@acme.example" in shown
    assert console.get("guardrails/no-cards")["enabled"] is True


def test_a_reviewed_plan_that_shows_the_edits_is_their_approval(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    console.edit("guardrails/no-cards", "enabled", BOB, enabled=False)
    assert cesplan("plan", "--out", "plan.json").code == 0
    assert "live edit by bob@acme.example" in cesplan("show", "plan.json").out
    assert cesplan("apply", "plan.json").code == 0
    assert console.get("guardrails/no-cards")["enabled"] is True


def test_what_was_deleted_live_is_created_again_only_when_that_is_allowed(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    console.edit("", "guardrails", BOB, guardrails=[])
    console.delete("guardrails/no-cards", EVE)
    assert _told(cesplan) == {
        "help-desk guardrails[0]": ("live", BOB, "added"),
        "help-desk/guardrails/no-cards": ("live", EVE, "create"),
    }
    assert cesplan("apply", "--auto-approve").code == 5
    assert cesplan("apply", "--auto-approve", "--allow-revert", "all").code == 0


def test_what_a_forced_delete_changed_elsewhere_is_an_edit_of_who_deleted(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    console.delete("tools/lookup-order", EVE, force=True)
    found = _plan(cesplan)["resource_changes"]
    agent = next(item for item in found if item["address"] == "help-desk/agents/front-desk")
    (field,) = agent["field_changes"]
    assert (field["path"], field["origin"], field["live_edit"]["author"]) == ("tools", "live", EVE)


def test_changes_of_the_tree_alone_need_no_word(applied: Tree, cesplan: Run) -> None:
    applied.replace(AGENT, "Front desk", "Desk of the tree")
    applied.remove(GUARDRAIL)
    applied.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    applied.write("apps/help-desk/guardrails/.keep", "")
    assert {origin for origin, _, _ in _told(cesplan).values()} == {"tree"}
    assert "Live edits" not in cesplan("plan").out


def test_what_a_targeted_apply_wrote_is_no_live_edit(applied: Tree, cesplan: Run) -> None:
    """The stamp keeps the digest of what an incomplete apply wrote."""
    applied.replace(AGENT, "Front desk", "Desk one")
    assert cesplan("apply", "--auto-approve", "--target", "agents/front-desk").code == 0
    applied.replace(AGENT, "Desk one", "Desk two")
    assert _told(cesplan) == {"help-desk/agents/front-desk displayName": ("tree", "", "modified")}


def test_the_commit_of_the_last_apply_is_the_base_when_the_tree_has_moved_on(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    """Committed changes are of the tree; the edit of the same moment is of live."""
    applied.replace(AGENT, "Front desk", "Desk of the tree")
    git(applied, "commit", "-qam", "A name")
    console.edit("guardrails/no-cards", "enabled", BOB, enabled=False)
    assert _told(cesplan) == {
        "help-desk/agents/front-desk displayName": ("tree", "", "modified"),
        "help-desk/guardrails/no-cards enabled": ("live", BOB, "added"),
    }


def test_without_the_commit_the_change_log_tells(applied: Tree, console: Console, cesplan: Run) -> None:
    """As in a shallow clone: the history is gone, the log is there."""
    applied.replace(AGENT, "Front desk", "Desk of the tree")
    forget_history(applied)
    console.edit("guardrails/no-cards", "enabled", BOB, enabled=False)
    assert _told(cesplan) == {
        "help-desk/agents/front-desk displayName": ("tree", "", "modified"),
        "help-desk/guardrails/no-cards enabled": ("live", BOB, "added"),
    }
    assert "live edits are found from" in " ".join(cesplan("plan").out.split())


def test_without_commit_and_log_a_difference_counts_as_a_live_edit(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    applied.replace(AGENT, "Front desk", "Desk of the tree")
    commit = forget_history(applied)
    for method in ("ListChangelogs", "GetChangelog"):
        console.service.break_with({"method": method, "times": 99, "status": {"code": "PERMISSION_DENIED"}})
    assert _told(cesplan) == {"help-desk/agents/front-desk displayName": ("unknown", "", "modified")}
    said = " ".join(cesplan("plan").out.split())
    assert "may revert 1 edit of unknown origin" in said
    assert f"git fetch origin {commit}" in said
    assert "the change log cannot be read" in said
    assert cesplan("apply", "--auto-approve").code == 5


def test_a_variable_of_a_secret_that_changed_is_no_live_edit(
    tree: Tree, console: Console, cesplan: Run, monkeypatch: Any
) -> None:
    """What the tree said then is not known, and the log is silent."""
    tree.replace("cesplan.yaml", "environments:", "variables: {greeting: {secret: true}}\nenvironments:")
    tree.replace(AGENT, "displayName: Front desk", "displayName: Front desk\ndescription: 'Says ${greeting}'")
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "The help desk")
    monkeypatch.setenv("CESPLAN_SECRET_greeting", "hello-one")
    assert cesplan("apply", "--auto-approve").code == 0
    monkeypatch.setenv("CESPLAN_SECRET_greeting", "hello-two")
    assert _told(cesplan) == {"help-desk/agents/front-desk description": ("tree", "", "modified")}
    console.edit("agents/front-desk", "description", BOB, description="By hand")
    assert _told(cesplan)["help-desk/agents/front-desk description"][:2] == ("live", BOB)


def test_a_policy_can_speak_of_live_edits(applied: Tree, console: Console, cesplan: Run) -> None:
    applied.write(
        "cesplan.yaml",
        (applied.root / "cesplan.yaml").read_text()
        + 'policy:\n  - name: ask-bob\n    deny: \'author == "bob@acme.example" && origin == "live"\'\n'
        "    message: '{address} was edited by {author}'\n",
    )
    console.edit("guardrails/no-cards", "enabled", BOB, enabled=False)
    ran = cesplan("plan")
    assert "help-desk/guardrails/no-cards was edited by bob@acme.example" in " ".join(ran.out.split()), ran.err


def test_first_contact_reverts_nothing_and_claims_nothing(tree: Tree, console: Console, cesplan: Run) -> None:
    console.service.seed(
        {
            "name": "projects/acme-dev/locations/us/apps/help-desk",
            "displayName": "Help desk",
            "description": "x",
        }
    )
    found = _plan(cesplan)
    assert found["summary"]["reverts"] == 0
    assert {item["origin"] for item in found["resource_changes"] if not item["reverts"]} <= {"tree", "unknown"}


def test_what_a_killed_apply_left_half_done_is_finished_without_a_word(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    """A ring is created without one reference, which a later write sets: after a kill it only lacks that."""
    for key, child in (("agent-one", "[agent-two]"), ("agent-two", "[]")):
        path = AGENT.replace("front-desk", key)
        applied.write(path, f"displayName: {key}\ninstruction: Help.\nchildAgents: {child}\n")
        console.create(f"agents/{key}", "ci@acme.example", displayName=key, instruction="Help.")
    ran = cesplan("apply", "--auto-approve")
    assert ran.code == 0, ran.err


def test_an_app_that_lost_its_stamp_is_not_overwritten_unseen(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    """As when a version is restored that was made before the stamp: the change log still has it."""
    console.edit("guardrails/no-cards", "enabled", BOB, enabled=False)
    console.edit("", "metadata", EVE, metadata={"team": "support"})
    said = " ".join(cesplan("plan").out.split())
    assert "live has lost the stamp of the last apply (eve@acme.example, 20" in said
    assert "live edit by bob@acme.example" in said
    assert cesplan("apply", "--auto-approve").code == 5
    assert "enabled" not in console.get("guardrails/no-cards")


def test_a_lock_that_was_opened_live_is_a_live_edit(applied: Tree, console: Console, cesplan: Run) -> None:
    """Also where nothing else of the app differs: the step that closes it is the whole update."""
    applied.replace(
        "apps/help-desk/app.yaml", "displayName: Help desk\n", "displayName: Help desk\nlocked: true\n"
    )
    assert cesplan("apply", "--auto-approve").code == 0
    console.edit("", "locked", BOB, locked=False)
    drift = cesplan("drift")
    assert (drift.code, BOB in drift.out) == (2, True)
    refused = cesplan("apply", "--auto-approve")
    assert (refused.code, f"help-desk reverts a live edit by {BOB}" in " ".join(refused.err.split())) == (
        5,
        True,
    )
    assert cesplan("apply", "--auto-approve", "--allow-revert", "help-desk").code == 0
    assert console.get("")["locked"] is True
