"""Loading: reads a folder into a tree and the desired state, and reports all problems in one run."""

import os
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cesplan.config.cache.pack import Pack
from cesplan.config.cache.store import Cache, CacheOf, no_cache
from cesplan.config.discovery import check_any_app, discover_apps, discover_location_files
from cesplan.config.files import Files
from cesplan.config.manifest import AppTree, ResourceFile, Spot, Tree
from cesplan.config.overlays.environment import LaidApp, lay_over, lay_over_location
from cesplan.config.overlays.layers import Opened
from cesplan.config.overlays.opening import open_layers
from cesplan.config.overlays.overlapping import check_overlaps
from cesplan.config.project.file import PolicyReader, no_policy
from cesplan.config.project.project import NOTHING_READ, Project, find_root, read_project
from cesplan.config.project.protection import check_protect
from cesplan.config.project.variables import Variables
from cesplan.config.report import Report
from cesplan.config.resource.read import Reading, read_body
from cesplan.config.suggestions import guess, limited_suggestions, nearest
from cesplan.config.tree.apps import check_ids, check_unused, read_app, say_left_out
from cesplan.config.tree.link import link
from cesplan.config.tree.run_checks import run_checks
from cesplan.domain.address import location_address
from cesplan.domain.desired import Desired, DesiredApp
from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.features.policy import Rule
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import Place
from cesplan.model.kinds import KINDS

if TYPE_CHECKING:
    from cesplan.domain.features.ignore_rules import IgnoreRule
    from cesplan.domain.features.release import Release


AppFilter = Callable[[Place, str], bool]
"""Whether an app is selected, by the project and location of its environment, and its key."""

ReleaseReader = Callable[[AppTree, Mapping[str, Opened], Files], "tuple[Release, ...]"]
"""Reads the release files of an app, by name, and reports mistakes in the report of the files."""


def no_releases(app: AppTree, opened: Mapping[str, Opened], files: Files) -> "tuple[Release, ...]":
    """Skip release files, for commands that neither plan nor validate."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """
    The result of loading.

    `tree` has everything that could be read. `desired` is None if there is any error. `files` is the number of
    files read. `root` is the folder of cesplan.yaml (None: there is none). `policy` are its rules.
    """

    tree: Tree | None
    desired: Desired | None
    diagnostics: tuple[Diagnostic, ...]
    files: int
    root: Path | None = None
    policy: tuple[Rule, ...] = ()
    ignore_rules: "tuple[IgnoreRule, ...]" = ()
    """The ignore rules of the drift alarm."""
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The variables of the command line, to read the same tree as of another commit."""
    read_releases: "ReleaseReader | None" = field(default=None, repr=False, compare=False)
    """The reader of release files, for the same purpose; None if they are not read."""
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """The values of secrets that were read, by source."""
    reload: "Callable[[Mapping[str, str]], Loaded] | None" = field(default=None, repr=False, compare=False)
    """Loads the same tree with secret values; None for an export, which has no variables."""

    @property
    def apps(self) -> tuple[AppTree, ...]:
        """The apps that could be read."""
        return self.tree.apps if self.tree else ()

    @property
    def read_secrets(self) -> dict[str, str]:
        """The values of secrets that were read, by variable; the tree as of another commit needs them too."""
        sources = self.desired.sources if self.desired else {}
        return {name: self.secrets[origin] for name, origin in sources.items() if origin in self.secrets}


@limited_suggestions()
def load(
    root: Path,
    *,
    environment: str = "",
    variables: Mapping[str, str] | None = None,
    environ: Mapping[str, str] = os.environ,
    read_policy: PolicyReader = no_policy,
    read_releases: ReleaseReader = no_releases,
    chosen: AppFilter | None = None,
    cache_of: CacheOf = no_cache,
    secrets: Mapping[str, str] = NOTHING_READ,
) -> Loaded:
    """
    Read the tree that contains a folder: the nearest folder upward with a cesplan.yaml.

    `variables` are those of the command line; `CESPLAN_VAR_…` are looked up in `environ`. `read_policy` reads
    the rules of cesplan.yaml, `read_releases` the release files. Apps that are not `chosen` are left out.
    `cache_of` gives the cache to use. `secrets` are values of secrets by source; other secrets with a source
    get a placeholder, which is never sent. Problems of the tree are in the diagnostics and never raised.
    """
    report = Report()
    found_root = find_root(root)
    if found_root is None:
        report.add(
            "CES005",
            f"no cesplan.yaml in {root.absolute()} or its parent folders",
            detail="The file marks the root of a tree and says where the tree is applied. To create "
            "one:\n\n    cesplan init",
        )
        return Loaded(tree=None, desired=None, diagnostics=report.diagnostics, files=0)
    files = Files(found_root, report)
    project = read_project(files, environment, variables or {}, environ, read_policy, secrets)
    cache = cache_of(found_root)
    reading = Reading(files=files, report=report, project=project) if project else None
    tree = _read_tree(reading, variables or {}, chosen, read_releases, cache) if reading else None
    cache.save()
    return Loaded(
        tree=tree,
        desired=link(tree, report.notices) if tree and not report.has_errors else None,
        diagnostics=report.diagnostics,
        files=len(files.read),
        root=found_root,
        policy=project.policy if project else (),
        ignore_rules=project.ignore_rules if project else (),
        variables=variables or {},
        read_releases=read_releases,
        secrets=secrets,
        reload=lambda secrets: load(
            root,
            environment=environment,
            variables=variables,
            environ=environ,
            read_policy=read_policy,
            read_releases=read_releases,
            chosen=chosen,
            cache_of=cache_of,
            secrets=secrets,
        ),
    )


