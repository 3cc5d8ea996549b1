"""
Versions: immutable snapshots of an app and of its agents, tools, examples, guardrails, toolsets.

Evaluations and deployments are not in a snapshot (docs/api-facts.md).
"""

import uuid
from typing import Any

from cesplan.emulator.contract import load
from cesplan.emulator.errors import Refused
from cesplan.emulator.http.calls import Call
from cesplan.emulator.resources.core import Methods
from cesplan.emulator.schema import masks
from cesplan.emulator.schema.messages import Body, without_transport
from cesplan.emulator.storage.store import Row

SNAPSHOT_KINDS = ("agents", "tools", "examples", "guardrails", "toolsets")
# These change without an edit of the draft, so they do not justify another version.
_NOT_COMPARED = frozenset({"etag", "updateTime", "deploymentCount"})


class Versions(Methods):
    """Creates and restores versions."""

    def create(self, call: Call) -> Row:
        """Create a snapshot of the draft. A switch decides what happens if the draft is unchanged."""
        app = self._core.lookup.resource(call.target.app)
        newest = self._core.store.newest(app.name, "versions")
        snapshot = self._snapshot(app)
        if newest is not None and _compared(snapshot) == _compared(newest.body.get("snapshot", {})):
            match self._core.switches.unchanged_version:
                case "return_newest":
                    return newest
                case "refuse":
                    text = f"Nothing changed since '{newest.name}': no version is created."
                    raise Refused("FAILED_PRECONDITION", text)
        return self._core.writing.create(call, {"snapshot": snapshot})

    def restore(self, call: Call) -> None:
        """Save the draft as a new version, then restore the draft from the given version."""
        version = self._core.lookup.resource(call.target.name)
        app = self._core.lookup.resource(call.target.app)
        self._core.request_body(call)
        self._core.rules.check_unlocked(app)
        kind = load().kinds["versions"]
        saved = f"{app.name}/versions/{uuid.uuid4()}"
        self._core.writing.created(kind, saved, {"snapshot": self._snapshot(app)}, call.author)
        snapshot = version.body["snapshot"]
        for collection in SNAPSHOT_KINDS:
            self._restore_kind(app.name, collection, snapshot.get(collection, []), call.author)
        app = self._core.lookup.resource(app.name)
        self._core.writer.update(app, self._restored_app(app, snapshot["app"]), call.author)

    def _restored_app(self, app: Row, snapshot_app: Body) -> Body:
        """Return the app in a snapshot, with the current values of output-only fields."""
        specs = load().messages["App"]
        kept = {
            k: v
            for k, v in without_transport(snapshot_app).items()
            if k not in specs or not specs[k].output_only
        }
        return masks.replaced("App", app.body, kept)

    def _restore_kind(self, app: str, collection: str, snapshot_items: list[Body], author: str) -> None:
        names = {resource["name"] for resource in snapshot_items}
        for row in self._core.store.children(app, collection):
            if row.name not in names:
                self._core.writer.delete(row, author)
                self._core.aftermath.deleted(row)
        for resource in snapshot_items:
            body = without_transport(resource)
            self._core.aftermath.mark(collection, body, app)
            now = self._core.store.get(resource["name"])
            if now is None:
                self._core.aftermath.created(self._core.writer.create(resource["name"], body, author))
            elif now.body != body:
                self._core.aftermath.updated(self._core.writer.update(now, body, author), now)

    def _snapshot(self, app: Row) -> Body:
        """Return the snapshot of the draft."""
        found: Body = {"app": self._core.answers.stored(app)}
        for kind in SNAPSHOT_KINDS:
            rows = self._core.store.children(app.name, kind)
            if rows:
                found[kind] = [self._core.answers.stored(row) for row in rows]
        return found


def _compared(value: Any) -> Any:
    """Return a snapshot without fields that are not configuration."""
    if isinstance(value, list):
        return [_compared(item) for item in value]
    if isinstance(value, dict):
        return {k: _compared(v) for k, v in value.items() if k not in _NOT_COMPARED}
    return value
