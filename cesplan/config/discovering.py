"""
Discovering: which files a tree has, and which resource each of them is. Only names are looked at.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cesplan.config.reporting import Report, file_spot
from cesplan.config.suggesting import nearest, same_but_for_spelling
from cesplan.domain.address import FORBIDDEN_IN_KEYS, AppKey, Key, KindName
from cesplan.model.kinds import KINDS, Parent

APP_FILE = "app"
SUFFIXES = (".yaml", ".yml")
TEXT_SUFFIXES = (".openapi.yaml", ".openapi.yml")
"""YAML that is no resource but a text, taken in by `$file`."""

FOLDERS = tuple(name for name, kind in KINDS.items() if kind.parent is Parent.APP)
_IGNORED = ("__pycache__",)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundApp:
    """
    One app folder. All paths are relative to the root of the tree.

    `resources` maps kind and key to the resource file; `folders` are the kinds whose folder exists; `texts`
    are files that `$file` may take in, `strangers` folders that are no kind's.
    """

    key: AppKey
    path: str
    app_file: str
    resources: Mapping[KindName, Mapping[Key, str]] = field(default_factory=dict)
    folders: frozenset[KindName] = frozenset()
    texts: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()

    @property
    def files(self) -> dict[str, dict[str, str]]:
        """The resource files by plain kind and key."""
        return {
            str(kind): {str(key): path for key, path in keys.items()} for kind, keys in self.resources.items()
        }


def discover_apps(root: Path, globs: tuple[str, ...], report: Report) -> tuple[FoundApp, ...]:
    """The apps that the globs of cesplan.yaml find, by key."""
    found: dict[str, FoundApp] = {}
    for folder in _folders(root, globs, report):
        path = os.path.relpath(folder, root).replace(os.sep, "/")
        name = os.path.basename(folder)
        if name in found:
            report.add("CES010", f"two folders for the app `{name}`: `{found[name].path}` too", file_spot(path))
        elif _check_key(name, path, report) and (app := _app(root, path, name, report)):
            found[name] = app
    if not found and not report.has_errors:
        report.add(
            "CES034",
            "the tree has no app",
            file_spot("cesplan.yaml"),
            detail=f"No folder with an app.yaml matches {', '.join(globs)} (`apps` in cesplan.yaml).",
        )
    return tuple(found[name] for name in sorted(found))


def discover_location_files(root: Path, report: Report) -> dict[KindName, str]:
    """The files at the root that hold a resource of the location."""
    names = {entry.name for entry in _entries(root, "", report) if entry.is_file()}
    kinds = [name for name, kind in KINDS.items() if kind.singleton]
    for name in sorted(names):
        stem, suffix = os.path.splitext(name)
        meant = next((kind for kind in kinds if same_but_for_spelling(stem, kind) and stem != kind), None)
        if meant and suffix in SUFFIXES:
            report.add("CES008", f"unknown file `{name}`", file_spot(name), suggestion=f"{meant}{suffix}")
    return {kind: found for kind in kinds if (found := _one_of_two("", kind, names, report))}


def _folders(root: Path, globs: tuple[str, ...], report: Report) -> Iterator[str]:
    seen: set[str] = set()
    for pattern in globs:
        if os.path.isabs(pattern) or ".." in pattern.split("/"):
            report.add("CES006", f"`{pattern}` leads out of the tree", file_spot("cesplan.yaml"))
            continue
        for folder in sorted(root.glob(pattern.rstrip("/") or ".")):
            hidden = folder.name.startswith((".", "_"))
            if folder.is_dir() and not hidden and str(folder) not in seen:
                seen.add(str(folder))
                yield str(folder)


def _app(root: Path, path: str, name: str, report: Report) -> FoundApp | None:
    entries = _entries(root, path, report)
    files = {entry.name for entry in entries if not entry.is_dir()}
    app_file = _one_of_two(path, APP_FILE, files, report)
    if not app_file:
        _no_app_file(path, files, entries, report)
        return None
    resources: dict[KindName, dict[Key, str]] = {}
    texts = _loose_texts(path, files, report)
    strangers: list[str] = []
    for entry in entries:
        if not entry.is_dir():
            continue
        if entry.name in FOLDERS:
            kind = KindName(entry.name)
            resources[kind] = _resources(root, f"{path}/{kind}", texts, strangers, report)
        else:
            strangers.append(f"{path}/{entry.name}")
    return FoundApp(
        key=AppKey(name),
        path=path,
        app_file=app_file,
        resources=resources,
        folders=frozenset(resources),
        texts=tuple(texts),
        strangers=tuple(strangers),
    )


def _no_app_file(path: str, files: set[str], entries: list[os.DirEntry[str]], report: Report) -> None:
    if entries:
        slip = nearest("app.yaml", files)
        report.add(
            "CES008",
            f"`{path}` has no app.yaml",
            file_spot(f"{path}/{slip}" if slip else path),
            detail="Every folder that `apps` in cesplan.yaml matches is an app, and app.yaml is its resource.",
            suggestion="app.yaml" if slip else "",
        )


def _resources(
    root: Path, folder: str, texts: list[str], strangers: list[str], report: Report
) -> dict[Key, str]:
    found: dict[Key, str] = {}
    for entry in _entries(root, folder, report):
        path = f"{folder}/{entry.name}"
        stem, suffix = os.path.splitext(entry.name)
        if entry.is_dir():
            strangers.append(path)
        elif suffix not in SUFFIXES or entry.name.endswith(TEXT_SUFFIXES):
            texts.append(path)
        elif stem in found:
            _two_files(folder, stem, report)
        elif _check_key(stem, path, report):
            found[Key(stem)] = path
    return found


def _loose_texts(path: str, files: set[str], report: Report) -> list[str]:
    texts = []
    for name in sorted(files):
        stem, suffix = os.path.splitext(name)
        if stem == APP_FILE and suffix in SUFFIXES:
            continue
        if suffix in SUFFIXES and not name.endswith(TEXT_SUFFIXES):
            report.add(
                "CES008",
                f"`{name}` is no file of an app",
                file_spot(f"{path}/{name}"),
                detail=f"Resources stand in the folder of their kind: {', '.join(FOLDERS)}.",
                suggestion=nearest(name, ["app.yaml"]),
            )
        else:
            texts.append(f"{path}/{name}")
    return texts


def _one_of_two(folder: str, stem: str, names: set[str], report: Report) -> str:
    found = [f"{stem}{suffix}" for suffix in SUFFIXES if f"{stem}{suffix}" in names]
    if len(found) > 1:
        _two_files(folder, stem, report)
    return "/".join([folder, found[0]]).lstrip("/") if found else ""


def _two_files(folder: str, stem: str, report: Report) -> None:
    place = f"{folder}/" if folder else ""
    report.add(
        "CES010",
        f"two files for `{stem}`: `{place}{stem}.yaml` and `{place}{stem}.yml`",
        file_spot(f"{place}{stem}.yml"),
        detail="Keep one of them.",
    )


def _check_key(key: str, path: str, report: Report) -> bool:
    bad = sorted(set(key) & FORBIDDEN_IN_KEYS)
    if bad or not key:
        report.add(
            "CES009",
            f"`{key}` cannot be a key",
            file_spot(path),
            detail="The name of a resource file or an app folder is its key, and a key has no `@`, `/` or `$`.",
        )
    return not bad and bool(key)


def _entries(root: Path, path: str, report: Report) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(root / path) as entries:
            found = [item for item in entries if not item.name.startswith(".") and item.name not in _IGNORED]
    except OSError as error:
        report.add(
            "CES001", f"the folder cannot be read: {(error.strerror or '').lower()}", file_spot(path or ".")
        )
        return []
    return sorted(found, key=lambda entry: entry.name)
