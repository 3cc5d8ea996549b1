"""The desired state: what the tree says, with references resolved and variables expanded."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from cesplan.domain.address import Address, AppKey, KindName
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Ownership, Settings
from cesplan.domain.value import Body, Secret

if TYPE_CHECKING:
    from cesplan.domain.features.release import Release


@dataclass(frozen=True, slots=True, kw_only=True)
class DesiredResource:
    """
    One resource file.

    `body` has the API's JSON names; a reference into the same app is `<kind>/<key>`, None is an explicit null.
    `resource_id` is `$id` (None: the key is the id, or a display name decides), `other_ids` those that it gives
    to other environments. `new_id` is there where the layout has no binding ids, as an export: a display name
    decides before the id, and this is the id for a create. `ignore` holds places to leave alone, `silenced` the
    codes of checks that the file turns off. `extra` maps paths that our models do not know to values. `files`
    maps a field path to the file its text came from. `file` is the resource file, relative to the root of the
    tree.
    """

    address: Address
    body: Body
    file: str
    resource_id: str | None = None
    other_ids: frozenset[str] = frozenset()
    new_id: str = ""
    ownership: Ownership = Ownership.FULL
    protect: bool = False
    ignore: tuple[FieldPath, ...] = ()
    silenced: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DesiredApp:
    """
    An app and what lives in it.

    `folders` are the kinds whose folder exists, which makes them prunable; `releases` are its release files.
    """

    key: AppKey
    app: DesiredResource
    resources: tuple[DesiredResource, ...] = ()
    folders: frozenset[KindName] = frozenset()
    releases: "tuple[Release, ...]" = ()

    def all(self) -> Iterator[DesiredResource]:
        """The app itself, then its resources in the order of their addresses."""
        yield self.app
        yield from self.resources


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """
    The state of git under the tree: commit (full hash, empty outside git) and whether it was dirty.

    `path` is where the tree is in its repository (empty: at the top; None: outside git). `trouble` is why
    git says nothing although there is a repository, and what to do about it.
    """

    commit: str = ""
    dirty: bool = False
    path: str | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desired:
    """
    Everything one environment of a tree asks for.

    `secrets` are the values of all secret variables, used or not: a resource that has left the tree may have
    used them. `rotations` are their rotation markers, by the name of the variable.
    """

    settings: Settings
    apps: tuple[DesiredApp, ...] = ()
    location_resources: tuple[DesiredResource, ...] = ()
    source: Source = Source()
    notices: tuple[str, ...] = ()
    secrets: tuple[Secret, ...] = ()
    rotations: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where secrets are read (`secret: {from: …}`) that the environment does not bring, by variable."""
