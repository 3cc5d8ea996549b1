"""Discovery: which files a tree has, and which resource each of them is. Only names are examined."""

import os
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import field
from fnmatch import fnmatchcase

from cesplan.config.files import Files
from cesplan.config.report import Report, file_spot
from cesplan.config.suggestions import nearest, same_but_for_spelling
from cesplan.domain.address import FORBIDDEN_IN_KEYS, AppKey, Key, KindName
from cesplan.domain.frozen import dataclass
from cesplan.model.kinds import KINDS, Parent

APP_FILE = "app"
APP_PATCH = "app.patch"
SUFFIXES = (".yaml", ".yml")
TEXT_SUFFIXES = (".openapi.yaml", ".openapi.yml")
"""Suffixes of YAML files that are not resources but texts for `$file`."""

FOLDERS = tuple(name for name, kind in KINDS.items() if kind.parent is Parent.APP)
RELEASES = KindName("releases")
"""The folder of release files: part of the tree, and never sent."""
ENVIRONMENTS = "environments"
"""The folder of overlays, with one folder per environment. It is not searched for apps."""


LONGEST_GLOB = 1_000
"""The most characters of a pattern in `apps`. Readable paths are far shorter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundApp:
    """
    An app folder. All paths are relative to the root of the tree.

    `resources` maps kind and key to the resource file. `folders` are the kinds whose folder exists. `texts` are
    files that `$file` may include, `strangers` folders that are not of any kind. `releases` are release files.
    """

    key: AppKey
    path: str
    app_file: str
    resources: Mapping[KindName, Mapping[Key, str]] = field(default_factory=dict)
    folders: frozenset[KindName] = frozenset()
    texts: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()
    releases: Mapping[Key, str] = field(default_factory=dict)

    @property
    def files(self) -> dict[str, dict[str, str]]:
        """The resource files by plain kind and key."""
        return {
            str(kind): {str(key): path for key, path in keys.items()} for kind, keys in self.resources.items()
        }


def discover_apps(files: Files, globs: tuple[str, ...]) -> tuple[FoundApp, ...]:
    """The apps that match the globs of cesplan.yaml, by key."""
    found: dict[str, FoundApp] = {}
    report = files.report
    for path in app_folders(files, globs, report):
        name = posixpath.basename(path)
        if name in found:
            report.add(
                "CES010",
                f"duplicate folder for the app `{name}`: `{found[name].path}` exists too",
                file_spot(path),
            )
        elif check_key(name, path, report) and (app := find_app(files, path)):
            found[name] = app
    return tuple(found[name] for name in sorted(found))


def check_any_app(found: tuple[FoundApp, ...], globs: tuple[str, ...], report: Report) -> None:
    """Report a tree without apps, unless the cause was already reported."""
    if not found and not report.has_errors:
        report.add(
            "CES034",
            "the tree has no apps",
            file_spot("cesplan.yaml"),
            detail=f"No folder with an app.yaml matches {', '.join(globs)} (`apps` in cesplan.yaml).",
        )


def discover_location_files(files: Files, folder: str = "") -> dict[KindName, str]:
    """The files in a folder (the root or an environment's) that are resources of the location."""
    report = files.report
    names = {entry.name for entry in files.entries(folder) if not entry.is_dir() or entry.is_symlink()}
    kinds = [name for name, kind in KINDS.items() if kind.is_singleton]
    for name in sorted(names):
        stem, suffix = os.path.splitext(name)
        correction = next((kind for kind in kinds if same_but_for_spelling(stem, kind) and stem != kind), None)
        if correction and suffix in SUFFIXES:
            place = file_spot(f"{folder}/{name}".lstrip("/"))
            report.add("CES008", f"unknown file `{name}`", place, suggestion=f"{correction}{suffix}")
    return {kind: found for kind in kinds if (found := one_of_two(folder, kind, names, report))}


def app_folders(files: Files, globs: tuple[str, ...], report: Report, below: str = "") -> Iterator[str]:
    """The folders below a folder that match the globs of cesplan.yaml, each once. Reports invalid globs."""
    seen: set[str] = set()
    for pattern in globs:
        if problem := _problem_of(pattern):
            report.add("CES006", problem[0], file_spot("cesplan.yaml"), detail=problem[1])
            continue
        parts = [part for part in pattern.split("/") if part not in ("", ".")]
        for path in sorted(_matches(files, below, parts), key=lambda path: path.split("/")):
            within = path.removeprefix(below).lstrip("/")
            is_hidden = posixpath.basename(within).startswith((".", "_"))
            if within and within not in seen and not is_hidden and within.split("/")[0] != ENVIRONMENTS:
                seen.add(within)
                yield within


def _problem_of(pattern: str) -> tuple[str, str] | None:
    """What is wrong with a glob, and what to do about it; None if it is valid."""
    parts = pattern.split("/")
    if len(pattern) > LONGEST_GLOB:
        return f"a pattern of `apps` is longer than {LONGEST_GLOB:,} characters", ""
    if os.path.isabs(pattern) or ".." in parts:
        return f"`{pattern}` leads out of the tree", ""
    if all(part in ("", ".") for part in parts):
        detail = "The folder of cesplan.yaml cannot be an app. Name folders in it, such as `apps/*`."
        return f"`{pattern}` cannot match an app folder", detail
    if parts.count("**") > 1:
        detail = "Several `**` make the search too expensive. Name the folders instead."
        return f"`{pattern}` contains more than one `**`", detail
    return None


def _matches(files: Files, below: str, parts: list[str]) -> Iterator[str]:
    """
    The folders below a folder that match the parts of a glob. Links inside the tree are followed, except by
    `**`.

    Each step counts against the limit, because a few links to one folder create an explosion of paths.
    """
    pending = [(below, 0)]
    while pending:
        path, at = pending.pop()
        if not files.spend(1):
            return
        if at == len(parts):
            yield path
        elif parts[at] == "**":
            pending.append((path, at + 1))
            inner = (item for item in files.entries(path) if item.is_dir(follow_symlinks=False))
            pending += [(posixpath.join(path, item.name), at) for item in inner]
        elif set(parts[at]) & set("*?["):
            found = [item for item in files.entries(path) if fnmatchcase(item.name, parts[at])]
            pending += [(posixpath.join(path, item.name), at + 1) for item in found if item.is_dir()]
            _report_odd(files, path, found)
        elif (files.root / (inside := posixpath.join(path, parts[at]))).is_dir():
            pending.append((inside, at + 1))


def _report_odd(files: Files, path: str, found: list[os.DirEntry[str]]) -> None:
    """Report an entry that may have been meant as a folder, such as a link. Plain files are fine."""
    for item in found:
        if not item.is_dir() and (item.is_symlink() or not item.is_file()):
            place = posixpath.join(path, item.name)
            files.report.add("CES001", f"`{place}` is not a folder", file_spot(place))


def find_app(files: Files, path: str, *, laid_over: bool = False) -> FoundApp | None:
    """
    The app in a folder; None if there is no app.yaml, which is reported.

    An overlay (`laid_over`) needs no app.yaml, so `app_file` may be empty, and `<key>.patch` counts as a key.
    """
    report = files.report
    entries = files.entries(path)
    names = {entry.name for entry in entries if not entry.is_dir()}
    app_file = one_of_two(path, APP_FILE, names, report)
    if not app_file and not laid_over:
        _no_app_file(path, names, entries, report)
        return None
    resources: dict[KindName, dict[Key, str]] = {}
    texts = _loose_texts(path, names, report, (APP_FILE, APP_PATCH) if laid_over else (APP_FILE,))
    unexpected: list[str] = []
    releases: dict[Key, str] = {}
    for entry in entries:
        if not entry.is_dir():
            continue
        if entry.name in FOLDERS:
            kind = KindName(entry.name)
            resources[kind] = _resources(files, f"{path}/{kind}", texts, unexpected)
        elif entry.name == RELEASES:
            releases = _resources(files, f"{path}/{RELEASES}", texts, unexpected)
        else:
            unexpected.append(f"{path}/{entry.name}")
    return FoundApp(
        key=AppKey(os.path.basename(path)),
        path=path,
        app_file=app_file,
        resources=resources,
        folders=frozenset(resources),
        texts=tuple(texts),
        strangers=tuple(unexpected),
        releases=releases,
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


def _resources(files: Files, folder: str, texts: list[str], unexpected: list[str]) -> dict[Key, str]:
    found: dict[Key, str] = {}
    report = files.report
    for entry in files.entries(folder):
        path = f"{folder}/{entry.name}"
        stem, suffix = os.path.splitext(entry.name)
        if entry.is_dir():
            unexpected.append(path)
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
    """The path of `<stem>.yaml` or `<stem>.yml`, whichever exists; empty if neither does."""
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
    """Whether the name of a file or folder is a valid key; reports why not."""
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
