"""
Judging: compare the results of a run with the demand, and with those of an earlier run.

A result passes only if the service says COMPLETED and PASS and everything about it is as demanded. A result
that is missing, skipped, cancelled, foreign, unknown, or judged by other thresholds has failed. Errors
unrelated to the agent, and a run that did not end in time, are inconclusive.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field

from cesplan.domain.features.evaluation import (
    Demand,
    Demanded,
    EvaluationVerdict,
    FoundEvaluation,
    FoundResult,
    Method,
    Problem,
    RunComparison,
    RunReport,
    RunSettings,
    ToolBehavior,
    worst_verdict,
)
from cesplan.domain.frozen import dataclass
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import last_id
from cesplan.domain.text.words import count
from cesplan.domain.value import Body, as_object
from cesplan.features.evaluation.found_results import FoundResults, evaluation_of
from cesplan.features.evaluation.observed import (
    expectations_of,
    scores_of,
    seconds_of,
    steps_of,
    turns_of,
)
from cesplan.features.evaluation.personas import persona_problems, persona_title, run_persona_problems
from cesplan.features.evaluation.thresholds import differences, thresholds_of_result
from cesplan.features.evaluation.waiting import UNDER_WAY

INFRASTRUCTURE = frozenset(
    {
        "CONVERSATION_RETRIEVAL_FAILURE",
        "METRIC_CALCULATION_FAILURE",
        "EVALUATION_UPDATE_FAILURE",
        "QUOTA_EXHAUSTED",
        "USER_SIMULATION_FAILURE",
    }
)
"""Errors unrelated to the agent. A RUNTIME_FAILURE may well be the agent's own."""

_TRANSIENT_CODES = frozenset({"4", "8", "14"})
"""google.rpc.Code: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE."""

_PASSED, _FAILED, _INCONCLUSIVE = EvaluationVerdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """
    Everything that was read about a run.

    `gave_up` is the reason for giving up the wait, empty for a run that ended; `edited` are the references of
    evaluations that changed during the run.
    """

    run: Body
    results: FoundResults
    gave_up: str = ""
    edited: frozenset[str] = field(default_factory=frozenset)


def assess_run(
    demand: Demand, evidence: Evidence, naming: Naming
) -> tuple[tuple[FoundEvaluation, ...], tuple[Problem, ...]]:
    """Every demanded evaluation with its results, and the problems of the run as a whole."""
    cause = _cause(evidence)
    by_evaluation: dict[str, list[tuple[str, Body]]] = {item.name: [] for item in demand.evaluations}
    unrequested: list[str] = [*evidence.results.foreign]
    for name, body in evidence.results.bodies:
        found = by_evaluation.get(evaluation_of(name))
        if found is None:
            unrequested.append(name)
        else:
            found.append((name, body))
    judged = tuple(
        _evaluation(item, by_evaluation[item.name], demand, evidence, naming, cause)
        for item in demand.evaluations
    )
    return judged, (
        *_run_problems(demand, evidence),
        *_unrequested_results(unrequested, evidence.results.unread),
    )


def compared(
    report: RunReport, before: Mapping[str, EvaluationVerdict], settings: RunSettings | None, label: str
) -> RunComparison:
    """
    Compare by evaluation; `before` are the verdicts of the baseline by `evaluations/<key>`.

    `settings` are those of the baseline, None if unknown. Different settings cause a notice, because the two
    runs did not measure the same thing.
    """
    now = {item.demanded.reference: item.verdict for item in report.evaluations}
    both = sorted(now.keys() & before.keys())
    passed = EvaluationVerdict.PASSED
    return RunComparison(
        baseline=label,
        regressions=tuple(key for key in both if before[key] is passed and now[key] is not passed),
        fixes=tuple(key for key in both if before[key] is not passed and now[key] is passed),
        added=tuple(sorted(now.keys() - before.keys())),
        missing=tuple(sorted(before.keys() - now.keys())),
        notices=_notices(report.demand.settings, settings),
    )


