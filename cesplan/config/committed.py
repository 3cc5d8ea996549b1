"""
A tree as it was committed: the files of an older commit, put into another folder.

Only reads from git; no branch, index or working tree is touched.
"""

import io
import subprocess
import tarfile
from datetime import UTC, datetime
from pathlib import Path

_PATIENCE = 60.0
"""Seconds for one git command."""


def tree_at(root: Path, commit: str, into: Path) -> str:
    """Put the tree of a commit into a folder. Returns why that is not possible; empty when it is done."""
    if _git(root, "rev-parse", "--git-dir") is None:
        return "the tree is not in a git repository"
    if _git(root, "cat-file", "-e", f"{commit}^{{commit}}") is None:
        return f"the commit {commit[:12]} is not in this repository (in a shallow clone, fetch it)"
    prefix = (_git(root, "rev-parse", "--show-prefix") or b"").decode().strip().rstrip("/")
    tree = f"{commit}:{prefix}" if prefix else commit
    archive = _git(root, "-c", "core.autocrlf=false", "archive", "--format=tar", tree)
    if archive is None:
        return f"the commit {commit[:12]} does not have this folder"
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(into, filter="data")
    return ""


def committed_at(root: Path, paths: tuple[str, ...]) -> datetime | None:
    """When one of these files was last changed by a commit; None for files that are in no commit."""
    answer = _git(root, "log", "-1", "--format=%ct", "--", *paths)
    text = (answer or b"").decode().strip()
    return datetime.fromtimestamp(int(text), UTC) if text.isdecimal() else None


def _git(root: Path, *arguments: str) -> bytes | None:
    """The answer of git, or None when there is none."""
    try:
        done = subprocess.run(
            ("git", *arguments), cwd=root, capture_output=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None
