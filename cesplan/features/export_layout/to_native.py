"""
Convert an export to a native tree, including the parts that the native layout has no place for. Values
behind `$env_var` become variables, other environment files become environments, notes become comments, and
files that belong to no resource are kept in a hidden folder next to app.yaml, from which a conversion back
takes them.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from cesplan.config.writing.app_files import app_files, project_file, resource_path
from cesplan.config.writing.emitting import document
from cesplan.config.yaml.nodes import plain
from cesplan.domain.address import Address
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import ID_PATTERN
from cesplan.domain.text.slug import slug
from cesplan.domain.text.template import literal, variable
from cesplan.domain.value import Secret
from cesplan.features.export_layout.layout import ENV_VAR
from cesplan.features.export_layout.load import ReadExport
from cesplan.features.export_layout.resource import ReadResource

CARRIED = ".export"
"""The folder of an app in a native tree that keeps what only the official layout knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeTree:
    """`files` by path; `variables` are what environment.json became."""

    files: Mapping[str, bytes]
    variables: Mapping[str, str] = field(default_factory=dict)


def native_tree(
    read: ReadExport, desired: Desired, silenced: Mapping[Address, Mapping[str, str]] | None = None
) -> NativeTree:
    """The native tree of an export that has no errors; `silenced` are the codes that each file turns off."""
    app = desired.apps[0]
    folder = f"apps/{app.key}"
    found = _Variables(environments=tuple(sorted({name for item in read.resources for name in item.elsewhere})))
    by_address = {item.file.address: item for item in read.resources}
    native = _each(app, lambda resource: _with_variables(_named(resource), by_address[resource.address], found))
    files = {path: text.encode() for path, text in app_files(native, folder, silenced=silenced or {}).items()}
    for item in read.resources:
        if item.comments:
            path = resource_path(_resource(native, item.file.address), folder)
            files[path] = _commented(item.comments) + files[path]
    files |= {f"{folder}/{CARRIED}/{path}": data for path, data in read.carried.items()}
    return NativeTree(
        files={"cesplan.yaml": _project(desired, found), **files},
        variables={name: values[0] for name, values in found.values.items()},
    )


@dataclass(slots=True, kw_only=True)
class _Variables:
    """
    The variables made from the environment files. Each has its default value, then one per environment.

    An environment without a value of its own gets the default.
    """

    environments: tuple[str, ...]
    values: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def put(self, item: ReadResource, path: FieldPath, value: str) -> str:
        """The name of the variable for a value."""
        found = (item.elsewhere[name].find(path.segments) for name in self.environments)
        others = (plain(node) if node is not None else value for node in found)
        values = (value, *(other if isinstance(other, str) else value for other in others))
        name = _variable(item.file.address, path, values, self.values)
        self.values[name] = values
        return name

    def of(self, environment: str) -> dict[str, str]:
        """The variables that differ in an environment."""
        place = self.environments.index(environment) + 1
        return {name: values[place] for name, values in self.values.items() if values[place] != values[0]}


def _project(desired: Desired, found: _Variables) -> bytes:
    more: dict[str, Any] = {}
    if found.values:
        more["variables"] = {name: values[0] for name, values in found.values.items()}
    if found.environments:
        more["environments"] = {
            name: {"variables": own} if (own := found.of(name)) else {} for name in found.environments
        }
    return (project_file(desired.settings) + (document(more) if more else "")).encode()


def _each(app: DesiredApp, change: Any) -> DesiredApp:
    return replace(app, app=change(app.app), resources=tuple(map(change, app.resources)))


def _resource(app: DesiredApp, address: Address) -> DesiredResource:
    return next(item for item in app.all() if item.address == address)


def _named(resource: DesiredResource) -> DesiredResource:
    """With `$id` if the id is not the key: the original id, or a valid one if the key cannot be an id."""
    key = resource.address.key
    known = resource.resource_id or ("" if ID_PATTERN.fullmatch(key) else resource.new_id)
    return replace(resource, resource_id=known if known and known != key else None, new_id="")


def _with_variables(resource: DesiredResource, item: ReadResource, found: _Variables) -> DesiredResource:
    texts = {path: value for path, value in item.values.items() if isinstance(value, str)}
    if not texts and not item.documents:
        return resource
    body = resource.body
    # The writer treats values from variables as secrets; these are declared with their values.
    for path, value in texts.items():
        body = path.put(body, Secret((found.put(item, path, value),), value))
    for path, (text, url) in item.documents.items():
        name = found.put(item, FieldPath((*path.segments[:-1], "url")), url)
        template = literal(text).replace(literal(ENV_VAR), variable(name))
        body = path.put(body, Secret((name,), text.replace(ENV_VAR, url), template))
    return replace(resource, body=body)


def _variable(
    address: Address, path: FieldPath, value: tuple[str, ...], known: Mapping[str, tuple[str, ...]]
) -> str:
    """A readable unique name: `ordersKeyName`, with more of the path if that is taken."""
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


def _commented(comments: tuple[str, ...]) -> bytes:
    lines = (line for text in comments for line in text.splitlines() or [""])
    return "".join(f"# {line}".rstrip() + "\n" for line in lines).encode()
