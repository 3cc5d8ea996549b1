"""`cesplan plan` and `cesplan apply` on the emulator."""

import json

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

_APP = "projects/acme-dev/locations/us/apps/help-desk"

pytestmark = pytest.mark.usefixtures("tree")


def _applied(cesplan: Run, *more: str) -> None:
    assert cesplan("apply", "--auto-approve", *more).code == 0


def _writes(service: EmbeddedEmulator) -> int:
    return sum(entry.method != "GET" for entry in service.journal.entries)


def test_plan_shows_everything_and_writes_nothing(service: EmbeddedEmulator, cesplan: Run) -> None:
    """On an empty project every resource is new."""
    ran = cesplan("plan")
    assert ran.code == 0
    assert ran.err == ""
    assert "  + agents/front-desk" in ran.out
    assert "agents/front-desk.md, 4 lines" in ran.out
    assert "Plan: 4 to create, 0 to update, 0 to delete; 0 unchanged." in ran.out
    assert "To apply this:      cesplan apply\n" in ran.out
    assert "To see everything:  cesplan plan --full\n" in ran.out
    assert _writes(service) == 0


def test_apply_then_plan_is_empty(service: EmbeddedEmulator, cesplan: Run) -> None:
    """The first invariant, from the outside."""
    ran = cesplan("apply", "--auto-approve")
    assert ran.code == 0
    assert "Applied: 4 created, 0 updated, 0 deleted in " in ran.out
    assert "created" in ran.err
    again = cesplan("plan", "--detailed-exitcode")
    assert again.code == 0
    assert again.out.startswith("No changes. Live matches the tree. 4 resources compared (EMULATOR).")


def test_detailed_exitcode_tells_changes(service: EmbeddedEmulator, cesplan: Run) -> None:
    """2 when there is something to do, in both formats."""
    assert cesplan("plan", "--detailed-exitcode").code == 2
    assert cesplan("plan", "--detailed-exitcode", "--format", "json").code == 2


