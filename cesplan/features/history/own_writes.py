"""
Own writes: the change-log entries of a complete apply, by the stamp that it left at its end. A stamp says how
often its apply wrote each resource. An entry belongs to the apply if the same author made it after the apply
was planned and before the stamp, and if the apply's count for that resource is not used up; the newest entries
of each resource count. The same person may have edited other resources in the meantime, or the same ones
before.
"""

from cesplan.domain.address import APPS
from cesplan.domain.app_metadata.names import others_keys
from cesplan.domain.app_metadata.stamp import Stamp, id_mark, read_stamp
from cesplan.domain.value import Body, as_object
from cesplan.features.history.log_entries import number_of, resource_of
from cesplan.model.kinds import kind_of

_MOVES = ("etag", "updateTime")


class OwnWrites:
    """The writes of one apply. Call `claim` once for each entry of the log, the newest first."""

    def __init__(self, stamp: Stamp, stamped: Body) -> None:
        """`stamped` is the entry that wrote the stamp."""
        self._stamp = stamp
        self._author = stamped.get("author")
        self._number = number_of(stamped)
        self._used: dict[str, int] = {}
        self._count = 0

    @property
    def is_done(self) -> bool:
        """Whether every write of the apply was found, so that no older entry can belong to it."""
        return self._count >= self._stamp.wrote.total

    def ends_before(self, entry: Body) -> bool:
        """Whether an entry, and therefore every older one, predates the plan of the apply."""
        return self._stamp.sequence is not None and number_of(entry) <= self._stamp.sequence

    def claim(self, entry: Body) -> bool:
        """Whether the apply wrote this entry; if so, it counts as found."""
        if number_of(entry) >= self._number or entry.get("author") != self._author or self.ends_before(entry):
            return False
        mark = mark_of(entry)
        if self._used.get(mark, 0) >= self._stamp.wrote.times(mark):
            return False
        self._used[mark] = self._used.get(mark, 0) + 1
        self._count += 1
        return True


def mark_of(entry: Body) -> str:
    """The mark of an entry's resource, as in stamps; empty if it names none."""
    resource = resource_of(entry)
    return id_mark(*resource.split("/")[-2:]) if resource.count("/") else ""


def is_bookkeeping(whole: Body) -> bool:
    """Whether an entry on the app, read whole, changes nothing but what cesplan keeps in its metadata."""
    before, after = states(whole)
    return bool(before) and bool(after) and _without_bookkeeping(before) == _without_bookkeeping(after)


def states(whole: Body) -> tuple[Body, Body]:
    """The resource before and after an entry that was read whole; empty where there was none."""
    before, after = whole.get("originalResource"), whole.get("newResource")
    return as_object(before), as_object(after)


def stamps(whole: Body, app_name: str) -> tuple[Stamp, Stamp]:
    """The stamp before and after an entry on the app of this full name, read whole."""
    field = kind_of(APPS).stamp_field
    before, after = (read_stamp(body.get(field), app_name) for body in states(whole))
    return before, after


def apply_of(stamp: Stamp) -> tuple[object, ...]:
    """The apply that a stamp records."""
    return stamp.digest, stamp.commit, stamp.dirty, stamp.sequence


def _without_bookkeeping(app: Body) -> Body:
    """The body of an app without fields that every write changes and cesplan's own metadata."""
    name = kind_of(APPS).stamp_field
    metadata = app.get(name)
    kept = others_keys(metadata) if isinstance(metadata, dict) else {}
    return {**{key: value for key, value in app.items() if key not in (*_MOVES, name)}, name: kept}
