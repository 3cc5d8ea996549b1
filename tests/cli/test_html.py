"""`--report html=FILE`: one page of a plan, a saved plan, a drift report and an error."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree


def test_plan_show_and_drift_write_a_page(tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
    """Private to the user, and the same for the plan and for its file."""
    done = cesplan("plan", "--out", "plan.json", "--report", "html=plan.html")
    assert done.code == 0, done.err
    page = Path("plan.html")
    assert page.stat().st_mode & 0o777 == 0o600
    assert "<h1>Plan" in page.read_text()
    assert "help-desk/agents/front-desk" in page.read_text()
    assert cesplan("show", "plan.json", "--report", "html=show.html").code == 0
    assert Path("show.html").read_text() == page.read_text()
    assert cesplan("apply", "plan.json").code == 0
    assert cesplan("drift", "--report", "html=drift.html").code == 0
    assert "<h1>Drift" in Path("drift.html").read_text()


def test_a_page_of_what_changed_since_a_commit_is_for_a_fork(tree: Tree, cesplan: Run) -> None:
    """On stdout too; an error is a page as well."""
    done = cesplan("plan", "--since", "HEAD", "--format", "html")
    assert (done.code, "needs a tree in a git repository" in done.out) == (64, True)
    assert done.out.startswith("<!doctype html>")


def test_a_tree_with_errors_is_a_page_that_names_them(tree: Tree, cesplan: Run) -> None:
    tree.write("apps/help-desk/agents/front-desk.yaml", "displayName: Front\ntols: []\n")
    assert cesplan("plan", "--report", "html=plan.html").code == 7
    assert "unknown field `tols`" in Path("plan.html").read_text()


def test_without_jinja2_it_is_told_how_to_get_it(
    tree: Tree, cesplan: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is done."""
    found: Callable[..., object] = importlib.util.find_spec
    monkeypatch.setattr("cesplan.cli.reports.find_spec", lambda name: None if name == "jinja2" else found(name))
    done = cesplan("plan", "--report", "html=plan.html")
    assert (done.code, done.out) == (64, "")
    assert "pip install 'cesplan[report]'" in done.err
    assert not Path("plan.html").exists()


def test_an_apply_writes_what_became_of_the_plan(tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
    """Whole, in part, and with nothing to do; with the exit code and the text of an apply without a page."""
    service.break_with({"method": "CreateTool", "status": {"code": "INVALID_ARGUMENT", "message": "No <b>."}})
    part = cesplan("apply", "--auto-approve", "--report", "html=apply.html")
    page = Path("apply.html").read_text()
    assert (part.code, Path("apply.html").stat().st_mode & 0o777) == (3, 0o600)
    assert "<title>Applied in part: " in page
    assert "No &lt;b&gt;." in page
    assert "cesplan apply" in page.split("What to run next")[1]
    assert cesplan("apply", "--auto-approve", "--report", "html=apply.html").code == 0
    assert "Live matches the tree." in Path("apply.html").read_text()
    done = cesplan("apply", "--auto-approve", "--format", "html")
    assert done.code == 0
    assert "Nothing to do" in done.out
    assert done.out.startswith("<!doctype html>")


def test_an_apply_that_is_refused_or_stale_is_a_page_that_says_so(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator
) -> None:
    """Refused by the guard, and a reviewed plan that live has moved away from."""
    assert cesplan("apply", "--auto-approve").code == 0
    tree.replace("apps/help-desk/agents/front-desk.md", "by name", "kindly")
    assert cesplan("plan", "--out", "plan.json").code == 0
    agent = "projects/acme-dev/locations/us/apps/help-desk/agents/front-desk"
    row = service.store.get(agent)
    assert row is not None
    service.seed({**row.body, "name": agent, "instruction": "By <i>hand</i>."})
    assert cesplan("apply", "plan.json", "--report", "html=stale.html").code == 4
    page = Path("stale.html").read_text()
    assert "<title>The plan is stale: nothing was written" in page
    assert "By &lt;i&gt;hand" in page
    assert cesplan("apply", "--auto-approve", "--report", "html=refused.html").code == 5
    page = Path("refused.html").read_text()
    assert "--allow-revert help-desk/agents/front-desk" in page


def test_a_merge_and_a_promotion_write_pages(tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
    """Of two environments, the second of which has nothing live yet; and of an edit in the console."""
    assert cesplan("apply", "--auto-approve").code == 0
    tree.replace("cesplan.yaml", "environments:", "environments:\n  dev: {}")
    assert cesplan("promote", "dev", "prod", "--report", "html=promote.html").code == 0
    page = Path("promote.html").read_text()
    assert "<title>dev and prod are equal" in page
    assert page.index("The plan for prod") < page.index("help-desk/agents/front-desk")
    agent = "projects/acme-dev/locations/us/apps/help-desk/agents/front-desk"
    row = service.store.get(agent)
    assert row is not None
    service.seed({**row.body, "name": agent, "displayName": "<script>Front"})
    checked = cesplan("pull", "--merge", "--check", "--report", "html=merge.html")
    page = Path("merge.html").read_text()
    assert checked.code == 2
    assert "Merge, checked only" in page
    assert "&lt;script&gt;Front" in page
