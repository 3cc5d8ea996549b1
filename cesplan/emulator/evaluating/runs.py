"""`:runEvaluation`: a run, its results, and their effects on evaluations and schedules."""

import uuid
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from cesplan.emulator.errors import Refused, invalid, invalid_all
from cesplan.emulator.evaluating.results import observations
from cesplan.emulator.evaluating.script import Course, Script
from cesplan.emulator.evaluating.thresholds import in_force
from cesplan.emulator.http.calls import Call
from cesplan.emulator.resources.core import Core, Methods
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.storage.store import Row

_NO_SCRIPT = (
    "The emulator has no language model and no script of evaluations was provided,"
    " so this run has no verdict (PUT /emulator/evaluations)."
)
# The default number of runs of an evaluation (reference of runCount).
_REPETITIONS = {"golden": 1, "scenario": 5}
_COPIED = (
    *("evaluationDataset", "appVersion", "config", "runCount", "personaRunConfigs"),
    *("optimizationConfig", "scheduledEvaluationRun"),
)
_COUNTED = {"PASS": "passedCount", "FAIL": "failedCount"}
# The fields of a run that are only known at its end.
_AT_THE_END = ("evaluationResults", "evaluationRunSummaries", "errorInfo", "latencyReport")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """One run while it is created."""

    name: str
    app: Row
    request: Body
    author: str
    evaluations: list[Row]


