"""Exports on disk for tests: written, packed, read again."""

from pathlib import Path

from cesplan.domain.desired import Desired
from cesplan.features.export_layout.load import Destination, ReadExport, read_export
from cesplan.features.export_layout.write import WrittenExport


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
