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
