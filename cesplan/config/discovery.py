"""
Discovering: which files a tree has, and which resource each of them is. Only names are looked at.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cesplan.config.report import Report, file_spot
from cesplan.config.suggestions import nearest, same_but_for_spelling
from cesplan.domain.address import FORBIDDEN_IN_KEYS, AppKey, Key, KindName
from cesplan.model.kinds import KINDS, Parent

APP_FILE = "app"
APP_PATCH = "app.patch"
SUFFIXES = (".yaml", ".yml")
TEXT_SUFFIXES = (".openapi.yaml", ".openapi.yml")
"""YAML that is no resource but a text, taken in by `$file`."""

FOLDERS = tuple(name for name, kind in KINDS.items() if kind.parent is Parent.APP)
ENVIRONMENTS = "environments"
"""The folder of what is laid over the tree, one folder an environment; no app is looked for there."""

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
    for folder in app_folders(root, globs, report):
        path = os.path.relpath(folder, root).replace(os.sep, "/")
        name = os.path.basename(folder)
        if name in found:
            report.add(
                "CES010",
                f"duplicate folder for the app `{name}`: `{found[name].path}` exists too",
                file_spot(path),
            )
        elif check_key(name, path, report) and (app := find_app(root, path, report)):
            found[name] = app
    return tuple(found[name] for name in sorted(found))


def check_any_app(found: tuple[FoundApp, ...], globs: tuple[str, ...], report: Report) -> None:
    """Report a tree without an app, unless what is wrong has been said."""
    if not found and not report.has_errors:
        report.add(
            "CES034",
            "the tree has no apps",
            file_spot("cesplan.yaml"),
            detail=f"No folder with an app.yaml matches {', '.join(globs)} (`apps` in cesplan.yaml).",
        )


def discover_location_files(root: Path, report: Report, folder: str = "") -> dict[KindName, str]:
    """The files of a folder (the root, or that of an environment) that hold a resource of the location."""
    names = {entry.name for entry in entries_of(root, folder, report) if entry.is_file()}
    kinds = [name for name, kind in KINDS.items() if kind.singleton]
    for name in sorted(names):
        stem, suffix = os.path.splitext(name)
        meant = next((kind for kind in kinds if same_but_for_spelling(stem, kind) and stem != kind), None)
        if meant and suffix in SUFFIXES:
            place = file_spot(f"{folder}/{name}".lstrip("/"))
            report.add("CES008", f"unknown file `{name}`", place, suggestion=f"{meant}{suffix}")
    return {kind: found for kind in kinds if (found := one_of_two(folder, kind, names, report))}


def app_folders(root: Path, globs: tuple[str, ...], report: Report) -> Iterator[str]:
    """The folders that the globs of cesplan.yaml match below a root."""
    seen: set[str] = set()
    for pattern in globs:
        if os.path.isabs(pattern) or ".." in pattern.split("/"):
            report.add("CES006", f"`{pattern}` leads out of the tree", file_spot("cesplan.yaml"))
            continue
        if pattern.split("/").count("**") > 1:
            report.add(
                "CES006",
                f"`{pattern}` contains more than one `**`",
                file_spot("cesplan.yaml"),
                detail="Several `**` make the search too expensive. Name the folders instead.",
            )
            continue
        for folder in sorted(root.glob(pattern.rstrip("/") or ".")):
            hidden = folder.name.startswith((".", "_")) or _is_of_environment(folder, root)
            if folder.is_dir() and not hidden and str(folder) not in seen:
                seen.add(str(folder))
                yield str(folder)


def _is_of_environment(folder: Path, root: Path) -> bool:
    return folder.relative_to(root).parts[:1] == (ENVIRONMENTS,)


def find_app(root: Path, path: str, report: Report, *, laid_over: bool = False) -> FoundApp | None:
    """
    The app in a folder; None without an app.yaml, which is reported.

    What is `laid_over` an app needs none, and then `app_file` may be empty; `<key>.patch` counts as a key.
    """
    entries = entries_of(root, path, report)
    files = {entry.name for entry in entries if not entry.is_dir()}
    app_file = one_of_two(path, APP_FILE, files, report)
    if not app_file and not laid_over:
        _no_app_file(path, files, entries, report)
        return None
    resources: dict[KindName, dict[Key, str]] = {}
    texts = _loose_texts(path, files, report, (APP_FILE, APP_PATCH) if laid_over else (APP_FILE,))
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
        key=AppKey(os.path.basename(path)),
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
    for entry in entries_of(root, folder, report):
        path = f"{folder}/{entry.name}"
        stem, suffix = os.path.splitext(entry.name)
        if entry.is_dir():
            strangers.append(path)
        elif suffix not in SUFFIXES or entry.name.endswith(TEXT_SUFFIXES):
            texts.append(path)
        elif stem in found:
            _two_files(folder, stem, report)
        elif check_key(stem, path, report):
            found[Key(stem)] = path
    return found


def _loose_texts(path: str, files: set[str], report: Report, app_files: tuple[str, ...]) -> list[str]:
    texts = []
    for name in sorted(files):
        stem, suffix = os.path.splitext(name)
        if stem in app_files and suffix in SUFFIXES:
            continue
        if suffix in SUFFIXES and not name.endswith(TEXT_SUFFIXES):
            report.add(
                "CES008",
                f"`{name}` is not a file of an app",
                file_spot(f"{path}/{name}"),
                detail=f"Put resources in the folder of their kind: {', '.join(FOLDERS)}.",
                suggestion=nearest(name, ["app.yaml"]),
            )
        else:
            texts.append(f"{path}/{name}")
    return texts


def one_of_two(folder: str, stem: str, names: set[str], report: Report) -> str:
    """The path of `<stem>.yaml` or `<stem>.yml`, whichever is there; empty for neither."""
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


def check_key(key: str, path: str, report: Report) -> bool:
    """Whether the name of a file or folder can be a key; reports why not."""
    bad = sorted(set(key) & FORBIDDEN_IN_KEYS)
    if bad or not key:
        report.add(
            "CES009",
            f"`{key}` is not a valid key",
            file_spot(path),
            detail="The name of a resource file or an app folder is its key. A key cannot contain `@`, "
            "`/` or `$`.",
        )
    return not bad and bool(key)


def entries_of(root: Path, path: str, report: Report) -> list[os.DirEntry[str]]:
    """What a folder holds, by name, without what is hidden."""
    try:
        with os.scandir(root / path) as entries:
            found = [item for item in entries if not item.name.startswith(".") and item.name not in _IGNORED]
    except OSError as error:
        report.add(
            "CES001", f"the folder cannot be read: {(error.strerror or '').lower()}", file_spot(path or ".")
        )
        return []
    return [
        entry for entry in sorted(found, key=lambda entry: entry.name) if _leads_somewhere(entry, path, report)
    ]


def _leads_somewhere(entry: os.DirEntry[str], folder: str, report: Report) -> bool:
    """Whether one can look at an entry; reports a symbolic link that leads in a circle."""
    try:
        entry.is_dir()
    except OSError as error:
        place = f"{folder}/{entry.name}".lstrip("/")
        report.add("CES001", f"`{place}` cannot be read: {(error.strerror or '').lower()}", file_spot(place))
        return False
    return True
