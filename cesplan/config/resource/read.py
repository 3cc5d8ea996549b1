"""
Reading one resource file: its directives, its body, and the places of both.
"""

from typing import NamedTuple

from cesplan.config.files import BOM, Files
from cesplan.config.manifest import ResourceFile
from cesplan.config.project.project import Project
from cesplan.config.report import Report, SourceFile
from cesplan.config.resource.directives import read_directives
from cesplan.config.resource.places import OnDisk, Places
from cesplan.config.resource.references import Keys
from cesplan.config.resource.server_ids import given_id
from cesplan.config.resource.sound import NotSound, SoundBody, directives_in
from cesplan.config.resource.values import Context
from cesplan.config.resource.walk import Walk
from cesplan.config.yaml.nodes import At, Node, Scalar
from cesplan.config.yaml.nodes import Mapping as MappingNode
from cesplan.config.yaml.simple import simple_mapping
from cesplan.domain.address import Address
from cesplan.domain.desired import Directives
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import ID_PATTERN
from cesplan.domain.settings import Ownership
from cesplan.domain.value import Body
from cesplan.model.kinds import KINDS, Kind

NO_KEYS = Keys()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """
    Everything needed to read a resource of a tree. `keys` are those of the current app.

    `is_part` is true for an environment's overlay, in which no field is required.
    """

    files: Files
    report: Report
    project: Project
    keys: Keys = NO_KEYS
    is_part: bool = False


class Read(NamedTuple):
    """A resource file that was read: what it took, what `$id` says, and from where to where its mapping is."""

    resource: ResourceFile
    took: Context
    given_id: str
    start: At
    end: At


def read_resource(address: Address, path: str, reading: Reading) -> ResourceFile | None:
    """The resource in a file; None if the file is not a YAML mapping."""
    found = read_noting(address, path, reading)
    return found.resource if found else None


def read_noting(address: Address, path: str, reading: Reading) -> Read | None:
    """The resource in a file, and what reading it used."""
    return _read_sound(address, path, reading) or _read_any(address, path, reading)


def peek_id(path: str, reading: Reading) -> str | None:
    """The `$id` of a simple file; None for any other file."""
    found = simple_mapping(reading.files.text_inside(path).removeprefix(BOM))
    if found is None:
        return None
    try:
        return given_id(directives_in(found.values), reading.project.settings.environment)
    except NotSound:
        return None


def _read_sound(address: Address, path: str, reading: Reading) -> Read | None:
    """Read a simple file without problems; None for any other file, about which nothing is reported."""
    text = reading.files.text(path) if reading.files.inside(path) else None
    kind = KINDS[address.kind]
    if not text:
        return None
    file = SourceFile(path, text.removeprefix(BOM))
    found = simple_mapping(file.text)
    if found is None:
        return None
    context = _context(address, file, reading)
    environment = reading.project.settings.environment
    try:
        given = directives_in(found.values)
        directives = read_directives(given, kind, environment, context)
        if directives.resource_id is None and not _has_id(address, kind):
            return None
        context.silenced = directives.silenced
        requires = directives.ownership is Ownership.FULL and not reading.is_part
        SoundBody(context, requires=requires).message(kind.spec, found.values)
    except NotSound:
        return None
    places = Places(file=OnDisk.of(file, reading.files), start=found.start, end=found.end)
    resource = _resource(path, address, found.values, places, directives, context)
    return Read(resource, context, given_id(given, environment), found.start, found.end)


def _read_any(address: Address, path: str, reading: Reading) -> Read | None:
    found = reading.files.mapping(path)
    if found is None:
        return None
    file, root = found
    context = _context(address, file, reading)
    resource = _read(address, file, root, context, reading)
    given = given_id(root, reading.project.settings.environment)
    start, end = (At(mark.line, mark.column) for mark in (root.start, root.end))
    return Read(resource, context, given, start, end)


def read_body(
    address: Address, file: SourceFile, root: MappingNode, reading: Reading, layers: tuple[str, ...] = ()
) -> ResourceFile:
    """
    The resource in a mapping. `layers` are the environment's files that are already merged into it.

    Without layers, `root` can be composed again from the text of `file`, so it is not kept.
    """
    return _read(address, file, root, _context(address, file, reading), reading, layers)


def _context(address: Address, file: SourceFile, reading: Reading) -> Context:
    return Context(
        file=file,
        report=reading.report,
        files=reading.files,
        variables=reading.project.variables,
        keys=reading.keys,
        api_version=reading.project.settings.api_version,
        environments=reading.project.environments,
        address=str(address),
    )


def _read(
    address: Address,
    file: SourceFile,
    root: MappingNode,
    context: Context,
    reading: Reading,
    layers: tuple[str, ...] = (),
) -> ResourceFile:
    kind = KINDS[address.kind]
    directives = read_directives(root, kind, reading.project.settings.environment, context)
    context.silenced = directives.silenced
    walk = Walk(context, requires=directives.ownership is Ownership.FULL and not reading.is_part)
    body = walk.message(kind.spec, root)
    if not reading.is_part:
        _check_key(address, directives.resource_id, root, context)
    places = Places.of(file, root)
    if not layers:
        places = Places(file=OnDisk.of(file, reading.files), start=root.start, end=root.end)
    return _resource(file.path, address, body, places, directives, context, layers)


def _resource(
    path: str,
    address: Address,
    body: Body,
    places: Places,
    directives: Directives,
    context: Context,
    layers: tuple[str, ...] = (),
) -> ResourceFile:
    return ResourceFile(
        address=address,
        path=path,
        body=body,
        spot=places.spot,
        key_spot=places.key_spot,
        included=context.included,
        layers=layers,
        **directives.directives,
    )


def _check_key(address: Address, resource_id: str | None, root: MappingNode, context: Context) -> None:
    kind = KINDS[address.kind]
    has_id = resource_id is not None or isinstance(root.get("$id"), Scalar)
    if has_id or _has_id(address, kind):
        return
    first: Node = next((key for key, _ in root.entries.values()), root)
    renamed = (
        "folder, whose name is the key"
        if str(address) == address.app
        else "file, whose name without the suffix is the key"
    )
    context.report_problem(
        "CES026",
        f"the key `{address.key}` is not a valid id: {_why_no_id(address.key)}",
        first,
        detail=f"Set the id on the server with `$id: …` in this file, or rename the {renamed}.",
    )


def _has_id(address: Address, kind: Kind) -> bool:
    """Whether a resource needs no other id than its key."""
    return not kind.id_parameter or ID_PATTERN.fullmatch(address.key) is not None


def _why_no_id(key: str) -> str:
    if len(key) < 5:
        return "it has fewer than 5 characters"
    if len(key) > 36:
        return "it has more than 36 characters"
    return "an id consists of letters, digits, `-`, and `_`, and begins with a letter or a digit"
