"""Listing: the live apps of a place, read once for all apps of the tree."""

from dataclasses import replace
from time import monotonic

from cesplan.domain.desired import DesiredApp
from cesplan.domain.errors import NotFound
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveResource
from cesplan.engine.comparing.match import MatchedApps
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client

_FRESH = 5.0
"""Seconds after which an app is read again, so that its stamp and its resources match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Live apps, and when they were listed."""

    apps: tuple[LiveResource, ...] = ()
    at: float = 0.0

    def of(self, app: DesiredApp, matched: MatchedApps) -> "Listing":
        """The live apps that one app of a tree can match: at most one, unless it is ambiguous."""
        doubts = [doubt for doubt in matched.unclear for file in doubt.files if file.address.app == app.key]
        if doubts:
            return replace(self, apps=doubts[0].live)
        found = matched.found.get(app.key)
        return replace(self, apps=(found,) if found else ())

    def fresh(self, client: Client) -> tuple[LiveResource, ...]:
        """The apps, read again."""
        if monotonic() - self.at < _FRESH:
            return self.apps
        found = (_again(item, client) for item in self.apps)
        return tuple(item for item in found if item is not None)


def _again(app: LiveResource, client: Client) -> LiveResource | None:
    try:
        return LiveResource(kind=app.kind, body=client.get(kind_of(app.kind), app.name))
    except NotFound:
        return None


NOTHING = Listing()
