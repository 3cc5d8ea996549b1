"""A tree to start from."""

from pathlib import Path

import pytest

from cesplan.domain.errors import UsageError
from cesplan.workflow import start, validate

_EXAMPLE = Path(__file__).parents[3] / "examples" / "minimal"


def test_the_tree_has_no_diagnostics(tmp_path: Path) -> None:
    """Neither an error nor a warning."""
    start(tmp_path)
    loaded = validate(tmp_path)
    assert loaded.diagnostics == ()
    assert loaded.desired is not None


def test_it_is_the_smallest_example(tmp_path: Path) -> None:
    """One tree to know, in the repository and from `init`."""
    written = {path: (tmp_path / path).read_text(encoding="utf-8") for path in start(tmp_path)}
    written.pop(Path(".gitignore"))
    assert written == {
        path.relative_to(_EXAMPLE): path.read_text(encoding="utf-8")
        for path in _EXAMPLE.rglob("*")
        if path.is_file() and ".cesplan" not in path.parts
    }


def test_nothing_is_overwritten_and_nothing_half_written(tmp_path: Path) -> None:
    """A single file in the way stops it before the first write."""
    (tmp_path / "cesplan.yaml").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"cesplan\.yaml"):
        start(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["cesplan.yaml"]
    assert (tmp_path / "cesplan.yaml").read_text(encoding="utf-8") == "mine"


def test_a_gitignore_is_left_alone(tmp_path: Path) -> None:
    """It belongs to the repository around the tree."""
    (tmp_path / ".gitignore").write_text("mine\n", encoding="utf-8")
    assert Path(".gitignore") not in start(tmp_path)
    assert (tmp_path / ".gitignore").read_text(encoding="utf-8") == "mine\n"
