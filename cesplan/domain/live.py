"""The live state, exactly as the service returned it."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TypeAlias

from cesplan.domain.address import AppKey, KindName
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body

Keep: TypeAlias = Callable[[KindName, Body], Body]
"""Returns what to keep of a body that was just read and is not shared yet; it must equal the body."""


def as_read(kind: KindName, body: Body) -> Body:
    """Keep the body as it was read."""
    return body


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveResource:
    """One resource. `body` is the whole response, with `name`, `etag`, and other output-only fields."""

    kind: KindName
    body: Body

    @property
    def name(self) -> str:
        return str(self.body["name"])

    @property
    def id(self) -> str:
        return last_id(self.name)

    @property
    def title(self) -> str:
        """The display name, or else the id."""
        return str(self.body.get("displayName") or self.id)

    @property
    def etag(self) -> str:
        """The etag as received; empty if the service sent none."""
        return str(self.body.get("etag", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveApp:
    """An app and its listed children. A kind that is not in `children` was not requested."""

    app: LiveResource
    children: Mapping[KindName, tuple[LiveResource, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """
    Everything that was read for one plan.

    `apps` are the apps of the tree that exist. `location` are the resources that exist once per location.
    `requests` counts the requests. `newest_versions` holds the newest version of each app, snapshot included,
    if it was read. `unclear` holds the candidates for an app of the tree that could be one of several live
    apps. `sequences` holds the `sequenceNumber` of the newest entry of each app's change log, read before
    anything of the app was listed; later changes may have been missed. An app whose log cannot be read has
    none.
    """

    apps: Mapping[AppKey, LiveApp] = field(default_factory=dict)
    location: Mapping[KindName, LiveResource] = field(default_factory=dict)
    newest_versions: Mapping[AppKey, LiveResource] = field(default_factory=dict)
    unclear: Mapping[AppKey, tuple[LiveResource, ...]] = field(default_factory=dict)
    sequences: Mapping[AppKey, int] = field(default_factory=dict)
    by_log: Mapping[AppKey, str] = field(default_factory=dict)
    """
    For a quick read, by app: empty if only the resources in its change log were read, else why all of it was
    read.
    """
    restless: frozenset[AppKey] = frozenset()
    """Apps that were being edited during the whole read: the result may mix several points in time."""
    unclaimed: tuple[LiveResource, ...] = ()
    """The live apps of the project and location that match no app of the tree."""
    requests: int = 0