class Runs(Methods):
    """Runs evaluations with a script, and deletes runs."""

    def __init__(self, core: Core) -> None:
        super().__init__(core)
        self.script = Script()
        # The upcoming states of unfinished runs, in order; lost when the server stops.
        self._to_come: dict[str, deque[Body]] = {}

    def run(self, call: Call) -> str:
        """Run evaluations; the run ends in an error if there is no script."""
        app = self._core.lookup.resource(call.target.name)
        request = self._core.request_body(call)
        _check_personas(app, request)
        run = _Run(
            name=f"{app.name}/evaluationRuns/{uuid.uuid4()}",
            app=app,
            request=request,
            author=call.author,
            evaluations=self._chosen(call, request),
        )
        operation = self._core.operations.new_name(call.target.location)
        error = None if self.script.parts else Refused("FAILED_PRECONDITION", _NO_SCRIPT)
        course = Course() if error else self.script.course
        results = [] if error else list(self._results(run))
        body = self._body(run, results, operation, error)
        states = [*["QUEUED"] * course.queued, *["RUNNING"] * course.running]
        to_come = [*(_unfinished(body, state, len(results)) for state in states), body]
        self._core.writer.add(run.name, to_come[0])
        self._to_come[run.name] = deque(to_come)
        self._follow_up(run, results)
        metadata = {"evaluations": [row.name for row in run.evaluations], "evaluationRun": run.name}
        response = {"evaluationRun": run.name}
        return self._core.operations.started(
            call, response, name=operation, metadata=metadata | {"verb": "run"}, error=error
        )

    def get(self, call: Call) -> str:
        """Return a run; each read of an unfinished one advances it."""
        row = self._core.lookup.resource(call.target.name)
        text = self._core.answers.resource_text(row, call.form)
        pending = self._to_come.get(row.name)
        if pending is not None:
            pending.popleft()
            if pending:
                self._core.writer.touch(row, pending[0])
            else:
                del self._to_come[row.name]
        return text

    def cancel(self, call: Call) -> str:
        """Cancel an operation, and with it an unfinished run that it started."""
        answer = self._core.operations.cancel(call)
        for name in [key for key, waiting in self._to_come.items() if len(waiting) > 1]:
            row = self._core.store.get(name)
            if row is not None and row.body.get("operation") == call.target.name:
                total = row.body["progress"]["totalCount"]
                progress = {"totalCount": total, "cancelledCount": total}
                del self._to_come[name]
                self._core.writer.touch(row, row.body | {"state": "CANCELLED", "progress": progress})
        return answer

    def delete(self, call: Call) -> str:
        """Delete a run, but not its results."""
        row = self._core.lookup.resource(call.target.name)
        self._core.store.delete(row.name)
        for evaluation in self._core.store.mentioning(row.parent, "evaluations", [row.name]):
            self._refresh(evaluation)
        return self._core.operations.started(call, {})

    def delete_result(self, call: Call) -> str:
        """Delete a result, and remove it from its run and its evaluation."""
        row = self._core.lookup.resource(call.target.name)
        self._core.store.delete(row.name)
        run = self._core.store.get(row.body.get("evaluationRun", ""))
        if run is not None:
            body = run.body
            body["evaluationResults"] = [n for n in body.get("evaluationResults", []) if n != row.name]
            self._core.writer.touch(run, body)
        self._refresh(self._core.lookup.resource(row.parent))
        return "{}"

    def _chosen(self, call: Call, request: Body) -> list[Row]:
        """Return the evaluations of a request. Raise Refused for missing ones."""
        faults = list(self._core.lookup.reference_faults(call.rpc.request, request, None, call.target.app))
        if faults:
            raise invalid_all(faults)
        names = list(request.get("evaluations", []))
        dataset = request.get("evaluationDataset")
        if bool(names) == bool(dataset):
            raise invalid("evaluations", "either evaluations or a dataset is required")
        if request.get("runCount", 1) < 1:
            raise invalid("runCount", "at least 1 is expected")
        names += self._core.lookup.resource(dataset).body.get("evaluations", []) if dataset else []
        return [self._core.lookup.resource(self._core.lookup.canonical(n, call.target.app)) for n in names]

    def _results(self, run: _Run) -> Iterator[Row]:
        all_of_them = [
            (evaluation, number, persona)
            for evaluation in run.evaluations
            for number, persona in enumerate(self._repetitions(run, evaluation))
        ]
        count = len(all_of_them) - self.script.course.missing
        for evaluation, number, persona in all_of_them[: max(count, 0)]:
            stored = self._core.checker.learn(
                "EvaluationResult", self._result(run, evaluation, number, persona)
            )
            yield self._core.writer.add(f"{evaluation.name}/results/{uuid.uuid4()}", stored)

    def _result(self, run: _Run, evaluation: Row, number: int, persona: Body) -> Body:
        part = self.script.part_of((evaluation.display_name, evaluation.name.rpartition("/")[2]))
        method = run.request.get("goldenRunMethod", "STABLE")
        thresholds = in_force(run.app.body, evaluation.body)
        return {
            "displayName": f"{evaluation.display_name} result - {self._core.clock.now()}",
            "evaluationRun": run.name,
            "initiatedBy": run.author,
            **self._subject(run),
            **({"persona": persona} if persona else {}),
            **({"config": run.request["config"]} if "config" in run.request else {}),
            **({"goldenRunMethod": method} if "golden" in evaluation.body else {}),
            **({"evaluationMetricsThresholds": thresholds} if thresholds else {}),
            **observations(evaluation, part, number, self._core.store),
        }

    def _repetitions(self, run: _Run, evaluation: Row) -> list[Body]:
        """Return the persona of each repetition; an empty one means none."""
        personas = {p["name"]: p for p in run.app.body.get("evaluationPersonas", [])}
        configs = run.request.get("personaRunConfigs", [])
        kind = "scenario" if "scenario" in evaluation.body else "golden"
        if kind == "scenario" and configs:
            found = ((config, config.get("taskCount", 1)) for config in configs)
            return [personas.get(c.get("persona", ""), {}) for c, count in found for _ in range(count)]
        return [{}] * run.request.get("runCount", _REPETITIONS[kind])

    def _subject(self, run: _Run) -> Body:
        """Return what was evaluated: a version, or the draft as of the newest change."""
        version = self._core.store.get(run.request.get("appVersion", ""))
        if version is not None:
            return {"appVersion": version.name, "appVersionDisplayName": version.display_name}
        newest = self._core.store.newest(run.app.name, "changelogs")
        return {"changelog": newest.name, "changelogCreateTime": newest.create_time} if newest else {}

    def _body(self, run: _Run, results: list[Row], operation: str, error: Refused | None) -> Body:
        kinds = {"SCENARIO" if "scenario" in row.body else "GOLDEN" for row in run.evaluations}
        body: Body = {
            "displayName": run.request.get("displayName")
            or f"{run.app.display_name} run - {self._core.clock.now()}",
            "evaluationResults": [row.name for row in results],
            "initiatedBy": run.author,
            **self._subject(run),
            "evaluationType": kinds.pop() if len(kinds) == 1 else "MIXED",
            "state": "ERROR" if error else self.script.course.state,
            "progress": _progress(results),
            "evaluationRunSummaries": _summaries(results),
            "goldenRunMethod": run.request.get("goldenRunMethod", "STABLE"),
            "operation": operation,
            **{key: run.request[key] for key in _COPIED if key in run.request},
        }
        if "evaluationDataset" not in run.request:
            body["evaluations"] = [row.name for row in run.evaluations]
        course = self.script.course
        if error:
            body["errorInfo"] = {"errorType": "RUNTIME_FAILURE", "errorMessage": error.message}
        elif course.state == "ERROR":
            message = course.message or "The script specifies this error."
            body["errorInfo"] = {"errorType": course.error, "errorMessage": message}
        return self._core.checker.learn("EvaluationRun", body | ({} if error else course.fields))

    def _follow_up(self, run: _Run, results: list[Row]) -> None:
        for evaluation in run.evaluations:
            self._refresh(evaluation)
        schedule = self._core.store.get(run.request.get("scheduledEvaluationRun", ""))
        if schedule is not None and results:
            body = schedule.body
            body |= {"lastCompletedRun": run.name, "totalExecutions": body.get("totalExecutions", 0) + 1}
            self._core.writer.touch(schedule, body)

    def _refresh(self, evaluation: Row) -> None:
        """Update the fields of an evaluation about its runs and results."""
        results = self._core.store.children(evaluation.name, "results")
        runs = {row.body.get("evaluationRun", "") for row in results}
        kept = sorted(name for name in runs if name and self._core.store.get(name))
        done = [row for row in results if row.body.get("executionState") == "COMPLETED"]
        body = evaluation.body
        for field in ("evaluationRuns", "lastCompletedResult"):
            body.pop(field, None)
        body |= {"evaluationRuns": kept} if kept else {}
        body |= {"lastCompletedResult": self._core.answers.stored(done[-1])} if done else {}
        self._core.writer.touch(evaluation, body)


