"""
Exports of evaluations, runs, and results, and the import of evaluations.

The format of the exported bytes is not documented. Here they are one JSON or YAML document with the resources
as the API returns them. gs:// URIs refer to the emulator's own store (`objects`).
"""

import base64
import json
import uuid
from collections.abc import Iterable
from typing import Any

from cesplan.emulator.contract import load
from cesplan.emulator.documents import dump_yaml, load_document
from cesplan.emulator.errors import Refused, invalid, not_found
from cesplan.emulator.evaluating.conversion import golden_of
from cesplan.emulator.evaluating.table import evaluations_in
from cesplan.emulator.http.calls import Call
from cesplan.emulator.resources.core import Methods
from cesplan.emulator.schema.messages import Body, without_transport
from cesplan.emulator.storage import objects
from cesplan.emulator.storage.store import Row


class EvaluationFiles(Methods):
    """Writes and reads files of evaluations."""

    def export_evaluations(self, call: Call) -> str:
        """Export evaluations with or without their results. Missing ones are reported."""
        app = self._core.lookup.resource(call.target.parent)
        request = self._core.request_body(call)
        with_results = request.get("includeEvaluationResults", False)
        if not with_results and not request.get("includeEvaluations", False):
            raise invalid("includeEvaluations", "evaluations, results, or both must be included")
        rows, failed = self._found(request["names"], app.name, "evaluations")
        document: Body = {}
        if request.get("includeEvaluations"):
            document["evaluations"] = self._bodies(rows)
        if with_results:
            results = (self._core.store.children(row.name, "results") for row in rows)
            document["evaluationResults"] = self._bodies(result for some in results for result in some)
        response = self._delivered(request, document, "evaluations")
        return self._core.operations.started(call, response | ({"failedEvaluations": failed} if failed else {}))

    def export_runs(self, call: Call) -> str:
        """Export runs. Raise Refused if one is missing, because the response cannot report it."""
        return self._export_all(call, "evaluationRuns", "evaluationRuns")

    def export_results(self, call: Call) -> str:
        """Export results of one evaluation."""
        return self._export_all(call, "results", "evaluationResults")

    def import_evaluations(self, call: Call) -> str:
        """Import evaluations from conversations, a CSV file, or an export."""
        app = self._core.lookup.resource(call.target.name)
        request = self._core.request_body(call)
        self._core.rules.check_unlocked(app)
        options = request.get("importOptions", {})
        strategy = options.get("conflictResolutionStrategy", "")
        made, errors = [], []
        for given in self._given(request, app.name):
            try:
                if isinstance(given, Refused):
                    raise given
                made.append(self._import(call, app.name, given, strategy))
            except Refused as refused:
                errors.append(refused.message)
        response: Body = {"evaluations": [self._core.answers.stored(row) for row in made if row]}
        response |= {"errorMessages": errors, "importFailureCount": len(errors)} if errors else {}
        return self._core.operations.started(call, {key: value for key, value in response.items() if value})

    def _export_all(self, call: Call, kind: str, key: str) -> str:
        parent = self._core.lookup.resource(call.target.parent)
        request = self._core.request_body(call)
        rows, failed = self._found(request["names"], parent.name, kind)
        if failed:
            raise not_found(sorted(failed)[0])
        document = {key: self._bodies(rows)}
        return self._core.operations.started(call, self._delivered(request, document, key))

    def _found(self, names: list[str], parent: str, kind: str) -> tuple[list[Row], dict[str, str]]:
        rows, failed = [], {}
        for name in names:
            row = self._core.store.get(name)
            if row is None or (row.parent, row.kind) != (parent, kind):
                failed[name] = not_found(name).message
            else:
                rows.append(row)
        return rows, failed

    def _bodies(self, rows: Iterable[Row]) -> list[Body]:
        return [self._core.answers.stored(row) for row in rows]

    def _delivered(self, request: Body, document: Body, key: str) -> Body:
        """Return the document as content, or write it to the URI in the request."""
        options = request.get("exportOptions", {})
        yaml = options.get("exportFormat") == "YAML"
        text = dump_yaml(document) if yaml else json.dumps(document, indent=2, ensure_ascii=False)
        if "gcsUri" not in options:
            return {f"{key}Content": base64.b64encode(text.encode()).decode()}
        folder = options["gcsUri"].rstrip("/")
        name = f"{key}.{'yaml' if yaml else 'json'}"
        objects.write(self._core.store, f"{folder}/{name}", text.encode())
        return {f"{key}Uri": options["gcsUri"]}

    def _given(self, request: Body, app: str) -> list[Body | Refused]:
        """Return the evaluations in a request, or the error for each invalid one."""
        if "conversationList" in request:
            names = request["conversationList"].get("conversations", [])
            return [self._of_conversation(name, app) for name in names]
        if "csvContent" in request:
            return evaluations_in(base64.b64decode(request["csvContent"]), app, self._core.store)
        if "gcsUri" not in request:
            raise invalid("source", "conversations, a CSV file, or a gs:// address is required")
        data = objects.read(self._core.store, request["gcsUri"])
        if request["gcsUri"].endswith(".csv"):
            return evaluations_in(data, app, self._core.store)
        document: Any = load_document(data.decode("utf-8", "replace"))
        rows = document.get("evaluations") if isinstance(document, dict) else None
        if not isinstance(rows, list):
            raise invalid("gcsUri", "this is not an export of evaluations")
        return rows

    def _of_conversation(self, name: str, app: str) -> Body | Refused:
        row = self._core.store.get(name)
        if row is None or (row.parent, row.kind) != (app, "conversations"):
            return not_found(name)
        return golden_of(row)

    def _import(self, call: Call, app: str, given: Body, strategy: str) -> Row | None:
        """Write one evaluation; None if the existing one is kept."""
        kind = load().kinds["evaluations"]
        body = without_transport(self._core.checker.check(kind.message, given))
        name = body.get("displayName", "")
        same = self._core.store.named(app, "evaluations", name)
        match strategy if same else "":
            case "OVERWRITE":
                return self._core.writing.updated(kind, same[0], body, call.author)
            case "SKIP":
                return None
            case "DUPLICATE":
                body["displayName"] = f"{name} {self._core.clock.now()}"
        return self._core.writing.created(kind, f"{app}/evaluations/{uuid.uuid4()}", body, call.author)
