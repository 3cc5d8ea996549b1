"""
Grouping: the entries of one app's change log, newest first, as applies and the edits between them.

The entry that wrote a stamp is the end of a complete apply; the stamp says what else that apply wrote, and when
it was planned. An entry that added records of single writes is the end of an apply that was not complete: its
writes are the newest ones of the same author. All other entries are edits; those of one author between two
applies are one event. The facts about an apply come from its stamp, which anyone who can edit the app can
write; the author comes from the log.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from cesplan.domain.address import Address
from cesplan.domain.app_metadata.stamp import Stamp
from cesplan.domain.change import FieldChange
from cesplan.domain.frozen import dataclass
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.stamp import without_stamp
from cesplan.features.history.log_entries import is_about, is_delete, live_edit_of, number_of, resource_of
from cesplan.features.history.own_writes import OwnWrites, apply_of, is_bookkeeping, stamps, states
from cesplan.features.timeline.naming import EntryNames
from cesplan.features.timeline.values import Event, Happening, Touched
from cesplan.model.kinds import KINDS, kind_of

ReadEntry = Callable[[Body], Body]
"""Reads an entry with the states before and after it; empty if that is impossible."""

_MOST_FIELDS = 20
"""How many entries of one resource in one event have their fields compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """
    The inputs for the timeline of an app.

    `only` selects the resources to report, None for all. With a selection, each edit is an event of its own,
    with the fields that it changed.
    """

    app_name: str
    names: EntryNames
    naming: Naming
    read: ReadEntry
    only: Callable[[Address], bool] | None = None


def happenings(past: Past, entries: Iterable[Body]) -> Iterator[Happening]:
    """The events of an app, newest first, as soon as no older entry can belong to them."""
    return _Grouping(past).events(entries)


@dataclass(slots=True)
class _Event:
    """An event that may still grow. `own` claims entries of a complete apply, `left` those of another one."""

    event: Event
    newest: Body
    stamp: Stamp = field(default_factory=Stamp)
    own: OwnWrites | None = None
    left: int = 0
    is_open: bool = True
    oldest: Body = field(default_factory=dict)
    touched: dict[Address, "_Resource"] = field(default_factory=dict)

    def takes(self, entry: Body) -> bool:
        """Whether an entry belongs to this apply."""
        if self.own is not None:
            return self.own.claim(entry)
        return self.left > 0 and entry.get("author") == self.newest.get("author")

    def add(self, address: Address, entry: Body) -> None:
        self.oldest = entry
        if address in self.touched:
            self.touched[address].add(entry)
            return
        self.touched[address] = _Resource(entry)
        # Deletions have no record of their own.
        self.left -= 0 if is_delete(entry) else 1

    def settle(self, entry: Body) -> None:
        """Close if this entry shows that no older one belongs here."""
        if self.own is not None:
            self.is_open = self.is_open and not (self.own.is_done or self.own.ends_before(entry))
        elif self.event is Event.PARTIAL_APPLY:
            self.is_open = self.is_open and self.left > 0


class _Resource:
    """The entries of one resource in one event: the newest and the oldest, and how many."""

    def __init__(self, entry: Body) -> None:
        self.newest = self.oldest = entry
        self.times = 1
        self.edits = [live_edit_of(entry).kind]
        self.some = [entry]

    def add(self, entry: Body) -> None:
        self.oldest = entry
        self.times += 1
        kind = live_edit_of(entry).kind
        if kind in self.edits:
            self.edits.remove(kind)  # its first time is the older one
        self.edits.append(kind)
        if len(self.some) < _MOST_FIELDS:
            self.some.append(entry)


