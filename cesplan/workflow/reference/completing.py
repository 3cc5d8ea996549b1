"""What a shell may complete: environments and addresses of the tree around a folder, from names alone."""

from pathlib import Path

from cesplan.config.discovery import discover_apps
from cesplan.config.files import Files
from cesplan.config.project.file import FILE_NAME
from cesplan.config.project.project import find_root
from cesplan.config.report import Report
from cesplan.config.yaml.nodes import Mapping, plain
from cesplan.domain.address import Address, Key, KindName, app_address
from cesplan.domain.settings import SETTINGS


def environments(folder: Path) -> list[str]:
    """The names of the environments; empty without a readable cesplan.yaml."""
    _, project = _project(folder)
    found = project.get("environments") if project else None
    return sorted(found.entries) if isinstance(found, Mapping) else []


def addresses(folder: Path) -> list[str]:
    """The addresses of the apps and of everything in them, as their files are called."""
    files, project = _project(folder)
    if project is None:
        return []
    said = project.get("apps")
    globs = plain(said) if said is not None else SETTINGS["apps"].default
    if not isinstance(globs, list | tuple) or not all(isinstance(item, str) for item in globs):
        return []
    found: list[Address] = []
    for app in discover_apps(files, tuple(globs)):
        found.append(app_address(app.key))
        found += [
            Address(app=app.key, kind=KindName(kind), key=Key(key))
            for kind, keys in app.files.items()
            for key in keys
        ]
    return sorted(map(str, found))


def _project(folder: Path) -> tuple[Files, Mapping | None]:
    root = find_root(folder)
    files = Files(root or folder, Report())
    found = files.mapping(FILE_NAME) if root else None
    return files, found[1] if found else None
