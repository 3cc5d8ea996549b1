"""The app and the tree of a command."""

from collections.abc import Iterable

from cesplan.config.project.project import find_root
from cesplan.domain.address import KindName
from cesplan.domain.desired import Desired, DesiredApp
from cesplan.domain.errors import UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place, parse_name
from cesplan.domain.settings import Settings
from cesplan.engine.comparing.match import match_apps, match_resources
from cesplan.engine.pulling.keys import everything, key_resources, key_unclaimed
from cesplan.engine.pulling.lookup import find_app
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client
from cesplan.workflow.validating import TreeTarget, desired_of

_API = "v1beta"


@dataclass(frozen=True, slots=True, kw_only=True)
class AppTarget:
    """
    Which app: `app` is a key of the tree, an id, a display name, or a full name; empty for the only one.

    `command` is the command for messages: `evaluate`.
    """

    tree: TreeTarget
    command: str
    app: str = ""
    place: Place | None = None


def desired_of_target(target: AppTarget) -> Desired:
    """The tree around the folder; without one, only the place of the app. Raises UsageError."""
    tree = target.tree
    if find_root(tree.folder) is not None:
        return desired_of(tree.validate())
    if tree.environment:
        raise UsageError(summary=f"There is no tree here, so there is no environment `{tree.environment}`.")
    return Desired(settings=Settings(place=_place_of(target), api_version=_API))


def requested_app(target: AppTarget, desired: Desired) -> str:
    """The name of the app: as requested, or the only one of the tree. Raises UsageError."""
    if target.app:
        return target.app
    keys = [app.key for app in desired.apps]
    if len(keys) == 1:
        return keys[0]
    listing = "\n".join(f"    {key}" for key in keys)
    raise UsageError(
        summary="Name the app with --app.",
        detail=f"The tree has:\n{listing}" if keys else "The tree has no app.",
    )


def read_target(
    name: str, desired: Desired, kinds: Iterable[KindName], client: Client
) -> tuple[LiveApp, str, Naming]:
    """The app of this name with its resources of these kinds, its key, and theirs. Raises UsageError."""
    place = desired.settings.place
    app = find_app(name, desired, client.list_apps(place))
    live = LiveApp(app=app, children=client.list_children(app.name, list(map(kind_of, kinds))))
    return live, *key_and_naming(desired, live, place)


def key_and_naming(desired: Desired, live: LiveApp, place: Place) -> tuple[str, Naming]:
    """The key of an app and the keys of its resources."""
    mine = _in_tree(desired, live.app)
    if mine is None:
        naming = Naming(place=place, app_id=live.app.id)
        return live.app.id, key_resources(naming, everything(live), {})
    matched = match_resources(mine, live, place)
    return mine.key, key_unclaimed(matched, everything(live), mine)


def _place_of(target: AppTarget) -> Place:
    """The project and location of an app, from its full name or as given. Raises UsageError."""
    parts = parse_name(target.app)
    if parts is not None and parts.app is not None:
        return Place(project=parts.project, location=parts.location)
    if not target.app or target.place is None or not target.place.project:
        command = target.command
        raise UsageError(
            summary="There is no tree here, and the app is unknown.",
            detail=f"Name it: cesplan {command} --app APP --project PROJECT [--location us]\n"
            "or with its full name: --app projects/PROJECT/locations/LOCATION/apps/ID",
        )
    return target.place


def _in_tree(desired: Desired, app: LiveResource) -> DesiredApp | None:
    found = match_apps(desired, [app]).live
    return next((item for item in desired.apps if item.key in found), None)
