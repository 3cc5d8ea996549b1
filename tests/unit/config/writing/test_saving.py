"""Tests of putting files on disk."""

from pathlib import Path

import pytest

from cesplan.config.writing.saving import remove, save
from cesplan.domain.errors import CesplanError


def test_only_what_changes_is_written(tmp_path: Path) -> None:
    assert save(tmp_path, {"a/b.yaml": "x\n", "c.md": "y\n"}) == ("a/b.yaml", "c.md")
    before = (tmp_path / "c.md").stat().st_mtime_ns
    assert save(tmp_path, {"a/b.yaml": "z\n", "c.md": "y\n"}) == ("a/b.yaml",)
    assert (tmp_path / "a/b.yaml").read_text() == "z\n"
    assert (tmp_path / "c.md").stat().st_mtime_ns == before
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["b.yaml", "c.md"]


def test_line_ends_are_kept_and_so_is_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"x")
    path.chmod(0o640)
    save(tmp_path, {"a.md": "x\r\ny\r\n"})
    assert path.read_bytes() == b"x\r\ny\r\n"
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("path", ["../out.md", "link/out.md"])
def test_nothing_is_written_outside_the_tree(tmp_path: Path, path: str) -> None:
    """Nor is anything written before that is found out."""
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (root / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CesplanError, match="leads out of the tree"):
        save(root, {"a.md": "x", path: "y"})
    assert not (root / "a.md").exists()
    assert [*(tmp_path / "elsewhere").iterdir()] == []


def test_what_cannot_be_written_is_said_by_name(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a file, not a folder")
    with pytest.raises(CesplanError, match="cannot be written"):
        save(tmp_path, {"a/b.md": "x"})


def test_files_are_removed_and_those_that_are_gone_are_no_mistake(tmp_path: Path) -> None:
    save(tmp_path, {"a.md": "x"})
    remove(tmp_path, ("a.md", "b.md"))
    assert [*tmp_path.iterdir()] == []
