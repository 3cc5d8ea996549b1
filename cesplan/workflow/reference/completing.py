"""Shell completions: environments and addresses of the tree around a folder, from file names alone."""

from pathlib import Path

from cesplan.config.discovery import discover_apps
from cesplan.config.files import Files
from cesplan.config.project.project import app_globs, environments_of, find_root
from cesplan.config.report import Report
from cesplan.domain.address import Address, Key, KindName, app_address


def environments(folder: Path) -> list[str]:
    """The names of the environments; empty without a readable cesplan.yaml."""
    root = find_root(folder)
    return list(environments_of(root)) if root else []


def addresses(folder: Path) -> list[str]:
    """The addresses of the apps and of everything in them, from their file names."""
    root = find_root(folder)
    if root is None:
        return []
    found: list[Address] = []
    for app in discover_apps(Files(root, Report()), app_globs(root)):
        found.append(app_address(app.key))
        found += [
            Address(app=app.key, kind=KindName(kind), key=Key(key))
            for kind, keys in app.files.items()
            for key in keys
        ]
    return sorted(map(str, found))
