"""Validating: a tree is read and checked, without any request."""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from cesplan.config.cache.store import CacheOf, users_cache
from cesplan.config.files import Files
from cesplan.config.manifest import AppTree
from cesplan.config.overlays.layers import Opened
from cesplan.config.project.project import find_root
from cesplan.config.tree.load import AppFilter, Loaded, load
from cesplan.domain.desired import Desired
from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.frozen import dataclass
from cesplan.features.export_layout.detection import is_export

if TYPE_CHECKING:
    from cesplan.config.report import Report, SourceFile
    from cesplan.config.yaml.nodes import Node
    from cesplan.domain.features.policy import Rule
    from cesplan.domain.features.release import Release
    from cesplan.features.export_layout.load import Destination


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeTarget:
    """
    The tree that a command is about: that around a folder, in one environment (empty: the top of cesplan.yaml).
    """

    folder: Path
    environment: str = ""
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Those of the command line; they win over those of the file and of `CESPLAN_VAR_…`."""

    def read(self, cache_of: CacheOf = users_cache) -> Loaded:
        """Read the tree without its policy and its releases."""
        return load(self.folder, environment=self.environment, variables=self.variables, cache_of=cache_of)

    def validate(self, *, chosen: AppFilter | None = None, cache_of: CacheOf = users_cache) -> Loaded:
        """Read and check the tree, like the function of this name."""
        return validate(
            self.folder,
            environment=self.environment,
            variables=self.variables,
            chosen=chosen,
            cache_of=cache_of,
        )


def validate(
    root: Path,
    *,
    environment: str = "",
    variables: Mapping[str, str] | None = None,
    destination: "Destination | None" = None,
    chosen: AppFilter | None = None,
    cache_of: CacheOf = users_cache,
) -> Loaded:
    """
    Read and check the tree around a folder, in one environment (empty: the top of cesplan.yaml).

    `variables` win over those of the file and of `CESPLAN_VAR_…`. With a `destination`, `root` is an app in the
    official export layout, a ZIP or folder, and goes there. Problems are in `diagnostics`. What the cache
    knows is not found out again; it is the user's, unless `cache_of` says otherwise.
    """
    if destination is not None or (is_export(root) and find_root(root) is None):
        # Most trees are native: they do not pay for this import.
        from cesplan.features.export_layout.load import Destination, load_export

        return load_export(root, destination or Destination(environment=environment))
    return load(
        root,
        environment=environment,
        variables=variables or {},
        read_policy=read_rules,
        read_releases=read_release_files,
        chosen=chosen,
        cache_of=cache_of,
    )


def read_rules(node: "Node", source: "SourceFile", report: "Report") -> "tuple[Rule, ...]":
    from cesplan.features.policy.rules import read_policy  # lazily: few trees have rules

    return read_policy(node, source, report)


def read_release_files(app: AppTree, opened: Mapping[str, Opened], files: Files) -> "tuple[Release, ...]":
    from cesplan.features.releases.files.reading import read_releases  # lazily: few trees have release files

    return read_releases(app, opened, files)


def desired_of(loaded: Loaded) -> Desired:
    """The desired state. Raises InvalidConfiguration, with all diagnostics, where there is none."""
    if loaded.desired is None:
        raise InvalidConfiguration(diagnostics=loaded.diagnostics)
    return loaded.desired
