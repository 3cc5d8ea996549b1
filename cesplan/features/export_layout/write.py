"""
Writing an app as an export: the files that the service itself would write, and what the layout leaves out.
"""

import ast
import io
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from itertools import count
from typing import Any

from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.field_path import FieldPath, Index
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.resource_name import last_id, parse_name
from cesplan.domain.value import Body, Place, differing_places
from cesplan.features.export_layout.json_style import json_text
from cesplan.features.export_layout.layout import ENVIRONMENT, environment_key, stem
from cesplan.features.export_layout.shape import Shaping, ordered
from cesplan.features.export_layout.yaml_style import yaml_text
from cesplan.model.kinds import Kind, kind_of

_ENGINES = "dataStoreSettings"
"""A field of an app without settings: an export contains it only if a tool uses a data store."""

_BEGINNING = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a ZIP can store: a constant, so that equal files give equal bytes."""


_LONGEST_STEM = 200
"""In characters. File systems allow names of 255 bytes, and an extension is added."""


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
    varied: Collection[tuple[str, FieldPath]] = (),
) -> WrittenExport:
    """
    The files of an app in the official layout.

    With `environment`, values that differ between environments go to environment.json, as in exports of the
    service; otherwise they stay in place. `varied` are more such values, by address within the app. `carried`
    are files that belong to no resource.
    """
    items = [_of_desired(item) for item in app.all() if kind_of(item.address.kind).in_export]
    written = _Writing(items, style, moves=environment, varied=frozenset(varied)).write(carried or {})
    others = (str(item.address) for item in app.resources if not kind_of(item.address.kind).in_export)
    return WrittenExport(folder=written.folder, files=written.files, left_out=(*written.left_out, *others))


def write_live_export(live: LiveApp, *, style: Style = Style.JSON) -> WrittenExport:
    """The files of a live app, including fields that this version does not know."""
    listed = [item for kind in sorted(live.children) for item in live.children[kind]]
    kept = [
        item
        for item in listed
        if kind_of(item.kind).in_export and not kind_of(item.kind).is_made_by_service(item.body)
    ]
    return _Writing([_of_live(item) for item in (live.app, *kept)], style, moves=True).write({})


def differing_texts(app: DesiredApp, others: Iterable[DesiredApp]) -> set[tuple[str, FieldPath]]:
    """The text fields of an app that differ between environments, by address within the app."""
    found: set[tuple[str, FieldPath]] = set()
    here = {item.address.within_app: item.body for item in app.all()}
    for other in others:
        for item in other.all():
            body = here.get(item.address.within_app, {})
            found |= {
                (item.address.within_app, _path(place))
                for place, *both in differing_places(body, item.body)
                if all(isinstance(text, str) for text in both)
            }
    return found


def _path(place: Place) -> FieldPath:
    return FieldPath(tuple(Index(step) if isinstance(step, int) else step for step in place))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """A resource to write: `reference` is its name in references, `label` its name in messages."""

    kind: Kind
    reference: str
    label: str
    title: str
    resource_id: str
    body: Body
    extra: Mapping[str, Any] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


def _of_desired(resource: DesiredResource) -> _Item:
    kind = kind_of(resource.address.kind)
    title = kind.display_name_in(resource.body) or resource.address.key
    described = _described(resource.body.get("pythonFunction"))
    return _Item(
        kind=kind,
        reference=resource.address.within_app,
        label=str(resource.address),
        title=title,
        resource_id=resource.resource_id or ("" if resource.new_id else resource.address.key),
        body=resource.body | _derived_title(kind, title) | described,
        extra=resource.extra,
        left_out=tuple(_policies(resource)),
    )


def _of_live(live: LiveResource) -> _Item:
    kind = kind_of(live.kind)
    title = str(live.body.get("displayName") or kind.display_name_in(live.body) or live.id)
    return _Item(
        kind=kind,
        reference=live.name,
        label=live.name,
        title=title,
        resource_id=live.id,
        body=live.body,
    )


def _derived_title(kind: Kind, title: str) -> Body:
    """The display name, if the service derives it and exports it."""
    known = kind.spec.fields.get("displayName")
    return {"displayName": title} if known is not None and known.is_output else {}


def _described(function: Any) -> Body:
    """A Python function with the description that the service takes from the docstring of its code."""
    code = function.get("pythonCode") if isinstance(function, dict) else None
    try:
        found = ast.parse(code).body if isinstance(code, str) else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    functions = [item for item in found if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)]
    named = [item for item in functions if item.name == function.get("name")] if functions else []
    text = ast.get_docstring((named or functions)[0]) if functions else None
    return {"pythonFunction": {**function, "description": text}} if text else {}


def _policies(resource: DesiredResource) -> Iterator[str]:
    """Directives of the native layout that control how the app is handled and are not part of it."""
    if resource.protect:
        yield "`$protect`"
    if resource.ignore:
        yield "`$ignore`"
    if resource.ownership is not kind_of(resource.address.kind).ownership:
        yield "`$ownership`"
    if resource.silenced:
        yield "`$silence`"


@dataclass(slots=True)
class _Writing:
    items: list[_Item]
    style: Style
    moves: bool = field(kw_only=True)
    varied: frozenset[tuple[str, FieldPath]] = field(default=frozenset(), kw_only=True)
    files: dict[str, bytes] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    environment: dict[str, Any] = field(default_factory=dict)

    def write(self, carried: Mapping[str, bytes]) -> WrittenExport:
        titles = {item.reference: item.title for item in self.items}
        for item, name in zip(self.items, _stems(self.items), strict=True):
            self._resource(item, name, titles)
        if self.environment:
            self.files[ENVIRONMENT] = json_text(self.environment).encode()
        app = next(item for item in self.items if item.kind.container)
        return WrittenExport(
            folder=stem(app.title) or "app",
            files={**carried, **self.files},
            left_out=tuple(self.left_out),
        )

    def _resource(self, item: _Item, name: str, titles: Mapping[str, str]) -> None:
        folder = "" if item.kind.container else f"{item.kind.name}/{name}"
        shaping = Shaping(
            folder=folder,
            title_of=lambda text: _title(text, titles),
            moves=self.moves,
            varied=frozenset(path for reference, path in self.varied if reference == item.reference),
        )
        body, moved = shaping.message(item.kind.spec, item.body)
        if not body.get(_ENGINES) and not any("dataStoreTool" in other.body for other in self.items):
            body.pop(_ENGINES, None)
        shown = _in_order(item.kind, {**({"name": item.resource_id} if item.resource_id else {}), **body})
        for path, value in sorted(item.extra.items()):
            _put(shown, path.split("."), value)
        self.files[f"{folder}/{name}.{self.style}" if folder else f"app.{self.style}"] = self._text(shown)
        self.files |= {path: text.encode() for path, text in shaping.files.items()}
        self.left_out += [f"{item.label}: {text}" for text in (*shaping.left_out, *item.left_out)]
        if moved:
            self._move(item, moved)

    def _move(self, item: _Item, moved: Body) -> None:
        key = environment_key(item.kind.name)
        if item.kind.container:
            self.environment[key] = moved
        else:
            self.environment.setdefault(key, {})[item.title] = moved

    def _text(self, body: dict[str, Any]) -> bytes:
        return (json_text(body) if self.style is Style.JSON else yaml_text(body)).encode()


def _title(reference: str, titles: Mapping[str, str]) -> str:
    """The name of a reference; targets missing in the app keep their id, targets outside it their name."""
    if reference in titles:
        return titles[reference]
    _, slash, key = reference.partition("/")
    if slash and "/" not in key:
        return key.removeprefix("@")
    app = next(iter(titles), "")
    parts = parse_name(reference)
    return last_id(reference) if parts and parts.kind and reference.startswith(f"{app}/") else reference


def _in_order(kind: Kind, body: Body) -> Body:
    names = [known.name for known in ordered(kind.spec)]
    return {name: body[name] for name in (*names, *(key for key in body if key not in names)) if name in body}


def _stems(items: Iterable[_Item]) -> list[str]:
    """The folder of each resource; duplicate names get the next free number."""
    used: set[tuple[str, str]] = set()
    found: list[str] = []
    for item in items:
        plain = stem(item.title)[:_LONGEST_STEM]
        names = (plain if number == 1 else f"{plain}_{number}" for number in count(1))
        name = next(name for name in names if (item.kind.name, name) not in used)
        used.add((item.kind.name, name))
        found.append(name)
    return found


def _put(body: dict[str, Any], names: list[str], value: Any) -> None:
    for name in names[:-1]:
        inner = body.setdefault(name, {})
        if not isinstance(inner, dict):
            return
        body = inner
    body[names[-1]] = value
