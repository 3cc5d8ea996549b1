"""
The state of git under a tree: which commit a plan was made from.

Asked only when something is planned; `git` may be missing, and the tree may stand outside any repository.
"""

import os
import re
import shlex
import subprocess
from pathlib import Path

from cesplan.domain.desired import Source
from cesplan.domain.errors import UsageError

_PATIENCE = 10.0
"""Seconds for one git command: a slow one must not hold up a plan for ever."""
_DUBIOUS = re.compile(r"dubious ownership in repository at '(.+)'")
_HASH = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


def read_source(root: Path, commit: str = "") -> Source:
    """
    The commit under a tree (empty outside git), and whether the tree's own folder differs from it.

    `commit` names another one than what is checked out, such as the head of a pull request whose merge was
    tried. It must be known to git; where there is no git, it is taken as it is said. Raises UsageError.
    """
    path = _git(root, "rev-parse", "--show-prefix")
    head = _git(root, "rev-parse", "--verify", "--quiet", "HEAD")
    if not head:
        return Source(commit=_as_said(commit), path=path, trouble="" if commit else _trouble(root))
    named = _known(root, commit) if commit else head
    changed = _git(root, "diff", "--name-only", named, "--", ".")
    new = _git(root, "ls-files", "--others", "--exclude-standard", "--", ".")
    return Source(commit=named, path=path, dirty=changed is None or new is None or bool(changed or new))


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


def _trouble(root: Path) -> str:
    """Git refuses a repository that somebody else owns, as in a container into which a tree is mounted."""
    asked = _asked(root, "rev-parse", "--show-toplevel")
    refused = _DUBIOUS.search(asked.stderr) if asked else None
    if not refused:
        return ""
    return (
        "git refuses this repository, because somebody else owns its folder, "
        "and the stamp will name no commit. "
        f"To trust it: git config --global --add safe.directory {shlex.quote(refused[1])}"
    )


def _git(root: Path, *arguments: str) -> str | None:
    """The trimmed answer of git, or None when there is none."""
    asked = _asked(root, *arguments)
    return asked.stdout.strip() if asked and asked.returncode == 0 else None


def _asked(root: Path, *arguments: str) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(
            ("git", *arguments),
            cwd=root,
            env={**os.environ, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
