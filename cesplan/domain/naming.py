"""
Translation between references in bodies and resource names on the wire.

In a tree, and everywhere in the engine, a reference is `tools/lookup-order`: kind and key. On the wire it is a
full resource name with an id. A Naming knows the ids of one app's resources and translates both ways, so that
bodies, diffs, and plans are the same in every project and environment.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Self

from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import Place, parse_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """
    Keys and ids of one app.

    `ids` maps (kind, key) to an id, where they differ. `keys` is the inverse for live resources. `aliases` maps
    a reference to the one that satisfies it. `project_aliases` are other spellings of the project in names that
    the service returns: its number.
    """

    place: Place
    app_id: str
    ids: Mapping[tuple[str, str], str] = field(default_factory=dict)
    keys: Mapping[tuple[str, str], str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    project_aliases: frozenset[str] = frozenset()

    def with_ids(self, ids: Mapping[tuple[str, str], str]) -> Self:
        """The same with these ids, and the keys that lead back from them."""
        return replace(self, ids=ids, keys={(kind, id_): key for (kind, key), id_ in ids.items()})

    @property
    def app_name(self) -> str:
        return self.place.app(self.app_id)

    def id_of(self, kind: str, key: str) -> str:
        """The id of a key on the server. A key `@<id>` is for an id that the tree does not know."""
        return self.ids.get((kind, key)) or key.removeprefix("@")

    def key_of(self, kind: str, resource_id: str) -> str:
        """
        The key of a live id: the tree's if it has one, else the id, with `@` if it looks like another key.
        """
        known = self.keys.get((kind, resource_id))
        if known is not None:
            return known
        is_taken = self.ids.get((kind, resource_id), resource_id) != resource_id
        return f"@{resource_id}" if is_taken else resource_id

    def to_name(self, reference: str) -> str:
        """
        The resource name of `<kind>/<key>`. Any other text, such as a resource name, is returned unchanged.
        """
        kind, slash, key = reference.partition("/")
        if not slash or "/" in key:
            return reference
        return f"{self.app_name}/{kind}/{self.id_of(kind, key)}"

    def to_key(self, name: str) -> str:
        """The key of a resource in this app, by its full name."""
        return self.to_reference(name).partition("/")[2]

    def to_reference(self, name: str) -> str:
        """`<kind>/<key>` for names in this app. Other names stay resource names, with the id of our project."""
        parts = parse_name(name)
        if parts is None:
            return self.aliases.get(name) or self._with_project_id(name)
        if (
            not self._is_our_project(parts.project)
            or parts.location != self.place.location
            or parts.app != self.app_id
        ):
            return self._with_project_id(name)
        if parts.kind is None or parts.id is None:
            return self.place.app(self.app_id)
        return f"{parts.kind}/{self.key_of(parts.kind, parts.id)}"

    def _is_our_project(self, project: str) -> bool:
        """
        True for our project, by id or by number.

        A body may name its own app by project number although the app's name has the project id, and no other
        source has the number. An app never refers to an app with the same id in another project.
        """
        spelled_otherwise = project.isdigit() != self.place.project.isdigit()
        return project == self.place.project or project in self.project_aliases or spelled_otherwise

    def _with_project_id(self, name: str) -> str:
        prefix, _, rest = name.partition("/")
        project, slash, tail = rest.partition("/")
        if prefix == "projects" and project in self.project_aliases:
            return f"projects/{self.place.project}{slash}{tail}"
        return name