def load_app_files(
    root: Path, *, environment: str, variables: Mapping[str, str], environ: Mapping[str, str] = os.environ
) -> tuple[DesiredApp, ...] | None:
    """
    The apps of a tree without their resources, to match them with live apps; None if one has errors.

    `root` is the folder of cesplan.yaml.
    """
    report = Report()
    files = Files(root, report)
    project = read_project(files, environment, variables, environ, no_policy)
    if project is None:
        return None
    reading = Reading(files=files, report=report, project=project)
    laid = lay_over(discover_apps(files, project.apps), files, project)
    apps = tuple(tree for item in laid if (tree := read_app(item, reading, Pack(), alone=True)))
    return None if report.has_errors else link(Tree(settings=project.settings, apps=apps)).apps


def _read_tree(
    reading: Reading,
    given: Mapping[str, str],
    chosen: AppFilter | None,
    read_releases: ReleaseReader,
    cache: Cache,
) -> Tree:
    files, report, project = reading.files, reading.report, reading.project
    found = lay_over(discover_apps(files, project.apps), files, project)
    check_any_app(tuple(item.found for item in found), project.apps, report)
    read = tuple(item for item in found if chosen is None or chosen(project.settings.place, item.found.key))
    never = project.variables.texts_from_outside
    packs = {item.found.key: _pack(item, project, cache, never) for item in read}
    apps = tuple(
        _with_releases(tree, item, reading, read_releases)
        for item in read
        if (tree := read_app(item, reading, packs[item.found.key]))
    )
    check_ids([app.app for app in apps], report)
    location_resources = _location_resources(reading)
    check_protect(project, [app.found.key for app in found], report)
    check_overlaps(found, project, files)
    _finish(read, reading, given)
    run_checks(apps, report, packs)
    return Tree(
        settings=project.settings,
        apps=apps,
        location_resources=location_resources,
        files=len(files.read),
        secrets=project.variables.secrets,
        rotations=project.variables.rotations,
        sources=project.variables.origins,
    )


def _pack(app: LaidApp, project: Project, cache: Cache, never: frozenset[str]) -> Pack:
    """The cache pack of an app, shared by all checkouts of a tree."""
    settings = project.settings
    pack = cache.pack(str(settings.place), settings.environment, app.found.path)
    pack.never = never
    return pack


def _with_releases(app: AppTree, laid: LaidApp, reading: Reading, read_releases: ReleaseReader) -> AppTree:
    """
    The app with its releases. They are skipped if a file has errors, which would cause misleading findings.
    """
    opened = laid.releases(reading.files)
    paths = [path for item in app.resources for path in item.paths]
    if not opened or not app.is_whole or reading.report.errors_in([*app.app.paths, *paths]):
        return app
    return replace(app, releases=read_releases(app, opened, reading.files))


def _location_resources(reading: Reading) -> tuple[ResourceFile, ...]:
    settings = reading.project.settings
    found = []
    base = discover_location_files(reading.files)
    for kind, layers in sorted(lay_over_location(base, reading.files, reading.project).items()):
        opened = open_layers(layers, reading.files)
        if opened is None:
            continue
        address = location_address(settings.place.location, kind)
        resource = read_body(address, opened.file, opened.root, reading, opened.layers)
        if settings.api_version in KINDS[kind].api_versions:
            found.append(resource)
        else:
            say_left_out(kind, layers.first, reading)
    return tuple(found)


def _finish(found: tuple[LaidApp, ...], reading: Reading, given: Mapping[str, str]) -> None:
    for app in found:
        check_unused(app, reading.files.read, reading.report)
    _report_missing(reading.project.variables, reading.report)
    _report_unknown(reading.project, given, reading.report)


def _report_missing(variables: Variables, report: Report) -> None:
    for name, uses in sorted(variables.without_value.items()):
        declared = name in variables.declared
        first, *others = sorted(uses, key=lambda spot: spot.place)
        also = f" It is also used at {_places(others)}." if others else ""
        how = _how_to_give(name, variables)
        report.add(
            "CES028",
            f"the variable `{name}` has no value" if declared else f"unknown variable `{name}`",
            first,
            detail=how + also,
            correction=None if declared else guess(name, variables.declared).confirmed(variables.used),
        )


def _how_to_give(name: str, variables: Variables) -> str:
    if name in variables.declared and variables.declared[name].secret:
        return (
            "The variable is secret, so it cannot be in a file. Set the environment variable "
            f"CESPLAN_SECRET_{name}."
        )
    return f"Set it with CESPLAN_VAR_{name}, with --var {name}=…, or under `variables` in cesplan.yaml."


def _places(spots: list[Spot]) -> str:
    return ", ".join(str(spot.place) for spot in spots[:5]) + (", …" if len(spots) > 5 else "")


def _report_unknown(project: Project, given: Mapping[str, str], report: Report) -> None:
    known = {*project.variables.declared, *project.variables.used}
    for name in sorted(set(given) - known):
        report.add(
            "CES031",
            f"nothing uses the variable `{name}`",
            detail=f"The command has `--var {name}=…`, but cesplan.yaml does not declare the variable.",
            suggestion=nearest(name, known),
        )
