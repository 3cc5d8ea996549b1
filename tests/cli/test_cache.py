"""`--no-cache` and the environment: the cache of whoever runs a command."""

import re
from pathlib import Path

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

WHEN = re.compile(r'"at": "[^"]*"')
"""When a plan was made."""


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this user has cache and state."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.delenv("CESPLAN_NO_CACHE")
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("CESPLAN_CACHE_DIR", str(home / "cache"))
    return home


def test_findings_are_the_same_cold_warm_and_without(tree: Tree, cesplan: Run, home: Path) -> None:
    """Also after an edit, byte for byte, in each format."""
    (tree.root / "apps/help-desk/agents/idle.yaml").write_text("displayName: Idle\ninstruction: Be kind.\n")
    (tree.root / "apps/help-desk/tools/undescribed.yaml").write_text(
        "pythonFunction: {name: look, pythonCode: 'def look(order: str): return order'}\n"
    )
    for tools in ("[lookup-order]", "[lookup-orders]"):
        tree.replace("apps/help-desk/agents/front-desk.yaml", "[lookup-order]", tools)
        for words in (["validate"], ["validate", "--format", "json"], ["validate", "--format", "sarif"]):
            plain, cold, warm = (cesplan(*words, *more) for more in (["--no-cache"], [], []))
            assert cold == warm == plain
    assert len([*home.rglob("*.pack")]) == 1


def test_plans_are_the_same(tree: Tree, cesplan: Run, service: EmbeddedEmulator, home: Path) -> None:
    """Of a tree whose files the cache knows: a first plan, and one in which nothing is to do."""
    for _ in range(2):
        runs = [cesplan("plan", "--format", "json", *more) for more in (["--no-cache"], [], [])]
        plain, cold, warm = [(ran.code, WHEN.sub("", ran.out), ran.err) for ran in runs]
        assert cold == warm == plain
        assert cesplan("apply", "--auto-approve").code == 0


def test_without_a_cache_nothing_is_written(tree: Tree, cesplan: Run, home: Path) -> None:
    """The option counts before the command and after it, and for this run only."""
    cesplan("--no-cache", "validate")
    cesplan("validate", "--no-cache")
    assert [*home.iterdir()] == []
    cesplan("validate")
    assert len([*home.rglob("*.pack")]) == 1


def test_a_folder_in_the_tree_is_refused(
    tree: Tree, cesplan: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CESPLAN_CACHE_DIR", ".cache")
    ran = cesplan("validate")
    assert (ran.code, ran.out) == (64, "")
    assert "CESPLAN_CACHE_DIR is inside the tree" in ran.err
    assert not (tree.root / ".cache").exists()
    assert cesplan("validate", "--no-cache").code == 0
