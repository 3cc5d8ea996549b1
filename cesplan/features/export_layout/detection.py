"""Detecting: whether a path is an export. The check is cheap, because every command runs it."""

from pathlib import Path

APP_FILES = ("app.yaml", "app.json")
"""The file of the app itself; if both exist, the first one counts."""


def is_export(path: Path) -> bool:
    """Whether a path looks like an export: a ZIP, or a folder with app.json or app.yaml and no cesplan.yaml."""
    if path.is_file():
        return path.suffix.lower() == ".zip" or _is_zip(path)
    return not (path / "cesplan.yaml").exists() and any((path / name).is_file() for name in APP_FILES)


def holds_export(folder: Path) -> bool:
    """Whether a subfolder holds an export, as in a ZIP from the service."""
    return folder.is_dir() and any(any(folder.glob(f"*/{name}")) for name in APP_FILES)


def _is_zip(path: Path) -> bool:
    try:
        with path.open("rb") as opened:
            return opened.read(4) == b"PK\x03\x04"
    except OSError:
        return False
