"""What is in a tree and can never be read: said at its place, at once, and with the reason."""

import os
from pathlib import Path

import pytest

from cesplan.config.tree.load import load
from tests.unit.config.planting import AGENT, plant

TAKEN = AGENT + "instruction: {$file: front-desk.md}\n"


def messages(root: Path) -> list[tuple[str, str]]:
    return [(item.code, item.summary) for item in load(root, environ={}).diagnostics if item.code < "CES040"]


@pytest.mark.parametrize(
    ("path", "code"), [("agents/help-desk.yaml", "CES001"), ("agents/front-desk.md", "CES025")]
)
def test_a_pipe_is_not_waited_for(tmp_path: Path, path: str, code: str) -> None:
    """Nobody may ever write to it."""
    root = plant(tmp_path, {"agents/front-desk.yaml": TAKEN, "agents/front-desk.md": "Help.\n"})
    file = root / "apps/store" / path
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    assert messages(root) == [(code, f"`apps/store/{path}` cannot be read: it is not a regular file")]


def test_a_link_to_nothing_says_so(tmp_path: Path) -> None:
    """Its own name is not a suggestion."""
    root = plant(tmp_path, {"agents/front-desk.yaml": AGENT})
    (root / "apps/store/agents/help-desk.yaml").symlink_to("moved.yaml")
    (item,) = (item for item in load(root, environ={}).diagnostics if item.code == "CES001")
    assert item.summary.endswith("cannot be read: the target of the symbolic link does not exist")
    assert item.suggestion == ""


@pytest.mark.parametrize("path", ["tools/circle.yaml", "circle", "agents"])
def test_a_link_that_leads_in_a_circle_is_found(tmp_path: Path, path: str) -> None:
    """Wherever it is."""
    root = plant(tmp_path, {"tools/.keep": ""})
    (root / "apps/store" / path).symlink_to(Path(path).name)
    (found,) = messages(root)
    assert found == ("CES001", f"`apps/store/{path}` cannot be read: too many levels of symbolic links")
