"""Discovering an environment's overlays: folders and files below `environments/<name>/`, by name."""

import os
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from cesplan.config.discovery import (
    APP_PATCH,
    ENVIRONMENTS,
    RELEASES,
    SUFFIXES,
    TEXT_SUFFIXES,
    FoundApp,
    app_folders,
    check_key,
    discover_location_files,
    find_app,
    one_of_two,
)
from cesplan.config.files import Files
from cesplan.config.overlays.layers import Layers, Place
from cesplan.config.report import Report, file_spot
from cesplan.config.suggestions import nearest
from cesplan.domain.address import APPS, Key, KindName
from cesplan.domain.frozen import dataclass
from cesplan.model.kinds import KINDS

_PATCH = ".patch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layered:
    """An app including its environment's files. `layers` are the resources with overlays."""

    found: FoundApp
    layers: Mapping[Place, Layers] = field(default_factory=dict)


def check_environments(files: Files, known: frozenset[str]) -> None:
    """Report entries of `environments/` that are not the folder of an environment."""
    report = files.report
    there = files.root / ENVIRONMENTS
    if os.path.lexists(there) and not there.is_dir():
        report.add("CES101", f"`{ENVIRONMENTS}` is not a folder", file_spot(ENVIRONMENTS))
    for entry in files.entries(ENVIRONMENTS) if there.is_dir() else ():
        path = f"{ENVIRONMENTS}/{entry.name}"
        if not entry.is_dir():
            what = f"`{path}` is not in an environment folder"
            report.add("CES101", what, file_spot(path), detail="Put files in environments/<environment>/.")
        elif entry.name not in known:
            report.add(
                "CES101",
                f"cesplan.yaml has no environment `{entry.name}`",
                file_spot(path),
                detail=_environments(known),
                suggestion=nearest(entry.name, known),
            )


def _environments(known: frozenset[str]) -> str:
    if not known:
        return "It has none. Each folder in environments/ must be named after an environment."
    return f"Each folder in environments/ must be named after an environment: {', '.join(sorted(known))}."


def discover_overlays(
    files: Files, folder: str, globs: tuple[str, ...], apps: tuple[FoundApp, ...]
) -> tuple[Layered, ...]:
    """All apps of one environment, by key; `folder` is the folder of overlays."""
    return _Search(files, folder, apps).apps(globs)


def discover_location_overlays(
    files: Files, folder: str, base: Mapping[KindName, str]
) -> dict[KindName, Layers]:
    """The layers of the resources that a location has once."""
    report = files.report
    names = {entry.name for entry in files.entries(folder) if not entry.is_dir()}
    over = discover_location_files(files, folder)
    kinds = [kind for kind, known in KINDS.items() if known.is_singleton]
    patches = {kind: one_of_two(folder, f"{kind}{_PATCH}", names, report) for kind in kinds}
    found = {}
    for kind in kinds:
        layers = Layers(base=base.get(kind, ""), over=over.get(kind, ""), patch=patches[kind])
        if layers.first:
            found[kind] = layers
    used = {*over.values(), *patches.values()}
    for name in sorted(names):
        if _is_resource(name) and f"{folder}/{name}" not in used:
            _lies_over_nothing(f"{folder}/{name}", [f"{kind}.yaml" for kind in kinds], report)
    return found


