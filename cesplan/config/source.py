"""
The state of git under a tree: which commit a plan was made from.

Asked only when something is planned; `git` may be missing, and the tree may stand outside any repository.
"""

import subprocess
from pathlib import Path

from cesplan.domain.desired import Source

_PATIENCE = 10.0
"""Seconds for one git command: a slow one must not hold up a plan for ever."""


def read_source(root: Path) -> Source:
    """The commit under a tree (empty outside git), and whether the tree's own folder differs from it."""
    commit = _git(root, "rev-parse", "--verify", "--quiet", "HEAD")
    if not commit:
        return Source()
    status = _git(root, "status", "--porcelain", "--", ".")
    return Source(commit=commit, dirty=status is None or bool(status))


def _git(root: Path, *arguments: str) -> str | None:
    """The trimmed answer of git, or None when there is none."""
    try:
        done = subprocess.run(
            ("git", *arguments),
            cwd=root,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