def test_changes_are_shown_field_by_field(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """Hunks with changed words, values before and after, the mask."""
    _applied(cesplan)
    tree.replace("apps/help-desk/agents/front-desk.md", "is late", "is three days late")
    tree.replace("apps/help-desk/app.yaml", "0.5", "0.25")
    ran = cesplan("plan")
    assert "4 + - Offer a refund when the order is ‹three days› late." in ran.out
    assert "modelSettings.temperature" in ran.out
    assert "0.5 → 0.25" in ran.out
    assert "updateMask  modelSettings.temperature" in ran.out


def test_json_is_one_document(service: EmbeddedEmulator, cesplan: Run) -> None:
    """The plan, then the plan with its outcomes and the exit code."""
    planned = json.loads(cesplan("plan", "--format", "json").out)
    assert planned["summary"] == {"create": 4, "update": 0, "delete": 0, "unchanged": 0, "reverts": 0}
    ran = cesplan("apply", "--auto-approve", "--format", "json")
    document = json.loads(ran.out)
    assert (ran.code, document["exit_code"]) == (0, 0)
    assert {item["outcome"] for item in document["outcomes"]} == {"applied"}
    assert document["plan"]["plan_digest"] == planned["plan_digest"]


def test_apply_needs_a_yes(service: EmbeddedEmulator, cesplan: Run) -> None:
    """Without a terminal and without the flag nothing is written: 1."""
    ran = cesplan("apply")
    assert ran.code == 1
    assert "cesplan apply --auto-approve" in ran.err
    assert _writes(service) == 0


def test_nothing_to_do_needs_no_yes(service: EmbeddedEmulator, cesplan: Run) -> None:
    """An empty plan asks nobody."""
    _applied(cesplan)
    ran = cesplan("apply")
    assert ran.code == 0
    assert ran.out.startswith("No changes.")


def test_the_guard_refuses_before_the_first_write(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """A plan that empties a kind: a warning in plan, 5 in apply, and the flag that allows it."""
    _applied(cesplan)
    tree.remove("apps/help-desk/guardrails/no-cards.yaml")
    tree.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    planned = cesplan("plan")
    assert planned.code == 0
    assert "Warning: apply will refuse this plan:" in planned.out
    before = _writes(service)
    refused = cesplan("apply", "--auto-approve")
    assert refused.code == 5
    assert "--allow-mass-delete" in refused.err
    assert _writes(service) == before
    _applied(cesplan, "--allow-mass-delete")


def test_first_contact_removes_nothing_until_adopted(
    service: EmbeddedEmulator, cesplan: Run, tree: Tree
) -> None:
    """What was there before us is listed, and goes with --adopt."""
    service.seed(
        {"name": _APP, "displayName": "Help desk", "modelSettings": {"model": "gemini-2.5-flash"}},
        {"name": f"{_APP}/tools/old-tool", "pythonFunction": {"name": "old", "pythonCode": "def old(): ..."}},
    )
    planned = cesplan("plan")
    assert "With --adopt, these would be removed:" in planned.out
    assert "    - help-desk/tools/old-tool" in planned.out
    assert "To take the app over:  cesplan plan --adopt" in planned.out
    assert ", 0 to delete" in planned.out
    adopted = cesplan("plan", "--adopt")
    assert "  - tools/old-tool" in adopted.out
    assert ", 1 to delete" in adopted.out


def test_a_failure_is_told_and_the_rest_goes_on(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """3 when only a part was applied: what failed, what was skipped for it, what to run next."""
    tree.write(
        "apps/help-desk/deployments/web-chat.yaml",
        "displayName: Web\nappVersion: versions/@no-such-version\nchannelProfile: {channelType: API}\n",
    )
    ran = cesplan("apply", "--auto-approve")
    assert ran.code == 3
    assert "deployments/web-chat" in ran.err
    assert "failed" in ran.err
    assert "skipped" not in ran.err
    assert "  skipped  help-desk (stamp): the stamp is unchanged because" in ran.out
    assert "Applied in part: 4 created, 0 updated, 0 deleted, 1 failed" in ran.out
    assert "To continue:          cesplan apply" in ran.out


def test_a_foreign_edit_is_never_overwritten(
    service: EmbeddedEmulator, cesplan: Run, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Someone edits while the question is open: 4, and nothing at all was written."""
    _applied(cesplan)
    tree.replace("apps/help-desk/agents/front-desk.md", "is late", "is three days late")

    def edit(*_: object) -> None:
        name = f"{_APP}/agents/front-desk"
        with service.store.reading():
            row = service.store.get(name)
        assert row is not None
        service.seed({**row.body, "name": name, "instruction": "Edited in the console."})

    monkeypatch.setattr("cesplan.cli.commands.apply.confirm", edit)
    before = _writes(service)
    ran = cesplan("apply")
    assert ran.code == 4
    assert ran.out.rpartition("Not applied: ")[1]
    assert "agents/front-desk changed in instruction after this plan was made." in ran.err
    assert _writes(service) == before


def test_environments_and_variables(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """-e and --var reach the tree; the suggested command repeats them without the value."""
    tree.replace("apps/help-desk/app.yaml", "Help desk", "${title}")
    assert cesplan("plan", "-e", "prod").code == 7
    ran = cesplan("plan", "-e", "prod", "--var", "title=Help")
    assert ran.code == 0
    assert ran.out.startswith("help-desk · prod · acme-prod/us · v1beta · EMULATOR\n")
    assert "cesplan apply -e prod --var title=…\n" in ran.out


def test_secrets_stay_out_of_every_output(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """Neither plan nor apply, in either format, nor --debug shows one (invariant 6)."""
    tree.replace("cesplan.yaml", "environments:", "variables: {greeting: {secret: true}}\nenvironments:")
    tree.replace("apps/help-desk/app.yaml", "displayName", "description: ${greeting}\ndisplayName")
    secret = ("--var", "greeting=hunter2-and-more", "--debug")
    runs = [cesplan("plan", *secret), cesplan("plan", "--format", "json", *secret)]
    runs.append(cesplan("apply", "--auto-approve", *secret))
    tree.replace("apps/help-desk/app.yaml", "${greeting}", "no secret any more")
    tree.replace("apps/help-desk/app.yaml", "Help desk", "${greeting}")
    runs += [cesplan("plan", *secret), cesplan("apply", "--auto-approve", "--format", "json", *secret)]
    assert [ran.code for ran in runs] == [0, 0, 0, 0, 0]
    assert "hunter2-and-more" not in "".join(ran.out + ran.err for ran in runs)
    assert "(secret greeting)" in runs[3].out


def test_debug_shows_requests_and_their_number(service: EmbeddedEmulator, cesplan: Run) -> None:
    """On stderr, so that data stays data."""
    ran = cesplan("--debug", "plan")
    assert "#1 GET /v1beta/projects/acme-dev/locations/us/apps?" in ran.err
    assert ran.err.endswith("1 request\n")


def test_what_is_sent_again_must_exist(service: EmbeddedEmulator, cesplan: Run) -> None:
    """A slip in an address would otherwise do nothing, silently."""
    assert cesplan("plan", "--resend", "help-desk/tools/lookup-orders").code == 64


def test_nobody_listens(cesplan: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """An emulator that is not there: 1, and what to type."""
    monkeypatch.setenv("CES_EMULATOR_HOST", "127.0.0.1:1")
    ran = cesplan("plan")
    assert ran.code == 1
    assert "cesplan emulator serve" in ran.err
    assert "Traceback" not in ran.err


def test_a_slip_in_a_target_is_told_with_what_was_meant(service: EmbeddedEmulator, cesplan: Run) -> None:
    """As it is typed here: without the app."""
    ran = cesplan("plan", "--target", "agents/frontdesk")
    assert (ran.code, ran.out) == (64, "")
    assert "`agents/frontdesk`" in ran.err
    assert "Did you mean `agents/front-desk`?" in " ".join(ran.err.split())
