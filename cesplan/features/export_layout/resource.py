"""
Reading one resource of an export: convert it, then check it against its schema; values keep their places.
"""

from dataclasses import field
from typing import Any

from cesplan.config.manifest import ResourceFile
from cesplan.config.project.variables import Variables
from cesplan.config.resource.places import Places
from cesplan.config.resource.references import Keys
from cesplan.config.resource.values import Context
from cesplan.config.resource.walk import Walk
from cesplan.domain.address import Address
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Ownership
from cesplan.features.export_layout.discovery import FoundExport
from cesplan.features.export_layout.environment import EnvironmentValues, values_of
from cesplan.features.export_layout.native_nodes import NativeNodes
from cesplan.features.export_layout.sources import ExportFiles, OpenedFile
from cesplan.features.export_layout.titles import Titles
from cesplan.model.kinds import KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReading:
    """The shared inputs for reading the resources of one export."""

    source: ExportFiles
    found: FoundExport
    titles: Titles
    keys: Keys
    api_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadResource:
    """
    A resource, and the parts that only conversion needs.

    `values` are those from the environment file by field path, `documents` the OpenAPI documents whose server
    is named there, as they are in the export, and its URL. `elsewhere` has the values of the
    resource in other environment files, by environment.
    """

    file: ResourceFile
    comments: tuple[str, ...] = ()
    values: dict[FieldPath, Any] = field(default_factory=dict)
    documents: dict[FieldPath, tuple[str, str]] = field(default_factory=dict)
    elsewhere: dict[str, EnvironmentValues] = field(default_factory=dict)


def read_resource(address: Address, opened: OpenedFile, title: str, reading: ExportReading) -> ReadResource:
    """One resource of an export. Its problems are reported."""
    kind = KINDS[address.kind]
    rewriting = NativeNodes(
        file=opened.file,
        address=str(address),
        source=reading.source,
        titles=reading.titles,
        environment=values_of(reading.found.environment, address.kind, title, opened.folder),
        hint=_hint(reading.found),
    )
    root = rewriting.message(kind.spec, opened.root)
    context = _context(address, opened, rewriting, reading)
    body = Walk(context, requires=kind.ownership is Ownership.FULL).message(kind.spec, root)
    places = Places.of(opened.file, root)
    file = ResourceFile(
        address=address,
        path=opened.file.path,
        body=body,
        spot=places.spot,
        key_spot=places.key_spot,
        ownership=kind.ownership,
        ignore=opened.left_alone,
        included=context.included,
    )
    return ReadResource(
        file=file,
        comments=opened.comments,
        values=rewriting.values,
        documents=rewriting.documents,
        elsewhere={
            name: values_of(other, address.kind, title, opened.folder)
            for name, other in reading.found.others.items()
        },
    )


def _hint(found: FoundExport) -> str:
    names = ", ".join(f"-e {name}" for name in sorted(found.others))
    return f" Other environments have their own files: {names}." if names else ""


def _context(address: Address, opened: OpenedFile, rewriting: NativeNodes, reading: ExportReading) -> Context:
    return Context(
        file=opened.file,
        report=reading.source.files.report,
        files=reading.source.files,
        variables=Variables({}, {}),
        keys=reading.keys,
        api_version=reading.api_version,
        address=str(address),
        included=rewriting.included,
    )
