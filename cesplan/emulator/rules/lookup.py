"""Finding the resource in a request, its app, and the targets of references."""

from collections.abc import Iterable
from dataclasses import dataclass

from cesplan.emulator.errors import Refused, Violation, not_found
from cesplan.emulator.http.encoding import row_of
from cesplan.emulator.rules.references import (
    ALWAYS_CHECKED,
    NEVER_CHECKED,
    Reference,
    found_in,
)
from cesplan.emulator.rules.system_tools import is_system_tool, system_tool
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.schema.names import Target
from cesplan.emulator.storage.store import Row, Store
from cesplan.emulator.switches import Switches


@dataclass(frozen=True, slots=True)
class Lookup:
    """Reads the store for the rules."""

    store: Store
    switches: Switches

    def resource(self, name: str) -> Row:
        """Return a resource, including system tools. Raise Refused if there is none."""
        row = self.store.get(name)
        if row is None and is_system_tool(name):
            app = self.store.get(name.rsplit("/", 2)[0])
            row = None if app is None else system_tool(app, name.rsplit("/", 1)[1])
        if row is None and name.split("/")[4:] == ["securitySettings"]:
            row = self._untouched_settings(name)
        if row is None:
            raise not_found(name)
        return row

    def _untouched_settings(self, name: str) -> Row | None:
        """Return the settings of a location that were never written."""
        return row_of(name, {}) if name.split("/")[3] in self.switches.locations else None

    def exists(self, name: str) -> bool:
        try:
            self.resource(name)
        except Refused:
            return False
        return True

    def parent(self, target: Target) -> Row | None:
        """Return the app of a target, None for apps themselves. Raise Refused if it does not exist."""
        return self.resource(target.app) if target.kind != "apps" and target.app else None

    def canonical(self, name: str, app: str) -> str:
        """Return a reference with the project spelled as in the app's own name."""
        head = f"projects/{self.switches.project_number}/"
        if not name.startswith(head):
            return name
        return f"projects/{app.split('/')[1]}/{name[len(head) :]}"

    def spellings(self, name: str) -> frozenset[str]:
        """Return all names of this resource: with the project's id and with its number."""
        tail = name.split("/", 2)[2]
        return frozenset({name, f"projects/{self.switches.project_number}/{tail}"})

    def dangling(self, message: str, body: Body, app: str) -> list[Reference]:
        """Return the dangling references of a body."""
        references = found_in(message, body)
        return [ref for ref in references if not self._leads(ref, app)]

    def reference_faults(self, message: str, body: Body, old: Body | None, app: str) -> Iterable[Violation]:
        """Yield a violation for each checked reference that is new and dangling."""
        known = set()
        if old is not None:
            known = {(r.field, r.target) for r in found_in(message, old)}
        for ref in self.dangling(message, body, app):
            if self._is_checked(ref) and (ref.field, ref.target) not in known:
                why = f"'{ref.target}' does not exist"
                yield Violation(field=ref.path, description=why)

    def _is_checked(self, ref: Reference) -> bool:
        place = (ref.message, ref.field)
        toolset_tool = ref.kind == "tools" and "/toolsets/" in ref.target
        if place in ALWAYS_CHECKED or toolset_tool:
            return True
        return self.switches.references == "check" and place not in NEVER_CHECKED

    def _leads(self, ref: Reference, app: str) -> bool:
        name = self.canonical(ref.target, app)
        parts = name.split("/")
        kind = "apps" if ref.kind == "apps" else parts[-2] if len(parts) == 8 else ""
        return kind == ref.kind and self.exists(name)
