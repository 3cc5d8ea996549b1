"""Create, update, and delete."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from cesplan.emulator.contract import Kind, load
from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.http.calls import Call
from cesplan.emulator.resources.aftermath import Aftermath
from cesplan.emulator.resources.locations import Locations
from cesplan.emulator.resources.writer import Writer
from cesplan.emulator.rules.lookup import Lookup
from cesplan.emulator.rules.references import REFERRERS, found_in, without
from cesplan.emulator.rules.rules import Rules
from cesplan.emulator.rules.system_tools import is_system_tool
from cesplan.emulator.schema import masks
from cesplan.emulator.schema.messages import Body, Checker, without_transport
from cesplan.emulator.schema.names import chosen_id
from cesplan.emulator.storage.store import Row, Store
from cesplan.emulator.switches import Switches


@dataclass(frozen=True, slots=True)
class Writing:
    """The three standard methods that write. Each runs in one transaction of the store."""

    store: Store
    switches: Switches
    checker: Checker
    lookup: Lookup
    rules: Rules
    writer: Writer
    aftermath: Aftermath

    def create(self, call: Call, given: Body | None = None) -> Row:
        """Create a resource. `given` has the output-only fields that the server sets for this kind."""
        kind = load().kinds[call.target.kind]
        app = self.lookup.parent(call.target)
        Locations(self.switches).check(call.target.parent)
        own_id = chosen_id(call.query.get(kind.create_id, ""), kind.create_id)
        name = f"{call.target.parent}/{kind.collection}/{own_id}"
        if self.lookup.exists(name):
            raise Refused("ALREADY_EXISTS", f"Resource '{name}' already exists.")
        body, _ = self._checked(call, kind)
        if kind.collection == "apps" and "rootAgent" in body:
            raise invalid("app.rootAgent", "it cannot be set when the app is created")
        self.rules.check_unlocked(app)
        return self.created(kind, name, body | (given or {}), call.author)

    def created(self, kind: Kind, name: str, body: Body, author: str) -> Row:
        """Write a new resource whose body was already checked."""
        self._settle(kind, name, body, None)
        row = self.writer.create(name, masks.ordered(kind.message, body), author)
        self.aftermath.created(row)
        return self.lookup.resource(name)

    def update(self, call: Call) -> Row:
        kind = load().kinds[call.target.kind]
        old = self.lookup.resource(call.target.name)
        self._refuse_system_tool(old.name)
        body, etag = self._checked(call, kind)
        if kind.collection == "deployments" and self.switches.deployment_without_mask == "refuse":
            self._require_mask(call)
        if self.switches.etag_on_update == "enforce":
            self.rules.check_etag(old, etag)
        paths = masks.parse(
            kind.message,
            call.query.get("updateMask", ""),
            nested=self.switches.mask_depth == "nested",
            learned=self.checker.learned,
            proto_names=self.checker.proto_names,
        )
        merged = masks.merge(kind.message, old.body, body, paths)
        self._check_lock(call, old, merged)
        return self.updated(kind, old, merged, call.author)

    def updated(self, kind: Kind, old: Row, merged: Body, author: str) -> Row:
        """Write a merged body over a resource."""
        self._settle(kind, old.name, merged, old.body)
        row = self.writer.update(old, masks.ordered(kind.message, merged), author)
        self.aftermath.updated(row, old)
        return self.lookup.resource(old.name)

    def delete(self, call: Call) -> Row:
        row = self.lookup.resource(call.target.name)
        self._refuse_system_tool(row.name)
        self.rules.check_etag(row, call.query.get("etag", ""))
        app = row if row.kind == "apps" else self.lookup.parent(call.target)
        self.rules.check_unlocked(app)
        self._check_used_version(row)
        users = self._release(row, call)
        self.writer.delete(row, call.author, users)
        if row.kind != "apps":
            self.aftermath.deleted(row)
        return row

    def _settle(self, kind: Kind, name: str, body: Body, old: Body | None) -> None:
        self.rules.settle(kind, name, body, old)
        self.aftermath.mark(kind.collection, body, name.rsplit("/", 2)[0])
        if self.switches.app_version_spelling == "project_number" and "appVersion" in body:
            parts = body["appVersion"].split("/")
            body["appVersion"] = "/".join(["projects", self.switches.project_number, *parts[2:]])

    def _checked(self, call: Call, kind: Kind) -> tuple[Body, str]:
        """Return the body in stored form without name and etag, and the etag."""
        raw: Any = {} if call.body is None else call.body
        body = self.checker.check(kind.message, raw, version=call.target.version)
        etag = raw.get("etag") or ""
        specs = load().messages[kind.message]
        kept = {
            key: value
            for key, value in without_transport(body).items()
            if not (key in specs and specs[key].input_only)
        }
        return kept, str(etag)

    def _require_mask(self, call: Call) -> None:
        if not call.query.get("updateMask"):
            raise invalid("updateMask", "an update of a deployment requires a mask")

    def _refuse_system_tool(self, name: str) -> None:
        if is_system_tool(name):
            raise invalid("name", "a system tool cannot be changed")

    def _check_lock(self, call: Call, old: Row, merged: Body) -> None:
        if old.kind != "apps":
            self.rules.check_unlocked(self.lookup.parent(call.target))
        elif merged.get("locked"):
            self.rules.check_unlocked(old)

    def _check_used_version(self, row: Row) -> None:
        if row.kind != "versions" or self.switches.used_version_delete == "accept":
            return
        users = self.store.mentioning(row.parent, "deployments", self.lookup.spellings(row.name))
        if users:
            self._refuse_referred(row, users)

    def _release(self, row: Row, call: Call) -> list[Row]:
        """Drop the references that block a delete, and return their resources. Raise Refused without force."""
        users = [user for user in self._referrers(row) if user.name != row.name]
        if users and not call.flag("force"):
            self._refuse_referred(row, users)
        others = self._other_referrers(row, users) if call.flag("force") else []
        for user in [*users, *others]:
            kind = load().kinds[user.kind]
            body = without(kind.message, user.body, self.lookup.spellings(row.name))
            self.writer.update(user, body, call.author)
        return [*users, *others]

    def _referrers(self, row: Row) -> list[Row]:
        found: list[Row] = []
        spellings = self.lookup.spellings(row.name)
        for kind in REFERRERS.get(row.kind, ()):
            parent = row.parent if kind != "apps" else row.parent.rsplit("/", 2)[0]
            candidates = self.store.mentioning(parent, kind, spellings)
            found += [user for user in candidates if self._refers(user, spellings)]
        return found

    def _other_referrers(self, row: Row, users: list[Row]) -> list[Row]:
        """Return the other referrers of a resource deleted by force, if the switch includes them."""
        if self.switches.force_removes == "documented" or row.kind not in REFERRERS:
            return []
        spellings, known = self.lookup.spellings(row.name), {row.name, *(user.name for user in users)}
        written = sorted(name for name, kind in load().kinds.items() if "update" in kind.query)
        return [
            user
            for kind in written
            for user in self.store.mentioning(row.parent, kind, spellings)
            if user.name not in known and self._refers(user, spellings)
        ]

    def _refers(self, user: Row, targets: Collection[str]) -> bool:
        message = load().kinds[user.kind].message
        references = found_in(message, user.body)
        return any(reference.target in targets for reference in references)

    def _refuse_referred(self, row: Row, users: list[Row]) -> None:
        names = ", ".join(user.name for user in users)
        raise Refused(self.switches.referred_code, f"'{row.name}' is still referenced by {names}.")
