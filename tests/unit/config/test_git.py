"""The repository under a tree, wherever git keeps it."""

from pathlib import Path

import pytest

from cesplan.config.committed import ExtractedTree, extract_tree
from cesplan.config.git import Repository, repository_of
from cesplan.config.source import read_source
from tests.security.traps import git


def _commit(top: Path, *options: str) -> str:
    git(top, "init", "-q", "-b", "main", *options)
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "first")
    return git(top, "rev-parse", "HEAD")


def test_the_nearest_repository_counts(tmp_path: Path) -> None:
    """The folder below its top is written with slashes, and is empty for the top."""
    outer, inner = tmp_path.resolve() / "outer", tmp_path.resolve() / "outer/inner"
    (inner / "a/b").mkdir(parents=True)
    git(inner, "init", "-q")
    git(outer, "init", "-q")
    assert repository_of(inner / "a/b") == Repository(top=inner, folder="a/b")
    assert repository_of(inner) == Repository(top=inner, folder="")
    assert repository_of(outer) == Repository(top=outer, folder="")


def test_a_ceiling_ends_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As git has it: nothing is looked for above it, and the folder itself is looked into."""
    top = tmp_path.resolve()
    (top / "a/b").mkdir(parents=True)
    git(top, "init", "-q")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(top))
    assert repository_of(top / "a/b") is None
    assert repository_of(top) == Repository(top=top)


@pytest.mark.parametrize("folder", ["ces", "a b", "*", ":(top)", "-x", "a\nb", "ü", ".hidden"])
def test_a_folder_of_any_name_is_that_folder(tmp_path: Path, folder: str) -> None:
    """Names are not patterns: what changes beside it does not count."""
    tree = tmp_path / "top" / folder
    tree.mkdir(parents=True)
    (tree / "cesplan.yaml").write_text("cesplan: 1\n")
    (tmp_path / "top/beside").write_text("x\n")
    commit = _commit(tmp_path / "top")
    (tmp_path / "top/beside").write_text("y\n")
    assert (read_source(tree).commit, read_source(tree).dirty) == (commit, False)
    into = tmp_path / "into"
    into.mkdir()
    assert extract_tree(tree, commit, into) == ExtractedTree()
    assert [path.name for path in into.iterdir()] == ["cesplan.yaml"]
    (tree / "new").touch()
    assert read_source(tree).dirty


def test_a_work_tree_beside_the_repository(tmp_path: Path) -> None:
    """Its `.git` is a file that leads to the repository."""
    top = tmp_path / "top"
    (top / "ces").mkdir(parents=True)
    (top / "ces/cesplan.yaml").write_text("cesplan: 1\n")
    commit = _commit(top)
    git(top, "worktree", "add", "-q", "--detach", str(tmp_path / "other"))
    (top / "ces/cesplan.yaml").write_text("changed\n")
    assert read_source(tmp_path / "other/ces").commit == commit
    assert not read_source(tmp_path / "other/ces").dirty
    assert read_source(top / "ces").dirty


def test_a_repository_of_sha_256(tmp_path: Path) -> None:
    (tmp_path / "top").mkdir()
    (tmp_path / "top/cesplan.yaml").write_text("cesplan: 1\n")
    commit = _commit(tmp_path / "top", "--object-format=sha256")
    (tmp_path / "into").mkdir()
    assert len(commit) == 64
    assert read_source(tmp_path / "top").commit == commit
    assert not read_source(tmp_path / "top").dirty
    assert extract_tree(tmp_path / "top", commit, tmp_path / "into") == ExtractedTree()
    assert (tmp_path / "into/cesplan.yaml").read_text() == "cesplan: 1\n"


def test_a_git_that_is_no_repository_is_none(tmp_path: Path) -> None:
    """An empty folder, or a link to nowhere; a repository further up is not taken in its place."""
    top = tmp_path / "top"
    (top / "ces/.git").mkdir(parents=True)
    (top / "ces/cesplan.yaml").write_text("cesplan: 1\n")
    _commit(top)
    assert read_source(top / "ces").commit == ""
    (top / "ces/.git").rmdir()
    (top / "ces/.git").symlink_to("nowhere")
    assert read_source(top / "ces").commit == ""


def test_line_ends_that_git_converts_are_no_change(tmp_path: Path) -> None:
    """Git's own conversions run no program and still count."""
    (tmp_path / "cesplan.yaml").write_bytes(b"cesplan: 1\n")
    _commit(tmp_path)
    git(tmp_path, "config", "core.autocrlf", "true")
    (tmp_path / "cesplan.yaml").write_bytes(b"cesplan: 1\r\n")
    assert not read_source(tmp_path).dirty
