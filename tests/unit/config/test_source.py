"""The state of git under a tree."""

import subprocess
from pathlib import Path

import pytest

from cesplan.config.source import read_source
from cesplan.domain.desired import Source
from cesplan.domain.errors import UsageError


def git(folder: Path, *arguments: str) -> str:
    settings = ("-c", "user.name=A", "-c", "user.email=a@acme.example", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ("git", *settings, *arguments), cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    git(tmp_path, "init", "-q")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/cesplan.yaml").write_text("cesplan: 1\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first", "--no-verify")
    return tmp_path


def test_the_commit_is_read(repository: Path) -> None:
    """A clean tree has the commit alone."""
    assert read_source(repository / "tree") == Source(
        commit=git(repository, "rev-parse", "HEAD"), dirty=False, path="tree"
    )


def test_only_changes_under_the_tree_make_it_dirty(repository: Path) -> None:
    """What lies elsewhere in the repository is not part of it; new files are."""
    (repository / "README.md").write_text("x")
    assert not read_source(repository / "tree").dirty
    (repository / "tree/new.yaml").write_text("x")
    assert read_source(repository / "tree").dirty


def test_outside_git_there_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor without a git to ask."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert read_source(tmp_path) == Source()
    monkeypatch.setenv("PATH", "")
    assert read_source(tmp_path) == Source()


def test_another_commit_can_be_named(repository: Path) -> None:
    """By any name; what differs from it is dirty, whatever is checked out."""
    first = git(repository, "rev-parse", "HEAD")
    git(repository, "commit", "-q", "--allow-empty", "-m", "merged", "--no-verify")
    tree = repository / "tree"
    assert read_source(tree).commit != first
    assert (
        read_source(tree, first)
        == read_source(tree, "HEAD~1")
        == Source(commit=first, dirty=False, path="tree")
    )
    (tree / "cesplan.yaml").write_text("cesplan: 1\nproject: p\n")
    git(repository, "commit", "-q", "-a", "-m", "another", "--no-verify")
    assert read_source(tree) == Source(commit=git(repository, "rev-parse", "HEAD"), dirty=False, path="tree")
    assert read_source(tree, first) == Source(commit=first, dirty=True, path="tree")
    (tree / "cesplan.yaml").write_text("cesplan: 1\n")
    assert read_source(tree, first) == Source(commit=first, dirty=False, path="tree")
    (tree / "new.yaml").write_text("x")
    assert read_source(tree, first) == Source(commit=first, dirty=True, path="tree")


@pytest.mark.parametrize("commit", ["0" * 40, "--all", "nobody", "HEAD:tree"])
def test_a_commit_that_git_does_not_know_is_wrong_usage(repository: Path, commit: str) -> None:
    with pytest.raises(UsageError, match="not in this repository"):
        read_source(repository / "tree", commit)


def test_outside_git_a_commit_is_taken_as_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In full: nobody can tell what else is meant."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert read_source(tmp_path, "4f" * 20) == Source(commit="4f" * 20)
    with pytest.raises(UsageError, match="is not a commit id"):
        read_source(tmp_path, "main")
