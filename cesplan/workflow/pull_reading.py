"""Reading what a pull takes: which app is meant, and everything that is in it, live or in a version."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from cesplan.domain.address import KindName
from cesplan.domain.desired import Desired
from cesplan.domain.errors import ApiError, CesplanError, NotFound, UsageError
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.resource_name import Place, parse_name
from cesplan.domain.settings import Settings
from cesplan.engine.comparing.match import display_name, match_apps
from cesplan.engine.comparing.snapshot import CHILDREN, snapshot_of
from cesplan.model.kinds import KINDS, app_kinds, kind_of
from cesplan.remote.client import Client

_MOST_NAMES = 20


def find_app(wanted: str, desired: Desired, apps: Sequence[LiveResource]) -> LiveResource:
    """
    The live app that a person means: by a key of the tree, a full name, an id, or a display name.

    Raises UsageError when there is none, or more than one.
    """
    matched = match_apps(desired, apps).found
    by_key = next((app for key, app in matched.items() if key == wanted), None)
    by_id = next((app for app in apps if wanted in (app.name, app.id)), None)
    if by_key or by_id:
        return by_key or by_id  # type: ignore[return-value]
    named = [app for app in apps if display_name(kind_of("apps"), app.body) == wanted]
    if len(named) == 1:
        return named[0]
    raise _no_such_app(wanted, named or apps, several=bool(named))


def place_in_name(wanted: str) -> Place | None:
    """The project and location in a full name of an app; None for every other text."""
    parts = parse_name(wanted)
    if parts is None or parts.app is None or parts.kind is not None:
        return None
    return Place(project=parts.project, location=parts.location)


def read_app(app: LiveResource, client: Client, settings: Settings) -> LiveApp:
    """An app with everything in it."""
    return LiveApp(app=app, children=client.list_children(app.name, app_kinds(settings.api_version)))


def read_version(app: LiveResource, version: str, client: Client) -> LiveApp:
    """
    An app as a version of it has it; `version` is an id or a display name. Kinds outside snapshots are missing.

    Raises UsageError for a version that does not exist, and CesplanError for one without a snapshot.
    """
    kind = next(item for item in KINDS.values() if item.after_all_writes)
    listed = client.list_children(app.name, [kind])[kind.name]
    found = [item for item in listed if version in (item.id, item.name, display_name(kind, item.body))]
    if len(found) != 1:
        names = "\n".join(f"    {item.id}   {display_name(kind, item.body)}" for item in listed[:_MOST_NAMES])
        raise UsageError(
            summary=f"The app has {'more than one' if found else 'no'} version `{version}`.",
            detail=f"It has:\n{names}" if names else "It has none at all.",
        )
    snapshot = snapshot_of(client.get(kind, found[0].name))
    if snapshot is None:
        raise CesplanError(summary=f"The version `{version}` came without a snapshot.")
    return app_of_snapshot(snapshot)


def app_of_snapshot(snapshot: Mapping[str, object]) -> LiveApp:
    """The app in a version's snapshot (message AppSnapshot)."""
    return LiveApp(
        app=LiveResource(kind=KindName("apps"), body=dict(snapshot["app"])),  # type: ignore[call-overload]
        children={kind: tuple(_resources(kind, snapshot.get(str(kind)))) for kind in CHILDREN},
    )


def read_location(client: Client, settings: Settings) -> tuple[tuple[LiveResource, ...], tuple[str, ...]]:
    """What a location has once, and a notice for what could not be read: it must not stop a pull."""
    found: list[LiveResource] = []
    notices: list[str] = []
    for kind in KINDS.values():
        if not kind.singleton or settings.api_version not in kind.api_versions:
            continue
        try:
            found.append(client.get_singleton(settings.place, kind))
        except NotFound:
            continue
        except ApiError as error:
            notices.append(f"{kind.name} of the location were left out: {error.summary}")
    return tuple(found), tuple(notices)


def _resources(kind: KindName, listed: object) -> list[LiveResource]:
    items = listed if isinstance(listed, list) else []
    return [LiveResource(kind=kind, body=item) for item in items if isinstance(item, dict)]


def _no_such_app(wanted: str, apps: Sequence[LiveResource], *, several: bool) -> UsageError:
    names = {display_name(kind_of("apps"), app.body) or app.id: app.id for app in apps}
    listing = "\n".join(
        f"    {app.id}   {display_name(kind_of('apps'), app.body)}" for app in apps[:_MOST_NAMES]
    )
    near = get_close_matches(wanted, [*names, *names.values()], n=1)
    hint = f" Did you mean `{near[0]}`?" if near and not several else ""
    return UsageError(
        summary=f"There is {'more than one' if several else 'no'} app `{wanted}` there.{hint}",
        detail=f"There are:\n{listing}" if apps else "There is no app at all in this project and location.",
    )
