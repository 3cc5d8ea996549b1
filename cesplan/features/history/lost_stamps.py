"""
Lost stamps: what the change log knows of a stamp that live no longer has.

A version that was made before the stamp takes it away when it is restored, and anybody who edits the metadata
may. What was applied last is known all the same as long as the log goes back that far.
"""

from dataclasses import dataclass, replace

from cesplan.domain.app_metadata.stamp import NO_STAMP, read_stamp, stamp_texts
from cesplan.domain.live import LiveApp
from cesplan.features.history.edit_log import EditLog
from cesplan.features.history.log_entries import live_edit_of
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client

_MOST_READ = 20
"""Entries of the app that are read whole, from the newest on, to find the one that lost the stamp."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An app as it would be with its stamp, and who took that away, in words."""

    live: LiveApp
    said: str


def lost_stamp(live: LiveApp, client: Client) -> Found | None:
    """
    A live app without a stamp with the one that it had last; None where the change log knows of none.

    What comes of it is only for comparing: it must not be sent, nor held against what is live.
    """
    name, field = live.app.name, kind_of(live.app.kind).stamp_field
    log = EditLog(client, name, NO_STAMP)
    for entry in log.on(name)[:_MOST_READ]:
        original = log.read(entry).get("originalResource")
        stamp = read_stamp(original.get(field) if isinstance(original, dict) else None, name)
        if stamp.is_complete:
            metadata = {**(live.app.body.get(field) or {}), **stamp_texts(stamp)}
            app = replace(live.app, body={**live.app.body, field: metadata})
            return Found(live=replace(live, app=app), said=live_edit_of(entry).by or "unattributed")
    return None
