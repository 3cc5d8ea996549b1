"""
The service: every served method by name of its action, over one store.

What is not served answers UNIMPLEMENTED and says why.
"""

from collections.abc import Callable

from cesplan.emulator.aftermath import Aftermath
from cesplan.emulator.answers import Answers, encode
from cesplan.emulator.calls import Call
from cesplan.emulator.contract import load
from cesplan.emulator.errors import Refused, not_found
from cesplan.emulator.lookup import Lookup
from cesplan.emulator.messages import Checker
from cesplan.emulator.operations import Operations
from cesplan.emulator.reading import Reading, refuse_unknown_query
from cesplan.emulator.rules import Rules
from cesplan.emulator.store import Row, Store
from cesplan.emulator.switches import Switches
from cesplan.emulator.versions import Versions
from cesplan.emulator.writer import Clock, Writer
from cesplan.emulator.writing import Writing

# Why a method is not served, by a word in its name; the first that fits.
_REASONS = {
    "Import": "the emulator does not import",
    "Export": "the emulator does not export",
    "Conversation": "the emulator records no conversations",
    "EvaluationRuns": "there are no runs without a language model, and the emulator has none",
    "EvaluationResult": "there are no results without a language model, and the emulator has none",
    "Retrieve": "it asks a server of somebody else, which the emulator does not",
    "ExecuteTool": "it runs code of the app, which the emulator does not",
    "": "it needs a language model, and the emulator has none",
}


class Service:
    """Answers calls with JSON text."""

    def __init__(self, store: Store, switches: Switches) -> None:
        self.store = store
        self._switches = switches
        self.contract = load()
        self.clock = Clock()
        self.checker = Checker(self.contract)
        self.answers = Answers(self.contract, switches)
        lookup = Lookup(store, self.contract, switches)
        writer = Writer(store, self.contract, self.answers, switches, self.clock)
        rules = Rules(store, self.contract, switches, lookup)
        aftermath = Aftermath(store, self.contract, lookup, writer)
        self.reading = Reading(store, self.contract, switches, lookup, self.answers)
        self.writing = Writing(store, self.contract, switches, self.checker, lookup, rules, writer, aftermath)
        self.versions = Versions(
            store, self.contract, self.answers, switches, lookup, rules, self.writing, writer
        )
        self.operations = Operations(store, self.answers, switches.operation_polls)
        self._actions: dict[str, Callable[[Call], str]] = {
            "get": self.reading.get,
            "list": self.reading.listing,
            "create": self._create,
            "update": self._update,
            "delete": self._delete,
        }
        # Methods with a meaning of their own, by name.
        self._own: dict[str, Callable[[Call], str]] = {
            "CreateAppVersion": self._create_version,
            "RestoreAppVersion": self._restore_version,
            "projects.locations.get": self._get_location,
            "projects.locations.list": self._list_locations,
            "projects.locations.operations.get": self._get_operation,
            "projects.locations.operations.list": self._list_operations,
            "projects.locations.operations.delete": self._delete_operation,
            "projects.locations.operations.cancel": self._cancel_operation,
        }

    def answer(self, call: Call) -> str:
        """Return the JSON text of the answer. Raise Refused for an error."""
        kind = self.contract.kinds.get(call.rpc.kind)
        standard = self._actions.get(call.rpc.action) if kind else None
        action = self._own.get(call.rpc.name, standard)
        if action is None:
            reason = next(why for word, why in _REASONS.items() if word in call.rpc.name)
            raise Refused("UNIMPLEMENTED", f"{call.rpc.name} is not served: {reason}.")
        if kind is not None and standard is not None:
            refuse_unknown_query(call, kind.query[call.rpc.action])
        # Reading an operation counts, so it is a write to the store.
        if call.rpc.action in ("get", "list") and call.rpc.kind != "operations":
            with self.store.reading():
                return action(call)
        with self.store.writing():
            return action(call)

    def _create(self, call: Call) -> str:
        return self._written(call, self.writing.create(call))

    def _update(self, call: Call) -> str:
        return self._written(call, self.writing.update(call))

    def _delete(self, call: Call) -> str:
        self.writing.delete(call)
        return self._operation(call, {}) if call.rpc.operation else "{}"

    def _create_version(self, call: Call) -> str:
        return self._written(call, self.versions.create(call))

    def _restore_version(self, call: Call) -> str:
        self.versions.restore(call)
        return self._operation(call, {})

    def _get_location(self, call: Call) -> str:
        name = call.target.name
        if name.rpartition("/")[2] not in self._switches.locations:
            raise not_found(name)
        return encode({"name": name, "locationId": name.rpartition("/")[2]})

    def _list_locations(self, call: Call) -> str:
        head = f"{call.target.parent}/locations"
        found = [{"name": f"{head}/{at}", "locationId": at} for at in self._switches.locations]
        return encode({"locations": found})

    def _get_operation(self, call: Call) -> str:
        return encode(self.operations.read(call.target.name, call.form))

    def _list_operations(self, call: Call) -> str:
        found = self.operations.listed(call.target.parent, call.form)
        return encode({"operations": found} if found else {})

    def _delete_operation(self, call: Call) -> str:
        self.operations.read(call.target.name, call.form)
        self.store.delete_operation(call.target.name)
        return "{}"

    def _cancel_operation(self, call: Call) -> str:
        """Answer a cancel: best effort by its definition, and the work is done already."""
        self.operations.read(call.target.name, call.form)
        return "{}"

    def _written(self, call: Call, row: Row) -> str:
        if call.rpc.operation:
            kept = self.answers.stored(row)
            return self._operation(call, kept)
        return self.answers.resource_text(row, call.form)

    def _operation(self, call: Call, response: dict[str, object]) -> str:
        location = "/".join((call.target.name or call.target.parent).split("/")[:4])
        now = self.clock.now()
        started = self.operations.start(location, dict(call.rpc.operation), response, now, call.form)
        return encode(started)
