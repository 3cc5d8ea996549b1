"""
The edit log: what an app's change log says about edits since the last apply.

The coverage, delay, and retention of the log are unverified. So the log attributes edits that a comparison has
found; a missing entry proves nothing by itself.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cesplan.domain.app_metadata.stamp import Stamp, id_mark
from cesplan.domain.change import EditKind, FieldChange, LiveEdit
from cesplan.domain.errors import ApiError, Conflict
from cesplan.domain.field_path import FieldPath
from cesplan.domain.naming import Naming
from cesplan.domain.outcome import Failed
from cesplan.domain.plan import Plan, Reason
from cesplan.domain.text.times import moment
from cesplan.domain.value import Body
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.origins import edited_between
from cesplan.features.history.log_entries import (
    app_name_of,
    is_delete,
    live_edit_of,
    number_of,
    resource_of,
    tail,
)
from cesplan.features.history.own_writes import (
    OwnWrites,
    apply_of,
    is_bookkeeping,
    mark_of,
    stamps,
    states,
)
from cesplan.model.kinds import Kind

if TYPE_CHECKING:
    from cesplan.remote.client import Client

MOST_ENTRIES = 1000
"""One page of the log."""
_MOST_OWN = 20_000
"""The maximum of the last apply's own entries that are read beyond that page."""
_ASIDE = 100
"""Entries that an apply leaves besides its writes: leases, and the records of partial applies."""
_MOST_READ = 20
"""Entries of one resource that are read whole to find the one that made an edit."""
_MOST_CAUSES = 5
"""Deletions that are read whole to find the one with a side effect."""
_MOST_STAMPS = 20

Touches = Callable[[Body, Body], bool]
"""Whether an entry made the edit in question, given the resource before and after the entry."""


