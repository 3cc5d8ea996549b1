"""
Quick reads: an app by its change log alone, if the tree is the last applied state. One page of the log shows
whether anything was written since. If so, the entry of the stamp tells which of the writes are edits. The
resources that they name are read; all others are assumed to be as the last apply left them. So this is as
reliable as the log, whose coverage is unverified: an apply never uses it.
"""

from collections.abc import Iterator, Sequence

from cesplan.domain.app_metadata.stamp import MOST_IDS, Stamp, id_mark
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource
from cesplan.domain.errors import NotFound
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.value import Body
from cesplan.engine.comparing.stamp import Contact, contact_of, digest, stamp_of
from cesplan.features.history.consistent_reads import again, has_moved, lean
from cesplan.features.history.edit_log import EditLog
from cesplan.features.history.log_entries import is_about, is_delete, number_of, resource_of
from cesplan.model.kinds import Kind, kind_of
from cesplan.remote.client import Client


@dataclass(frozen=True, slots=True, kw_only=True)
class Quick:
    """An app read by its log; `app` is None if a full read is needed, and `why` says why."""

    app: LiveApp | None = None
    sequence: int | None = None
    why: str = ""


def read_quickly(
    listed: LiveResource, app: DesiredApp, desired: Desired, kinds: Sequence[Kind], client: Client
) -> Quick:
    """The live state of an app that was just listed. Raises errors of the service."""
    stamp = stamp_of(LiveApp(app=listed), desired.settings.place)
    if why := _why_not(stamp, app, desired):
        return Quick(why=why)
    log = EditLog(client, listed.name, stamp)
    is_quiet = log.is_quiet
    if not is_quiet and not log.is_complete:
        return Quick(why=log.trouble or "the change log does not reach back to the last apply")
    if not is_quiet and has_moved(listed, log.entries):
        listed = again(listed, client)
        if stamp_of(LiveApp(app=listed), desired.settings.place) != stamp:
            return Quick(why="another apply ended while it was read")
    edits = () if is_quiet else log.foreign_entries()
    if any(map(is_delete, edits)):
        return Quick(why="a deletion may have changed other resources without an entry")
    children = {kind.name: {item.name: item for item in as_live(listed.name, app, kind)} for kind in kinds}
    for entry in edits:
        name = resource_of(entry)
        kind_name, resource_id = name.split("/")[-2:] if name.count("/") else ("", "")
        if is_about(entry, listed.name) or kind_name not in children:
            continue
        kind = kind_of(kind_name)
        full = f"{listed.name}/{kind_name}/{resource_id}"
        try:
            children[kind.name][full] = LiveResource(kind=kind.name, body=lean(kind, client.get(kind, full)))
        except NotFound:
            children[kind.name].pop(full, None)
    read = {kind: tuple(found[name] for name in sorted(found)) for kind, found in children.items()}
    newest = max((number_of(item) for item in log.entries), default=stamp.sequence or 0)
    return Quick(app=LiveApp(app=listed, children=read), sequence=newest)


def as_live(app_name: str, app: DesiredApp, kind: Kind) -> Iterator[LiveResource]:
    """The resources of a kind as an apply of the app would leave them; references stay as the tree has them."""
    for item in app.resources:
        if item.address.kind == kind.name:
            name = f"{app_name}/{kind.name}/{item.resource_id or item.address.key}"
            yield LiveResource(kind=kind.name, body={**body_with_extra(item), "name": name})


def body_with_extra(item: DesiredResource) -> Body:
    """The body of a file with its fields that are newer than the models."""
    body = item.body
    for path, value in sorted(item.extra.items()):
        body = FieldPath.parse(path).put(body, value)
    return body


def _why_not(stamp: Stamp, app: DesiredApp, desired: Desired) -> str:
    """Why the log alone is not enough; empty if it is."""
    if contact_of(stamp, desired) is not Contact.OURS:
        return "this tree was not applied to the app"
    if stamp.digest != digest(app):
        return "the tree differs from the last applied state"
    known = {id_mark(item.address.kind, item.resource_id) for item in app.all() if item.resource_id is not None}
    if stamp.ids - known or len(app.resources) > MOST_IDS:
        return "some resources were matched by display name: their ids are not in the tree"
    return ""
