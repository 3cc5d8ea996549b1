"""CES094: file names that some file systems cannot distinguish."""

import unicodedata

from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.domain.field_path import FieldPath


def check_letter_case(tree: AppTree) -> list[Finding]:
    """Two keys that differ only in case or in the encoding of an accent are one file on macOS and Windows."""
    found: list[Finding] = []
    first: dict[tuple[str, str], ResourceFile] = {}
    for file in tree.resources:
        name = unicodedata.normalize("NFC", file.address.key).casefold()
        other = first.setdefault((file.address.kind, name), file)
        if other is not file:
            found.append(_finding(file, other))
    return found


def _finding(file: ResourceFile, other: ResourceFile) -> Finding:
    return Finding(
        code="CES094",
        file=file,
        path=FieldPath(),
        summary=f"`{file.path}` and `{other.path}` differ only in case",
        detail="On a case-insensitive file system, git checks out only one of them, and a plan made "
        "there would delete the other. Rename one file; `$id` keeps the id on the server.",
    )