class EditLog:
    """The newest page of an app's change log, read when it is first needed."""

    def __init__(self, client: "Client", app_name: str, stamp: Stamp) -> None:
        self._client = client
        self._app_name = app_name
        self._stamp = stamp
        self._page: tuple[Body, ...] | None = None
        self._at_most = MOST_ENTRIES
        self._whole: dict[str, Body] = {}
        self.trouble = ""
        """Why the log cannot be read; empty if it can be, or was not needed."""

    @classmethod
    def since(cls, client: "Client", app_name: str, sequence: int | None) -> "EditLog":
        """The log after one entry, by its number, with entries by any author; None means all of it."""
        return cls(client, app_name, Stamp(sequence=sequence))

    @cached_property
    def entries(self) -> tuple[Body, ...]:
        """The entries since the last apply was planned, newest first; all where that is not known."""
        since = self._stamp.sequence
        return tuple(item for item in self._newest if since is None or number_of(item) > since)

    @property
    def reaches_back(self) -> bool:
        """True if no entry since the last apply was planned can be missing from the page that was read."""
        since, numbers = self._stamp.sequence, [*map(number_of, self._newest)]
        if since is None or self.trouble or -1 in numbers:
            return False
        return len(numbers) < self._at_most or min(numbers) <= since

    @property
    def is_complete(self) -> bool:
        """True if every entry since the last apply is known, which the entry of its stamp proves."""
        return self.reaches_back and self.knows_own

    @property
    def is_quiet(self) -> bool:
        """
        True if the page alone shows that only the last apply wrote since it was planned. The page has exactly
        as many entries of each resource as the apply wrote, and its stamp, all by one author. An edit, a lost
        entry, or a record of another apply makes this False; then single entries must be read.
        """
        if not self._stamp.is_complete or not self.entries or not self.reaches_back:
            return False
        found = Counter(mark_of(item) for item in self.entries)
        app, wrote = id_mark(*self._app_name.split("/")[-2:]), self._stamp.wrote
        found[app] -= 1
        return (
            len({item.get("author") for item in self.entries}) == 1
            and len(self.entries) == wrote.total + 1
            and all(wrote.times(mark) == times for mark, times in found.items())
        )

    @property
    def knows_own(self) -> bool:
        """True if the entry of the stamp is known: without it, what the last apply wrote looks like edits."""
        return self._stamp_entry is not None

    @property
    def _newest(self) -> tuple[Body, ...]:
        """
        One page of the log; empty if it cannot be read. An apply that wrote more than a page would hide
        everything before it: then more is read.
        """
        if self._page is None:
            self._page = self._listed()
            wrote, since = self._stamp.wrote.total, self._stamp.sequence
            if wrote and since is not None and len(self._page) >= self._at_most and not self.reaches_back:
                self._at_most += min(wrote + _ASIDE, _MOST_OWN)
                self._page = self._listed()
        return self._page

    def _listed(self) -> tuple[Body, ...]:
        try:
            return self._client.list_changes(self._app_name, at_most=self._at_most)
        except ApiError as error:
            self.trouble = error.summary
            return ()

    def on(self, name: str) -> tuple[Body, ...]:
        """The entries on a resource, newest first."""
        return tuple(self._by_tail.get(tail(name), ()))

    @cached_property
    def _by_tail(self) -> dict[str, list[Body]]:
        found: dict[str, list[Body]] = {}
        for item in self.entries:
            found.setdefault(tail(resource_of(item)), []).append(item)
        return found

    def foreign(self, name: str) -> tuple[Body, ...]:
        """The log without the entries of the last complete apply."""
        return tuple(item for item in self.on(name) if not self._is_own(item))

    def foreign_entries(self) -> tuple[Body, ...]:
        """All entries that the last complete apply did not make."""
        return tuple(item for item in self.entries if not self._is_own(item))

    def stamp_time(self) -> datetime | None:
        """When the stamp was written: the last thing that a complete apply does."""
        entry = self._stamp_entry
        return moment(entry.get("createTime")) if entry else None

    def last_edit(self, name: str) -> LiveEdit | None:
        """The newest edit of a resource, whatever it changed; None where the log has none."""
        return next(map(live_edit_of, self.foreign(name)), None)

    def was_by_applier(self, name: str, touches: Touches) -> bool:
        """Whether the author of the last apply made an edit, in that apply or later; False if unknown."""
        stamped, found = self._stamp_entry, self._update(self.on(name), (touches,))
        if stamped is None or found is None:
            return False
        return live_edit_of(stamped).author == live_edit_of(found).author != ""

    def edit(self, name: str, kind: EditKind, *touches: Touches) -> LiveEdit:
        """
        Who edited a resource, by the newest entry that did it; unattributed if there is none. Of several
        `touches`, each counts only if no entry matches those before it.
        """
        entries = self.foreign(name)
        match kind:
            case EditKind.DELETED:
                found = next((item for item in entries if is_delete(item)), None)
            case EditKind.CREATED:
                found = entries[-1] if entries and self._creates(entries[-1]) else None
            case EditKind.UPDATED:
                found = self._update(entries, touches)
                if found is None and (caused := self._cause(name)):
                    return live_edit_of(caused, kind, cause=resource_of(caused))
        return live_edit_of(found, kind) if found else LiveEdit(kind=kind)

    def read(self, entry: Body) -> Body:
        """An entry with the resource before and after it; empty if that cannot be read."""
        name = str(entry.get("name", ""))
        if name not in self._whole:
            try:
                self._whole[name] = self._client.read(name)
            except ApiError:
                self._whole[name] = {}
        return self._whole[name]

    def _update(self, entries: tuple[Body, ...], touches: Iterable[Touches]) -> Body | None:
        """The newest entry that touches the difference. The last entry of all may belong to another edit."""
        for touch in touches:
            for item in [item for item in entries if not is_delete(item)][:_MOST_READ]:
                before, after = states(self.read(item))
                if after and touch(before, after):
                    return item
        return None

    def _creates(self, entry: Body) -> bool:
        """Whether an entry created its resource; the log may have lost the one that did."""
        whole = self.read(entry)
        return bool(whole.get("newResource")) and not whole.get("originalResource")

    def _cause(self, name: str) -> Body | None:
        """The deletion that removed a reference from a resource as a side effect."""
        for item in [item for item in self.entries if is_delete(item)][:_MOST_CAUSES]:
            dependents = self.read(item).get("dependentResources")
            names = [str(one.get("name", "")) for one in _bodies(dependents)]
            if tail(name) in map(tail, names):
                return item
        return None

    def _is_own(self, entry: Body) -> bool:
        """Whether the last complete apply wrote this entry."""
        return number_of(entry) in self._own

    @cached_property
    def _own(self) -> frozenset[int]:
        """The entries that the last complete apply wrote itself, by their numbers."""
        return frozenset(self._own_numbers())

    def _own_numbers(self) -> Iterator[int]:
        stamped = self._stamp_entry
        if stamped is None:
            return
        yield number_of(stamped)
        own = OwnWrites(self._stamp, stamped)
        for entry in self.entries:
            if number_of(entry) >= number_of(stamped) or entry.get("author") != stamped.get("author"):
                continue
            is_app = tail(resource_of(entry)) == tail(self._app_name)
            if own.claim(entry) or (is_app and is_bookkeeping(self.read(entry))):
                yield number_of(entry)

    @cached_property
    def _stamp_entry(self) -> Body | None:
        """
        The entry with which the last apply ended. If restoring a version removed its stamp, and a rollback put
        it back, this is the older entry.
        """
        found, stamp = None, apply_of(self._stamp)
        entries = self.on(self._app_name) if self._stamp.is_complete else ()
        own = self._stamp.wrote.times(id_mark(*self._app_name.split("/")[-2:]))
        for older, item in zip(range(len(entries) - 1, -1, -1), entries[:_MOST_STAMPS], strict=False):
            before, after = map(apply_of, stamps(self.read(item), self._app_name))
            if after == stamp != before:
                found = item
            elif before != stamp and found is not None:
                break
            if found is not None and older <= own:
                break  # older entries are its writes: reading them adds nothing
        return found