class _Search:
    def __init__(self, files: Files, folder: str, apps: tuple[FoundApp, ...]) -> None:
        self._files, self._folder, self._report = files, folder, files.report
        self._by_path = {app.path: app for app in apps}
        self._keys = {app.key: app.path for app in apps}

    def apps(self, globs: tuple[str, ...]) -> tuple[Layered, ...]:
        # Invalid globs were already reported when the tree itself was searched.
        paths = [*app_folders(self._files, globs, Report(), self._folder)]
        found = {app.key: Layered(found=app) for app in self._by_path.values()}
        for path in paths:
            layered = self._over(path) if path in self._by_path else self._alone(path)
            if layered:
                found[layered.found.key] = layered
        self._check_strays("", paths)
        return tuple(found[key] for key in sorted(found))

    def _over(self, path: str) -> Layered | None:
        over = find_app(self._files, f"{self._folder}/{path}", laid_over=True)
        return self._combined(self._by_path[path], over) if over else None

    def _alone(self, path: str) -> Layered | None:
        """An app of this environment only. It needs an app.yaml, like any other app."""
        place, key = f"{self._folder}/{path}", posixpath.basename(path)
        names = {entry.name for entry in self._files.entries(place)}
        if key in self._keys:
            what = f"duplicate folder for the app `{key}`: `{self._keys[key]}` exists too"  # type: ignore[index]
            self._report.add("CES010", what, file_spot(place))
        elif not names & {"app.yaml", "app.yml"}:
            _no_app(place, key, [str(known) for known in self._keys], self._report)
        elif check_key(key, place, self._report):
            over = find_app(self._files, place, laid_over=True)
            return self._combined(None, over) if over else None
        return None

    def _combined(self, base: FoundApp | None, over: FoundApp) -> Layered:
        names = {entry.name for entry in self._files.entries(over.path)}
        patch = one_of_two(over.path, APP_PATCH, names, self._report)
        resources = {kind: dict(keys) for kind, keys in (base.resources if base else {}).items()}
        layers: dict[Place, Layers] = {}
        if over.app_file or patch:
            app = Layers(base=base.app_file if base else "", over=over.app_file, patch=patch)
            layers[APPS, Key(over.key)] = app
        for kind, keys in over.resources.items():
            known = resources.setdefault(kind, {})
            for key, found in self._layers(known, keys):
                known[key] = found.first
                layers[kind, key] = found
        releases = dict(base.releases if base else {})
        for key, found in self._layers(releases, over.releases):
            releases[key] = found.first
            layers[RELEASES, key] = found
        combined = replace(
            base or over,
            app_file=base.app_file if base else over.app_file,
            resources=resources,
            folders=frozenset(resources),
            texts=(*(base.texts if base else ()), *over.texts),
            strangers=(*(base.strangers if base else ()), *over.strangers),
            releases=releases,
        )
        return Layered(found=combined, layers=layers)

    def _layers(self, base: Mapping[Key, str], files: Mapping[Key, str]) -> Iterator[tuple[Key, Layers]]:
        """The layers of one kind, by key."""
        patches = {Key(key.removesuffix(_PATCH)): path for key, path in files.items() if key.endswith(_PATCH)}
        overs = {key: path for key, path in files.items() if not key.endswith(_PATCH)}
        for key in sorted({*patches, *overs}):
            found = Layers(base=base.get(key, ""), over=overs.get(key, ""), patch=patches.get(key, ""))
            if found.first:
                yield key, found
            else:
                _lies_over_nothing(found.patch, [f"{name}{_PATCH}.yaml" for name in base], self._report)

    def _check_strays(self, path: str, apps: list[str]) -> None:
        """Report folders and files that belong to no app."""
        known = {*self._by_path, *apps}
        for entry in self._files.entries(posixpath.join(self._folder, path)):
            inner = posixpath.join(path, entry.name)
            place = f"{self._folder}/{inner}"
            if entry.is_dir() and inner not in known:
                if any(app.startswith(f"{inner}/") for app in known):
                    self._check_strays(inner, apps)
                else:
                    near = [item.split("/")[len(path.split("/")) if path else 0] for item in known]
                    _lies_over_nothing(place, near, self._report)
            elif path and not entry.is_dir() and _is_resource(entry.name):
                _lies_over_nothing(place, [], self._report)


def _is_resource(name: str) -> bool:
    return name.endswith(SUFFIXES) and not name.endswith(TEXT_SUFFIXES)


def _lies_over_nothing(path: str, known: list[str], report: Report) -> None:
    report.add(
        "CES101",
        f"`{path}` overrides nothing in the tree",
        file_spot(path),
        detail="Files in environments/<environment>/ repeat the paths of the tree.",
        suggestion=nearest(posixpath.basename(path), known),
    )


def _no_app(path: str, key: str, known: list[str], report: Report) -> None:
    report.add(
        "CES101",
        f"`{path}` does not override an app",
        file_spot(path),
        detail="An app that only this environment has needs its own app.yaml.",
        suggestion=nearest(key, known),
    )
