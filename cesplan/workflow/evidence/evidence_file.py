"""The evidence file: read and written whole, private to the user, inside the tree."""

from pathlib import Path
from typing import TYPE_CHECKING

from cesplan.config.files import read_regular
from cesplan.config.writing.outputs import check_output_file, make_room, own_place
from cesplan.config.writing.whole_files import PRIVATE, write_whole
from cesplan.domain.errors import CesplanError, UsageError
from cesplan.domain.features.gate import GateReport
from cesplan.domain.features.release import Release
from cesplan.domain.settings import Settings
from cesplan.features.releases.report import Record

if TYPE_CHECKING:
    from cesplan.features.releases.json_report import EvidenceDocument

_FOLDER = "releases"
_MOST_BYTES = 1 << 26


def default_path(root: Path, release: Release, environment: str) -> Path:
    """
    The default path of the evidence of a release. Raises InvalidConfiguration for links in its place.
    """
    parts = [environment or "default", release.app, release.name]
    return own_place(root, _FOLDER, f"{'--'.join(parts)}.json")


def read_file(path: Path) -> "EvidenceDocument | None":
    """The evidence in a file, None without one. Raises UsageError for any other file."""
    from cesplan.features.releases.json_report import read_evidence  # lazily: it brings pydantic

    try:
        text = read_regular(path, _MOST_BYTES).decode("utf-8-sig")
        return read_evidence(text)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(summary=f"Cannot read {path}: {error.strerror or error}.") from error
    except ValueError as error:
        raise UsageError(
            summary=f"{path} is not the evidence of a release.",
            detail=f"{str(error).splitlines()[0]}\nName another file with --evidence, or remove this one.",
        ) from error


def write_file(
    path: Path, release: Release, service: Settings, gate: GateReport | None, record: Record
) -> None:
    """Write evidence; without a gate, that of the file is kept. Raises CesplanError."""
    from cesplan.features.releases.json_report import EvidenceDocument, GateJson

    check_output_file(path)
    before = read_file(path)
    kept = before.gate if before is not None else None
    found = EvidenceDocument.made(release, service, GateJson.of(gate) if gate else kept, record)
    try:
        make_room(path)
        write_whole(path, found.text(), mode=PRIVATE)
    except OSError as error:
        raise CesplanError(summary=f"Cannot write {path}: {error.strerror or error}.") from error
