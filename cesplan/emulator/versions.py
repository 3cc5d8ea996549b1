"""
Versions: immutable snapshots of an app and of its agents, tools, examples, guardrails, toolsets.

Evaluations and deployments are not in a snapshot (FACTS §7).
"""

from typing import Any

from cesplan.emulator.answers import Answers
from cesplan.emulator.calls import Call
from cesplan.emulator.errors import Refused
from cesplan.emulator.messages import Body
from cesplan.emulator.store import Row, Store
from cesplan.emulator.switches import Switches
from cesplan.emulator.writing import Writing

SNAPSHOT_KINDS = ("agents", "tools", "examples", "guardrails", "toolsets")
# Moves without anybody changing the draft, so it is no reason for another version.
_NOT_COMPARED = frozenset({"etag", "updateTime", "deploymentCount"})


class Versions:
    """Makes versions."""

    def __init__(self, store: Store, answers: Answers, switches: Switches, writing: Writing) -> None:
        self._store = store
        self._answers = answers
        self._switches = switches
        self._writing = writing

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


def _compared(value: Any) -> Any:
    """Return a snapshot without what tells nothing about the configuration."""
    if isinstance(value, list):
        return [_compared(item) for item in value]
    if isinstance(value, dict):
        return {k: _compared(v) for k, v in value.items() if k not in _NOT_COMPARED}
    return value
