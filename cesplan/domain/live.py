"""The live state: what the service answered, as it answered it."""

from collections.abc import Mapping
from dataclasses import field

from cesplan.domain.address import AppKey, KindName
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveResource:
    """One resource: `body` is the whole answer, output-only fields, `name` and `etag` included."""

    kind: KindName
    body: Body

    @property
    def name(self) -> str:
        return str(self.body["name"])

    @property
    def id(self) -> str:
        return last_id(self.name)

    @property
    def etag(self) -> str:
        """The etag as received; empty if the service sent none."""
        return str(self.body.get("etag", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveApp:
    """An app and its listed children; a kind that is not in `children` was not asked for."""

    app: LiveResource
    children: Mapping[KindName, tuple[LiveResource, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """
    What was read for one plan.

    `apps` are the apps of the tree that exist; `location` are resources a location has once; `requests` counts
    what it took. `newest_versions` hold the youngest version of an app, snapshot included, where it was read.
    `unclear` are the live apps that an app of the tree may mean where nothing says which one it is.
    `sequences` are the `sequenceNumber` of the newest entry of each app's change log before anything of the app
    was listed: what is later may not have been seen. An app whose log cannot be read has none.
    """

    apps: Mapping[AppKey, LiveApp] = field(default_factory=dict)
    location: Mapping[KindName, LiveResource] = field(default_factory=dict)
    newest_versions: Mapping[AppKey, LiveResource] = field(default_factory=dict)
    unclear: Mapping[AppKey, tuple[LiveResource, ...]] = field(default_factory=dict)
    sequences: Mapping[AppKey, int] = field(default_factory=dict)
    by_log: Mapping[AppKey, str] = field(default_factory=dict)
    """
    For a quick read: empty for an app of which only what its change log names was read, else why it was read
    whole.
    """
    restless: frozenset[AppKey] = frozenset()
    """Apps that others edited all the while they were read: what was read may be of several moments."""
    unclaimed: tuple[LiveResource, ...] = ()
    """The apps of the place that no app of the tree is or may be."""
    requests: int = 0
