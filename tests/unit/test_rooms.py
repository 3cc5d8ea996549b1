"""Folders of the package stay small enough to read at a glance."""

from pathlib import Path

import cesplan

ROOT = Path(cesplan.__file__).parent
CATALOGS = frozenset({"messages", "checks", "commands"})
"""Folders with one file for each entry of a list."""
MOST = 18


def test_no_folder_holds_more_than_18_modules():
    """A folder is a room: who looks for something reads its names in one go. Catalogs are read by name."""
    modules = [path for path in ROOT.rglob("*.py") if path.name != "__init__.py"]
    counts = {folder: sum(path.parent == folder for path in modules) for folder in {p.parent for p in modules}}
    too_large = {
        str(folder.relative_to(ROOT)): count
        for folder, count in counts.items()
        if count > MOST and folder.name not in CATALOGS
    }
    assert too_large == {}
