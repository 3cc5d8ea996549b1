"""Walking the files of a tree: all fields that a check selects, with their files, specs, and paths."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from cesplan.config.checks.placing import START
from cesplan.config.manifest import Finding, ResourceFile, TextPlace
from cesplan.domain.field_path import Entry, FieldPath, Index
from cesplan.domain.value import Secret, as_text
from cesplan.model.kinds import kind_of
from cesplan.model.spec import FieldSpec
from cesplan.model.walk import FieldWalk, IsSelected, parts


class Visit(NamedTuple):
    """
    One selected field that is present (null counts as absent).

    `message` is the API name of the message that contains it, `holder` the value of that message. `value` is
    the whole field, even for a list or a map. It may be a Secret, and anything inside it may be null or a
    Secret.
    """

    file: ResourceFile
    message: str
    holder: dict[str, Any]
    field: FieldSpec
    path: FieldPath
    value: Any

    def parts(self) -> Iterator[tuple[FieldPath, Any]]:
        """The value, or the elements of a list or map, with their paths; none of an unexpected type."""
        return ((FieldPath((*self.path.segments, *more)), item) for item, more in parts(self.field, self.value))

    def elements(self) -> Iterator[tuple[FieldPath, Any]]:
        """The same without nulls and secrets."""
        return ((at, item) for at, item in self.parts() if item is not None and not isinstance(item, Secret))

    def finding(
        self, code: str, summary: str, detail: str = "", place: TextPlace | None = START, **more: Any
    ) -> Finding:
        """A finding about the field, at a place in its text. `more` are other members of Finding."""
        found = {"file": self.file, "path": self.path, **more}
        return Finding(code=code, summary=summary, detail=detail, place=place, **found)


class FileWalk:
    """
    Finds the fields for which `is_selected` returns true, file by file, in the order of the models.

    While walks are shared, the first walk through a file serves all of them.
    """

    def __init__(self, is_selected: IsSelected) -> None:
        self.is_selected = is_selected
        self._walk = FieldWalk(is_selected)
        _every_walk.append(self)

    def over(self, *files: ResourceFile) -> list[Visit]:
        """All selected fields of these files."""
        shared = _shared
        if shared is not None:
            return [visit for file in files for visit in shared.visits(file).get(self, ())]
        return [visit for file in files for visit in _visits(self._walk, file)]


_every_walk: list[FileWalk] = []
_shared: "_SharedWalk | None" = None


def share_walks(*, shared: bool) -> None:
    """Whether, from now on, one pass through a file finds and keeps the fields for all walks."""
    global _shared
    _shared = _SharedWalk() if shared else None


class _SharedWalk:
    """The selected fields of each walk in the visited files."""

    def __init__(self) -> None:
        self._all = _all_walks(tuple(_every_walk))
        self._known: dict[int, tuple[ResourceFile, dict[FileWalk, list[Visit]]]] = {}

    def visits(self, file: ResourceFile) -> dict[FileWalk, list[Visit]]:
        known = self._known.get(id(file))
        if known is None:
            found: dict[FileWalk, list[Visit]] = {}
            for visit in _visits(self._all.walk, file):
                for walk in self._all.wanting(visit.message, visit.field):
                    found.setdefault(walk, []).append(visit)
            known = self._known[id(file)] = file, found  # keeping the file alive keeps its id() unique
        return known[1]


class _AllWalks:
    """Several walks as one, which knows for whom it is. What they want of the specs never changes."""

    def __init__(self, walks: tuple[FileWalk, ...]) -> None:
        self.walk = FieldWalk(lambda message, field: bool(self.wanting(message, field)))
        self._walks = walks
        self._wanting: dict[tuple[str, str], list[FileWalk]] = {}

    def wanting(self, message: str, field: FieldSpec) -> list[FileWalk]:
        """The walks that want a field."""
        found = self._wanting.get((message, field.name))
        if found is None:
            found = [walk for walk in self._walks if walk.is_selected(message, field)]
            self._wanting[message, field.name] = found
        return found


_all_walks = lru_cache(maxsize=1)(_AllWalks)
"""Once for a process: one that reads many trees, such as a server, need not ask every check again each time."""


def _visits(walk: FieldWalk, file: ResourceFile) -> Iterator[Visit]:
    for seen in walk.visits(kind_of(file.address.kind).spec, file.body):
        yield Visit(file, seen.message, seen.holder, seen.field, seen.path, seen.value)


def list_elements(path: FieldPath, value: Any) -> Iterator[tuple[FieldPath, Any]]:
    """The elements of a list with their paths; nothing for any other value."""
    if isinstance(value, list):
        for position, item in enumerate(value):
            yield path / Index(position), item


def map_entries(path: FieldPath, value: Any) -> Iterator[tuple[FieldPath, Any]]:
    """The values of a map with their paths; nothing for any other value."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield path / Entry(key), item


def inside(body: Any, *names: str) -> Any:
    """The value at a path of field names; None if anything on the path is absent or not a message."""
    for name in names:
        if not isinstance(body, dict):
            return None
        body = body.get(name)
    return body


def text_at(body: Any, *names: str) -> str:
    """The text at a path of field names; empty if there is none (or a secret)."""
    value = inside(body, *names)
    return as_text(value)


def messages_at(body: Any, *names: str) -> Iterator[tuple[FieldPath, dict[str, Any]]]:
    """The messages in the list at a path of field names, with their paths."""
    for path, item in list_elements(FieldPath(names), inside(body, *names)):
        if isinstance(item, dict):
            yield path, item


def texts_at(body: Any, *names: str) -> Iterator[tuple[FieldPath, str]]:
    """The texts in the list at a path of field names, with their paths."""
    for path, item in list_elements(FieldPath(names), inside(body, *names)):
        if isinstance(item, str):
            yield path, item
