"""Scenarios are the same in every checkout: their trees are in no repository."""

import pytest

from cesplan.domain.desired import Source


@pytest.fixture(autouse=True)
def outside_of_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans carry the commit of their tree, and that of this project changes every day."""
    monkeypatch.setattr("cesplan.workflow.planning.read_source", lambda *_: Source())
