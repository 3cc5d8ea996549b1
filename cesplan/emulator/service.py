"""
The service: all served methods by name, on one store.

Methods that are not served return UNIMPLEMENTED with the reason; `fidelity` has the table.
"""

import json
from collections.abc import Callable

from cesplan.emulator.archive.exporting import Exporting
from cesplan.emulator.archive.importing import Importing
from cesplan.emulator.contract import load
from cesplan.emulator.errors import Refused
from cesplan.emulator.evaluating.files import EvaluationFiles
from cesplan.emulator.evaluating.runs import Runs
from cesplan.emulator.fidelity import FIDELITY
from cesplan.emulator.http.calls import Call
from cesplan.emulator.judging.evaluate_instances import NAME, Judging
from cesplan.emulator.resources.conversations import Conversations
from cesplan.emulator.resources.core import Core
from cesplan.emulator.resources.locations import Locations
from cesplan.emulator.resources.read_methods import Reading
from cesplan.emulator.resources.tool_schemas import Retrieving
from cesplan.emulator.resources.versions import Versions
from cesplan.emulator.sessions.script import SessionScript
from cesplan.emulator.sessions.sessions import Sessions
from cesplan.emulator.sessions.tools import ExecutedTools
from cesplan.emulator.storage.store import Row, Store
from cesplan.emulator.switches import Switches

Handler = Callable[[Call], str]

# The query parameters of methods that are not about a kind of the contract (discovery).
_QUERY = {
    "projects.locations.list": frozenset({"filter", "pageSize", "pageToken", "extraLocationTypes"}),
    "projects.locations.operations.list": frozenset(
        {"filter", "pageSize", "pageToken", "returnPartialSuccess"}
    ),
}


class Service:
    """Answers calls with JSON text."""

    def __init__(self, store: Store, switches: Switches) -> None:
        core = Core.over(store, switches)
        self.core = core
        self.store = store
        self.runs = Runs(core)
        self.judging = Judging(switches)
        self.sessions = Sessions(core)
        self.tools = ExecutedTools(core)
        self._reading = Reading(core)
        self._versions = Versions(core)
        self._standard: dict[str, Handler] = {
            "get": self._reading.get,
            "list": self._reading.listing,
            "create": lambda call: self._written(call, core.writing.create(call)),
            "update": lambda call: self._written(call, core.writing.update(call)),
            "delete": self._delete,
        }
        self._own = self._methods()

    def _methods(self) -> dict[str, Handler]:
        """Return the methods with special handlers, by name."""
        core, files, retrieving = self.core, EvaluationFiles(self.core), Retrieving(self.core)
        conversations, operations = Conversations(core), core.operations
        locations = Locations(core.switches)
        return {
            "CreateAppVersion": lambda call: self._written(call, self._versions.create(call)),
            "RestoreAppVersion": self._restore_version,
            "ExportApp": Exporting(core).export,
            "ImportApp": Importing(core).import_app,
            "DeleteConversation": conversations.delete,
            "BatchDeleteConversations": conversations.batch_delete,
            "RunEvaluation": self.runs.run,
            "GetEvaluationRun": self.runs.get,
            "DeleteEvaluationRun": self.runs.delete,
            "DeleteEvaluationResult": self.runs.delete_result,
            "ImportEvaluations": files.import_evaluations,
            "ExportEvaluations": files.export_evaluations,
            "ExportEvaluationRuns": files.export_runs,
            "ExportEvaluationResults": files.export_results,
            "RetrieveTools": retrieving.tools,
            "RetrieveToolSchema": retrieving.schema,
            "RunSession": self.sessions.run,
            "StreamRunSession": self.sessions.stream,
            "ExecuteTool": self.tools.execute,
            "projects.locations.get": locations.get,
            "projects.locations.list": locations.listing,
            "projects.locations.operations.get": operations.get,
            "projects.locations.operations.list": operations.listing,
            "projects.locations.operations.delete": operations.delete,
            "projects.locations.operations.cancel": self.runs.cancel,
        }

    def answer(self, call: Call) -> str:
        """Return the JSON text of the response. Raise Refused for an error."""
        if call.rpc.name == NAME:
            return self.judging.answer(call)
        handler = self._handler(call)
        # Reading an operation or a run counts the read, which is a write to the store.
        if call.rpc.action in ("get", "list") and call.rpc.kind not in ("operations", "evaluationRuns"):
            with self.store.reading():
                return handler(call)
        with self.store.writing():
            return handler(call)

    def answer_failing(self, call: Call, error: Refused, polls: int, *, effect: bool) -> str:
        """
        Answer a call whose operation ends with an error after this many reads. Without `effect`, its work is
        undone. Raise Refused if the call itself is refused.
        """
        handler = self._handler(call)
        with self.store.writing():
            with self.store.attempt(undo=not effect):
                text = handler(call)
            started = json.loads(text)
            return self.core.operations.failing(call, started, error, polls) if call.rpc.operation else text

    def _handler(self, call: Call) -> Handler:
        kind = load().kinds.get(call.rpc.kind)
        row = FIDELITY[call.rpc.name]
        if row.level == "not served":
            raise Refused("UNIMPLEMENTED", f"{call.rpc.name} is not served: {row.note}.")
        known = kind.query.get(call.rpc.action) if kind else _QUERY.get(call.rpc.name)
        call.refuse_query_beside(known or frozenset())
        return self._own.get(call.rpc.name) or self._standard[call.rpc.action]

    def play_sessions(self, script: SessionScript) -> None:
        """Use a script for sessions and tools."""
        self.sessions.script = self.tools.script = script

    def _delete(self, call: Call) -> str:
        self.core.writing.delete(call)
        return self.core.operations.started(call, {}) if call.rpc.operation else "{}"

    def _restore_version(self, call: Call) -> str:
        self._versions.restore(call)
        return self.core.operations.started(call, {})

    def _written(self, call: Call, row: Row) -> str:
        if call.rpc.operation:
            return self.core.operations.started(call, self.core.answers.stored(row))
        return self.core.answers.resource_text(row, call.form)
