"""
The state of git under a tree: which commit a plan was made from.

Asked only when something is planned; `git` may be missing, and the tree may stand outside any repository.
"""

import re
import subprocess
from pathlib import Path

from cesplan.domain.desired import Source
from cesplan.domain.errors import UsageError

_PATIENCE = 10.0
"""Seconds for one git command: a slow one must not hold up a plan for ever."""
_HASH = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


def read_source(root: Path, commit: str = "") -> Source:
    """
    The commit under a tree (empty outside git), and whether the tree's own folder differs from it.

    `commit` names another one than what is checked out, such as the head of a pull request whose merge was
    tried. It must be known to git; where there is no git, it is taken as it is said. Raises UsageError.
    """
    head = _git(root, "rev-parse", "--verify", "--quiet", "HEAD")
    if not head:
        return Source(commit=_as_said(commit))
    named = _known(root, commit) if commit else head
    changed = _git(root, "diff", "--name-only", named, "--", ".")
    new = _git(root, "ls-files", "--others", "--exclude-standard", "--", ".")
    return Source(commit=named, dirty=changed is None or new is None or bool(changed or new))


def _known(root: Path, commit: str) -> str:
    found = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    if not found:
        raise UsageError(
            summary=f"The commit {commit} is not in this repository.",
            detail="The stamp cannot name it. In a shallow clone, fetch it first:\n\n"
            f"    git fetch --depth 1 origin {commit}",
        )
    return found


def _as_said(commit: str) -> str:
    if commit and not _HASH.fullmatch(commit):
        raise UsageError(
            summary=f"`{commit}` is no commit.", detail="Outside git, write all 40 or 64 digits of one."
        )
    return commit


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
