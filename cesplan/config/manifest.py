"""
The manifest: the files of a tree as they were read, with the places of all values.

Checks use the manifest. References, variables, and included files are already resolved in `body`, while
`places` still knows where each value is, so that every finding has a line and a column.
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple

from cesplan.config.suggestions import Guess
from cesplan.domain.address import Address, AppKey, KindName
from cesplan.domain.desired import Directives
from cesplan.domain.diagnostic import SourcePlace
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body, Secret

if TYPE_CHECKING:
    from cesplan.domain.features.release import Release


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """
    A place in a file, as shown to people: the place, the source line, and the number of characters.

    `is_repeated` is true inside a value that an alias refers to, because it applies in several places.
    """

    place: SourcePlace
    source_line: str = ""
    span: int = 1
    is_repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IncludedFile:
    """A text included by `$file`: its path relative to the tree's root, and its content."""

    path: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceFile(Directives):
    """
    One resource file.

    In `body`, directives are resolved: texts are included, variables are expanded (secrets are wrapped), and
    references are `<kind>/<key>`. `included` maps field paths (as text) to the files that their values came
    from. `spot(path)` locates a value (or the nearest one around it), `key_spot(path)` its key. `layers` are
    the environment's overlay files on `path`.
    """

    address: Address
    path: str
    body: Body
    spot: Callable[[FieldPath], Spot]
    key_spot: Callable[[FieldPath], Spot]
    included: Mapping[str, IncludedFile] = field(default_factory=dict)
    layers: tuple[str, ...] = ()
    digest: bytes = field(default=b"", compare=False, repr=False)
    """Of all that it was made of, if the cache keeps it: what is found out of it alone holds as long."""

    @property
    def paths(self) -> tuple[str, ...]:
        """All files that contribute to this resource."""
        return (self.path, *self.layers)


@dataclass(frozen=True, slots=True, kw_only=True)
class AppTree:
    """
    One app: `app` is app.yaml, `resources` are all other files, sorted by address, `folders` the existing
    folders.

    It `is_whole` if all of its files could be read. Kinds that the API version lacks are left out anyway.
    `location` is its location, empty if unknown.
    """

    key: AppKey
    app: ResourceFile
    location: str = ""
    resources: tuple[ResourceFile, ...] = ()
    folders: frozenset[KindName] = frozenset()
    releases: "tuple[Release, ...]" = ()
    is_whole: bool = True

    def all(self) -> tuple[ResourceFile, ...]:
        """app.yaml, then all other files."""
        return (self.app, *self.resources)

    def of(self, kind: str) -> tuple[ResourceFile, ...]:
        """The resources of one kind."""
        return tuple(item for item in self.resources if item.address.kind == kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """
    A whole tree in one environment.

    `files` is the number of files read. `secrets` are those of all variables, `rotations` their markers by
    name.
    """

    settings: Settings
    apps: tuple[AppTree, ...] = ()
    location_resources: tuple[ResourceFile, ...] = ()
    files: int = 0
    secrets: tuple[Secret, ...] = ()
    rotations: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    """The sources of secrets that are not in environment variables, by variable."""


class TextPlace(NamedTuple):
    """A position in a text: line and column from 1, in characters."""

    line: int = 1
    column: int = 1
    span: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """
    A finding of a check in one file, before it becomes a diagnostic.

    `correction` is the misspelled word, if there is one, and its probable correction. `place` is in the text of
    `path`; it is shown if the text is an included file, which has lines of its own.
    """

    code: str
    file: ResourceFile
    path: FieldPath
    summary: str
    detail: str = ""
    suggestion: str = ""
    correction: Guess | None = None
    place: TextPlace | None = None
    at_key: bool = False


Check = Callable[[AppTree], "list[Finding]"]
"""A check examines one app and returns all its findings."""
