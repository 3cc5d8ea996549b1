"""
The state of git for a tree: which commit a plan was made from.

It is read only for planning. git may be missing, and the tree may be outside any repository.
"""

import re
import shlex
from datetime import UTC, datetime
from pathlib import Path

from cesplan import __version__
from cesplan.config.git import Repository, repository_of
from cesplan.domain.app_metadata.stamp import is_commit_id
from cesplan.domain.desired import Source
from cesplan.domain.errors import UsageError
from cesplan.domain.plan import Made
from cesplan.domain.text.times import timestamp

_DUBIOUS = re.compile(r"dubious ownership in repository at '(.+)'")


def read_source(root: Path, commit: str = "") -> Source:
    """
    The commit of a tree (empty outside git), and whether the tree's folder differs from it.

    `commit` overrides the commit that is checked out, for example with the head of a pull request whose test
    merge is checked out. It must exist in the repository; outside git it is used as given. Raises UsageError.
    """
    repository = repository_of(root)
    if repository is None:
        return Source(commit=_as_given(commit))
    head = repository.output_text("rev-parse", "--verify", "--quiet", "HEAD")
    if not head:
        trouble = "" if commit else _trouble(repository)
        is_usable = repository.output("rev-parse", "--git-dir") is not None
        return Source(commit=_as_given(commit), path=repository.folder if is_usable else None, trouble=trouble)
    named = _known(repository, commit) if commit else head
    return Source(commit=named, path=repository.folder, dirty=repository.differs_from(named))


def made_now(source: Source) -> Made:
    """The details of a plan that is made now from this tree."""
    at = timestamp(datetime.now(UTC))
    return Made(at=at, commit=source.commit, dirty=source.dirty, version=__version__)


def _known(repository: Repository, commit: str) -> str:
    found = repository.output_text(
        "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}"
    )
    if not found:
        raise UsageError(
            summary=f"The commit {commit} is not in this repository.",
            detail="The stamp can record only a commit of this repository. In a shallow clone, fetch "
            "it first:\n\n"
            f"    git fetch --depth 1 origin {commit}",
        )
    return found


def _as_given(commit: str) -> str:
    if commit and not is_commit_id(commit):
        raise UsageError(
            summary=f"`{commit}` is not a commit id.",
            detail="Outside a git repository, write all 40 or 64 hexadecimal digits.",
        )
    return commit


def _trouble(repository: Repository) -> str:
    """Why git refuses a repository: another user owns it, as for a tree mounted into a container."""
    answer = repository.run("rev-parse", "--show-toplevel")
    refused = _DUBIOUS.search(answer.messages) if answer else None
    if not refused:
        return ""
    return (
        "git refuses this repository because another user owns its folder, "
        "so the stamp will not record a commit. "
        f"To trust it: git config --global --add safe.directory {shlex.quote(refused[1])}"
    )
