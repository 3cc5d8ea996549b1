"""Former apps in a drift check: apps that a tree was applied to and whose folder is gone."""

from collections.abc import Sequence
from dataclasses import replace

from cesplan.config.tree.load import load_app_files
from cesplan.domain.desired import Desired
from cesplan.domain.features.drift import AppDrift
from cesplan.domain.live import Live, LiveResource
from cesplan.engine.comparing.match import MatchedApps, match_apps
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.features.former_apps.former_app import FormerApp, former_apps, former_drift
from cesplan.workflow.drift.app import Checked, Listing


def former_of(
    tree: Checked, listed: Sequence[LiveResource], matched: MatchedApps, *, is_whole: bool
) -> tuple[FormerApp, ...]:
    """
    The former apps of a tree among the listed ones; `matched` are those that match the apps read so far. If
    that is not the whole tree, the app files of the others are read if needed. If one of them has errors, there
    are no former apps: it may match any.
    """
    desired, root = tree.desired, tree.loaded.root
    found = _former(desired, listed, matched)
    if is_whole or not found or root is None:
        return found
    settings = desired.settings
    apps = load_app_files(root, environment=settings.environment, variables=tree.loaded.variables)
    if apps is None:
        return ()
    whole = replace(desired, apps=apps)
    return _former(whole, listed, match_apps(whole, listed))


def check_former(tree: Checked, former: FormerApp, listing: Listing) -> AppDrift:
    """The drift of a former app, or nothing if it has been deleted. Raises errors of the service."""
    with tree.client() as client:
        found = AppDrift(app=former.address.app, former=True)
        if listing.fresh(client):
            found = former_drift(former, client, ValueRedactor(tree.desired.secrets))
        return tree.described(replace(found, requests=client.requests))


def _former(desired: Desired, listed: Sequence[LiveResource], matched: MatchedApps) -> tuple[FormerApp, ...]:
    matched_names = {item.name for item in matched.found.values()}
    matched_names |= {item.name for doubt in matched.unclear for item in doubt.live}
    return former_apps(
        desired, Live(unclaimed=tuple(item for item in listed if item.name not in matched_names))
    )
