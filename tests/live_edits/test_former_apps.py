"""An app of this tree whose folder is gone is listed, and deleted only where a person names it."""

import json
from typing import Any

import pytest

from tests.cli.conftest import AtTerminal, Run, Tree
from tests.live_edits.conftest import BOB, Console, git

NAME = "projects/acme-dev/locations/us/apps/help-desk"
OTHER = """\
displayName: Other desk
"""


@pytest.fixture
def left(applied: Tree) -> Tree:
    """The tree with another app, from which the folder of the first one is gone; committed."""
    applied.write("apps/other-desk/app.yaml", OTHER)
    for path in sorted((applied.root / "apps/help-desk").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    git(applied, "add", "-A")
    git(applied, "commit", "-qm", "Another desk")
    return applied


def _plan(cesplan: Run, *words: str) -> dict[str, Any]:
    ran = cesplan("plan", "--format", "json", *words)
    assert ran.code == 0, ran.err
    return dict(json.loads(ran.out))


def _deletes(made: dict[str, Any]) -> list[str]:
    return [item["address"] for item in made["resource_changes"] if item["change"]["actions"] == ["delete"]]


def _is_live(console: Console) -> bool:
    return console.service.store.get(NAME) is not None


def test_it_is_listed_with_its_last_apply_and_stays(left: Tree, console: Console, cesplan: Run) -> None:
    made = _plan(cesplan)
    (item,) = made["unmanaged"]
    commit = git(left, "rev-parse", "HEAD~1")[:12]
    assert item["address"] == "help-desk"
    assert item["why"].startswith(
        f"an app of this tree without a folder, last applied from commit {commit}, 20"
    )
    assert item["why"].endswith("--allow-delete help-desk deletes it with everything in it")
    assert _deletes(made) == []
    assert cesplan("apply", "--auto-approve").code == 0
    assert _is_live(console)


def test_it_is_deleted_where_it_is_named(left: Tree, console: Console, cesplan: Run) -> None:
    made = _plan(cesplan, "--allow-delete", "help-desk")
    assert _deletes(made) == ["help-desk"]
    text = " ".join(cesplan("plan", "--allow-delete", "help-desk").out.split())
    assert "deletes everything in it: 1 agent, 1 guardrail, 1 tool" in text
    assert "cannot be undone" in text
    ran = cesplan("apply", "--auto-approve", "--allow-delete", "help-desk")
    assert ran.code == 0, ran.err
    assert not _is_live(console)
    assert _plan(cesplan)["unmanaged"] == []


def test_with_live_edits_since_the_last_apply_it_takes_a_second_word(
    left: Tree, console: Console, cesplan: Run, at_terminal: AtTerminal
) -> None:
    console.edit("guardrails/no-cards", "enabled", BOB, enabled=False)
    refused = cesplan("apply", "--auto-approve", "--allow-delete", "help-desk")
    assert refused.code == 5
    assert "help-desk deletes what was edited live by bob@acme.example" in " ".join(refused.err.split())
    assert "pull --merge" not in refused.err  # there is no folder that could take it
    assert _is_live(console)
    code, shown = at_terminal("apply", "--allow-delete", "help-desk", typed="no\n")
    assert code == 1
    assert "live edit of guardrails/no-cards by bob@acme.example" in " ".join(shown.split())
    words = ("--allow-delete", "help-desk", "--allow-revert", "help-desk")
    assert cesplan("apply", "--auto-approve", *words).code == 0
    assert not _is_live(console)


def test_where_the_log_cannot_be_read_it_counts_as_edited(left: Tree, console: Console, cesplan: Run) -> None:
    for method in ("ListChangelogs", "GetChangelog"):
        console.service.break_with({"method": method, "times": 99, "status": {"code": "PERMISSION_DENIED"}})
    assert cesplan("apply", "--auto-approve", "--allow-delete", "help-desk").code == 5
    assert _is_live(console)


def test_protection_inside_it_holds(left: Tree, console: Console, cesplan: Run) -> None:
    left.replace("cesplan.yaml", "environments:", "protect: [help-desk/guardrails/*]\nenvironments:")
    refused = cesplan("apply", "--auto-approve", "--allow-delete", "help-desk")
    assert refused.code == 5
    assert "deleted with help-desk/guardrails/no-cards" in " ".join(refused.err.split())
    assert _is_live(console)


def test_what_a_file_protected_at_the_last_apply_holds(applied: Tree, console: Console, cesplan: Run) -> None:
    file = "apps/help-desk/guardrails/no-cards.yaml"
    applied.write(file, "$protect: true\n" + (applied.root / file).read_text())
    assert cesplan("apply", "--auto-approve").code == 0
    (applied.root / "apps/help-desk").rename(applied.root / "gone")
    applied.write("apps/other-desk/app.yaml", OTHER)
    refused = cesplan("apply", "--auto-approve", "--allow-delete", "help-desk")
    assert refused.code == 5
    assert "whose file said `$protect: true`" in " ".join(refused.err.split())
    assert _is_live(console)


def test_a_locked_app_is_unlocked_only_where_that_is_allowed(
    left: Tree, console: Console, cesplan: Run
) -> None:
    console.edit("", "locked", BOB, locked=True)
    words = ("apply", "--auto-approve", "--allow-delete", "help-desk", "--allow-revert", "help-desk")
    assert cesplan(*words).code == 5
    assert _is_live(console)
    ran = cesplan(*words, "--allow-unlock")
    assert ran.code == 0, ran.err
    assert not _is_live(console)


@pytest.mark.parametrize("meanwhile", ["nothing", "an edit", "a deletion"])
def test_a_reviewed_deletion_is_of_the_app_that_was_reviewed(
    left: Tree, console: Console, cesplan: Run, meanwhile: str
) -> None:
    """Stale where anything in the app moved since, by whoever."""
    assert cesplan("plan", "--allow-delete", "help-desk", "--out", "plan.json").code == 0
    if meanwhile == "an edit":
        console.edit("agents/front-desk", "description", BOB, description="Keep me")
    if meanwhile == "a deletion":
        console.edit("", "guardrails", BOB, guardrails=[])
        console.delete("guardrails/no-cards", BOB)
    ran = cesplan("apply", "plan.json")
    if meanwhile == "nothing":
        assert ran.code == 0, ran.err
        assert not _is_live(console)
    else:
        assert ran.code == 4
        assert "by bob@acme.example" in ran.err + ran.out
        assert _is_live(console)


def test_targets_delete_it_only_by_its_name(left: Tree, console: Console, cesplan: Run) -> None:
    assert _deletes(_plan(cesplan, "--allow-delete", "help-desk", "--target", "other-desk")) == []
    assert _deletes(_plan(cesplan, "--allow-delete", "help-desk", "--target", "help-desk")) == ["help-desk"]
    assert _deletes(_plan(cesplan, "--allow-delete", "help-desk", "--exclude", "help-desk")) == []


def test_it_goes_last_and_not_at_all_where_something_failed_before(
    left: Tree, console: Console, cesplan: Run
) -> None:
    """It cannot be undone, so everything else comes first."""
    console.service.break_with({"method": "CreateApp", "times": 9, "status": {"code": "INVALID_ARGUMENT"}})
    ran = cesplan("apply", "--auto-approve", "--allow-delete", "help-desk")
    assert ran.code != 0
    assert _is_live(console)


@pytest.mark.parametrize("why", ["no identity", "another environment", "another tree", "a copy"])
def test_an_app_that_is_not_surely_of_this_tree_is_never_claimed(
    left: Tree, console: Console, cesplan: Run, why: str
) -> None:
    words: tuple[str, ...] = ()
    match why:
        case "no identity":
            (left.root / ".git").rename(left.root / "git")
        case "another environment":
            left.replace("cesplan.yaml", "prod: {project: acme-prod}", "prod: {project: acme-dev}")
            words = ("-e", "prod")
        case "another tree":
            left.replace("cesplan.yaml", "project: acme-dev", "project: acme-dev\ntree: another")
        case "a copy":
            body = {**console.get(""), "name": NAME + "-copy"}
            console.service.seed(body)
            assert [item["address"] for item in _plan(cesplan)["unmanaged"]] == ["help-desk"]
            return
    made = _plan(cesplan, *words, "--allow-delete", "help-desk")
    assert (made["unmanaged"], _deletes(made)) == ([], [])


def test_a_changed_id_says_what_stays_behind(applied: Tree, console: Console, cesplan: Run) -> None:
    file = "apps/help-desk/app.yaml"
    applied.write(file, "$id: new-help-desk\n" + (applied.root / file).read_text())
    made = _plan(cesplan)
    (notice,) = [text for text in made["notices"] if "is created as a new app" in text]
    assert notice.startswith(
        "help-desk is created as a new app, new-help-desk: the app that this tree was applied"
    )
    assert "help-desk, stays with everything in it" in notice
    (item,) = made["unmanaged"]
    assert item["address"] == "help-desk@live"
    assert _deletes(_plan(cesplan, "--allow-delete", "help-desk@live")) == ["help-desk@live"]


def test_a_lease_on_it_ends_with_it(left: Tree, console: Console, cesplan: Run) -> None:
    left.replace("cesplan.yaml", "project: acme-dev", "project: acme-dev\nlease: true")
    ran = cesplan("apply", "--auto-approve", "--allow-delete", "help-desk")
    assert ran.code == 0, ran.out + ran.err
    assert not _is_live(console)


def test_a_lost_answer_to_its_deletion_is_looked_up(left: Tree, console: Console, cesplan: Run) -> None:
    console.service.break_with({"method": "DeleteApp", "reset": {"after": True}})
    ran = cesplan("apply", "--auto-approve", "--allow-delete", "help-desk")
    assert ran.code == 0, ran.out + ran.err
    assert not _is_live(console)


def test_an_edit_of_the_app_right_before_its_deletion_is_a_conflict(
    left: Tree, console: Console, cesplan: Run
) -> None:
    edit = {"author": BOB, "body": {"description": "Keep me"}}
    console.service.break_with({"method": "DeleteApp", "edit": edit})
    ran = cesplan("apply", "--auto-approve", "--allow-delete", "help-desk")
    assert ran.code in (3, 4)
    assert f"Last written by {BOB}" in " ".join((ran.out + ran.err).split())
    assert _is_live(console)


MEANWHILE: dict[str, dict[str, Any]] = {
    "an edit": {"name": f"{NAME}/agents/front-desk", "body": {"description": "Keep me"}},
    "a creation": {"name": f"{NAME}/guardrails/new-rule", "body": {"displayName": "New rule"}},
    "a deletion": {"name": f"{NAME}/tools/lookup-order", "delete": True},
    "an edit of a kind that is not in snapshots": {
        "name": f"{NAME}/evaluations/greets-people",
        "body": {"displayName": "Greets people"},
    },
}


@pytest.mark.parametrize("how", ["the tree", "a file"])
@pytest.mark.parametrize("what", [*MEANWHILE])
def test_what_moves_in_it_while_others_are_applied_keeps_it(
    left: Tree, console: Console, cesplan: Run, how: str, what: str
) -> None:
    """After every check of the plan, and before the delete: the other app is created first."""
    words = ["--auto-approve", "--allow-delete", "help-desk"]
    if how == "a file":
        assert cesplan("plan", *words[1:], "--out", ".git/plan.json").code == 0
        words = [".git/plan.json"]
    console.service.break_with({"method": "CreateApp", "edit": {**MEANWHILE[what], "author": BOB}})
    ran = cesplan("apply", *words)
    said = " ".join((ran.out + ran.err).split())
    assert ran.code == 3, said
    name = MEANWHILE[what]["name"].removeprefix(f"{NAME}/")
    assert f"{name} in apps/help-desk changed after this plan was made" in said
    assert f"Last written by {BOB}" in said
    assert _is_live(console)


@pytest.mark.parametrize("what", [*MEANWHILE])
def test_a_reviewed_deletion_holds_without_a_log_that_tells(
    left: Tree, console: Console, cesplan: Run, what: str
) -> None:
    """The file has what the app held, so an edit that the log lost is found too."""
    assert cesplan("plan", "--allow-delete", "help-desk", "--out", ".git/plan.json").code == 0
    edit = MEANWHILE[what]
    if edit.get("delete"):
        console.service.store.delete(edit["name"])
    else:
        row = console.service.store.get(edit["name"])
        console.service.seed({**(row.body if row else {}), **edit["body"], "name": edit["name"]})
    ran = cesplan("apply", ".git/plan.json")
    name = edit["name"].removeprefix(f"{NAME}/")
    assert ran.code == 4
    assert f"{name} in it changed after this plan was made" in " ".join((ran.err + ran.out).split())
    assert _is_live(console)
