"""
Resources in SQLite, in a file or in memory. The rules of the API are elsewhere.

A resource is one row whose `body` is the JSON text of the stored form without name, etag, and times. Writes run
in immediate transactions, so several processes can share a file. Within a process, a lock keeps the reads and
writes of a request together.
"""

import json
import os
import re
import sqlite3
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import accumulate, takewhile
from operator import attrgetter
from pathlib import Path
from typing import Any

from cesplan.emulator.storage.past import Before, Past

_SCHEMA = """
CREATE TABLE IF NOT EXISTS resources (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  parent TEXT NOT NULL,
  kind TEXT NOT NULL,
  display_name TEXT NOT NULL,
  etag TEXT NOT NULL,
  create_time TEXT NOT NULL,
  update_time TEXT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS by_parent ON resources (parent, kind, name);
CREATE INDEX IF NOT EXISTS by_display_name ON resources (parent, kind, display_name);
CREATE TABLE IF NOT EXISTS mentions (
  target TEXT NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (target, source)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_source ON mentions (source);
CREATE TABLE IF NOT EXISTS operations (
  name TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  polls_left INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS objects (
  uri TEXT PRIMARY KEY,
  data BLOB NOT NULL
);
"""
# The resource names in a body, to find mentions without reading all bodies.
_NAME = re.compile(r'"(projects/[^"\\]+/apps/[^"\\]+)"')
# These contain copies of whole resources, but have no references themselves.
_SOURCES_OF_NOTHING = frozenset({"versions", "changelogs"})
_COLUMNS = "seq, name, parent, kind, display_name, etag, create_time, update_time, body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One stored resource. `text` is its body as JSON."""

    name: str
    parent: str
    kind: str
    display_name: str
    etag: str
    create_time: str
    update_time: str
    text: str
    seq: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Return the texts that name it in scripts: the resource name, the id, and the display name if any."""
        return tuple(filter(None, (self.name, self.name.rpartition("/")[2], self.display_name)))

    @property
    def body(self) -> dict[str, Any]:
        """Return a new copy of the body, which the caller may change."""
        found: dict[str, Any] = json.loads(self.text)
        return found


class Store:
    """All data of the emulator. Safe to call from several threads."""

    def __init__(self, path: Path | None = None) -> None:
        if path is not None:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make_private(path)
        self._lock = threading.RLock()
        self._depth = 0
        self._past: Past[Row] = Past(lambda row: len(row.text))
        self._written: dict[tuple[str, str], int] = {}
        self._db = sqlite3.connect(
            path or ":memory:", check_same_thread=False, isolation_level=None, timeout=30
        )
        try:
            self._set_up()
        except sqlite3.Error:
            self._db.close()
            raise

    def _set_up(self) -> None:
        # A file in a checkout may come from a stranger, so nothing in it may run.
        self._db.execute("PRAGMA trusted_schema=OFF")
        foreign = self._db.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')"
        ).fetchall()
        if foreign:
            raise sqlite3.DatabaseError("it has triggers or views, so it was not created by an emulator")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.executescript(_SCHEMA)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Hold the lock for several reads that belong together."""
        with self._lock:
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Run a transaction, which an exception rolls back. Nested uses join the outer one."""
        with self._lock:
            if self._depth == 0:
                self._db.execute("BEGIN IMMEDIATE")
            self._depth += 1
            try:
                yield
            except BaseException:
                self._depth -= 1
                if self._depth == 0:
                    self._db.execute("ROLLBACK")
                    self._past.undo()
                raise
            self._depth -= 1
            if self._depth == 0:
                self._db.execute("COMMIT")
                self._past.settle()

    @contextmanager
    def attempt(self, *, undo: bool = False) -> Iterator[None]:
        """Run a part of a transaction, which an exception rolls back; with `undo`, it is always rolled back."""
        with self._lock:
            kept = self._past.mark()
            self._db.execute("SAVEPOINT attempt")
            failed = True
            try:
                yield
                failed = False
            finally:
                if failed or undo:
                    self._db.execute("ROLLBACK TO attempt")
                    self._past.undo(kept)
                self._db.execute("RELEASE attempt")

    def before(self, parent: str, kind: str, writes: int) -> list[Row]:
        """Return a collection as it was before its last writes (by this process; a thousand are kept)."""
        return self._past.rewound(self.children(parent, kind), attrgetter("name"), parent, kind, writes)

    def below(self, prefix: str, kind: str) -> list[Row]:
        """Return the resources of a kind anywhere below a name, in creation order."""
        return self._rows(
            "WHERE name > ? AND name < ? AND kind = ? ORDER BY seq", (f"{prefix}/", f"{prefix}0", kind)
        )

    def get(self, name: str) -> Row | None:
        """Return the resource with exactly this name."""
        rows = self._rows("WHERE name = ?", (name,))
        return rows[0] if rows else None

    def children(self, parent: str, *kinds: str) -> list[Row]:
        """Return the resources of these kinds under a parent, in creation order."""
        marks = ",".join("?" * len(kinds))
        return self._rows(f"WHERE parent = ? AND kind IN ({marks}) ORDER BY seq", (parent, *kinds))

    def page(self, parent: str, kind: str, order: str, after: tuple[Any, ...] | None, limit: int) -> list[Row]:
        """
        Return up to `limit` resources, sorted by 'column' or 'column desc' and then by name. `after` is the
        (column value, name) of the last one already seen.
        """
        column, _, direction = order.partition(" ")
        sign = "<" if direction == "desc" else ">"
        where, values = "WHERE parent = ? AND kind = ?", [parent, kind]
        if after is not None:
            where += f" AND ({column} {sign} ? OR ({column} = ? AND name > ?))"
            values += [after[0], after[0], after[1]]
        return self._rows(f"{where} ORDER BY {column} {direction}, name LIMIT {limit:d}", values)

    def mentioning(self, parent: str, kind: str, targets: Collection[str]) -> list[Row]:
        """Return the resources of a kind that contain one of these names anywhere, sorted by name."""
        marks = ",".join("?" * len(targets))
        return self._rows(
            f"WHERE name IN (SELECT source FROM mentions WHERE target IN ({marks}))"
            " AND parent = ? AND kind = ? ORDER BY name",
            (*targets, parent, kind),
        )

    def named(self, parent: str, kind: str, display_name: str) -> list[Row]:
        """Return the resources of a kind with this display name."""
        where = "WHERE parent = ? AND kind = ? AND display_name = ?"
        return self._rows(where, (parent, kind, display_name))

    def newest(self, parent: str, kind: str) -> Row | None:
        """Return the newest resource of a kind."""
        rows = self._rows("WHERE parent = ? AND kind = ? ORDER BY seq DESC LIMIT 1", (parent, kind))
        return rows[0] if rows else None

    def put(self, row: Row) -> None:
        """Write a resource, replacing one with the same name."""
        with self._lock:
            self._note(row.name, row.parent, row.kind, self.get(row.name))
            self._db.execute(
                "INSERT INTO resources (name, parent, kind, display_name, etag, create_time,"
                " update_time, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (name) DO UPDATE SET display_name = excluded.display_name,"
                " etag = excluded.etag, create_time = excluded.create_time,"
                " update_time = excluded.update_time, body = excluded.body",
                (
                    row.name, row.parent, row.kind, row.display_name, row.etag,
                    row.create_time, row.update_time, row.text,
                ),
            )  # fmt: skip
            self._db.execute("DELETE FROM mentions WHERE source = ?", (row.name,))
            if row.kind not in _SOURCES_OF_NOTHING:
                found = {(target, row.name) for target in _NAME.findall(row.text)}
                self._db.executemany("INSERT INTO mentions VALUES (?, ?)", sorted(found))

    def delete(self, name: str) -> None:
        """Delete a resource and everything below it."""
        with self._lock:
            for row in self._rows("WHERE name = ? OR (name > ? AND name < ?)", (name, f"{name}/", f"{name}0")):
                self._note(row.name, row.parent, row.kind, row)
            for table, column in (("resources", "name"), ("mentions", "source")):
                below = f"{column} > ? AND {column} < ?"
                where = f"{column} = ? OR ({below})"
                self._db.execute(f"DELETE FROM {table} WHERE {where}", (name, f"{name}/", f"{name}0"))

    def trim(self, parent: str, kind: str, *, added: int, most: int, most_bytes: int) -> None:
        """
        Keep only the newest resources of a kind below a parent: at most `most` of them (0: any number), with
        bodies of at most `most_bytes` in total. It is called after every write with the size that was `added`,
        and examines a collection only once per eighth of `most_bytes` written to it.
        """
        if most:
            self._delete_before(parent, kind, most)
        with self._lock:
            written = self._written.get((parent, kind), most_bytes) + added
            if written > most_bytes // 8:
                written = 0
                sizes = self._db.execute(
                    "SELECT length(body) FROM resources WHERE parent = ? AND kind = ? ORDER BY seq DESC",
                    (parent, kind),
                )
                sums = accumulate(size for (size,) in sizes)
                kept = sum(1 for _ in takewhile(lambda total: total <= most_bytes, sums))
                self._delete_before(parent, kind, max(kept, 1))
            self._written[parent, kind] = written

    def _delete_before(self, parent: str, kind: str, kept: int) -> None:
        """Delete all but the newest."""
        self._db.execute(
            "DELETE FROM resources WHERE parent = ? AND kind = ? AND seq <= (SELECT seq FROM resources"
            " WHERE parent = ? AND kind = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)",
            (parent, kind, parent, kind, kept),
        )

    def put_operation(self, name: str, body: dict[str, Any], polls: int) -> None:
        with self._lock:
            self._db.execute(
                "INSERT INTO operations VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET"
                " body = excluded.body, polls_left = excluded.polls_left",
                (name, json.dumps(body), polls),
            )

    def operation(self, name: str) -> tuple[dict[str, Any], int] | None:
        """Return an operation's body, and how many more reads show it as unfinished."""
        with self._lock:
            row = self._db.execute("SELECT body, polls_left FROM operations WHERE name = ?", (name,)).fetchone()
        return None if row is None else (json.loads(row[0]), row[1])

    def operations(self, location: str) -> list[str]:
        """Return the names of a location's operations, sorted."""
        prefix = f"{location}/operations/"
        with self._lock:
            rows = self._db.execute(
                "SELECT name FROM operations WHERE substr(name, 1, ?) = ? ORDER BY name",
                (len(prefix), prefix),
            ).fetchall()
        return [row[0] for row in rows]

    def delete_operation(self, name: str) -> None:
        with self._lock:
            self._db.execute("DELETE FROM operations WHERE name = ?", (name,))

    def put_object(self, uri: str, data: bytes) -> None:
        """Store the substitute for a Cloud Storage object."""
        with self._lock:
            self._db.execute("INSERT OR REPLACE INTO objects VALUES (?, ?)", (uri, data))

    def object(self, uri: str) -> bytes | None:
        """Return an object by its gs:// URI."""
        with self._lock:
            row = self._db.execute("SELECT data FROM objects WHERE uri = ?", (uri,)).fetchone()
        return None if row is None else bytes(row[0])

    def reset(self) -> None:
        """Forget everything."""
        with self.writing():
            self._db.execute("DELETE FROM resources")
            self._db.execute("DELETE FROM mentions")
            self._db.execute("DELETE FROM operations")
            self._db.execute("DELETE FROM objects")
            self._past.forget()
            self._written.clear()

    def _note(self, name: str, parent: str, kind: str, row: Row | None) -> None:
        self._past.note(Before(name=name, parent=parent, kind=kind, row=row))
        if self._depth == 0:
            self._past.settle()

    def _rows(self, where: str, values: Any) -> list[Row]:
        with self._lock:
            found = self._db.execute(f"SELECT {_COLUMNS} FROM resources {where}", values).fetchall()
        return [
            Row(
                seq=seq, name=name, parent=parent, kind=kind, display_name=display_name,
                etag=etag, create_time=created, update_time=updated, text=text,
            )
            for seq, name, parent, kind, display_name, etag, created, updated, text in found
        ]  # fmt: skip


def _make_private(path: Path) -> None:
    """
    Make a database readable only by the user, because it contains whole apps. SQLite uses the same mode for its
    other files. Errors here are reported by SQLite when it opens the file.
    """
    try:
        # Not opened if it exists: closing it would drop the locks of other connections
        # (https://sqlite.org/howtocorrupt.html).
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        for one in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            with suppress(OSError):
                one.chmod(0o600)
    except OSError:
        pass
