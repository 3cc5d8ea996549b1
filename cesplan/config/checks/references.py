"""The references of an app's files to one another, as pairs of file and target."""

from collections.abc import Iterator
from typing import NamedTuple

from cesplan.config.checks.walking import FileWalk
from cesplan.config.manifest import AppTree, ResourceFile
from cesplan.domain.field_path import FieldPath
from cesplan.model.kinds import RUNNING_KINDS

_REFERENCES = FileWalk(lambda _, field: field.reference is not None and bool(field.reference.kinds))


class FileReference(NamedTuple):
    """One reference: `target` is `<kind>/<key>`, or the text as written if it is not a short form."""

    file: ResourceFile
    path: FieldPath
    target: str


def references_of(*files: ResourceFile) -> Iterator[FileReference]:
    """All references in these files."""
    for visit in _REFERENCES.over(*files):
        for path, value in visit.elements():
            if isinstance(value, str) and value:
                yield FileReference(file=visit.file, path=path, target=value)


def is_running(file: ResourceFile) -> bool:
    """Whether a file is that of the app, or of something that takes part in its conversations."""
    return file.address.is_app or file.address.kind in RUNNING_KINDS


def running_files(tree: AppTree) -> tuple[ResourceFile, ...]:
    """The app and all resources that take part in its conversations."""
    return (tree.app, *(item for item in tree.resources if is_running(item)))
