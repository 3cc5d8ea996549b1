"""How each live app of a place relates to a tree, by the tree's own matching and by the stamps."""

from collections.abc import Collection, Sequence

from cesplan.domain.address import APPS
from cesplan.domain.app_metadata.stamp import Stamp
from cesplan.domain.desired import Desired
from cesplan.domain.features.app_list import ListedApp, Standing
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.text.words import count, some_of
from cesplan.engine.comparing.match import match_apps
from cesplan.engine.comparing.stamp import Contact, contact_of, stamp_of, tree_id
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.model.kinds import kind_of

_OWN = {Contact.FIRST: Standing.NEW, Contact.OURS: Standing.MANAGED, Contact.FOREIGN: Standing.TAKEN}
_OTHERS = {
    Contact.FIRST: Standing.UNMANAGED,
    Contact.OURS: Standing.FORMER,
    Contact.FOREIGN: Standing.ELSEWHERE,
}
EXAMPLE = "hello-shop"
"""The key of the app that `cesplan init` writes."""
_MOST_NAMES = 5


def listed_apps(desired: Desired, live: Sequence[LiveResource]) -> tuple[ListedApp, ...]:
    """Every app that is live or in the tree. The resources of the apps are not compared."""
    key_of = {found.name: key for key, found in match_apps(desired, live).live.items()}
    apps = [_listed(desired, item, str(key_of.get(item.name, ""))) for item in live]
    known = set(key_of.values())
    apps += [
        ListedApp(
            standing=Standing.NOT_LIVE, key=app.key, display_name=str(app.app.body.get("displayName", ""))
        )
        for app in desired.apps
        if app.key not in known
    ]
    return tuple(sorted(apps, key=lambda item: (not item.key, item.key or item.display_name, item.name)))


def unclaimed_apps(desired: Desired, live: Live) -> tuple[ListedApp, ...]:
    """The live apps that match no app of the tree, not even possibly, sorted by display name."""
    found = (_listed(desired, item, "") for item in live.unclaimed)
    return tuple(sorted(found, key=lambda item: (item.display_name, item.name)))


def takeable_apps(desired: Desired, live: Live) -> tuple[ListedApp, ...]:
    """
    The apps that no tree has applied, sorted by display name. None if an app of the tree is live or may be: the
    tree is then already connected, and `cesplan list` shows the other apps.
    """
    if live.apps or live.unclear or not desired.apps:
        return ()
    return tuple(item for item in unclaimed_apps(desired, live) if item.standing is Standing.UNMANAGED)


def takeable_notice(apps: Collection[ListedApp], desired: Desired, redactor: ValueRedactor) -> str:
    """The notice about these apps in a first plan."""
    names = [f'"{redactor.name(item.display_name) or item.id}"' for item in apps]
    place = desired.settings.place
    notice = (
        f"{place.short} has {count(len(names), 'app')} that no tree has applied, and none "
        f"of this tree: {some_of(names, _MOST_NAMES)}. `cesplan pull` writes a live app to files"
    )
    if any(app.key == EXAMPLE for app in desired.apps):
        notice += f"; {EXAMPLE} is the example of `cesplan init`: remove its folder if you do not need it"
    return notice


def _listed(desired: Desired, live: LiveResource, key: str) -> ListedApp:
    stamp: Stamp = stamp_of(LiveApp(app=live), desired.settings.place)
    contact = contact_of(stamp, desired)
    standing = (_OWN if key else _OTHERS)[contact]
    if standing is Standing.FORMER and not tree_id(desired.settings, desired.source):
        standing = Standing.ELSEWHERE  # without a name, and without any tree, no app can be claimed
    return ListedApp(
        standing=standing,
        key=key,
        name=live.name,
        display_name=kind_of(APPS).display_name_in(live.body) or "",
        tree=stamp.tree,
        environment=stamp.environment,
        commit=stamp.commit,
        dirty=stamp.dirty,
    )
