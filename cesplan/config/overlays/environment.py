"""Applying an environment to the apps of a tree: each resource with its layers, and the resources left out."""

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from cesplan.config.discovery import ENVIRONMENTS, RELEASES, FoundApp
from cesplan.config.files import Files
from cesplan.config.overlays.discovering import (
    Layered,
    check_environments,
    discover_location_overlays,
    discover_overlays,
)
from cesplan.config.overlays.layers import Layers, Opened, Place
from cesplan.config.overlays.opening import leaves_out, open_layers, texts_of
from cesplan.config.project.project import Project
from cesplan.config.report import file_spot
from cesplan.config.suggestions import nearest
from cesplan.domain.address import APPS, Key, KindName
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidApp:
    """
    An app in one environment.

    `opened` are the resources with layers (None: cannot be read). `excluded` are the resources left out, with
    the file that says so. `mentioned` are texts named in files, even if another layer overrides them.
    """

    found: FoundApp
    opened: Mapping[Place, Opened | None] = field(default_factory=dict)
    excluded: Mapping[Place, str] = field(default_factory=dict)
    mentioned: frozenset[str] = frozenset()

    def open(self, kind: KindName, key: Key, path: str, files: Files) -> Opened | None:
        """The layers of a resource, combined; None if they cannot be read, which is reported."""
        if (kind, key) in self.opened:
            return self.opened[kind, key]
        found = files.mapping(path)
        return Opened(file=found[0], root=found[1]) if found else None

    def releases(self, files: Files) -> dict[str, Opened]:
        """The combined layers of the release files, by name. Unreadable ones are reported."""
        found = self.found.releases.items()
        opened = {str(key): self.open(RELEASES, key, path, files) for key, path in found}
        return {key: item for key, item in opened.items() if item is not None}

    @property
    def keys_left_out(self) -> dict[str, dict[str, str]]:
        """The resources that are left out, by plain kind and key."""
        found: dict[str, dict[str, str]] = {}
        for (kind, key), path in self.excluded.items():
            found.setdefault(kind, {})[key] = path
        return found


def lay_over(found: tuple[FoundApp, ...], files: Files, project: Project) -> tuple[LaidApp, ...]:
    """The apps of a tree in the environment of the project, without those that it leaves out."""
    check_environments(files, project.environments)
    folder = folder_of(project, files)
    if not folder:
        return tuple(LaidApp(found=app) for app in found)
    layered = discover_overlays(files, folder, project.apps, found)
    return tuple(laid for app in layered if (laid := _laid(app, files)))


def lay_over_location(base: Mapping[KindName, str], files: Files, project: Project) -> dict[KindName, Layers]:
    """The layers of the location's resources, without those that the environment leaves out."""
    folder = folder_of(project, files)
    if not folder:
        return {kind: Layers(base=path) for kind, path in base.items()}
    found = discover_location_overlays(files, folder, base)
    return {kind: layers for kind, layers in found.items() if not leaves_out(layers, files)}


def folder_of(project: Project, files: Files) -> str:
    """The folder of this environment's overlays, relative to the root; empty if there is none."""
    environment = project.settings.environment
    folder = f"{ENVIRONMENTS}/{environment}"
    return folder if environment and (files.root / folder).is_dir() else ""


def check_slips(laid: LaidApp, files: Files) -> None:
    """For files without a base that have errors, report what else they may have been meant for."""
    for (kind, key), opened in laid.opened.items():
        alone = opened is not None and opened.file.path.startswith(f"{ENVIRONMENTS}/")
        if opened is None or not alone or not files.report.errors_in([opened.file.path]):
            continue
        others = [name for name in laid.found.resources.get(kind, {}) if name != key]
        if near := nearest(key, others):
            name = posixpath.basename(opened.file.path)
            files.report.add(
                "CES101",
                f"`{name}` has no base file, so it is a complete resource of this environment",
                file_spot(opened.file.path),
                suggestion=f"{near}{posixpath.splitext(name)[1]}",
            )


def _laid(layered: Layered, files: Files) -> LaidApp | None:
    out = {place: layers for place, layers in layered.layers.items() if leaves_out(layers, files)}
    found = layered.found
    app_place = (APPS, Key(found.key))
    if app_place in out:
        _check_alone(layered, app_place, files)
        return None
    opened = {place: open_layers(item, files) for place, item in layered.layers.items() if place not in out}
    mentioned = [item.mentioned for item in opened.values() if item]
    mentioned += [texts_of(layers.base, files) for layers in out.values() if layers.base]
    return LaidApp(
        found=_without(found, out),
        opened=opened,
        excluded={place: layers.over for place, layers in out.items()},
        mentioned=frozenset().union(*mentioned),
    )


def _without(found: FoundApp, out: Iterable[Place]) -> FoundApp:
    excluded = frozenset(out)
    resources = {
        kind: {key: path for key, path in keys.items() if (kind, key) not in excluded}
        for kind, keys in found.resources.items()
    }
    releases = {key: path for key, path in found.releases.items() if (RELEASES, key) not in excluded}
    return replace(found, resources=resources, releases=releases)


def _check_alone(layered: Layered, app: Place, files: Files) -> None:
    """Overlays of an excluded app have no base."""
    for place, layers in sorted(layered.layers.items()):
        if place != app:
            files.report.add(
                "CES101",
                f"the app `{app[1]}` is left out of this environment, but this file overrides part of it",
                file_spot(layers.over or layers.patch),
            )
