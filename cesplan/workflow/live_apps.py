"""Reads an app with everything in it, live or from a version, and what a location has once."""

from cesplan.domain.errors import ApiError, CesplanError, NotFound, UsageError
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.settings import Settings
from cesplan.engine.comparing.match import display_name
from cesplan.engine.comparing.snapshot import app_of_snapshot, snapshot_of
from cesplan.model.kinds import KINDS, app_kinds
from cesplan.remote.client import Client

_MOST_NAMES = 20


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
