"""The tree: what a commit holds is written into a scratch folder, and nowhere else."""

import hashlib
import os
import subprocess
import zlib
from pathlib import Path

import pytest

from cesplan.config import committed
from cesplan.config.committed import ExtractedTree, extract_tree
from tests.security.traps import git

HELLO = "ce013625030ba8dba906f756967f9e9ca394464a"
"""The blob `hello\\n`."""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    top = tmp_path / "checkout"
    (top / "ces").mkdir(parents=True)
    (top / "ces/cesplan.yaml").write_text("hello\n")
    git(top, "init", "-q", "-b", "main")
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "first")
    return top


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    (tmp_path / "outer/scratch").mkdir(parents=True)
    return tmp_path / "outer/scratch"


def _link(top: Path, target: str) -> str:
    return subprocess.run(
        ("git", "hash-object", "-w", "--stdin"), cwd=top, input=target.encode(), capture_output=True, check=True
    ).stdout.decode()[:40]


def _commit(top: Path, *entries: tuple[str, str, str]) -> str:
    """A commit whose tree is of these modes, names and ids, in this order, whatever git thinks of it."""
    tree = _tree(top, *entries)
    return git(top, "commit-tree", "-m", "odd", _tree(top, ("40000", "ces", tree)))


def _tree(top: Path, *entries: tuple[str, str, str]) -> str:
    rows = [f"{mode} {name}\0".encode() + bytes.fromhex(object_id) for mode, name, object_id in entries]
    body = b"".join(rows)
    whole = f"tree {len(body)}\0".encode() + body
    name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
    path = top / ".git/objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(whole))
    return name


def _files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): f"-> {os.readlink(path)}"
        if path.is_symlink()
        else path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def test_the_files_of_a_commit_are_as_they_were_committed(repository: Path, scratch: Path) -> None:
    """Attributes of the tree neither leave a file out nor put anything in, and line ends stay."""
    tree = repository / "ces"
    (tree / ".gitattributes").write_text("secret.md export-ignore\n* export-subst text eol=crlf ident\n")
    (tree / "secret.md").write_text("$Format:%H$ $Id$\n")
    (tree / "link.md").symlink_to("secret.md")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "second")
    assert extract_tree(tree, git(repository, "rev-parse", "HEAD"), scratch) == ExtractedTree()
    assert _files(scratch) == {
        ".gitattributes": "secret.md export-ignore\n* export-subst text eol=crlf ident\n",
        "cesplan.yaml": "hello\n",
        "link.md": "-> secret.md",
        "secret.md": "$Format:%H$ $Id$\n",
    }


@pytest.mark.parametrize(
    "target", ["/etc/passwd", "../outside", "sub/../../outside", "/", "..", "a\0b", "x" * 5000]
)
def test_a_link_that_leads_out_is_left_out(repository: Path, scratch: Path, target: str) -> None:
    (scratch.parent / "outside").write_text("not yours\n")
    commit = _commit(repository, ("100644", "a", HELLO), ("120000", "b", _link(repository, target)))
    assert extract_tree(repository / "ces", commit, scratch) == ExtractedTree(skipped=("b",))
    assert _files(scratch) == {"a": "hello\n"}


def test_a_link_that_leads_out_by_way_of_another_is_left_out(repository: Path, scratch: Path) -> None:
    """Each by itself stays inside: `deep/up` is the top, and only by way of it `out` is one above."""
    deep = _tree(repository, ("120000", "up", _link(repository, "..")), ("100644", "x", HELLO))
    commit = _commit(
        repository, ("40000", "deep", deep), ("120000", "out", _link(repository, "deep/up/../outside"))
    )
    (scratch.parent / "outside").write_text("not yours\n")
    assert extract_tree(repository / "ces", commit, scratch) == ExtractedTree(skipped=("out",))
    assert _files(scratch) == {"deep/up": "-> ..", "deep/x": "hello\n"}


def test_nothing_is_written_through_a_link(repository: Path, scratch: Path) -> None:
    """A tree that git would not make has a link and a folder of one name."""
    outside = scratch.parent / "outside"
    outside.mkdir()
    inner = _tree(repository, ("100644", "x", HELLO), ("120000", "y", _link(repository, "x")))
    for first in ("120000", "40000"):
        rows = [("120000", "a", _link(repository, "../outside")), ("40000", "a", inner)]
        commit = _commit(repository, *(rows if first == "120000" else rows[::-1]))
        into = scratch / first
        into.mkdir()
        found = extract_tree(repository / "ces", commit, into)
        assert (found.trouble, found.skipped) == ("", ("a",))
        assert list(outside.iterdir()) == []


@pytest.mark.parametrize("name", ["..", ".", ".git", ".GIT", "a/../../b"])
def test_a_name_that_leads_elsewhere_is_left_out(repository: Path, scratch: Path, name: str) -> None:
    commit = _commit(repository, ("100644", name, HELLO), ("100644", "fine", HELLO))
    found = extract_tree(repository / "ces", commit, scratch)
    assert (found.trouble, found.skipped) == ("", (name,))
    assert _files(scratch) == {"fine": "hello\n"}
    assert [path.name for path in scratch.parent.iterdir()] == ["scratch"]


def test_a_commit_that_is_a_bomb_is_not_read(
    repository: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One small tree that holds itself many times over, and files that are too large together."""
    tree = _tree(repository, *(("100644", f"{number:02}", HELLO) for number in range(10)))
    for _ in range(3):
        tree = _tree(repository, *(("40000", f"{number:02}", tree) for number in range(10)))
    commit = git(repository, "commit-tree", "-m", "bomb", _tree(repository, ("40000", "ces", tree)))
    monkeypatch.setattr(committed, "MOST_ENTRIES", 9_999)
    assert "more than 9,999" in extract_tree(repository / "ces", commit, scratch).trouble
    monkeypatch.setattr(committed, "MOST_ENTRIES", 10_000)
    monkeypatch.setattr(committed, "MOST_DATA", 59_999)
    assert "larger than" in extract_tree(repository / "ces", commit, scratch).trouble
    assert list(scratch.iterdir()) == []


def test_a_tree_that_holds_itself_without_end_is_given_up(repository: Path, scratch: Path) -> None:
    """Eleven objects that list 10^10 files."""
    tree = _tree(repository, *(("100644", f"{number:02}", HELLO) for number in range(10)))
    for _ in range(9):
        tree = _tree(repository, *(("40000", f"{number:02}", tree) for number in range(10)))
    commit = git(repository, "commit-tree", "-m", "bomb", _tree(repository, ("40000", "ces", tree)))
    assert "more than" in extract_tree(repository / "ces", commit, scratch).trouble
    assert list(scratch.iterdir()) == []


def test_a_clone_without_the_files_says_so(repository: Path, scratch: Path) -> None:
    """Nothing is fetched for it."""
    (repository / f".git/objects/{HELLO[:2]}/{HELLO[2:]}").unlink()
    found = extract_tree(repository / "ces", git(repository, "rev-parse", "HEAD"), scratch)
    assert "not all in this repository" in found.trouble
