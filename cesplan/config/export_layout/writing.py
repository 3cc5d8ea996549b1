"""
Writing an app as an export: every file, as the service itself would write it, and what it has no place for.
"""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cesplan.config.export_layout.json_style import json_text
from cesplan.config.export_layout.layout import ENVIRONMENT, environment_key, stem
from cesplan.config.export_layout.ordering import ordered
from cesplan.config.export_layout.shaping import Shaping
from cesplan.config.export_layout.yaml_style import yaml_text
from cesplan.domain.address import APPS, Address
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.model.kinds import Kind, kind_of

_BEGINNING = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a ZIP knows: it says nothing, and it is always the same."""


class Style(StrEnum):
    """The format of the resource files."""

    JSON = "json"
    YAML = "yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenExport:
    """`files` by path below `folder`, the app's own; `left_out` says what the layout has no place for."""

    folder: str
    files: Mapping[str, bytes]
    left_out: tuple[str, ...] = ()


def write_export(
    app: DesiredApp,
    *,
    style: Style = Style.JSON,
    environment: bool = True,
    carried: Mapping[str, bytes] | None = None,
) -> WrittenExport:
    """
    The files of an app in the official layout.

    With `environment`, values that differ between environments go to environment.json, as the service does it;
    else they stay in place. `carried` are files that belong to no resource.
    """
    return _Writing(app, style, moves=environment).write(carried or {})


def zipped(written: WrittenExport) -> bytes:
    """A ZIP of an export: the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted(written.files):
            entry = zipfile.ZipInfo(f"{written.folder}/{path}", _BEGINNING)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            archive.writestr(entry, written.files[path], zipfile.ZIP_DEFLATED, 6)
    return buffer.getvalue()


def title_of(resource: DesiredResource) -> str:
    """The display name of a resource, or its key where it has none."""
    for path in kind_of(resource.address.kind).display_name_at:
        value: Any = resource.body
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if isinstance(value, str) and value:
            return value
    return resource.address.key


@dataclass(slots=True)
class _Writing:
    app: DesiredApp
    style: Style
    moves: bool = field(kw_only=True)
    files: dict[str, bytes] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    environment: dict[str, Any] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)

    def write(self, carried: Mapping[str, bytes]) -> WrittenExport:
        kept = [item for item in self.app.resources if kind_of(item.address.kind).in_export]
        self.titles = {item.address.within_app: title_of(item) for item in kept}
        stems = _stems(kept)
        self._resource(self.app.app, "")
        for item in kept:
            self._resource(item, stems[item.address])
        self.left_out += [f"{item.address}" for item in self.app.resources if item not in kept]
        if self.environment:
            self.files[ENVIRONMENT] = json_text(self.environment).encode()
        return WrittenExport(
            folder=stem(title_of(self.app.app)) or "app",
            files={**carried, **self.files},
            left_out=tuple(self.left_out),
        )

    def _resource(self, resource: DesiredResource, name: str) -> None:
        kind = kind_of(resource.address.kind)
        folder = f"{kind.name}/{name}" if name else ""
        shaping = Shaping(folder=folder, title_of=self._title, moves=self.moves)
        body, moved = shaping.message(kind.spec, resource.body)
        body = _in_order(kind, {**_names(kind, resource), **body})
        for path, value in sorted(resource.extra.items()):
            _put(body, path.split("."), value)
        self.files[f"{folder}/{name}.{self.style}" if name else f"app.{self.style}"] = self._text(body)
        self.files |= {path: text.encode() for path, text in shaping.files.items()}
        self.left_out += [f"{resource.address}: {text}" for text in (*shaping.left_out, *_policies(resource))]
        if moved and kind.name == APPS:
            self.environment[environment_key(kind.name)] = moved
        elif moved:
            self.environment.setdefault(environment_key(kind.name), {})[title_of(resource)] = moved

    def _text(self, body: dict[str, Any]) -> bytes:
        return (json_text(body) if self.style is Style.JSON else yaml_text(body)).encode()

    def _title(self, reference: str) -> str:
        """What a reference is called; what the app does not have keeps its id, what is outside its name."""
        if reference in self.titles:
            return self.titles[reference]
        _, slash, key = reference.partition("/")
        return key.removeprefix("@") if slash and "/" not in key else reference


def _names(kind: Kind, resource: DesiredResource) -> dict[str, Any]:
    """The bare id, where the resource has one, and the display name where the service derives it."""
    known = resource.resource_id or ("" if resource.new_id else resource.address.key)
    derived = kind.spec.fields.get("displayName")
    names = {"name": known} if known else {}
    return names | ({"displayName": title_of(resource)} if derived is not None and derived.is_output else {})


def _in_order(kind: Kind, body: dict[str, Any]) -> dict[str, Any]:
    return {known.name: body[known.name] for known in ordered(kind.spec) if known.name in body}


def _stems(resources: list[DesiredResource]) -> dict[Address, str]:
    """The folder of each resource; of two with one name the second gets a number."""
    used: dict[tuple[str, str], int] = {}
    found: dict[Address, str] = {}
    for item in resources:
        name = stem(title_of(item))
        number = used[item.address.kind, name] = used.get((item.address.kind, name), 0) + 1
        found[item.address] = name if number == 1 else f"{name}_{number}"
    return found


def _policies(resource: DesiredResource) -> list[str]:
    """Directives of the native layout that say something about applying, not about the app."""
    marks = {
        "$protect": resource.protect,
        "$ignore": bool(resource.ignore),
        "$ownership": resource.ownership is not kind_of(resource.address.kind).ownership,
    }
    return [f"`{name}`" for name, is_there in marks.items() if is_there]


def _put(body: dict[str, Any], names: list[str], value: Any) -> None:
    for name in names[:-1]:
        inner = body.setdefault(name, {})
        if not isinstance(inner, dict):
            return
        body = inner
    body[names[-1]] = value
