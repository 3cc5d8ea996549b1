"""CES094: file names that some file systems cannot distinguish."""

import unicodedata

from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.config.repeated import repeated
from cesplan.domain.field_path import FieldPath


def check_letter_case(tree: AppTree) -> list[Finding]:
    """Two keys that differ only in case or in the encoding of an accent are one file on macOS and Windows."""
    return [_finding(file, other) for file, other in repeated(tree.resources, _as_on_disk)]


def _as_on_disk(file: ResourceFile) -> tuple[str, str]:
    return file.address.kind, unicodedata.normalize("NFC", file.address.key).casefold()


def _finding(file: ResourceFile, other: ResourceFile) -> Finding:
    return Finding(
        code="CES094",
        file=file,
        path=FieldPath(),
        summary=f"`{file.path}` and `{other.path}` differ only in case",
        detail="On a case-insensitive file system, git checks out only one of them, and a plan made "
        "there would delete the other. Rename one file; `$id` keeps the id on the server.",
    )
