"""
Versions: immutable snapshots of an app and of its agents, tools, examples, guardrails, toolsets.

Evaluations and deployments are not in a snapshot (FACTS §7).
"""

import uuid
from typing import Any

from cesplan.emulator import masks
from cesplan.emulator.answers import Answers
from cesplan.emulator.calls import Call
from cesplan.emulator.contract import Contract
from cesplan.emulator.errors import Refused
from cesplan.emulator.lookup import Lookup
from cesplan.emulator.messages import Body
from cesplan.emulator.rules import Rules
from cesplan.emulator.store import Row, Store
from cesplan.emulator.switches import Switches
from cesplan.emulator.writer import Writer
from cesplan.emulator.writing import Writing

SNAPSHOT_KINDS = ("agents", "tools", "examples", "guardrails", "toolsets")
_TRANSPORT = frozenset({"name", "etag", "createTime", "updateTime"})
# Moves without anybody changing the draft, so it is no reason for another version.
_NOT_COMPARED = frozenset({"etag", "updateTime", "deploymentCount"})


class Versions:
    """Makes versions and restores them."""

    def __init__(
        self,
        store: Store,
        contract: Contract,
        answers: Answers,
        switches: Switches,
        lookup: Lookup,
        rules: Rules,
        writing: Writing,
        writer: Writer,
    ) -> None:
        self._store = store
        self._contract = contract
        self._answers = answers
        self._switches = switches
        self._lookup = lookup
        self._rules = rules
        self._writing = writing
        self._writer = writer

    def create(self, call: Call) -> Row:
        """Snapshot the draft as it stands; what an unchanged draft gives is a switch."""
        newest = self._newest(call.target.app)
        snapshot = self.snapshot(call.target.app)
        if newest is not None and _compared(snapshot) == _compared(newest.body.get("snapshot", {})):
            match self._switches.unchanged_version:
                case "return_newest":
                    return newest
                case "refuse":
                    text = f"Nothing changed since '{newest.name}': no version is made."
                    raise Refused("FAILED_PRECONDITION", text)
        return self._writing.create(call, {"snapshot": snapshot})

    def restore(self, call: Call) -> None:
        """Save the draft as a version of its own, then make the draft what the version holds."""
        version = self._lookup.resource(call.target.name)
        app = self._lookup.resource(call.target.app)
        self._rules.check_unlocked(app)
        kind = self._contract.kinds["versions"]
        saved = f"{app.name}/versions/{uuid.uuid4()}"
        self._writing.created(kind, saved, {"snapshot": self.snapshot(app.name)}, call.author)
        snapshot = version.body["snapshot"]
        for collection in SNAPSHOT_KINDS:
            self._restore_kind(app.name, collection, snapshot.get(collection, []), call.author)
        self._writer.update(app, self._restored_app(app, snapshot["app"]), call.author)

    def _restored_app(self, app: Row, wanted: Body) -> Body:
        """Return the app of a snapshot with what only the server sets as it is now."""
        specs = self._contract.messages["App"]
        kept = {k: v for k, v in _plain(wanted).items() if k not in specs or not specs[k].output_only}
        return masks.replaced(self._contract, "App", app.body, kept)

    def _restore_kind(self, app: str, collection: str, wanted: list[Body], author: str) -> None:
        names = {resource["name"] for resource in wanted}
        for row in self._store.children(app, collection):
            if row.name not in names:
                self._writer.delete(row, author)
        for resource in wanted:
            row_now = self._store.get(resource["name"])
            if row_now is None:
                self._writer.create(resource["name"], _plain(resource), author)
            elif row_now.body != _plain(resource):
                self._writer.update(row_now, _plain(resource), author)

    def snapshot(self, app_name: str) -> Body:
        """Return the snapshot of the draft, or an empty one where there is no such app."""
        app = self._store.get(app_name)
        if app is None:
            return {}
        found: Body = {"app": self._answers.stored(app)}
        for kind in SNAPSHOT_KINDS:
            rows = self._store.children(app_name, kind)
            if rows:
                found[kind] = [self._answers.stored(row) for row in rows]
        return found

    def _newest(self, app_name: str) -> Row | None:
        rows = self._store.children(app_name, "versions")
        return rows[-1] if rows else None


def _plain(resource: Body) -> Body:
    """Return a resource of a snapshot as its body is stored."""
    return {key: value for key, value in resource.items() if key not in _TRANSPORT}


def _compared(value: Any) -> Any:
    """Return a snapshot without what tells nothing about the configuration."""
    if isinstance(value, list):
        return [_compared(item) for item in value]
    if isinstance(value, dict):
        return {k: _compared(v) for k, v in value.items() if k not in _NOT_COMPARED}
    return value
