"""The files of a pull: what is new in the tree, written in full."""

import os
import posixpath
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from cesplan.config.codes import CODES
from cesplan.config.discovery import ENVIRONMENTS
from cesplan.config.tree.load import Loaded
from cesplan.config.writing.app_files import app_keys, resource_files, resource_path
from cesplan.domain.address import Address, AppKey, location_address
from cesplan.domain.desired import DesiredResource
from cesplan.domain.diagnostic import Diagnostic, Severity
from cesplan.domain.errors import UsageError
from cesplan.domain.live import LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place
from cesplan.domain.text.file_notices import marks_of_direction
from cesplan.domain.text.slug import reserved_in
from cesplan.engine.pulling.compare import Compared
from cesplan.engine.pulling.extract import extract_resource

AS_LIVE = "live is like this"
"""The reason under `$silence` for findings in a resource that came from the service."""


def folder_of(key: AppKey, loaded: Loaded | None) -> str:
    """The folder of an app, relative to the root: its existing one, or a new one next to the other apps."""
    apps = loaded.apps if loaded else ()
    own = next((app for app in apps if app.key == key), None)
    if own is not None:
        return posixpath.dirname(own.app.path)
    shared = [app.app.path for app in apps if not app.app.path.startswith(f"{ENVIRONMENTS}/")]
    parent = posixpath.dirname(posixpath.dirname(shared[0])) if shared else "apps"
    return posixpath.join(parent, key)


def new_files(
    compared: Compared,
    folder: str,
    root: Path,
    environment: str,
    silences: Mapping[Address, Mapping[str, str]] | None = None,
    mine: frozenset[str] = frozenset(),
) -> dict[str, str]:
    """
    The files of all resources that the tree does not have, by path. `silences` go into their files. `mine` are
    files that this pull already wrote; other files keep their names.
    """
    keys = app_keys(compared.app, compared.tree.resources if compared.tree else ())
    in_use = {*existing(root, folder)} - mine
    files: dict[str, str] = {}
    for resource in compared.app.all():
        if resource.address in compared.new:
            _check_free(resource, folder, in_use)
            texts = resource_files(
                resource,
                folder,
                keys,
                environment=environment if resource.resource_id else "",
                reserved=in_use,
                silenced=(silences or {}).get(resource.address),
            )
            files.update(texts)
            in_use |= texts.keys()
    return files


def _check_free(resource: DesiredResource, folder: str, in_use: Collection[str]) -> None:
    path = resource_path(resource, folder)
    if path in in_use:
        raise UsageError(
            summary=f"{resource.address} is live, but this environment excludes {path}.",
            detail="Nothing was written. Remove its `$exclude`, or exclude the resource with --exclude.",
        )


def location_files(
    location: Iterable[LiveResource], place: Place, compared: Compared
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The files of resources that exist once per location, and notices; an empty resource gets no file."""
    files: dict[str, str] = {}
    notices: list[str] = []
    for item in location:
        address = location_address(place.location, item.kind)
        found = extract_resource(address, item, Naming(place=place, app_id=""), redactor=compared.redactor)
        notices += found.notices
        if found.resource.body or found.resource.extra:
            files.update(resource_files(found.resource, "", app_keys(compared.app)))
    return files, tuple(notices)


def notices_of(addresses: Iterable[Address], files: Mapping[str, str]) -> tuple[str, ...]:
    """Notices about new resources and files: names that had to change, and misleading characters."""
    return (
        *(
            f"{address}: Windows reserves the name `{name}` for a device, so its key is `{address.key}`"
            for address in sorted(addresses)
            if (name := reserved_in(address.key))
        ),
        *marks_of_direction(files),
    )


def more_silences(
    known: Mapping[Address, Mapping[str, str]],
    diagnostics: Iterable[Diagnostic],
    resources: Iterable[DesiredResource],
    reason: str = AS_LIVE,
) -> dict[Address, dict[str, str]]:
    """
    `known` with additional checks to silence; empty if there are none. Checks skip a file with errors, so
    silencing one finding may reveal the next.
    """
    found = silences_for(diagnostics, resources, reason)
    every = {
        address: {**known.get(address, {}), **found.get(address, {})} for address in sorted({*known, *found})
    }
    return every if every != known else {}


def silences_for(
    diagnostics: Iterable[Diagnostic], resources: Iterable[DesiredResource], reason: str = AS_LIVE
) -> dict[Address, dict[str, str]]:
    """Rules for files that live resources violate, as far as a file may silence them."""
    known = {str(item.address): item.address for item in resources}
    found: dict[Address, dict[str, str]] = {}
    for item in diagnostics:
        if item.severity is Severity.ERROR and CODES[item.code].silenceable and item.address in known:
            found.setdefault(known[item.address], {})[item.code] = reason
    return found


def existing(root: Path, folder: str) -> Iterable[str]:
    """The paths of all files in an app's folder, relative to the root."""
    for parent, _, names in os.walk(root / folder):
        at = os.path.relpath(parent, root).replace(os.sep, "/")
        yield from (posixpath.join(at, name) for name in names)
