"""
Lost stamps: recovering a stamp that live no longer has from the change log. Restoring a version that is older
than the stamp removes it, and so can anyone who edits the metadata. The last applied state is still known as
long as the log goes back that far.
"""

from dataclasses import replace

from cesplan.domain.address import AppKey
from cesplan.domain.app_metadata.stamp import NO_STAMP, Stamp, read_stamp, stamp_texts
from cesplan.domain.change import LiveEdit
from cesplan.domain.desired import Desired
from cesplan.domain.live import Live, LiveApp
from cesplan.engine.comparing.stamp import stamp_of
from cesplan.features.history.edit_log import EditLog
from cesplan.features.history.log_entries import live_edit_of
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client

_MOST_READ = 20
"""Entries of the app that are read whole, newest first, to find the one that removed the stamp."""


def with_lost_stamp(live: Live, key: AppKey, desired: Desired, client: Client) -> tuple[Live, tuple[str, ...]]:
    """
    Live with the last stamp of an app, and a notice about it. Unchanged live, and no notice, if the app has a
    stamp, needs none, or the change log has none. The result is only for finding the base: it must not be sent
    or compared with live.
    """
    app = live.apps.get(key)
    if app is None or not desired.settings.stamp or stamp_of(app, desired.settings.place).is_complete:
        return live, ()
    found = _last_stamp(app, client)
    if found is None:
        return live, ()
    stamp, edit = found
    field = kind_of(app.app.kind).stamp_field
    metadata = {**(app.app.body.get(field) or {}), **stamp_texts(stamp)}
    stamped = replace(app, app=replace(app.app, body={**app.app.body, field: metadata}))
    notice = (
        f"{key}: live has lost the stamp of the last apply ({edit.by or 'unattributed'}); the copy in the "
        "change log is used instead, and the next apply writes it again"
    )
    return replace(live, apps={**live.apps, key: stamped}), (notice,)


def _last_stamp(app: LiveApp, client: Client) -> tuple[Stamp, LiveEdit] | None:
    """The last stamp of an app, and the edit that removed it."""
    name, field = app.app.name, kind_of(app.app.kind).stamp_field
    log = EditLog(client, name, NO_STAMP)
    for entry in log.on(name)[:_MOST_READ]:
        original = log.read(entry).get("originalResource")
        stamp = read_stamp(original.get(field) if isinstance(original, dict) else None, name)
        if stamp.is_complete:
            return stamp, live_edit_of(entry)
    return None
