"""Fixing: the repairs of findings, tried on a copy of the tree and then written."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path

from cesplan.config.cache.store import no_cache
from cesplan.config.files import LARGEST_FILE, read_regular
from cesplan.config.project.project import environments_of
from cesplan.config.tree.load import Loaded
from cesplan.config.writing.copying import changed_copy
from cesplan.config.writing.saving import exchange, why_not_edited
from cesplan.domain.diagnostic import Diagnostic, Severity
from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.frozen import dataclass
from cesplan.features.fixes.edits import FileDraft, FileEdit
from cesplan.workflow.validating import TreeTarget

MOST_ROUNDS = 10
"""How often a repaired tree is checked again: a repaired key can reveal an error in its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixes:
    """
    What can be repaired: `edits` of files, by path. `loaded` is the unrepaired tree. `left` are files that have
    fixes but must not be edited, each with the reason.
    """

    loaded: Loaded
    edits: tuple[FileEdit, ...] = ()
    left: Mapping[str, str] = field(default_factory=dict)


def find_fixes(tree: TreeTarget) -> Fixes:
    """
    Everything that can be repaired in a tree, seen from one environment; nothing is written.

    Raises InvalidConfiguration if the repairs would break an environment that is valid now.
    """
    loaded = tree.validate()
    if loaded.root is None:
        return Fixes(loaded=loaded)
    drafts: dict[str, FileDraft] = {}
    left: dict[str, str] = {}
    now = loaded
    for _ in range(MOST_ROUNDS):
        if not _take(now.diagnostics, loaded.root, drafts, left):
            break
        with changed_copy(loaded.root, _texts(drafts)) as copy:
            now = replace(tree, folder=copy).validate(cache_of=no_cache)
    edits = tuple(drafts[path].edit() for path in sorted(drafts) if drafts[path].fixes)
    if edits:
        _check_environments(tree, loaded.root, drafts)
    return Fixes(loaded=loaded, edits=edits, left=left)


def write_fixes(fixes: Fixes) -> None:
    """
    Write the edits, each file whole.

    Raises FileChanged, before anything is written, if a file has changed.
    """
    if fixes.loaded.root is not None:
        exchange(fixes.loaded.root, {item.path: (item.before, item.after) for item in fixes.edits})


def _take(
    found: tuple[Diagnostic, ...], root: Path, drafts: dict[str, FileDraft], left: dict[str, str]
) -> bool:
    """Put the fixes of findings into drafts; True if anything changed."""
    by_file: dict[str, list[Diagnostic]] = defaultdict(list)
    for item in found:
        if item.fix is not None:
            by_file[item.fix.place.file].append(item)
    changed = False
    for path, findings in by_file.items():
        if path not in drafts and path not in left:
            _open(path, root, drafts, left)
        changed |= path in drafts and drafts[path].apply(findings)
    return changed


def _open(path: str, root: Path, drafts: dict[str, FileDraft], left: dict[str, str]) -> None:
    if why := why_not_edited(root, path):
        left[path] = why
        return
    try:
        drafts[path] = FileDraft.of(path, read_regular(root / path, LARGEST_FILE))
    except (OSError, UnicodeDecodeError):
        left[path] = "changed while it was read"


def _texts(drafts: Mapping[str, FileDraft]) -> dict[str, str]:
    return {path: draft.text for path, draft in drafts.items() if draft.fixes}


def _check_environments(tree: TreeTarget, root: Path, drafts: Mapping[str, FileDraft]) -> None:
    """Check all environments: they may share a file, and a repair of one may break another."""
    everywhere = [replace(tree, folder=root, environment=name) for name in ("", *environments_of(root))]
    valid = [item for item in everywhere if item.validate().desired is not None]
    if not valid:
        return
    with changed_copy(root, _texts(drafts)) as copy:
        for item in valid:
            then = replace(item, folder=copy).validate(cache_of=no_cache)
            if then.desired is None:
                name = item.environment
                where = f"the environment {name}" if name else "the tree without an environment"
                raise InvalidConfiguration(
                    summary=f"The fixes would break {where}. Nothing was written.",
                    detail="Repair the files by hand: a fix for one environment is an error in another.",
                    diagnostics=tuple(item for item in then.diagnostics if item.severity is Severity.ERROR),
                )
