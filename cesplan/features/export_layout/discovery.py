"""
Discovering: which file of an export is which resource, and what belongs to none.
"""

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cesplan.config.reporting import SourceFile, file_spot
from cesplan.config.suggesting import nearest
from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import At
from cesplan.config.yaml.nodes import Mapping as MappingNode
from cesplan.domain.address import KindName
from cesplan.features.export_layout.detection import APP_FILES
from cesplan.features.export_layout.json_nodes import compose_json
from cesplan.features.export_layout.layout import ENVIRONMENT, FOLDERS
from cesplan.features.export_layout.sources import Source

_SUFFIXES = (".yaml", ".json")
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A file that holds a resource, read: `folder` is the name of the resource's folder."""

    file: SourceFile
    root: MappingNode
    folder: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundExport:
    """
    What an export holds.

    `broken` counts resource files that could not be read. `environment` is environment.json. `folders` are the
    kinds whose folder exists. `used` are the paths that have been looked at as resources.
    """

    app: Opened
    resources: Mapping[KindName, tuple[Opened, ...]] = field(default_factory=dict)
    environment: Opened | None = None
    folders: frozenset[KindName] = frozenset()
    broken: int = 0
    used: frozenset[str] = frozenset()


def discover(source: Source) -> FoundExport | None:
    """The resources of an export; None without a readable app file. What is wrong is reported."""
    names = frozenset(source.names)
    app_path = next((name for name in APP_FILES if name in names), "")
    app = read(source, app_path) if app_path else None
    paths = {kind: _resource_paths(source, kind) for kind in FOLDERS}
    opened = {
        KindName(kind): tuple(
            found for folder, path in items.items() if (found := read(source, path, folder)) is not None
        )
        for kind, items in paths.items()
    }
    environment = read(source, ENVIRONMENT) if ENVIRONMENT in names else None
    if app is None:
        return None
    used = {ENVIRONMENT, *APP_FILES, *(path for items in paths.values() for path in items.values())}
    return FoundExport(
        app=app,
        resources={kind: items for kind, items in opened.items() if items},
        environment=environment,
        folders=frozenset(KindName(kind) for kind in FOLDERS if _has_folder(names, kind)),
        broken=sum(map(len, paths.values())) - sum(map(len, opened.values())),
        used=frozenset(used),
    )


def read(source: Source, path: str, folder: str = "") -> Opened | None:
    """The mapping in a JSON or YAML file; what is wrong with it is reported, and then there is none."""
    files = source.files
    if not files.inside(path):
        files.report.add("CES001", f"`{path}` leads out of the export", file_spot(path))
        return None
    text = files.text(path)
    if text is None:
        return None
    file = SourceFile(path, text.removeprefix(_BOM))
    document = compose_json(file.text) if path.endswith(".json") else compose(file.text)
    for problem in document.problems:
        spot = file.spot(problem.start, problem.end)
        files.report.add(problem.code, problem.summary, spot, detail=problem.detail)
    if isinstance(document.root, MappingNode):
        return Opened(file=file, root=document.root, folder=folder)
    if not document.problems:
        files.report.add("CES004", f"`{path}` holds no mapping", file.spot(At(0, 0)))
    return None


def _resource_paths(source: Source, kind: str) -> dict[str, str]:
    """By the name of its folder, the file of each resource of a kind."""
    inside: dict[str, list[str]] = {}
    for name in source.names:
        parts = name.split("/")
        if parts[0] == kind and len(parts) > 2:
            inside.setdefault(parts[1], []).append(name)
        elif parts[0] == kind and len(parts) == 2 and parts[1].endswith(_SUFFIXES):
            _loose(source, kind, name)
    found = {folder: _resource_path(kind, folder, names, source) for folder, names in sorted(inside.items())}
    return {folder: path for folder, path in found.items() if path}


def _resource_path(kind: str, folder: str, names: Iterable[str], source: Source) -> str:
    """The file of a resource: YAML before JSON, named as its folder, or the only one there is."""
    here = [name for name in names if name.count("/") == 2 and name.endswith(_SUFFIXES)]
    wanted = [f"{kind}/{folder}/{folder}{suffix}" for suffix in _SUFFIXES]
    chosen = next((path for path in wanted if path in here), "")
    if chosen or len(here) == 1:
        return chosen or here[0]
    source.files.report.add(
        "CES008",
        f"`{kind}/{folder}` has no {folder}.json" + (f": it has {len(here)} other files" if here else ""),
        file_spot(f"{kind}/{folder}"),
        detail="Each folder of a kind is a resource, and its file is called as the folder, .json or .yaml.",
        suggestion=nearest(f"{folder}.json", map(posixpath.basename, here)),
    )
    return ""


def _loose(source: Source, kind: str, path: str) -> None:
    name, suffix = posixpath.splitext(posixpath.basename(path))
    source.files.report.add(
        "CES008",
        f"`{path}` is no resource",
        file_spot(path),
        detail=f"In an export each resource has a folder: {kind}/{name}/{name}{suffix}.",
    )


def _has_folder(names: Iterable[str], kind: str) -> bool:
    return any(name.startswith(f"{kind}/") for name in names)
