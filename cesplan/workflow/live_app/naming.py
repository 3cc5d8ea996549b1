"""The names of the resources of a live app: the keys of the tree, or else readable keys."""

from cesplan.domain.desired import Desired, DesiredApp
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place
from cesplan.engine.comparing.match import match_apps, match_resources
from cesplan.engine.pulling.keys import everything, key_resources, key_unclaimed


def key_and_naming(desired: Desired, live: LiveApp, place: Place) -> tuple[str, Naming]:
    """The key of an app and the keys of its resources."""
    mine = _in_tree(desired, live.app)
    if mine is None:
        naming = Naming(place=place, app_id=live.app.id)
        return live.app.id, key_resources(naming, everything(live), {})
    matched = match_resources(mine, live, place)
    return mine.key, key_unclaimed(matched, everything(live), mine)


def _in_tree(desired: Desired, app: LiveResource) -> DesiredApp | None:
    found = match_apps(desired, [app]).found
    return next((item for item in desired.apps if item.key in found), None)
