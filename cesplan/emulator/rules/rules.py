"""The rules for writes, in the order in which they are checked."""

from collections.abc import Iterator
from dataclasses import dataclass

from cesplan.emulator.contract import Kind, load
from cesplan.emulator.errors import Refused, Violation, invalid_all
from cesplan.emulator.rules.checks import faults
from cesplan.emulator.rules.derived_fields import derive
from cesplan.emulator.rules.lookup import Lookup
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.schema.required import missing
from cesplan.emulator.schema.walking import places
from cesplan.emulator.storage.store import Row, Store
from cesplan.emulator.switches import Switches

# The kinds whose display names must be unique in the app (reference).
UNIQUE_NAMES = frozenset({"toolsets", "evaluations", "evaluationExpectations", "evaluationDatasets"})


@dataclass(frozen=True, slots=True)
class Rules:
    """Checks merged bodies."""

    store: Store
    switches: Switches
    lookup: Lookup

    def settle(self, kind: Kind, name: str, body: Body, old: Body | None) -> None:
        """Fill in the server's values in place. Raise Refused for an invalid body."""
        derive(kind.collection, body, old, self.switches)
        app = name if kind.collection == "apps" else "/".join(name.split("/")[:6])
        nested = self.switches.required_fields == "documented"
        found = missing(kind.message, body, nested=nested)
        found += faults(kind.collection, body, self.switches)
        found += self.lookup.reference_faults(kind.message, body, old, app)
        found += self._unknown_outside(kind, body)
        found += self._switched_type(kind, body, old or {})
        if found:
            raise invalid_all(found)
        self._check_display_name(kind, name, body)

    def check_unlocked(self, app: Row | None) -> None:
        """Raise Refused if the app is locked, so that its resources must not change."""
        if app is not None and app.body.get("locked"):
            raise Refused("FAILED_PRECONDITION", f"'{app.name}' is locked: its resources cannot be changed.")

    def check_etag(self, row: Row, etag: str) -> None:
        """Raise Refused if an etag was given and is not the current one."""
        if etag and etag != row.etag:
            raise Refused("ABORTED", f"The etag does not match the current etag of '{row.name}'.")

    def _unknown_outside(self, kind: Kind, body: Body) -> Iterator[Violation]:
        """Yield a violation for each model and data store that the switches do not list."""
        known = {
            ("ModelSettings", "model"): self.switches.models,
            ("DataStore", "name"): self.switches.data_stores,
        }
        if not any(allowed is not None for allowed in known.values()):
            return
        for place in places(kind.message, body):
            allowed = known.get((place.message, place.field.name))
            if allowed is not None and place.value not in allowed:
                yield Violation(field=place.path, description=f"'{place.value}' does not exist")

    def _switched_type(self, kind: Kind, body: Body, old: Body) -> Iterator[Violation]:
        """Yield a violation if another member of a top-level oneof would replace the old one."""
        specs = load().messages[kind.message]
        had = {specs[name].oneof: name for name in old if name in specs and specs[name].oneof}
        for name in body if self.switches.type_change == "refuse" else ():
            oneof = specs[name].oneof if name in specs else ""
            if oneof and had.get(oneof, name) != name:
                why = f"{had[oneof]} cannot become {name} in place"
                yield Violation(field=name, description=why)

    def _check_display_name(self, kind: Kind, name: str, body: Body) -> None:
        display_name = body.get("displayName")
        if kind.collection not in UNIQUE_NAMES or not display_name:
            return
        same = self.store.named(name.rsplit("/", 2)[0], kind.collection, display_name)
        if any(row.name != name for row in same):
            text = f"Another of {kind.collection} is called '{display_name}'."
            raise Refused("ALREADY_EXISTS", text)