def _evaluation(
    item: Demanded,
    found: list[tuple[str, Body]],
    demand: Demand,
    evidence: Evidence,
    naming: Naming,
    cause: Problem | None,
) -> FoundEvaluation:
    expected = item.repeats(demand.settings)
    results = [_result(item, name, body, demand, evidence.run, naming) for name, body in found]
    problems = []
    if len(found) < expected:
        lacking = f"{expected - len(found)} of {count(expected, 'result')} missing"
        problems.append(
            Problem(text=f"{lacking}: {cause.text}", verdict=cause.verdict)
            if cause
            else Problem(text=f"{lacking}.")
        )
    if len(found) > expected:
        problems.append(Problem(text=f"{len(found)} results were found; {expected} were requested."))
    if demand.settings.personas and not item.is_golden:
        problems += persona_problems(demand.settings.personas, [body for _, body in found])
    if item.reference in evidence.edited:
        problems.append(Problem(text="The evaluation or its thresholds changed during the run."))
    return FoundEvaluation(demanded=item, repeats=expected, results=tuple(results), problems=tuple(problems))


def _result(item: Demanded, name: str, body: Body, demand: Demand, run: Body, naming: Naming) -> FoundResult:
    found_bar = thresholds_of_result(body, is_golden=item.is_golden)
    steps = steps_of(body, naming)
    problems = [
        *_verdict_problems(body, item),
        *_mismatches(body, run, demand, item, found_bar),
        *(
            Problem(text=f"The service says PASS, but turn {step.turn} has a failed {step.what}.")
            for step in steps
            if step.outcome == "FAIL" and body.get("evaluationStatus") == "PASS"
        ),
    ]
    return FoundResult(
        name=name,
        verdict=worst_verdict([problem.verdict for problem in problems]) if problems else _PASSED,
        problems=tuple(problems),
        steps=steps,
        scores=scores_of(body, found_bar),
        expectations=expectations_of(body),
        persona=persona_title(body),
        turn_seconds=seconds_of(body),
    )


def _verdict_problems(body: Body, item: Demanded) -> Iterator[Problem]:
    """Problems that the service itself reports for a result."""
    state, status = str(body.get("executionState") or ""), str(body.get("evaluationStatus") or "")
    match state:
        case "COMPLETED":
            yield from _status_problem(status)
            yield from _completeness(body, item)
        case "ERROR":
            yield _error_problem("Error", body)
        case "CANCELLED":
            yield Problem(text="The result was cancelled.")
        case "QUEUED" | "RUNNING":
            yield Problem(text="The result is not complete.", verdict=_INCONCLUSIVE)
        case _:
            yield Problem(text=f"The result has no known state: {state or 'it says none'}.")


def _status_problem(status: str) -> Iterator[Problem]:
    match status:
        case "PASS":
            return
        case "FAIL":
            yield Problem(text="The service says FAIL.", is_measured=True)
        case "SKIPPED":
            yield Problem(text="The evaluation was skipped.")
        case _:
            yield Problem(text=f"The result has no known verdict: {status or 'it says none'}.")


def _completeness(body: Body, item: Demanded) -> Iterator[Problem]:
    """Missing turns of a golden conversation, turns with an error, and a missing scenario."""
    turns = turns_of(body)
    if item.is_golden and len(turns) < item.turns:
        yield Problem(text=f"Only {len(turns)} of {item.turns} turns have a result.")
    for number, turn in enumerate(turns, 1):
        if turn.get("errorInfo"):
            yield _error_problem(f"Turn {number}", turn)
    if not item.is_golden and "scenarioResult" not in body:
        yield Problem(text="The result does not show the scenario.")


def _error_problem(where: str, body: Body) -> Problem:
    """An error with its type and message; only an infrastructure error is inconclusive."""
    info = as_object(body.get("errorInfo"))
    status = as_object(body.get("error"))
    kind = str(info.get("errorType") or "")
    message = str(info.get("errorMessage") or info.get("userFacingErrorMessage") or status.get("message") or "")
    outside = kind in INFRASTRUCTURE or (not kind and str(status.get("code")) in _TRANSIENT_CODES)
    text = ": ".join(filter(None, [where, kind, message or "the service gives no reason"]))
    return Problem(text=text, verdict=_INCONCLUSIVE if outside else _FAILED)


