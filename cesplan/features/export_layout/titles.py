"""
Titles: the display names of an export's resources, by which they refer to each other, and the keys they get.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property

from cesplan.config.suggestions import nearest
from cesplan.config.yaml.nodes import Mapping as MappingNode
from cesplan.config.yaml.nodes import Node, text_of
from cesplan.domain.address import Key, KindName
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import ID_PATTERN, last_id
from cesplan.domain.text.slug import distinct_slug, id_of
from cesplan.features.export_layout.discovery import FoundExport
from cesplan.features.export_layout.sources import OpenedFile
from cesplan.model.kinds import Kind, kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Titled:
    """A resource of an export: `resource_id` is the `name` in its file, empty if it has no usable one."""

    key: Key
    title: str
    resource_id: str
    new_id: str
    opened: OpenedFile


@dataclass(frozen=True, kw_only=True)
class Titles:
    """
    All resources of an export, by kind, in the order of their paths.

    `by_service` are those that only the service creates, such as system tools: references to them are valid,
    but they are not resources of the tree.
    """

    of: Mapping[KindName, tuple[Titled, ...]] = field(default_factory=dict)
    by_service: Mapping[KindName, tuple[Titled, ...]] = field(default_factory=dict)

    def find(self, kinds: Iterable[str], text: str) -> list[str]:
        """The references `<kind>/<key>` that a text may mean: by display name, else by id, else by folder."""
        found: list[str] = []
        for kind in kinds:
            names = self._names.get(kind, {})
            found = found or next((names[way][text] for way in names if text in names[way]), [])
            matches = (
                item
                for item in self.by_service.get(KindName(kind), ())
                if text in (item.title, item.resource_id)
            )
            found = found or [f"{kind}/@{item.resource_id or item.title}" for item in matches]
        return found

    def nearest(self, kinds: Iterable[str], text: str) -> str:
        """The display name most similar to a text."""
        return nearest(text, [item.title for kind in kinds for item in self.of.get(KindName(kind), ())])

    def title_of(self, kind: str, key: str) -> str:
        """The display name of a key."""
        return next((item.title for item in self.of.get(KindName(kind), ()) if item.key == key), key)

    @cached_property
    def _names(self) -> dict[str, dict[str, dict[str, list[str]]]]:
        return {str(kind): _by_name(str(kind), items) for kind, items in self.of.items()}


def titles_of(found: FoundExport) -> Titles:
    """The display names and keys of everything in an export."""
    titled = {kind: tuple(_titled(kind_of(kind), items)) for kind, items in found.resources.items()}
    return Titles(
        of={
            kind: tuple(item for item in items if not _is_by_service(kind, item))
            for kind, items in titled.items()
        },
        by_service={
            kind: tuple(item for item in items if _is_by_service(kind, item)) for kind, items in titled.items()
        },
    )


def title_in(kind: Kind, opened: OpenedFile) -> str:
    """The display name in a file, in any of its places; otherwise the name of its folder."""
    for path in ("displayName", *kind.display_name_at):
        if text := _text_at(opened.root, path.split(".")):
            return text
    return opened.folder


def id_in(opened: OpenedFile) -> str:
    """The id that a file gives as `name`; empty if the service would not accept it."""
    found = last_id(_text_at(opened.root, ["name"]))
    return found if ID_PATTERN.fullmatch(found) else ""


def _is_by_service(kind: KindName, item: Titled) -> bool:
    return any(name in item.opened.root.entries for name in kind_of(kind).service_fields)


def _by_name(kind: str, items: Iterable[Titled]) -> dict[str, dict[str, list[str]]]:
    ways: dict[str, dict[str, list[str]]] = {way: defaultdict(list) for way in ("title", "id", "folder")}
    for item in items:
        for way, text in (("title", item.title), ("id", item.resource_id), ("folder", item.opened.folder)):
            if text:
                ways[way][text].append(f"{kind}/{item.key}")
    return ways


def _titled(kind: Kind, items: Iterable[OpenedFile]) -> Iterator[Titled]:
    used: set[str] = set()
    for opened in items:
        title, resource_id = title_in(kind, opened), id_in(opened)
        key = distinct_slug(title, kind.singular, used)
        used.add(key)
        yield Titled(
            key=Key(key),
            title=title,
            resource_id=resource_id,
            new_id=resource_id or id_of(key, kind.singular),
            opened=opened,
        )


def _text_at(node: MappingNode, names: list[str]) -> str:
    found: Node | None = node
    for name in names:
        found = found.get(name) if isinstance(found, MappingNode) else None
    return text_of(found) or ""
