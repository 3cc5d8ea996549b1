"""
New branches, created only from git objects: the working tree, the index, and other branches are not touched.

A commit is built from the trees of its parent and the changed files, and the branch ref is written last. An
interrupted run leaves unreachable objects, which git collects.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from cesplan.config.git import GitResult, Repository
from cesplan.domain.errors import CesplanError, UsageError

_FILE, _FOLDER = "100644", "040000"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/+-]{0,199}")
"""Names that are safe in a shell and a URL. git refuses some of them too."""


def check_name(repository: Repository, name: str) -> None:
    """Check that a branch can have this name. Raises UsageError if not."""
    named = repository.run("check-ref-format", f"refs/heads/{name}")
    if not _NAME.fullmatch(name) or named is None or named.code:
        raise UsageError(summary=f"`{name}` cannot be the name of a branch.")


def check_new_branch(repository: Repository, name: str) -> None:
    """Check the name of a new branch. Raises UsageError if it is invalid, CesplanError if the branch exists."""
    check_name(repository, name)
    if repository.output("show-ref", "--verify", "--quiet", f"refs/heads/{name}") is not None:
        raise CesplanError(
            summary=f"The branch {name} already exists. Nothing was changed.",
            detail=f"Merge or delete it, or name another one with --open-branch={name}-2.",
        )


def head_of(repository: Repository) -> str:
    """The commit that is checked out. Raises CesplanError if there is none."""
    head = repository.output_text("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if not head:
        raise CesplanError(
            summary="The repository has no commit to start a branch from, or git cannot read it."
        )
    return head


def beside(repository: Repository, folder: Path) -> None:
    """
    Let a folder read the objects of a repository, like one of its working trees.

    It has no index, so only reading is possible. Raises CesplanError if git cannot read the repository.
    """
    found = repository.output_text("rev-parse", "--absolute-git-dir")
    if not found:
        raise CesplanError(summary=f"git cannot read the repository at {repository.top}.")
    (folder / ".git").write_text(f"gitdir: {found}\n", encoding="utf-8", errors="surrogateescape")


def commit_branch(
    repository: Repository, name: str, parent: str, files: Mapping[str, bytes | None], message: str
) -> str:
    """
    Commit files on top of a commit, as a new branch, and return its id.

    `files` maps paths in the repository to their content; None removes a file. Raises CesplanError if git
    fails; then no branch was created.
    """
    root = _line(repository, "rev-parse", "--verify", "--quiet", f"{parent}^{{tree}}")
    tree = _tree(repository, root, {tuple(path.split("/")): content for path, content in files.items()})
    new_commit = repository.run("commit-tree", tree or _empty(repository), "-p", parent, stdin=message.encode())
    commit = _answered(new_commit, "The branch was not made: git cannot commit.")
    answer = repository.run(
        "update-ref", "-m", "cesplan drift", f"refs/heads/{name}", commit, "0" * len(commit)
    )
    _answered(answer, f"The branch {name} was not made.", may_be_empty=True)
    return commit


_Files = Mapping[tuple[str, ...], bytes | None]


def _tree(repository: Repository, tree: str, files: _Files) -> str:
    """The id of a git tree with these files; empty if nothing is left in it."""
    entries = _entries(repository, tree) if tree else {}
    below: dict[str, dict[tuple[str, ...], bytes | None]] = {}
    for path, content in files.items():
        if len(path) > 1:
            below.setdefault(path[0], {})[path[1:]] = content
        elif content is None:
            entries.pop(path[0], None)
        else:
            mode = entries[path[0]][0] if path[0] in entries else _FILE
            entries[path[0]] = (mode, "blob", _blob(repository, content))
    for name, inside in below.items():
        known = entries.get(name)
        tree_id = _tree(repository, known[2] if known and known[1] == "tree" else "", inside)
        if tree_id:
            entries[name] = (_FOLDER, "tree", tree_id)
        else:
            entries.pop(name, None)
    if not entries:
        return ""
    lines = (
        f"{mode} {kind} {object_id}\t".encode() + os.fsencode(name)
        for name, (mode, kind, object_id) in entries.items()
    )
    made_tree = repository.run("mktree", "-z", stdin=b"".join(line + b"\0" for line in lines))
    return _answered(made_tree, "The branch was not made: git cannot write a tree.")


def _entries(repository: Repository, tree: str) -> dict[str, tuple[str, str, str]]:
    listing = repository.output("ls-tree", "-z", "--full-tree", tree)
    if listing is None:
        raise CesplanError(summary="The branch was not made: git cannot read a tree of the commit.")
    found = {}
    for line in listing.split(b"\0")[:-1]:
        facts, _, name = line.partition(b"\t")
        mode, kind, object_id = facts.decode().split()
        found[os.fsdecode(name)] = (mode, kind, object_id)
    return found


def _blob(repository: Repository, content: bytes) -> str:
    blob = repository.run("hash-object", "-w", "--no-filters", "--stdin", stdin=content)
    return _answered(blob, "The branch was not made: git cannot write a file.")


def _empty(repository: Repository) -> str:
    return _answered(repository.run("mktree", "-z", stdin=b""), "git cannot write a tree.")


def _line(repository: Repository, *arguments: str) -> str:
    return _answered(repository.run(*arguments), "The branch was not made: git cannot read its start.")


def _answered(answer: GitResult | None, summary: str, *, may_be_empty: bool = False) -> str:
    out = answer.out.decode(errors="replace").strip() if answer and not answer.code else ""
    if answer is None or answer.code or not (out or may_be_empty):
        raise CesplanError(summary=summary, detail=answer.messages.strip() if answer else "")
    return out