def _mismatches(
    body: Body, run: Body, demand: Demand, item: Demanded, bar: Mapping[str, str | float]
) -> Iterator[Problem]:
    """Differences between a result and the demand: the run, its settings, and the thresholds."""
    if last_id(str(body.get("evaluationRun") or "")) != last_id(str(run.get("name") or "")):
        yield Problem(text="The result belongs to another run.")
    yield from _settings_problems(body, run, demand, is_golden=item.is_golden)
    for text in differences(item.thresholds, bar):
        yield Problem(text=f"The run used another threshold: {text}.")


def _settings_problems(body: Body, run: Body, demand: Demand, *, is_golden: bool) -> Iterator[Problem]:
    """Version, channel, tools, and method; the run supplies what the result leaves out."""
    settings = demand.settings
    if (found := last_id(str(body.get("appVersion") or ""))) != settings.version:
        yield Problem(text=f"It was run on {_version(found)} instead of {_version(settings.version)}.")
    config, of_run = (as_object(item.get("config")) for item in (body, run))
    stated = (
        ("channel", config.get("evaluationChannel"), of_run.get("evaluationChannel"), settings.channel),
        ("tools", config.get("toolCallBehaviour"), of_run.get("toolCallBehaviour"), settings.tools),
        ("method", body.get("goldenRunMethod"), run.get("goldenRunMethod"), settings.method),
    )
    for name, of_result, fallback, wanted in stated:
        if name == "method" and not is_golden:
            continue
        value = str(of_result or fallback or _UNSET.get(name, ""))
        if value != wanted.upper():
            yield Problem(text=f"The {name} was {value or 'not stated'} instead of {wanted.upper()}.")


_UNSET = {"channel": "", "tools": ToolBehavior.REAL.upper(), "method": Method.STABLE.upper()}
"""The documented defaults, if neither the result nor the run has a value. The channel has no default."""


def _run_problems(demand: Demand, evidence: Evidence) -> Iterator[Problem]:
    cause = _cause(evidence)
    if cause:
        yield cause
    run = evidence.run
    golden = any(item.is_golden for item in demand.evaluations)
    yield from (
        Problem(text=f"The run as a whole: {item.text}")
        for item in _settings_problems(run, run, demand, is_golden=golden)
    )
    yield from run_persona_problems(demand.settings.personas, run)
    count = run.get("runCount")
    if demand.settings.repeats and count is not None and count != demand.settings.repeats:
        yield Problem(text=f"The run has {count} repeats instead of {demand.settings.repeats}.")


def _cause(evidence: Evidence) -> Problem | None:
    """Why a run as a whole did not complete; None if it did."""
    state = str(evidence.run.get("state") or "")
    if state == "COMPLETED":
        return None
    if evidence.gave_up or state in UNDER_WAY:
        why = evidence.gave_up or "it has not ended"
        return Problem(text=f"The run is {state or 'unfinished'}: {why}.", verdict=_INCONCLUSIVE)
    if state == "ERROR":
        return _error_problem("The run ended in an error", evidence.run)
    if state == "CANCELLED":
        return Problem(text="The run was cancelled.")
    return Problem(text=f"The run has no known state: {state or 'it says none'}.")


def _unrequested_results(names: list[str], unread: int) -> Iterator[Problem]:
    if names or unread:
        total = len(names) + unread
        first = f", such as {names[0]}" if names else ""
        yield Problem(text=f"The run lists {count(total, 'unrequested result')}{first}.")


def _version(version: str) -> str:
    return f"version {version}" if version else "the draft"


def _notices(here: RunSettings, there: RunSettings | None) -> tuple[str, ...]:
    if there is None:
        return ()
    pairs = (("channel", here.channel, there.channel), ("method", here.method, there.method),
             ("tools", here.tools, there.tools), ("repeats", here.repeats, there.repeats),
             ("personas", _played(here), _played(there)))  # fmt: skip
    return tuple(
        f"The baseline ran with {name} {other or 'none'}, this run with {one or 'none'}."
        for name, one, other in pairs
        if one != other
    )


def _played(settings: RunSettings) -> str:
    return ", ".join(sorted(f"{last_id(item.persona)} ×{item.tasks}" for item in settings.personas))
