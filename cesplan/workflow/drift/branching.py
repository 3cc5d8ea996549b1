"""
Branching: the merge of live edits, prepared as a commit on a new branch.

It works on the tree of the checked-out commit, in a separate folder: uncommitted changes are not part of it,
and the checkout stays as it is. Nothing is pushed.
"""

import tempfile
from pathlib import Path

from cesplan.config.branches import beside, check_name, check_new_branch, commit_branch, head_of
from cesplan.config.committed import extract_tree
from cesplan.config.git import Repository, repository_of
from cesplan.config.project.project import find_root
from cesplan.domain.choice import EVERYTHING, Choice
from cesplan.domain.errors import CesplanError, UsageError
from cesplan.domain.features.drift import DriftReport
from cesplan.domain.features.merge import MergeOutcome
from cesplan.domain.frozen import dataclass
from cesplan.features.drift.commit_message import commit_message
from cesplan.workflow.connecting import GOOGLE, Connection
from cesplan.workflow.merging import merge
from cesplan.workflow.validating import TreeTarget


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A created branch; with an empty `commit`, there was nothing to take."""

    name: str
    commit: str = ""
    files: int = 0
    open: tuple[str, ...] = ()
    """Conflicts that wait for a decision, by address and field."""


def check_branch_name(folder: Path, name: str) -> None:
    """
    Check the name of a branch before anything is read from the service. Raises UsageError outside of git and
    for an invalid name. An existing branch is not checked yet, because the drift is still worth a report.
    """
    _, repository = _repository(folder)
    check_name(repository, name)


def open_branch(
    tree: TreeTarget,
    name: str,
    report: DriftReport,
    *,
    choice: Choice = EVERYTHING,
    connection: Connection = GOOGLE,
) -> Branch:
    """
    Take the live edits into a new branch; the commit message is made from `report`. Raises UsageError outside
    of git and for an invalid branch name, CesplanError for an existing branch and for errors of git, and what a
    merge raises. In these cases, no branch is created.
    """
    root, repository = _repository(tree.folder)
    check_new_branch(repository, name)
    head = head_of(repository)
    with tempfile.TemporaryDirectory(prefix="cesplan-") as temporary:
        work = Path(temporary).resolve() / "work"
        copy = work / repository.folder
        copy.mkdir(parents=True)
        extracted = extract_tree(root, head, copy)
        if extracted.trouble:
            raise CesplanError(summary=f"The branch {name} was not created: {extracted.trouble}.")
        beside(repository, work)
        merged = merge(
            copy,
            environment=tree.environment,
            variables=tree.variables,
            choice=choice,
            connection=connection,
        )
        still_open = _open(merged)
        files = _files(repository, merged)
        if not files:
            return Branch(name=name, open=still_open)
        message = commit_message(report, still_open)
        commit = commit_branch(repository, name, head, files, message)
    return Branch(name=name, commit=commit, files=len(files), open=still_open)


def _repository(folder: Path) -> tuple[Path, Repository]:
    root = find_root(folder)
    repository = repository_of(root) if root else None
    if root is None or repository is None:
        raise UsageError(summary="--open-branch needs a tree in a git repository.")
    return root, repository


def _files(repository: Repository, merged: MergeOutcome) -> dict[str, bytes | None]:
    """The files that the merge wrote and removed, by paths in the repository."""
    prefix = f"{repository.folder}/" if repository.folder else ""
    written: dict[str, bytes | None] = {
        f"{prefix}{path}": (merged.root / path).read_bytes() for path in merged.written
    }
    return {**written, **{f"{prefix}{path}": None for path in merged.removed}}


def _open(merged: MergeOutcome) -> tuple[str, ...]:
    found = [
        f"{item.address} {field.path}"
        for app in merged.apps
        for item in app.resources
        for field in item.fields
        if field.is_open
    ]
    return (*found, *(str(item.address) for app in merged.apps for item in app.fates if item.is_open))