def attributed(
    log: EditLog, kind: Kind, name: str, edit: EditKind, changes: Iterable[FieldChange], naming: Naming
) -> LiveEdit:
    """
    The live edit of a resource (by its full name) that these changes lead back from.

    An update that made one of the changes exactly is preferred; without one, an update of a field that contains
    one of them is used.
    """
    sought = tuple(changes)

    def exactly(before: Body, after: Body) -> bool:
        one, other = (normalize(kind.spec, body, naming).body for body in (before, after))
        return any(edited_between(change, one, other) for change in sought)

    def roughly(before: Body, after: Body) -> bool:
        paths = [FieldPath(change.mask.fields) for change in sought]
        return any(path.get(before) != path.get(after) for path in paths)

    return log.edit(name, edit, exactly, roughly)


def editors(plan: Plan, client: "Client") -> Callable[[Failed], None]:
    """
    A function that adds to each conflict of an apply who wrote the resource, and when.

    One page of the log is read for each app, at the first conflict in it. Where the log cannot be read, or says
    nothing, a conflict stays as it is.
    """
    logs: dict[str, EditLog] = {}

    def explain(failed: Failed) -> None:
        error = failed.error
        # Every apply writes the metadata of the app, this one included.
        if not isinstance(error, Conflict) or failed.operation.reason is Reason.STAMP:
            return
        name = app_name_of(error.resource)
        if not name:
            return
        if name not in logs:
            logs[name] = EditLog.since(client, name, plan.sequences.get(failed.operation.address.app))
        edit = logs[name].last_edit(error.resource)
        if edit is not None and edit.by:
            error.edit, error.detail = edit, f"Last written by {edit.by}.\n{error.detail}"

    return explain


def _bodies(resources: Any) -> list[Body]:
    found = resources if isinstance(resources, list) else [resources]
    return [item for item in found if isinstance(item, dict)]
