"""Reading one app: first app.yaml, for its declarations, then each resource, then checks over several."""

import posixpath
from collections import defaultdict
from dataclasses import replace

from cesplan.config.cache.pack import Pack
from cesplan.config.manifest import AppTree, ResourceFile
from cesplan.config.overlays.environment import LaidApp, check_slips
from cesplan.config.report import Report, file_spot
from cesplan.config.resource.kept import KeptFiles
from cesplan.config.resource.own_names import own_keys
from cesplan.config.resource.read import Reading, peek_id, read_body
from cesplan.config.resource.references import Keys
from cesplan.config.resource.server_ids import given_id, may_give_id, server_ids
from cesplan.config.suggestions import nearest
from cesplan.domain.address import APPS, Address, Key, KindName, app_address
from cesplan.domain.field_path import FieldPath
from cesplan.model.kinds import KINDS, kinds_in


def read_app(laid: LaidApp, reading: Reading, pack: Pack, *, alone: bool = False) -> AppTree | None:
    """
    The readable parts of an app, or `alone` only app.yaml; None if app.yaml cannot be read.

    `pack` is the cache of its files.
    """
    found = laid.found
    opened = laid.open(APPS, Key(found.key), found.app_file, reading.files)
    if opened is None:
        return None
    declared = own_keys(KINDS[APPS].spec, opened.root, found.app_file)
    places = [] if alone else _places(laid)
    kept = KeptFiles(pack, reading)
    ids = server_ids((kind, key, _given_id(laid, kind, key, path, reading, kept)) for kind, key, path in places)
    reading = replace(reading, keys=Keys({**found.files, **declared}, laid.keys_left_out, ids))
    app = read_body(app_address(found.key), opened.file, opened.root, reading, opened.layers)
    # One at a time, so that the nodes of a file are dropped before the next file is opened.
    resources = [
        item for kind, key, path in places if (item := _resource(laid, kind, key, path, reading, kept))
    ]
    check_ids(resources, reading.report)
    check_slips(laid, reading.files)
    is_whole = len(resources) == sum(map(len, found.resources.values()))
    known = kinds_in(reading.project.settings.api_version)
    for kind in sorted(found.folders - known):
        say_left_out(kind, f"{found.path}/{kind}", reading)
    return AppTree(
        key=found.key,
        app=app,
        location=reading.project.settings.place.location,
        resources=tuple(item for item in resources if item.address.kind in known),
        folders=found.folders & known,
        is_whole=is_whole,
    )


def check_ids(resources: list[ResourceFile], report: Report) -> None:
    """Report resources of one kind that would be the same resource on the server."""
    by_id: dict[tuple[KindName, str], list[ResourceFile]] = defaultdict(list)
    for resource in resources:
        by_id[resource.address.kind, resource.resource_id or resource.address.key].append(resource)
    for (_, resource_id), same in by_id.items():
        named = [item for item in same if item.resource_id is not None]
        for resource in named if len(same) > 1 else ():
            other = next(item for item in same if item is not resource)
            report.add(
                "CES027",
                f"the id `{resource_id}` is already used by `{other.address.within_app}`",
                resource.spot(FieldPath(("$id",))),
                detail=f"See {other.path}. Two files cannot describe the same resource.",
                address=str(resource.address),
            )


def check_unused(laid: LaidApp, read: set[str], report: Report) -> None:
    """
    Warn about texts that no `$file` includes, and report folders from which nothing is read.

    If a resource file has errors, its includes are unknown, so no text is reported as unused.
    """
    found, used = laid.found, read | laid.mentioned
    resources = [found.app_file, *(path for keys in found.files.values() for path in keys.values())]
    resources += [path for item in laid.opened.values() if item for path in item.layers]
    unknown = None in laid.opened.values() or report.errors_in(resources)
    for path in () if unknown else found.texts:
        if path not in used:
            report.add(
                "CES011",
                f"`{posixpath.basename(path)}` is not used by any resource",
                file_spot(path),
                detail="A resource includes a text file only with `$file`.",
            )
    for folder in found.strangers:
        if not any(path.startswith(f"{folder}/") for path in used):
            _report_unexpected_folder(folder, report)


def _places(laid: LaidApp) -> list[tuple[KindName, Key, str]]:
    """All resources with their files, in order."""
    return [
        (kind, key, path)
        for kind, files in sorted(laid.found.resources.items())
        for key, path in sorted(files.items())
    ]


def _resource(
    laid: LaidApp, kind: KindName, key: Key, path: str, reading: Reading, kept: KeptFiles
) -> ResourceFile | None:
    address = Address(app=laid.found.key, kind=kind, key=key)
    if (kind, key) not in laid.opened:
        found = kept.read(address, path, reading)
        reading.files.forget(path)
        return found
    item = laid.opened[kind, key]
    return read_body(address, item.file, item.root, reading, item.layers) if item else None


def _given_id(laid: LaidApp, kind: KindName, key: Key, path: str, reading: Reading, kept: KeptFiles) -> str:
    """The `$id` of a resource. Only files that may contain one are opened."""
    if (kind, key) not in laid.opened:
        text = reading.files.text_inside(path)
        known = kept.given_id(Address(app=laid.found.key, kind=kind, key=key), path)
        if known is not None:
            return known
        if not may_give_id(text):
            return ""
        simple = peek_id(path, reading)
        if simple is not None:
            return simple
    opened = laid.open(kind, key, path, reading.files)
    return given_id(opened.root, reading.project.settings.environment) if opened else ""


def _report_unexpected_folder(folder: str, report: Report) -> None:
    parent, name = posixpath.split(folder)
    kinds = [name for name, kind in KINDS.items() if kind.parent == "app"]
    inside_kind = posixpath.basename(parent) in kinds
    report.add(
        "CES008",
        f"`{name}` is not a resource folder" if not inside_kind else f"the folder `{name}` is not read here",
        file_spot(folder),
        detail=f"Put resources directly in the folder of their kind: {', '.join(kinds)}.",
        suggestion="" if inside_kind else nearest(name, kinds),
    )


def say_left_out(kind: KindName, path: str, reading: Reading) -> None:
    """Report that the API version lacks a kind that the tree has files of."""
    reading.report.add(
        "CES032",
        f"{kind} are ignored: the API version {reading.project.settings.api_version} does not have them",
        file_spot(path),
        detail=f"To manage them, set `apiVersion: {KINDS[kind].api_versions[0]}` in cesplan.yaml.",
    )
