"""A former app: a live app that this tree was applied to and that has no folder in it, and its live edits."""

from collections.abc import Sequence

from cesplan.domain.address import Address, AppKey, app_address
from cesplan.domain.app_metadata.stamp import Stamp
from cesplan.domain.change import EditKind, Origin
from cesplan.domain.desired import Desired
from cesplan.domain.features.drift import UNKNOWN_ORIGIN, AppDrift, DriftItem, DriftKind, class_of
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.resource_name import within_app
from cesplan.domain.text.words import first_rows
from cesplan.domain.value import Body
from cesplan.engine.comparing.stamp import stamp_of, tree_id
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.features.history.edit_log import EditLog
from cesplan.features.history.log_entries import live_edit_of, resource_of
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client

_MOST_NAMES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerApp:
    """A live app of this tree without a folder, its address, and its stamp."""

    address: Address
    app: LiveResource
    stamp: Stamp


def former_apps(desired: Desired, live: Live) -> tuple[FormerApp, ...]:
    """The live apps that this tree was applied to in this environment, and that have no folder in it."""
    settings = desired.settings
    tree = tree_id(settings, desired.source)
    is_export = any(app.app.new_id for app in desired.apps)  # a single app has no siblings
    if not tree or is_export:
        return ()
    found = []
    for item in sorted(live.unclaimed, key=lambda item: item.id):
        stamp = stamp_of(LiveApp(app=item), settings.place)
        is_ours = (stamp.tree, stamp.environment) == (tree, settings.environment)
        if is_ours and stamp.is_complete and stamp.app == settings.place.app(item.id) and not stamp.is_newer:
            found.append(FormerApp(address=_address(item, desired), app=item, stamp=stamp))
    return tuple(found)


def origin_of(log: EditLog) -> Origin:
    """Which side changed since the last apply: the tree has dropped the app, and live may be edited."""
    if log.knows_own and log.foreign_entries():
        return Origin.BOTH
    return Origin.TREE if log.is_complete else Origin.UNKNOWN


def words_of(edits: Sequence[Body]) -> list[str]:
    """Entries of the log as text, one line each; only the first if there are many."""
    rows = [
        f"live edit of {within_app(resource_of(entry))} by {live_edit_of(entry).by or 'an unknown author'}"
        for entry in edits
    ]
    return first_rows(rows, _MOST_NAMES, "and {:,} more live edits")


def former_drift(former: FormerApp, client: Client, redactor: ValueRedactor) -> AppDrift:
    """
    The drift of a former app. Its resources are not read: the tree has nothing to compare them with.

    It counts as one unmanaged resource.
    """
    log = EditLog(client, former.app.name, former.stamp)
    origin = origin_of(log)
    edits = log.foreign_entries() if origin is Origin.BOTH else ()
    notes = [f"its folder is gone; `cesplan apply --allow-delete {former.address}` deletes the app"]
    item = DriftItem(
        address=former.address,
        drift_class=class_of(origin, reverts=origin is not Origin.TREE),
        kind=DriftKind.DELETED if origin is Origin.TREE else DriftKind.CHANGED,
        origin=origin,
        display_name=redactor.name(kind_of(former.app.kind).display_name_in(former.app.body)),
        resource=former.app.name,
        edit=live_edit_of(edits[0], EditKind.UPDATED) if edits else None,
        note="; ".join([*([UNKNOWN_ORIGIN] if origin is Origin.UNKNOWN else []), *notes]),
    )
    applied = log.stamp_time()
    trouble = f"its live edits cannot be read: {log.trouble}" if log.trouble else ""
    key = former.address.app
    return AppDrift(
        app=key,
        name=former.app.name,
        items=(item,),
        unmanaged=(former.address,),
        commit=former.stamp.commit,
        applied_at=applied.isoformat().replace("+00:00", "Z") if applied else "",
        notices=tuple(f"{key}: {text}" for text in (trouble, *words_of(edits)) if text),
        former=True,
    )


def _address(app: LiveResource, desired: Desired) -> Address:
    """The id replaces the key, which is no longer in any file; marked if another app has that key."""
    keys = {item.key for item in desired.apps}
    return app_address(AppKey(f"{app.id}@live" if app.id in keys else app.id))
