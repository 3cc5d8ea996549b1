"""
Reading: all live resources that a plan compares or a pull writes, with one request per kind.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from cesplan.domain.address import AppKey, KindName
from cesplan.domain.desired import Desired, DesiredApp
from cesplan.domain.errors import ApiError, CesplanError, NotFound, UsageError
from cesplan.domain.lazily import lazily
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.plan import Plan
from cesplan.domain.settings import Settings
from cesplan.engine.comparing.match import match_apps
from cesplan.engine.comparing.normalize import references
from cesplan.engine.comparing.sharing import sharing_with
from cesplan.engine.comparing.snapshot import app_of_snapshot, snapshot_of
from cesplan.engine.planning.versions.repeated import newest_of
from cesplan.features.history.consistent_reads import again, read_consistently
from cesplan.model.kinds import KINDS, VERSIONS, Kind, app_kinds, kind_of
from cesplan.model.marks import Reference
from cesplan.model.spec import message_spec, messages_inside
from cesplan.remote.client import Client

with lazily():
    from cesplan.features.history import quick_reads


def read_live(
    desired: Desired, client: Client, listed: Sequence[LiveResource] | None = None, *, quick: bool = False
) -> Live:
    """
    The live apps of the tree with their resources, and the resources of the location that it declares.

    `listed` are the live apps that can match, if already listed. A `quick` read requests only the resources
    that the change log names, if that is enough.
    """
    place = desired.settings.place
    every = client.list_apps(place) if listed is None else listed
    matched = match_apps(desired, every)
    found = matched.live
    matched_names = {
        item.name for item in (*found.values(), *(one for doubt in matched.unclear for one in doubt.live))
    }
    shortened = _read_quickly(desired, found, client) if quick else {}
    by_log = {key: item.app for key, item in shortened.items() if item.app is not None}
    read = {
        app.key: read_consistently(live, kinds_to_list(desired, app), client, sharing_with(app))
        for app in desired.apps
        if (live := found.get(app.key)) is not None and app.key not in by_log
    }
    location = {
        kind: client.get_singleton(place, kind_of(kind))
        for kind in sorted({item.address.kind for item in desired.location_resources})
    }
    return Live(
        apps={**by_log, **{key: item.app for key, item in read.items()}},
        by_log={key: item.why for key, item in shortened.items()},
        location=location,
        unclear={file.address.app: doubt.live for doubt in matched.unclear for file in doubt.files},
        sequences={key: item.sequence for key, item in read.items() if item.sequence is not None},
        restless=frozenset(key for key, item in read.items() if item.is_restless),
        unclaimed=tuple(item for item in every if item.name not in matched_names),
        requests=client.requests,
    )


def read_snapshot(name: str, title: str, client: Client) -> LiveApp:
    """An app as in the version of this full name. Raises CesplanError for one without a snapshot."""
    snapshot = snapshot_of(client.get(kind_of(VERSIONS), name))
    if snapshot is None:
        raise CesplanError(summary=f"The version `{title}` has no snapshot.")
    return app_of_snapshot(snapshot)


def _read_quickly(
    desired: Desired, found: Mapping[AppKey, LiveResource], client: Client
) -> "dict[AppKey, quick_reads.Quick]":
    return {
        app.key: quick_reads.read_quickly(found[app.key], app, desired, kinds_to_list(desired, app), client)
        for app in desired.apps
        if app.key in found
    }


def with_newest_versions(live: Live, apps: Iterable[AppKey], client: Client) -> Live:
    """Live with the newest version of these apps read in full, including the snapshot."""
    newest = {key: again(found, client) for key in apps if (found := newest_of(live.apps[key])) is not None}
    return replace(live, newest_versions=newest, requests=client.requests)


def whole_versions(plan: Plan, client: Client) -> dict[str, LiveResource]:
    """
    The versions that a plan will name and no apply has recorded, including snapshots, by their full names.
    """
    return {
        item.name: again(item, client) for _, versions in sorted(plan.unrecorded.items()) for item in versions
    }


def kinds_to_list(desired: Desired, app: DesiredApp) -> tuple[Kind, ...]:
    """The kinds to read of an app; on-demand kinds only if the tree has or names such a resource."""
    kinds = app_kinds(desired.settings.api_version)
    used = {item.address.kind for item in app.resources} | {*_named_on_demand(kinds, app)}
    return tuple(kind for kind in kinds if not kind.is_snapshot or kind.name in used)


def _named_on_demand(kinds: Iterable[Kind], app: DesiredApp) -> Iterator[KindName]:
    """The on-demand kinds that a resource of the tree refers to."""
    on_demand = {str(kind.name) for kind in kinds if kind.is_snapshot}
    for item in app.resources:
        spec = kind_of(item.address.kind).spec
        if on_demand & _referred_kinds(spec.name):
            yield from (KindName(text.partition("/")[0]) for _, text in references(spec, item.body))


@cache
def _referred_kinds(message: str) -> frozenset[str]:
    """The kinds that a message, or a nested message, may refer to."""
    fields = (field for name in messages_inside(message) for field in message_spec(name).fields.values())
    return frozenset(kind for field in fields if (mark := field.mark(Reference)) for kind in mark.kinds)


_MOST_NAMES = 20


def read_app(app: LiveResource, client: Client, settings: Settings) -> LiveApp:
    """An app with all its resources."""
    return read_consistently(app, app_kinds(settings.api_version), client).app


def read_version(app: LiveResource, version: str, client: Client) -> LiveApp:
    """
    An app as in one of its versions; `version` is an id or a display name. Kinds that are not in snapshots are
    missing.

    Raises UsageError for a version that does not exist, and CesplanError for one without a snapshot.
    """
    kind = kind_of(VERSIONS)
    listed = client.list_children(app.name, [kind])[kind.name]
    found = [item for item in listed if version in (item.id, item.name, kind.display_name_in(item.body))]
    if len(found) != 1:
        names = "\n".join(f"    {item.id}   {kind.display_name_in(item.body)}" for item in listed[:_MOST_NAMES])
        raise UsageError(
            summary=f"The app has {'more than one' if found else 'no'} version `{version}`.",
            detail=f"It has:\n{names}" if names else "It has no versions.",
        )
    return read_snapshot(found[0].name, version, client)


def read_location(client: Client, settings: Settings) -> tuple[tuple[LiveResource, ...], tuple[str, ...]]:
    """The resources of a location, and a notice for each that could not be read, which must not stop a pull."""
    found: list[LiveResource] = []
    notices: list[str] = []
    for kind in KINDS.values():
        if not kind.is_singleton or settings.api_version not in kind.api_versions:
            continue
        try:
            found.append(client.get_singleton(settings.place, kind))
        except NotFound:
            continue
        except ApiError as error:
            notices.append(f"{kind.name} of the location were skipped: {error.summary}")
    return tuple(found), tuple(notices)
