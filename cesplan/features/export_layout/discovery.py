"""
Discovering: the resource files of an export, and the files that belong to no resource.
"""

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import field

from cesplan.config.report import file_spot
from cesplan.config.suggestions import nearest
from cesplan.domain.address import APPS, KindName
from cesplan.domain.frozen import dataclass
from cesplan.features.export_layout.detection import APP_FILES
from cesplan.features.export_layout.environment import chosen_environment, other_environments
from cesplan.features.export_layout.field_names import FieldNames
from cesplan.features.export_layout.layout import ENVIRONMENT, FOLDERS
from cesplan.features.export_layout.sources import ExportFiles, OpenedFile, read
from cesplan.model.kinds import kind_of

_SUFFIXES = (".yaml", ".json")
_OF_RESOURCES = (*_SUFFIXES, "/python_code.py", "/instruction.txt")
"""The path suffixes of resource files. A folder without such a file is not a resource."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundExport:
    """
    The contents of an export.

    `broken` counts resource files that could not be read. `environment` is the environment file in use,
    `others` are those named after an environment. `folders` are the kinds with a complete folder: a missing
    resource was removed. `used` are the paths already examined as resources.
    """

    app: OpenedFile
    resources: Mapping[KindName, tuple[OpenedFile, ...]] = field(default_factory=dict)
    environment: OpenedFile | None = None
    others: Mapping[str, OpenedFile] = field(default_factory=dict)
    folders: frozenset[KindName] = frozenset()
    broken: int = 0
    used: frozenset[str] = frozenset()


def discover(source: ExportFiles, environment: str = "", environment_file: str = "") -> FoundExport | None:
    """
    The resources of an export; None without a readable app file. Problems are reported.

    `environment` and `environment_file` choose among several environment files.
    """
    names = frozenset(source.names)
    app_paths = [name for name in APP_FILES if name in names]
    app_path = app_paths[0] if app_paths else ""
    _report_second(source, app_paths)
    app = _read_resource(source, APPS, app_path) if app_path else None
    paths = {kind: _resource_paths(source, kind) for kind in FOLDERS}
    opened = {
        KindName(kind): tuple(
            found
            for folder, path in items.items()
            if (found := _read_resource(source, kind, path, folder)) is not None
        )
        for kind, items in paths.items()
    }
    chosen = chosen_environment(source, environment, environment_file)
    others = other_environments(source)
    if app is None:
        return None
    files = (ENVIRONMENT, *(other.file.path for other in others.values()))
    used = {*files, *APP_FILES, *(path for items in paths.values() for path in items.values())}
    return FoundExport(
        app=app,
        resources={kind: items for kind, items in opened.items() if items},
        environment=chosen,
        others=others,
        folders=frozenset(KindName(kind) for kind in FOLDERS if paths[kind] and not _has_loose(names, kind)),
        broken=sum(map(len, paths.values())) - sum(map(len, opened.values())),
        used=frozenset(used),
    )


def _read_resource(source: ExportFiles, kind: str, path: str, folder: str = "") -> OpenedFile | None:
    """A resource file, under the field names of the API's JSON."""
    opened = read(source, path)
    if opened is None:
        return None
    names = FieldNames(file=opened.file, report=source.files.report)
    root = names.message(kind_of(kind).spec, opened.root)
    names.report_notes()
    return OpenedFile(
        file=opened.file,
        root=root,
        folder=folder,
        comments=tuple(names.comments),
        left_alone=tuple(names.left_alone),
    )


def _resource_paths(source: ExportFiles, kind: str) -> dict[str, str]:
    """The file of each resource of a kind, by folder name."""
    inside: dict[str, list[str]] = {}
    for name in source.names:
        parts = name.split("/")
        if parts[0] == kind and len(parts) > 2:
            inside.setdefault(parts[1], []).append(name)
        elif parts[0] == kind and len(parts) == 2 and parts[1].endswith(_SUFFIXES):
            _loose(source, kind, name)
    found = {folder: _resource_path(kind, folder, names, source) for folder, names in sorted(inside.items())}
    return {folder: path for folder, path in found.items() if path}


def _resource_path(kind: str, folder: str, names: Iterable[str], source: ExportFiles) -> str:
    """The file of a resource: named after its folder (YAML before JSON), or the only file."""
    if not any(name.endswith(_OF_RESOURCES) for name in names):
        return ""
    here = [name for name in names if name.count("/") == 2 and name.endswith(_SUFFIXES)]
    candidates = [path for suffix in _SUFFIXES if (path := f"{kind}/{folder}/{folder}{suffix}") in here]
    if candidates:
        _report_second(source, candidates)
        return candidates[0]
    if len(here) == 1:
        return here[0]
    source.files.report.add(
        "CES008",
        f"`{kind}/{folder}` has no file {folder}.json" + (f": it has {len(here)} other files" if here else ""),
        file_spot(f"{kind}/{folder}"),
        detail="Each folder inside the folder of a kind is a resource. Its file has the same name with the"
        " suffix .json or .yaml.",
        suggestion=nearest(f"{folder}.json", map(posixpath.basename, here)),
    )
    return ""


def _report_second(source: ExportFiles, paths: list[str]) -> None:
    for path in paths[1:]:
        source.files.report.add(
            "CES035", f"`{path}` is ignored: `{posixpath.basename(paths[0])}` takes precedence", file_spot(path)
        )


def _loose(source: ExportFiles, kind: str, path: str) -> None:
    name, suffix = posixpath.splitext(posixpath.basename(path))
    source.files.report.add(
        "CES035",
        f"`{path}` is ignored: it is not in the folder of a resource",
        file_spot(path),
        detail=f"In an export, each resource has its own folder: {kind}/{name}/{name}{suffix}.",
    )


def _has_loose(names: Iterable[str], kind: str) -> bool:
    """Whether a file next to a kind's resource folders may be meant as a resource."""
    return any(
        name.startswith(f"{kind}/") and name.count("/") == 1 and name.endswith(_SUFFIXES) for name in names
    )
