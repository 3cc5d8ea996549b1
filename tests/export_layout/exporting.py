"""Exports on disk for tests: written, packed, read again."""

from pathlib import Path

from cesplan.config.export_layout.loading import Destination, ReadExport, read_export
from cesplan.config.export_layout.writing import WrittenExport
from cesplan.domain.desired import Desired


def put(written: WrittenExport, folder: Path) -> Path:
    """Write an export into a folder; return the folder of the app."""
    for path, data in written.files.items():
        target = folder / written.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder / written.folder


def desired_in(path: Path, **destination: str) -> Desired:
    """The desired state of an export that has no errors."""
    found = reading(path, **destination)
    assert found.loaded.desired is not None, found.loaded.diagnostics
    return found.loaded.desired


def reading(path: Path, **destination: str) -> ReadExport:
    return read_export(path, Destination(**{"project": "acme", "location": "us", **destination}))
