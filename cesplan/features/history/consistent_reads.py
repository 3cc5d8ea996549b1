"""
Consistent reads: one app as it was at one moment, although reading it takes several requests. The position of
the change log is read before and after the lists. Resources that were written in between are read again, until
nothing changes. Usually nothing changes, and this costs two requests. A log that cannot be read, or that lags
behind, proves nothing: then the lists are used as they are.
"""

from collections.abc import Sequence
from dataclasses import replace

from cesplan.domain.address import KindName
from cesplan.domain.errors import NotFound
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import Keep, LiveApp, LiveResource, as_read
from cesplan.domain.text.times import moment
from cesplan.domain.value import Body
from cesplan.features.history.edit_log import MOST_ENTRIES
from cesplan.features.history.log_entries import is_about, is_delete, number_of, resource_of, tail
from cesplan.model.kinds import Kind, kind_of
from cesplan.remote.client import Client

_MOST_ROUNDS = 5
_MOST_SINGLE = 20
"""If more resources than this changed, the lists are read again instead of each resource."""

_Children = dict[KindName, tuple[LiveResource, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consistent:
    """An app as it was at one moment."""

    app: LiveApp
    sequence: int | None
    """How far its change log had come; None: not known."""
    is_restless: bool = False
    """True if edits never paused: the result may mix several moments."""


def read_consistently(
    listed: LiveResource, kinds: Sequence[Kind], client: Client, keep: Keep = as_read
) -> Consistent:
    """
    A just listed app with its resources of these kinds, read consistently. Raises errors of the service. An app
    that is deleted in the meantime has no children.
    """
    before = client.newest_changes(listed.name)
    app = again(listed, client) if before and has_moved(listed, before) else listed
    children = client.list_children(app.name, kinds, keep)
    if before is None:
        return Consistent(app=LiveApp(app=app, children=children), sequence=None)
    sequence = _newest(before)
    for _ in range(_MOST_ROUNDS):
        now = client.newest_changes(app.name)
        if now is None or _newest(now) <= sequence:
            return Consistent(app=LiveApp(app=app, children=children), sequence=sequence)
        moved = _since(sequence, now, app.name, client)
        app, children = _read_again(app, children, moved, kinds, client)
        sequence = max(_newest(now), _newest(moved))
    return Consistent(app=LiveApp(app=app, children=children), sequence=sequence, is_restless=True)


def _newest(entries: Sequence[Body]) -> int:
    return max(map(number_of, entries), default=0)


def has_moved(app: LiveResource, entries: Sequence[Body]) -> bool:
    """Whether these entries, read after the app was listed, show that the app was written since."""
    known = moment(app.body.get("updateTime"))
    times = (moment(item.get("createTime")) for item in entries if is_about(item, app.name))
    return any(time is not None and (known is None or time > known) for time in times)


def _since(sequence: int, first: Sequence[Body], app_name: str, client: Client) -> tuple[Body, ...]:
    """The entries after a sequence number; `first` are the newest entries, which may be all of them."""
    entries = first
    if min(map(number_of, first), default=0) > sequence:
        entries = client.list_changes(app_name, at_most=MOST_ENTRIES)
    return tuple(item for item in entries if number_of(item) > sequence)


def _read_again(
    app: LiveResource, children: _Children, moved: Sequence[Body], kinds: Sequence[Kind], client: Client
) -> tuple[LiveResource, _Children]:
    """Read the resources that entries of the log name. A delete may change others without an entry."""
    names = {resource_of(item): resource_of(item).split("/")[-2:] for item in moved}
    known = {str(kind.name): kind for kind in kinds}
    if any(tail(name) == tail(app.name) for name in names):
        app = again(app, client)
    inside = {name: parts for name, parts in names.items() if tail(name) != tail(app.name)}
    if any(map(is_delete, moved)) or len(inside) > _MOST_SINGLE:
        return app, client.list_children(app.name, kinds)
    for kind_name, resource_id in sorted(parts for parts in inside.values() if parts[0] in known):
        kind = known[kind_name]
        children = {
            **children,
            kind.name: _with(children, kind, f"{app.name}/{kind_name}/{resource_id}", client),
        }
    return app, children


def _with(children: _Children, kind: Kind, name: str, client: Client) -> tuple[LiveResource, ...]:
    """The resources of a kind, one of them read again."""
    found = {item.name: item for item in children.get(kind.name, ())}
    try:
        found[name] = LiveResource(kind=kind.name, body=lean(kind, client.get(kind, name)))
    except NotFound:
        found.pop(name, None)
    return tuple(found[key] for key in sorted(found))


def lean(kind: Kind, body: Body) -> Body:
    """A resource as in lists: without the expensive fields."""
    return {name: value for name, value in body.items() if name not in kind.expensive_fields}


def again(item: LiveResource, client: Client) -> LiveResource:
    """A resource as it is now, with its expensive fields."""
    return replace(item, body=client.get(kind_of(item.kind), item.name))
