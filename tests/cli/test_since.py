"""`cesplan plan --since`, and `cesplan diff --since`: the tree against a commit, without a service."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

AGENT, APP = "apps/help-desk/agents/front-desk.yaml", "apps/help-desk/app.yaml"


def git(*words: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=Ada", "-c", "user.email=ada@acme.example", *words],
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """The tree, committed; nobody answers, nobody is logged in."""
    for name in ("CES_EMULATOR_HOST", "GOOGLE_APPLICATION_CREDENTIALS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CI", "true")
    git("init", "--quiet", "--initial-branch", "main")
    git("add", "--all")
    git("commit", "--quiet", "--message", "First")
    return tree


def reword(tree: Tree) -> None:
    tree.replace("apps/help-desk/agents/front-desk.md", "by name", "by first name")


def add_tool(tree: Tree) -> None:
    tree.write("apps/help-desk/tools/web-search.yaml", "googleSearchTool: {name: web}\n")
    tree.replace(AGENT, "tools: [lookup-order]", "tools: [lookup-order, web-search]")


def drop_folder(tree: Tree) -> None:
    """The last guardrail goes, and with it its folder, which git does not keep."""
    tree.replace(APP, "guardrails: [no-cards]\n", "")
    tree.remove("apps/help-desk/guardrails/no-cards.yaml")
    (Path("apps/help-desk/guardrails")).rmdir()


def clear_a_field(tree: Tree) -> None:
    tree.replace(APP, "modelSettings: {model: gemini-2.5-flash, temperature: 0.5}\n", "")


def rename(tree: Tree) -> None:
    """The key of an agent changes; its name does not."""
    Path(AGENT).rename("apps/help-desk/agents/first.yaml")
    tree.replace(APP, "rootAgent: front-desk", "rootAgent: first")


EDITS = [reword, add_tool, drop_folder, clear_a_field, rename]


def said(text: str) -> list[tuple[Any, ...]]:
    """What a plan in JSON would do, without what only a service knows."""
    return [
        (item["address"], item["change"]["actions"], [change["path"] for change in item["field_changes"]])
        for item in json.loads(text)["resource_changes"]
        if item["action_reason"] != "stamp"
    ]


@pytest.mark.parametrize("edit", EDITS)
def test_it_is_the_plan_that_follows_an_apply_of_the_commit(
    repository: Tree, cesplan: Run, service: EmbeddedEmulator, edit: Callable[[Tree], None]
) -> None:
    assert cesplan("apply", "--auto-approve").code == 0
    edit(repository)
    since = cesplan("plan", "--since", "HEAD", "--format", "json")
    live = cesplan("plan", "--format", "json")
    assert (since.code, live.code) == (0, 0), since.err
    assert said(since.out) == said(live.out)


def test_nothing_is_asked_of_a_service(repository: Tree, cesplan: Run) -> None:
    """Typed diffs, weakened protection, impact and policy are there; `diff` is the same command."""
    reword(repository)
    drop_folder(repository)
    done = cesplan("diff", "--since", "main")
    commit = git("rev-parse", "main")
    assert done.code == 0, done.err
    assert done.out.startswith("Weakens protection:\n")
    assert f"help-desk · changes in the tree since {commit[:12]}; live was not read\n" in done.out
    assert "Changes: 0 to create, 2 to update, 1 to delete; 1 unchanged.\n" in done.out
    report = json.loads(cesplan("plan", "--since", "main", "--format", "json").out)
    assert (report["since"], report["requests"]) == (commit, 0)
    comment = cesplan("plan", "--since", "main", "--format", "markdown").out
    assert comment.startswith("<!-- cesplan:diff:default -->\n### cesplan plan · changes in the tree since ")


def test_without_changes_it_says_so(repository: Tree, cesplan: Run) -> None:
    done = cesplan("plan", "--since", "HEAD", "--detailed-exitcode")
    first, made = done.out.splitlines()
    commit = git("rev-parse", "HEAD")[:12]
    assert (done.code, first) == (0, f"No changes in the tree since {commit}.")
    assert made.startswith(f"Made from commit {commit}, by cesplan ")


def test_secrets_are_not_needed(repository: Tree, cesplan: Run) -> None:
    """A secret without a value is compared by its variable."""
    repository.write("cesplan.yaml", Path("cesplan.yaml").read_text() + "variables: {key: {secret: true}}\n")
    repository.replace(APP, "displayName: Help desk\n", "displayName: Help desk\ndescription: 'Key ${key}'\n")
    assert cesplan("validate").code == 7
    done = cesplan("plan", "--since", "HEAD", "--full")
    assert done.code == 0, done.err
    assert "(secret key)" in done.out
    assert "placeholder" not in done.out
    git("add", "--all")
    git("commit", "--quiet", "--message", "Second")
    assert cesplan("plan", "--since", "HEAD").out.startswith("No changes")


def test_an_app_that_is_gone_is_told(repository: Tree, cesplan: Run) -> None:
    Path("apps/help-desk").rename("apps/other-desk")
    done = cesplan("plan", "--since", "HEAD")
    assert "Notice: help-desk was removed from the tree with its 3 resources\n" in done.out
    assert "  + app " in done.out


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("--since", "no-such"), 64, "`no-such` is not a commit of this repository."),
        (("--since", "--upload-pack=touch x"), 64, "is not a commit."),
        (("--since", "HEAD", "--out", "plan.json"), 64, "--since cannot be combined with --out"),
        (("--since", "HEAD", "--quick"), 64, "--since cannot be combined with --out"),
    ],
)
def test_what_cannot_be_compared_is_wrong_usage(
    repository: Tree, cesplan: Run, words: tuple[str, ...], code: int, why: str
) -> None:
    done = cesplan("plan", *words)
    assert (done.code, done.out) == (code, "")
    assert why in done.err


def test_trees_that_are_not_there_and_trees_with_errors(repository: Tree, cesplan: Run) -> None:
    """Today's errors are shown as always; those of the commit are named."""
    repository.write(AGENT, "displayName: Front\ntols: []\n")
    broken = cesplan("plan", "--since", "HEAD")
    assert broken.code == 7
    assert "unknown field `tols`" in broken.err
    git("commit", "--quiet", "--all", "--message", "Broken")
    git("checkout", "--quiet", "HEAD~1", "--", AGENT)
    then = cesplan("plan", "--since", "HEAD")
    assert then.code == 1
    assert "has errors, so nothing can be compared:\n  apps/help-desk/agents/front-desk.yaml:2:1:" in then.err


def test_outside_of_git_there_is_nothing_to_compare_with(tree: Tree, cesplan: Run) -> None:
    done = cesplan("plan", "--since", "HEAD")
    assert (done.code, done.err.splitlines()[0]) == (64, "Error: --since needs a tree in a git repository.")
