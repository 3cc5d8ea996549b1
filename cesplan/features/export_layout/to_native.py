"""
From an export to a native tree: what that writes differently, and where what it has no place for goes.

Values behind `$env_var` become variables, notes become comments, files of no resource are kept in a hidden
folder beside app.yaml, from which the way back takes them.
"""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cesplan.config.writing.app_files import app_files, project_file, resource_path
from cesplan.config.writing.emitting import document
from cesplan.domain.address import Address
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource
from cesplan.domain.field_path import Entry, FieldPath, Index
from cesplan.domain.resource_name import ID_PATTERN
from cesplan.domain.slug import slug
from cesplan.domain.value import Secret
from cesplan.features.export_layout.load import ReadExport

CARRIED = ".export"
"""The folder of an app in a native tree that keeps what only the official layout knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeTree:
    """`files` by path; `variables` are what environment.json became."""

    files: Mapping[str, bytes]
    variables: Mapping[str, str] = field(default_factory=dict)


def native_tree(read: ReadExport, desired: Desired) -> NativeTree:
    """The native tree of an export that has no errors."""
    app = desired.apps[0]
    folder = f"apps/{app.key}"
    variables: dict[str, str] = {}
    bodies = {item.file.address: item.values for item in read.resources}
    native = _each(app, lambda resource: _with_variables(_named(resource), bodies, variables))
    files = {path: text.encode() for path, text in app_files(native, folder).items()}
    for item in read.resources:
        if item.comments:
            path = resource_path(_resource(native, item.file.address), folder)
            files[path] = _commented(item.comments) + files[path]
    files |= {f"{folder}/{CARRIED}/{path}": data for path, data in read.carried.items()}
    return NativeTree(files={"cesplan.yaml": _project(desired, variables), **files}, variables=variables)


def _project(desired: Desired, variables: Mapping[str, str]) -> bytes:
    more = document({"variables": dict(variables)}) if variables else ""
    return (project_file(desired.settings) + more).encode()


def _each(app: DesiredApp, change: Any) -> DesiredApp:
    return replace(app, app=change(app.app), resources=tuple(map(change, app.resources)))


def _resource(app: DesiredApp, address: Address) -> DesiredResource:
    return next(item for item in app.all() if item.address == address)


def _named(resource: DesiredResource) -> DesiredResource:
    """With `$id` where the id is not the key: the one it had, or one that can be an id where the key cannot."""
    key = resource.address.key
    known = resource.resource_id or ("" if ID_PATTERN.fullmatch(key) else resource.new_id)
    return replace(resource, resource_id=known if known and known != key else None, new_id="")


def _with_variables(
    resource: DesiredResource,
    values: Mapping[Address, Mapping[FieldPath, Any]],
    variables: dict[str, str],
) -> DesiredResource:
    texts = {path: value for path, value in values[resource.address].items() if isinstance(value, str)}
    if not texts:
        return resource
    body = copy.deepcopy(resource.body)
    for path, value in texts.items():
        name = _variable(resource.address, path, value, variables)
        variables[name] = value
        # The writer knows values that come from variables as secrets; this one is declared with its value.
        _put(body, path, Secret((name,), value))
    return replace(resource, body=body)


def _variable(address: Address, path: FieldPath, value: str, known: Mapping[str, str]) -> str:
    """A readable name that no other value has: `ordersKeyName`, with more of the path where that is taken."""
    names = [str(item) for item in path.segments if isinstance(item, str)]
    for size in range(1, len(names) + 1):
        name = _camel([slug(address.key).replace("-", " "), *names[-size:]])
        if known.get(name, value) == value:
            return name
    return next(
        numbered
        for number in range(2, len(known) + 3)
        if known.get(numbered := f"{name}{number}", value) == value
    )


def _camel(parts: list[str]) -> str:
    words = [word for part in parts for word in part.split()]
    text = "".join(word[:1].upper() + word[1:] for word in words)
    first = text[:1].lower()
    return f"{first}{text[1:]}" if first.isalpha() else f"v{text}"


def _put(body: Any, path: FieldPath, value: Any) -> None:
    steps = [_step(segment) for segment in path.segments]
    for step in steps[:-1]:
        body = body[step]
    body[steps[-1]] = value


def _step(segment: Any) -> Any:
    match segment:
        case Index(position):
            return position
        case Entry(key):
            return key
    return segment


def _commented(comments: tuple[str, ...]) -> bytes:
    lines = (line for text in comments for line in text.splitlines() or [""])
    return "".join(f"# {line}".rstrip() + "\n" for line in lines).encode()
