"""
The script of evaluation runs: which evaluation passes, fails, or errors, with which observed calls.

    evaluations:
    - evaluation: "Refund *"      # display name or id; * and ? represent any text; first match counts
      outcome: PASS               # PASS, FAIL, SKIPPED, ERROR, or CANCELLED; or a list, one for each repetition
      error: QUOTA_EXHAUSTED      # with ERROR: its type; by default RUNTIME_FAILURE
      message: The tool is down.  # with ERROR
      calls:                      # the tool calls that were observed, in order
      - {turn: 1, tool: lookup, args: {order: "7"}, response: {state: sent}, outcome: PASS}
      result: {}                  # any further fields of EvaluationResult, in the API's JSON names; or a list
    run:                          # optional: how the run as a whole goes
      queued: 1                   # so many reads find it queued
      running: 2                  # and so many running, before it ends
      state: COMPLETED            # or ERROR, CANCELLED
      error: USER_SIMULATION_FAILURE
      message: No simulated user is available.
      missing: 1                  # so many of the last results are not made
      fields: {}                  # any further fields of EvaluationRun
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Self

from cesplan.emulator import documents
from cesplan.emulator.documents import check_keys
from cesplan.emulator.errors import invalid
from cesplan.emulator.schema.messages import Body

OUTCOMES = ("PASS", "FAIL", "SKIPPED", "ERROR", "CANCELLED")
STATES = ("COMPLETED", "ERROR", "CANCELLED")
ERRORS = (
    *("RUNTIME_FAILURE", "CONVERSATION_RETRIEVAL_FAILURE", "METRIC_CALCULATION_FAILURE"),
    *("EVALUATION_UPDATE_FAILURE", "QUOTA_EXHAUSTED", "USER_SIMULATION_FAILURE"),
)
_ROLE_KEYS = {"evaluation", "outcome", "error", "message", "calls", "result"}
_RUN_KEYS = {"queued", "running", "state", "error", "message", "missing", "fields"}
_CALL_KEYS = {"turn", "tool", "args", "response", "outcome"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedCall:
    """One tool call. `turn` counts from 1. `tool` is a display name, an id, or a resource name."""

    tool: str
    turn: int = 1
    args: Body = field(default_factory=dict)
    response: Body | None = None
    outcome: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The results of the evaluations that match a pattern."""

    pattern: str
    outcomes: tuple[str, ...]
    error: str = ERRORS[0]
    message: str = ""
    calls: tuple[ObservedCall, ...] = ()
    results: tuple[Body, ...] = ({},)

    def outcome(self, repetition: int) -> str:
        """Return the outcome of a repetition, counted from 0. The last one repeats forever."""
        return self.outcomes[min(repetition, len(self.outcomes) - 1)]

    def result(self, repetition: int) -> Body:
        """Return the additional fields of a repetition's result. The last ones repeat forever."""
        return self.results[min(repetition, len(self.results) - 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The course of a whole run: the number of reads while it is unfinished, its end, and missing results."""

    queued: int = 0
    running: int = 0
    state: str = STATES[0]
    error: str = ERRORS[0]
    message: str = ""
    missing: int = 0
    fields: Body = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Script(documents.Script):
    """The results of evaluation runs. With an empty script, all runs end in an error."""

    parts: tuple[Part, ...] = ()
    course: Course = field(default_factory=Course)

    @classmethod
    def parse(cls, document: object) -> Self:
        """Return the script in a document. Raise Refused for an invalid one."""
        if not isinstance(document, dict) or set(document) - {"run"} != {"evaluations"}:
            raise invalid("evaluations", "expected an object with a list, 'evaluations', and at most 'run'")
        rows = document["evaluations"]
        if not isinstance(rows, list):
            raise invalid("evaluations", "expected an object with one list, 'evaluations'")
        parts = tuple(_part(row, f"evaluations[{n}]") for n, row in enumerate(rows))
        return cls(parts=parts, course=_course(document.get("run", {})))

    def part_of(self, names: Sequence[str]) -> Part | None:
        """Return the first part whose pattern matches one of the names of an evaluation."""
        fitting = (p for p in self.parts if any(fnmatchcase(name, p.pattern) for name in names))
        return next(fitting, None)


def _part(row: Any, where: str) -> Part:
    check_keys(row, _ROLE_KEYS, where)
    outcomes = row.get("outcome")
    outcomes = outcomes if isinstance(outcomes, list) else [outcomes]
    known = bool(outcomes) and all(outcome in OUTCOMES for outcome in outcomes)
    if not isinstance(row.get("evaluation"), str) or not known:
        raise invalid(where, f"'evaluation' and 'outcome' (of {', '.join(OUTCOMES)}) are required")
    calls, results = row.get("calls", []), row.get("result", {})
    results = results if isinstance(results, list) and results else [results]
    if not isinstance(calls, list) or not all(isinstance(result, dict) for result in results):
        raise invalid(where, "'calls' must be a list, and 'result' an object or a list of objects")
    _check_error(row, where)
    return Part(
        pattern=row["evaluation"],
        outcomes=tuple(outcomes),
        error=row.get("error", ERRORS[0]),
        message=str(row.get("message", "")),
        calls=tuple(_call(call, f"{where}.calls[{n}]") for n, call in enumerate(calls)),
        results=tuple(results),
    )


def _course(row: Any) -> Course:
    check_keys(row, _RUN_KEYS, "run")
    _check_error(row, "run")
    if row.get("state", STATES[0]) not in STATES:
        raise invalid("run.state", f"one of {', '.join(STATES)} is expected")
    for key in ("queued", "running", "missing"):
        count = row.get(key, 0)
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise invalid(f"run.{key}", "a number that is not negative is expected")
    if not isinstance(row.get("fields", {}), dict):
        raise invalid("run.fields", "expected an object")
    return Course(**{**row, "message": str(row.get("message", ""))})


def _check_error(row: Any, where: str) -> None:
    if row.get("error", ERRORS[0]) not in ERRORS:
        raise invalid(f"{where}.error", f"one of {', '.join(ERRORS)} is expected")


def _call(row: Any, where: str) -> ObservedCall:
    check_keys(row, _CALL_KEYS, where)
    if not isinstance(row.get("tool"), str) or not isinstance(row.get("turn", 1), int):
        raise invalid(where, "'tool' must be a string, and 'turn' a number")
    if not all(isinstance(row.get(key, {}), dict) for key in ("args", "response")):
        raise invalid(where, "'args' and 'response' must be objects")
    if row.get("outcome", "") not in ("", *OUTCOMES[:3]):
        raise invalid(f"{where}.outcome", f"one of {', '.join(OUTCOMES[:3])} is expected")
    return ObservedCall(**row)
