"""
Where the last apply is looked up: the service, and the tree as of earlier commits.

Each tree is read once for all apps of a run, because it may have hundreds.
"""

import os
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Self

from cesplan.config.cache.store import users_cache
from cesplan.config.committed import extract_tree
from cesplan.config.project.variables import with_secrets_given
from cesplan.config.tree.load import Loaded, ReleaseReader, load, no_releases
from cesplan.domain.desired import DesiredApp
from cesplan.domain.frozen import dataclass
from cesplan.remote.client import Client

_MOST = 2
"""Trees that are held at a time. An apply of a whole tree gives all its apps one commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierTree:
    """
    The apps of a tree as of a commit, None if the tree has errors. `trouble` says why the commit has no tree.

    `skipped` are the paths that were left out, as in `ExtractedTree`.
    """

    apps: tuple[DesiredApp, ...] | None = None
    trouble: str = ""
    skipped: tuple[str, ...] = ()


class EarlierTrees:
    """What was read of one tree. Several threads may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: dict[tuple[str, str], EarlierTree] = {}

    def at(self, commit: str, environment: str, sources: "Sources") -> EarlierTree:
        """The tree of these sources as of a commit (a full id) and for an environment."""
        with self._lock:
            found = self._found.pop((commit, environment), None) or _read(commit, environment, sources)
            self._found[commit, environment] = found  # the last one used is the last one dropped
            while len(self._found) > _MOST:
                del self._found[next(iter(self._found))]
            return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where to look up the last apply: the folder of the tree, its environment and variables, the service."""

    client: Client
    root: Path = Path()
    environment: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)
    read_releases: ReleaseReader | None = None
    """What reads the release files of the tree; None: nothing does."""
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The values of secrets that were read, by variable: an older tree may name another version of one."""
    earlier: EarlierTrees = field(default_factory=EarlierTrees, repr=False, compare=False)
    """The same tree as of earlier commits."""

    @classmethod
    def of(cls, loaded: Loaded, client: Client, earlier: EarlierTrees | None = None) -> Self:
        """Those of a tree that was read without errors; `earlier` is what other apps of it already read."""
        assert loaded.desired is not None
        return cls(
            client=client,
            root=loaded.root or Path(),
            environment=loaded.desired.settings.environment,
            variables=loaded.variables,
            read_releases=loaded.read_releases,
            secrets=loaded.read_secrets,
            earlier=earlier or EarlierTrees(),
        )


def _read(commit: str, environment: str, sources: "Sources") -> EarlierTree:
    with tempfile.TemporaryDirectory(prefix="cesplan-") as folder:
        extracted = extract_tree(sources.root, commit, Path(folder))
        if extracted.trouble:
            return EarlierTree(trouble=extracted.trouble)
        loaded = load(
            Path(folder),
            environment=environment,
            variables=sources.variables,
            read_releases=sources.read_releases or no_releases,
            cache_of=lambda _: users_cache(sources.root),
            environ=with_secrets_given(os.environ, sources.secrets),
        )
    return EarlierTree(apps=loaded.desired.apps if loaded.desired else None, skipped=extracted.skipped)
