"""
The proof of a merge: the tree as it would be is read in every environment, before a file is written.

Environments may share a file, and an edit that is valid in one may break another.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from cesplan.config.project.project import environments_of
from cesplan.config.tree.load import Loaded, load
from cesplan.config.writing.saving import remove, save
from cesplan.domain.address import Address
from cesplan.domain.diagnostic import Diagnostic, Severity
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Body, canonical_text

_NOT_OF_THE_TREE = frozenset({".git", ".cesplan", ".venv", "node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """
    What the tree would be.

    `errors` are those that it does not have now, in any environment; `diagnostics` all that is found in the
    environment at hand, and `bodies` what it says there. `touched` are resources that other environments would
    say differently, by environment; an empty name is the tree without one.
    """

    errors: tuple[Diagnostic, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    bodies: Mapping[Address, Body] = field(default_factory=dict)
    touched: Mapping[str, tuple[Address, ...]] = field(default_factory=dict)


class Prover:
    """Knows what a tree says now, in each of its environments."""

    def __init__(self, root: Path, environment: str, variables: Mapping[str, str]) -> None:
        self._root, self._environment, self._variables = root, environment, variables
        names = {"", environment, *environments_of(root)}
        self._now = {name: self._load(root, name) for name in sorted(names)}

    @property
    def others(self) -> tuple[str, ...]:
        """The other environments of the tree."""
        return tuple(name for name in self._now if name not in ("", self._environment))

    def prove(self, files: Mapping[str, str], removed: tuple[str, ...]) -> Proof:
        """A copy of the tree with these files. The tree itself is not changed."""
        with tempfile.TemporaryDirectory(prefix="cesplan-") as folder:
            copy = Path(folder) / "tree"
            shutil.copytree(self._root, copy, symlinks=True, ignore=_ignored, copy_function=_linked)
            save(copy, files)
            remove(copy, removed)
            then = {name: self._load(copy, name) for name in self._now}
        new = (item for name, loaded in then.items() for item in _new_errors(self._now[name], loaded))
        touched = {
            name: found
            for name, loaded in then.items()
            if name != self._environment and (found := _touched(self._now[name], loaded))
        }
        here = then[self._environment]
        return Proof(
            errors=tuple(dict.fromkeys(new)),
            diagnostics=here.diagnostics,
            bodies=_bodies(here),
            touched=touched,
        )

    def _load(self, root: Path, environment: str) -> Loaded:
        return load(root, environment=environment, variables=self._variables)


def _new_errors(now: Loaded, then: Loaded) -> list[Diagnostic]:
    known = {_known_by(item) for item in now.diagnostics}
    errors = (item for item in then.diagnostics if item.severity is Severity.ERROR)
    return [item for item in errors if _known_by(item) not in known]


def _known_by(item: Diagnostic) -> tuple[str, str, str]:
    return item.code, item.address, item.summary


def _touched(now: Loaded, then: Loaded) -> tuple[Address, ...]:
    """The desired state of an environment; one that cannot be read now is not changed."""
    if now.desired is None:
        return ()
    one, other = _bodies(now), _bodies(then)
    return tuple(
        sorted(
            item for item in {*one, *other} if canonical_text(one.get(item)) != canonical_text(other.get(item))
        )
    )


def _bodies(loaded: Loaded) -> dict[Address, Body]:
    apps = loaded.tree.apps if loaded.tree else ()
    return {item.address: item.body for app in apps for item in (app.app, *app.resources)}


def _ignored(folder: str, names: list[str]) -> set[str]:
    """Entries outside any tree, and those that cannot be copied: pipes, sockets, devices."""
    return {name for name in names if name in _NOT_OF_THE_TREE or _is_special(os.path.join(folder, name))}


def _is_special(path: str) -> bool:
    mode = os.lstat(path).st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def _linked(source: str, target: str) -> None:
    """A second name for a file, which costs nothing and of which every write makes a file of its own."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
