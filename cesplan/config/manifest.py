"""
The manifest: the files of a tree as they were read, with the place of every value.

This is what checks look at. References, variables and included files are already resolved in `body`, while
`places` still knows where each value is, so that every finding has a line and a column.
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from cesplan.config.suggestions import Guess
from cesplan.domain.address import Address, AppKey, KindName
from cesplan.domain.diagnostic import SourcePlace
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Ownership, Settings
from cesplan.domain.value import Body, Secret

if TYPE_CHECKING:
    from cesplan.domain.features.release import Release


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """
    A place in a file as people are shown it: where, the source line, and how many characters.

    `is_repeated` is True inside a value to which an alias refers: it says something in several places.
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
class ResourceFile:
    """
    One resource file.

    `body` has directives followed: included texts, expanded variables (secrets wrapped), references as
    `<kind>/<key>`. `included` maps field paths (as text) to the files their values came from. `silenced` maps
    codes of checks to the reason given under `$silence`. `spot(path)` finds a value (or the nearest one
    around it); `key_spot(path)` its key. `layers` are the files of the environment that are laid over `path`.
    """

    address: Address
    path: str
    body: Body
    spot: Callable[[FieldPath], Spot]
    key_spot: Callable[[FieldPath], Spot]
    resource_id: str | None = None
    other_ids: frozenset[str] = frozenset()
    ownership: Ownership = Ownership.FULL
    protect: bool = False
    ignore: tuple[FieldPath, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    included: Mapping[str, IncludedFile] = field(default_factory=dict)
    silenced: Mapping[str, str] = field(default_factory=dict)
    layers: tuple[str, ...] = ()
    digest: bytes = field(default=b"", compare=False, repr=False)
    """Of all that it was made of, if the cache keeps it: what is found out of it alone holds as long."""

    @property
    def paths(self) -> tuple[str, ...]:
        """All files that say something of this resource."""
        return (self.path, *self.layers)


@dataclass(frozen=True, slots=True, kw_only=True)
class AppTree:
    """
    One app: `app` is app.yaml, `resources` every other file, sorted by address; `folders` exist.

    It `is_whole` when each of its files could be read; what the API version lacks is left out anyway.
    `location` is where it goes, empty if that is not known.
    """

    key: AppKey
    app: ResourceFile
    location: str = ""
    resources: tuple[ResourceFile, ...] = ()
    folders: frozenset[KindName] = frozenset()
    releases: "tuple[Release, ...]" = ()
    is_whole: bool = True

    def of(self, kind: str) -> tuple[ResourceFile, ...]:
        """The resources of one kind."""
        return tuple(item for item in self.resources if item.address.kind == kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """
    A whole tree in one environment.

    `files` counts what was read; `secrets` are those of all variables, `rotations` their markers by name.
    """

    settings: Settings
    apps: tuple[AppTree, ...] = ()
    location_resources: tuple[ResourceFile, ...] = ()
    files: int = 0
    secrets: tuple[Secret, ...] = ()
    rotations: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where secrets with an origin are read that the environment does not bring, by variable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """
    What a check found in one file, before it becomes a diagnostic.

    `meant` is the misspelled word, if one is to blame, and what was meant.
    `line`, `column` and `span` point into the included text where `path` has one (from 1; 0: the value itself).
    """

    code: str
    file: ResourceFile
    path: FieldPath
    summary: str
    detail: str = ""
    suggestion: str = ""
    meant: Guess | None = None
    line: int = 0
    column: int = 1
    span: int = 1
    at_key: bool = False


Check = Callable[[AppTree], "list[Finding]"]
"""A check looks at one app and returns what it found; it never stops at the first."""
