"""
environment.json: the values behind `$env_var`, by type, display name and field (FACTS §6).

Seen in the wild are nested objects; a field path as one key (`openApiToolset.url`) is read too.
"""

from dataclasses import dataclass

from cesplan.config.yaml.nodes import Mapping, Node, Sequence
from cesplan.domain.address import APPS, KindName
from cesplan.domain.field_path import FieldPath, Index, Segment
from cesplan.features.export_layout.layout import ENVIRONMENT, environment_key, snake
from cesplan.features.export_layout.opened import Opened


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentValues:
    """The values of one resource; `keys` is where they stand in `file`, for people."""

    keys: tuple[str, ...]
    node: Node | None = None
    file: str = ENVIRONMENT

    def find(self, path: tuple[Segment, ...]) -> Node | None:
        """The value at a field path, or None."""
        return _find(self.node, path) if self.node is not None else None

    def place(self, path: tuple[Segment, ...]) -> str:
        """Where the value of a field belongs, for people."""
        return " → ".join((*self.keys, *str(FieldPath(path)).split(".")))


def values_of(opened: Opened | None, kind: KindName, title: str, folder: str) -> EnvironmentValues:
    """The part of environment.json that speaks of a resource."""
    keys = (environment_key(kind),) if kind == APPS else (kind, title)
    section = opened.root.get(keys[0]) if opened else None
    if kind != APPS:
        section = _entry(section, title) or _entry(section, folder)
    elif section is None and opened:
        section = _entry(opened.root.get(kind), title)
    return EnvironmentValues(keys=keys, node=section, file=opened.file.path if opened else ENVIRONMENT)


def _entry(section: Node | None, name: str) -> Node | None:
    return section.get(name) if isinstance(section, Mapping) else None


def _find(node: Node, path: tuple[Segment, ...]) -> Node | None:
    if not path:
        return node
    match node, path[0]:
        case Sequence(), Index(position) if position < len(node.items):
            return _find(node.items[position], path[1:])
        case Mapping(), str():
            for size in range(len(path), 0, -1):
                name = str(FieldPath(path[:size]))
                inner = node.get(name) or node.get(snake(name))
                found = _find(inner, path[size:]) if inner is not None else None
                if found is not None:
                    return found
    return None
