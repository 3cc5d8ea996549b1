"""The desired state: what the tree says, with references resolved and variables expanded."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any

from cesplan.domain.address import Address, AppKey, KindName
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Ownership, Settings
from cesplan.domain.value import Body, Secret, known_secrets

if TYPE_CHECKING:
    from cesplan.domain.features.release import Release


@dataclass(frozen=True, slots=True, kw_only=True)
class Directives:
    """
    The directives of one resource file.

    `resource_id` is `$id` (None: the key is the id, or the display name decides). `other_ids` are the ids that
    `$id` gives to other environments. `ignore` holds the places to leave alone. `extra` maps paths that the
    models do not know to values, `silenced` the codes of checks that the file turns off to the reasons.
    """

    resource_id: str | None = None
    other_ids: frozenset[str] = frozenset()
    ownership: Ownership = Ownership.FULL
    protect: bool = False
    ignore: tuple[FieldPath, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    silenced: Mapping[str, str] = field(default_factory=dict)

    @property
    def directives(self) -> dict[str, Any]:
        """The directives by name, for another value that has them."""
        return {name: getattr(self, name) for name in _DIRECTIVES}


_DIRECTIVES = tuple(item.name for item in fields(Directives))


@dataclass(frozen=True, slots=True, kw_only=True)
class DesiredResource(Directives):
    """
    One resource file.

    `body` has the API's JSON names; a reference into the same app is `<kind>/<key>`, None is an explicit null.
    `new_id` is set where ids are not binding, as in the export layout: the display name is matched before the
    id, and a create uses this id. `files` maps a field path to the file its text came from. `file` is the
    resource file, relative to the root of the tree.
    """

    address: Address
    body: Body
    file: str
    new_id: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DesiredApp:
    """
    An app and its resources.

    `folders` are the kinds whose folder exists; only these are pruned. `releases` are its release files.
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
    The state of git for the tree: the commit (full hash, empty outside git) and whether the tree was dirty.

    `path` is the tree's path in its repository (empty: at the top; None: outside git). `trouble` says why git
    could not be read although there is a repository, and what to do about it.
    """

    commit: str = ""
    dirty: bool = False
    path: str | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desired:
    """
    Everything one environment of a tree asks for.

    `secrets` are the values of all secret variables, used or not, because a resource that was removed from the
    tree may have used them, and every text of the files that is composed of them: bodies hold no other secrets.
    `rotations` are their rotation markers, by variable name.
    """

    settings: Settings
    apps: tuple[DesiredApp, ...] = ()
    location_resources: tuple[DesiredResource, ...] = ()
    source: Source = Source()
    notices: tuple[str, ...] = ()
    secrets: tuple[Secret, ...] = ()
    rotations: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    """The sources (`secret: {from: …}`) of secrets that are not in environment variables, by variable."""

    @property
    def addresses(self) -> set[Address]:
        """Of all its resources, those of the location included."""
        return {item.address for app in self.apps for item in app.all()} | {
            item.address for item in self.location_resources
        }


def secrets_of(variables: Iterable[Secret], files: Iterable[DesiredResource]) -> tuple[Secret, ...]:
    """
    Every secret of resource files: the values of the secret variables, and the texts composed of them.

    Secrets come into files by variables alone: where there are none, no file is looked at.
    """
    known = tuple(variables)
    if not known:
        return ()
    return known_secrets(known, *(value for item in files for value in (item.body, dict(item.extra))))
