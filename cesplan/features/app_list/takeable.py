"""Apps that the user may have meant: live, never applied by any tree, and no app of this tree is live."""

from collections.abc import Collection

from cesplan.domain.desired import Desired
from cesplan.domain.features.app_list import ListedApp, Standing
from cesplan.domain.live import Live
from cesplan.domain.text.words import count, some_of
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.features.app_list.standing import unclaimed_apps

EXAMPLE = "hello-shop"
"""The key of the app that `cesplan init` writes."""
_MOST_NAMES = 5


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