class _Grouping:
    """The walk through one log."""

    def __init__(self, past: Past) -> None:
        self._past = past
        self._ready: deque[_Event] = deque()
        self._edits: dict[str, _Event] = {}

    def events(self, entries: Iterable[Body]) -> Iterator[Happening]:
        for entry in entries:
            self._take(entry)
            for item in self._ready:
                item.settle(entry)
            yield from self._finished()
        self._close_edits()
        for item in self._ready:
            item.is_open = False
        yield from self._finished()

    def _finished(self) -> Iterator[Happening]:
        while self._ready and not self._ready[0].is_open:
            found = self._happening(self._ready.popleft())
            if found is not None:
                yield found

    def _take(self, entry: Body) -> None:
        if is_about(entry, self._past.app_name) and self._take_bookkeeping(entry):
            return
        address = self._past.names.address(entry)
        for item in self._ready:
            if item.is_open and item.takes(entry):
                item.add(address, entry)
                return
        self._add_edit(address, entry)

    def _take_bookkeeping(self, entry: Body) -> bool:
        """Take an entry that only an apply leaves in addition to its writes; False for all others."""
        whole = self._past.read(entry)
        if not is_bookkeeping(whole):
            return False
        before, after = stamps(whole, self._past.app_name)
        if apply_of(before) != apply_of(after):
            if not after.is_complete or _goes_back(before, after):
                self._was_put_back(before)
                return False
            self._begin(_Event(event=Event.APPLY, newest=entry, stamp=after, own=OwnWrites(after, entry)))
        elif records := len({*after.partial} - {*before.partial}):
            self._begin(_Event(event=Event.PARTIAL_APPLY, newest=entry, stamp=after, left=records))
        return True  # a lease, or the end of one

    def _begin(self, event: _Event) -> None:
        """Begin the event of an apply: close the edits after it, and any partial apply that is still open."""
        self._close_edits()
        for item in self._ready:
            item.is_open = item.is_open and item.own is not None
        self._ready.append(event)

    def _was_put_back(self, stamp: Stamp) -> None:
        """
        Restoring a version removed a stamp: the newer entry with this stamp only put it back, and ended no
        apply. The entries that were counted as its writes are edits.
        """
        for item in [item for item in self._ready if item.own and apply_of(item.stamp) == apply_of(stamp)]:
            self._ready.remove(item)
            for address, resource in item.touched.items():
                for entry in resource.some:
                    self._add_edit(address, entry)

    def _add_edit(self, address: Address, entry: Body) -> None:
        if self._past.only is not None:
            if self._past.only(address):
                single = _Event(event=Event.EDIT, newest=entry, is_open=False)
                single.add(address, entry)
                self._ready.append(single)
            return
        author = str(entry.get("author", ""))
        if author not in self._edits:
            self._edits[author] = _Event(event=Event.EDIT, newest=entry)
        self._edits[author].add(address, entry)

    def _close_edits(self) -> None:
        for item in self._edits.values():  # in the order of their newest entries
            item.is_open = False
            self._ready.append(item)
        self._edits = {}

    def _happening(self, item: _Event) -> Happening | None:
        only = self._past.only
        touched = {key: value for key, value in item.touched.items() if only is None or only(key)}
        if only is not None and not touched:
            return None
        edit = live_edit_of(item.newest)
        is_apply = item.event is not Event.EDIT
        return Happening(
            app=self._past.names.key,
            event=item.event,
            author=edit.author,
            first=_time(item.oldest or item.newest),
            last=edit.time,
            number=number_of(item.newest),
            commit=item.stamp.commit if item.event is Event.APPLY else "",
            dirty=item.stamp.dirty if item.event is Event.APPLY else False,
            environment=item.stamp.environment if is_apply else "",
            tree=item.stamp.tree if is_apply else "",
            touched=tuple(self._touched(key, touched[key]) for key in sorted(touched, key=str)),
            unnamed=max(item.left, 0) if item.event is Event.PARTIAL_APPLY else 0,
        )

    def _touched(self, address: Address, item: _Resource) -> Touched:
        return Touched(
            address=address,
            name=resource_of(item.newest),
            display_name=str(item.newest.get("displayName", "")),
            edits=tuple(reversed(item.edits)),
            times=item.times,
            first=_time(item.oldest),
            last=_time(item.newest),
            note=str(item.newest.get("description", "")),
            fields=self._fields(address, item) if self._past.only is not None else None,
        )

    def _fields(self, address: Address, item: _Resource) -> tuple[str, ...] | None:
        """The fields that updates changed; None if the log does not hold both states of any."""
        found: set[str] = set()
        is_known = False
        for entry in item.some:
            before, after = states(self._past.read(entry))
            if before and after:
                is_known = True
                found |= {*_changed(address, before, after, self._past.naming)}
        return tuple(sorted(found)) if is_known else None


def _changed(address: Address, before: Body, after: Body, naming: Naming) -> Iterator[str]:
    """The paths, as an updateMask names them, in which two states of a resource differ."""
    if address.kind not in KINDS:
        return
    spec = kind_of(address.kind).spec
    one, other = (normalize(spec, body, naming) for body in (before, after))
    changes: Iterable[FieldChange] = diff(spec, without_stamp(other.body), without_stamp(one.body), Scope())
    yield from (str(change.mask) for change in changes)
    old, new = dict(one.unknown), dict(other.unknown)
    yield from (str(path) for path in {*old, *new} if old.get(path) != new.get(path))


def _goes_back(before: Stamp, after: Stamp) -> bool:
    """Whether a stamp took the place of a later one, as restoring a version does: nothing was applied."""
    return None not in (before.sequence, after.sequence) and (after.sequence or 0) < (before.sequence or 0)


def _time(entry: Body) -> str:
    return str(entry.get("createTime", ""))