def _check_personas(app: Row, request: Body) -> None:
    """Raise Refused for a persona that the app does not have, or with a task count below 1."""
    known = {persona.get("name") for persona in app.body.get("evaluationPersonas", [])}
    for index, config in enumerate(request.get("personaRunConfigs", [])):
        where = f"personaRunConfigs[{index}]"
        if config.get("persona") and config["persona"] not in known:
            raise invalid(f"{where}.persona", f"the app has no persona '{config['persona']}'")
        if config.get("taskCount", 1) < 1:
            raise invalid(f"{where}.taskCount", "at least 1 is expected")


def _unfinished(body: Body, state: str, results: int) -> Body:
    """Return a run as it appears before its end."""
    shown = {key: value for key, value in body.items() if key not in _AT_THE_END}
    return shown | {"state": state, "progress": {"totalCount": results}}


def _progress(results: list[Row]) -> Body:
    found = {"totalCount": len(results), "completedCount": 0, **_counts(results)}
    found["completedCount"] = sum(row.body.get("executionState") == "COMPLETED" for row in results)
    return {key: count for key, count in found.items() if count}


def _summaries(results: list[Row]) -> Body:
    by_evaluation: dict[str, list[Row]] = {}
    for row in results:
        by_evaluation.setdefault(row.parent, []).append(row)
    return {name: _summary(_counts(rows)) for name, rows in by_evaluation.items()}


def _summary(counts: Body) -> Body:
    """Return the counts of a summary, without cancelled ones."""
    return {key: count for key, count in counts.items() if key != "cancelledCount"}


def _counts(results: list[Row]) -> Body:
    counts: Body = {}
    for row in results:
        body = row.body
        ended = {"ERROR": "errorCount", "CANCELLED": "cancelledCount"}
        state = body.get("executionState", "")
        key = ended.get(state) or _COUNTED.get(body.get("evaluationStatus", ""))
        if key:
            counts[key] = counts.get(key, 0) + 1
    return counts
