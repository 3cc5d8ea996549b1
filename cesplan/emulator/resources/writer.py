"""
The only place where resources change: all creates, updates, and deletes of rows go through here.

It sets the etag and times of each write, and records it in the app's change log (docs/api-facts.md). No rules
are checked here.
"""

import base64
import os
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cesplan.emulator.contract import load
from cesplan.emulator.http.encoding import Answers, row_of
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.schema.names import kind_of
from cesplan.emulator.schema.values import struct_value
from cesplan.emulator.storage.store import Row, Store
from cesplan.emulator.switches import Switches

# Set on every write of the kinds that have it.
_SIGNATURE = "lastUpdatedBy"
# An app's change log has the resources before and after each write. The oldest entries are deleted when these
# exceed this size, because a server that runs for days must not grow without limit.
KEPT_BYTES = 256 * 2**20


class Clock:
    """A clock that never returns the same time twice, so that times can order writes."""

    def __init__(self) -> None:
        self._last = datetime.min.replace(tzinfo=UTC)
        self._lock = threading.Lock()

    def now(self) -> str:
        """Return the time as RFC 3339 in UTC with microseconds."""
        with self._lock:
            self._last = max(datetime.now(UTC), self._last + timedelta(microseconds=1))
            return self._last.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes rows."""

    store: Store
    answers: Answers
    switches: Switches
    clock: Clock

    def create(self, name: str, body: Body, author: str) -> Row:
        """Write a new resource."""
        now = self.clock.now()
        self._sign(kind_of(name), body, author, ("creator", "createdBy", _SIGNATURE))
        row = row_of(name, body, etag=new_etag(), created=now, updated=now)
        self.store.put(row)
        self._record("Create", None, row, author)
        return row

    def add(self, name: str, body: Body) -> Row:
        """Write a new resource without a change log entry: a run, a result."""
        now = self.clock.now()
        row = row_of(name, body, created=now, updated=now)
        self.store.put(row)
        return row

    def update(self, old: Row, body: Body, author: str) -> Row:
        """Replace a resource."""
        now = self.clock.now()
        self._sign(old.kind, body, author, (_SIGNATURE,))
        row = row_of(old.name, body, etag=new_etag(), created=old.create_time or now, updated=now)
        self.store.put(row)
        self._record("Update", old, row, author)
        return row

    def delete(self, row: Row, author: str, dependents: Sequence[Row] = ()) -> None:
        """Delete a resource and everything below it. `dependents` are the resources that referred to it."""
        self.store.delete(row.name)
        if row.kind != "apps":
            self._record("Delete", row, None, author, dependents)

    def touch(self, old: Row, body: Body, *, etag: bool = False) -> Row:
        """Change derived fields. The update time stays, and so does the etag unless `etag` is set."""
        fresh = new_etag() if etag else old.etag
        row = row_of(old.name, body, etag=fresh, created=old.create_time, updated=old.update_time)
        self.store.put(row)
        return row

    def _record(
        self, action: str, old: Row | None, new: Row | None, author: str, dependents: Sequence[Row] = ()
    ) -> None:
        """Add an entry to the change log of the app, which every write causes."""
        row = new or old
        if row is None or not self._covered(row.kind):
            return
        app = "/".join(row.name.split("/")[:6])
        message = load().kinds[row.kind].message
        entry: Body = {
            "author": author,
            "displayName": row.display_name,
            "description": f"{action} {message} '{row.display_name or row.name}'{_changed_fields(old, new)}",
            "resource": row.name,
            "resourceType": message,
            "action": action,
        }
        entry |= {"originalResource": self._logged(old)} if old else {}
        entry |= {"newResource": self._logged(new)} if new else {}
        if dependents:
            entry["dependentResources"] = [self._logged(dependent) for dependent in dependents]
        name = f"{app}/changelogs/{uuid.uuid4()}"
        new_entry = row_of(name, entry, created=self.clock.now())
        self.store.put(new_entry)
        self.store.trim(
            app, "changelogs",
            added=len(new_entry.text), most=self.switches.change_log_kept, most_bytes=KEPT_BYTES,
        )  # fmt: skip

    def _covered(self, kind: str) -> bool:
        """Say whether the change log covers this kind."""
        kinds = self.switches.change_log_kinds
        is_covered = kinds is None or kind in kinds
        return self.switches.change_log and is_covered and kind != "securitySettings"

    def _logged(self, row: Row) -> Body:
        """Return a resource in the form of the log: a Struct, without the snapshot of a version."""
        stored = self.answers.stored(row)
        stored.pop("snapshot", None)
        return struct_value(stored)

    def _sign(self, kind: str, body: Body, author: str, fields: tuple[str, ...]) -> None:
        specs = load().messages[load().kinds[kind].message]
        body.update({field: author for field in fields if field in specs})


def _changed_fields(old: Row | None, new: Row | None) -> str:
    """Return the changed top-level fields of an update, to append to a description."""
    if old is None or new is None:
        return ""
    before, after = old.body, new.body
    changed = [key for key in after | before if before.get(key) != after.get(key) and key != _SIGNATURE]
    return f": {', '.join(changed)}" if changed else ""


def new_etag() -> str:
    """Return an etag in the format of the service: base64 of 32 bytes."""
    return base64.b64encode(os.urandom(32)).decode()
