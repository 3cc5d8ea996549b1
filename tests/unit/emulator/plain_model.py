"""
What the service is said to do with agents, tools, versions and deployments, over plain dicts.

It shares nothing with the emulator: it is the other opinion in `test_state_machine`.
"""

import copy
from dataclasses import dataclass, field
from typing import Any

Body = dict[str, Any]
OK, INVALID, REFERRED, TAKEN, STALE, GONE, LOCKED, UNCHANGED = (
    *("", "INVALID_ARGUMENT", "FAILED_PRECONDITION", "ALREADY_EXISTS", "ABORTED", "NOT_FOUND"),
    *("FAILED_PRECONDITION", "FAILED_PRECONDITION"),
)
DRAFT = ("agents", "tools")


@dataclass
class Model:
    """
    Keys represent names everywhere; `born` counts creations, so that an agent which was deleted and
    made again is another one.
    """

    app: Body = field(default_factory=dict)
    agents: dict[str, Body] = field(default_factory=dict)
    tools: dict[str, Body] = field(default_factory=dict)
    deployments: dict[str, Body] = field(default_factory=dict)
    versions: dict[str, Body] = field(default_factory=dict)
    born: dict[tuple[str, str], int] = field(default_factory=dict)
    count: int = 0

    @property
    def locked(self) -> bool:
        """Say whether the app is locked: a field of the app like others, so versions hold it too."""
        return bool(self.app.get("locked", False))

    def create(self, kind: str, key: str, body: Body) -> str:
        """Create; the code of the refusal, or nothing."""
        if key in self.of(kind):
            return TAKEN
        return self._bear(kind, key, body)

    def create_version(self, key: str) -> str:
        """Snapshot the draft, unless nothing changed since the newest version."""
        snapshot = self.snapshot()
        if self.versions and list(self.versions.values())[-1] == snapshot:
            return UNCHANGED
        if key in self.versions:
            return TAKEN
        return self._bear("versions", key, snapshot)

    def restore(self, key: str, saved: str) -> str:
        """Save the draft under a name of the server's choice, then make it what the version holds."""
        if key not in self.versions:
            return GONE
        if self.locked:
            return LOCKED
        self._bear("versions", saved, self.snapshot())
        wanted = copy.deepcopy(self.versions[key])
        for kind in DRAFT:
            here = self.of(kind)
            for gone in [k for k in here if k not in wanted[kind]]:
                del here[gone]
            for name, body in wanted[kind].items():
                if name not in here:
                    self.count += 1
                    self.born[kind, name] = self.count
                here[name] = body
        self.app = wanted["app"]
        return OK

    def update(self, kind: str, key: str, body: Body, mask: list[str] | None, *, stale: bool) -> str:
        """Merge a body by a mask, or put it instead of everything."""
        if key not in self.of(kind):
            return GONE
        if stale:
            return STALE
        merged = merge(self.of(kind)[key], body, mask)
        if self.locked:
            return LOCKED
        if not merged.get("displayName") or self.dangling(merged, self.of(kind)[key]):
            return INVALID
        self.of(kind)[key] = merged
        return OK

    def update_app(self, body: Body, mask: list[str]) -> str:
        """Change the app; a locked one takes only what unlocks it."""
        merged = merge(self.app, body, mask)
        if self.locked and merged.get("locked"):
            return LOCKED
        if self.dangling(merged, self.app):
            return INVALID
        self.app = merged
        return OK

    def delete(self, kind: str, key: str, *, force: bool, stale: bool) -> str:
        """Delete; who refers to it is in the way, or loses the reference."""
        if key not in self.of(kind):
            return GONE
        if stale:
            return STALE
        if self.locked:
            return LOCKED
        if kind == "versions" and any(d.get("appVersion") == key for d in self.deployments.values()):
            return REFERRED
        if kind in DRAFT and not self._release(kind, key, force=force):
            return REFERRED
        del self.of(kind)[key]
        return OK

    def of(self, kind: str) -> dict[str, Body]:
        found: dict[str, Body] = getattr(self, kind)
        return found

    def snapshot(self) -> Body:
        whole: Body = {"app": self.app, **{kind: self.of(kind) for kind in DRAFT}}
        whole["born"] = {
            pair: n for pair, n in self.born.items() if pair[0] in DRAFT and pair[1] in self.of(pair[0])
        }
        return copy.deepcopy(whole)

    def dangling(self, body: Body, old: Body) -> bool:
        """Say whether a body refers to what is not there, and did not before."""
        pairs = [
            (field, target) for field, target in references(body) if (field, target) not in references(old)
        ]
        homes = {
            "tools": self.tools,
            "childAgents": self.agents,
            "rootAgent": self.agents,
            "appVersion": self.versions,
        }
        return any(target not in homes[field] for field, target in pairs)

    def _bear(self, kind: str, key: str, body: Body) -> str:
        if self.locked:
            return LOCKED
        if kind in ("agents", "deployments") and (not body.get("displayName") or self.dangling(body, {})):
            return INVALID
        self.count += 1
        self.born[kind, key] = self.count
        self.of(kind)[key] = copy.deepcopy(body)
        return OK

    def _release(self, kind: str, key: str, *, force: bool) -> bool:
        fields = {"tools": ("tools",), "agents": ("childAgents", "rootAgent")}[kind]
        users = [
            body
            for name, body in [*self.agents.items(), ("", self.app)]
            if (kind, key) != ("agents", name)
            and any(target == key and field in fields for field, target in references(body))
        ]
        if users and not force:
            return False
        for body in users:
            for name in fields:
                _drop(body, name, key)
        return True


def merge(old: Body, body: Body, mask: list[str] | None) -> Body:
    """Merge as AIP-134 has it: named and missing is cleared, lists are replaced."""
    if mask is None:
        return copy.deepcopy(body)
    merged = copy.deepcopy(old)
    for path in mask:
        head, _, tail = path.partition(".")
        if not tail:
            merged.pop(head, None)
            if body.get(head) not in (None, "", [], False):
                merged[head] = copy.deepcopy(body[head])
        elif tail in body.get(head, {}):
            merged.setdefault(head, {})[tail] = body[head][tail]
        elif head in merged:
            merged[head].pop(tail, None)
    return merged


def references(body: Body) -> list[tuple[str, str]]:
    """Return what a body refers to, each with its field."""
    found = [(field, target) for field in ("tools", "childAgents") for target in body.get(field, [])]
    return found + [(field, body[field]) for field in ("rootAgent", "appVersion") if field in body]


def _drop(body: Body, field: str, key: str) -> None:
    if body.get(field) == key:
        del body[field]
    elif isinstance(body.get(field), list):
        body[field] = [target for target in body[field] if target != key]
        if not body[field]:
            del body[field]
