"""Scenarios are the same in every checkout: their trees are in no repository."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def outside_of_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Plans carry the commit of their tree, and that of this project changes every day."""
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "none"))
