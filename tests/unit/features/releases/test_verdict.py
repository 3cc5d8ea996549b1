"""
The truth table of the verdict: whatever is missing, foreign or undecided is never a pass.

Every row begins with a release that passes, bends one thing as the service or a person might, and names the
verdict, the exit code and what is said.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cesplan.cli.commands.evaluate import CODES
from cesplan.cli.exit_codes import ExitCode
from cesplan.domain.features.evaluation import (
    Demand,
    Demanded,
    EvaluationChoice,
    EvaluationVerdict,
    RunReport,
    RunSettings,
    ToolBehavior,
)
from cesplan.domain.features.gate import Found, FoundBaseline, FoundScore, FoundSuite, Objection
from cesplan.domain.features.release import (
    JudgeDemand,
    PartFinding,
    PartReport,
    Release,
    ReleaseLimits,
    Requirement,
    SayStep,
    ScoreDemand,
    Suite,
)
from cesplan.domain.features.scores import RESPONSE_MATCH, Criterion
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import Settings
from cesplan.features.evaluation.found_results import FoundResults
from cesplan.features.evaluation.verdict import Evidence, assess_run
from cesplan.features.releases.verdict import assess_release, undecided_of

PASSED, FAILED, INCONCLUSIVE = EvaluationVerdict
PLACE = Place(project="acme-dev", location="us")
APP = "projects/acme-dev/locations/us/apps/help-desk"
NAMING = Naming(place=PLACE, app_id="help-desk")
BAR = {"scenarioHallucinationMetricBehavior": "DISABLED"}


def result(number: int, evaluation: str = "refunds", **more: Any) -> dict[str, Any]:
    """A result of a scenario that is as demanded."""
    return {
        "name": f"{APP}/evaluations/{evaluation}/results/r{number}",
        "executionState": "COMPLETED",
        "evaluationStatus": "PASS",
        "evaluationRun": f"{APP}/evaluationRuns/run-1",
        "appVersion": f"{APP}/versions/r2",
        "config": {"evaluationChannel": "TEXT", "toolCallBehaviour": "FAKE"},
        "evaluationMetricsThresholds": BAR,
        "scenarioResult": {"taskCompleted": True},
        **more,
    }


def run_body(**more: Any) -> dict[str, Any]:
    return {
        "name": f"{APP}/evaluationRuns/run-1",
        "state": "COMPLETED",
        "appVersion": f"{APP}/versions/r2",
        "config": {"evaluationChannel": "TEXT", "toolCallBehaviour": "FAKE"},
        "goldenRunMethod": "STABLE",
        "runCount": 3,
        **more,
    }


SUITE = Suite(
    name="regression", selection=EvaluationChoice(everything=True), repeats=3, requirement=Requirement(each=2)
)


@dataclass(kw_only=True)
class Scene:
    """A release, and what was found; rows bend it."""

    suite: Suite = SUITE
    results: list[dict[str, Any]] = field(default_factory=lambda: [result(number) for number in (1, 2, 3)])
    run: dict[str, Any] = field(default_factory=run_body)
    again: list[list[dict[str, Any]]] = field(default_factory=list)
    gone: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    gave_up: str = ""
    edited: frozenset[str] = frozenset()
    release: dict[str, Any] = field(default_factory=dict)
    found: dict[str, Any] = field(default_factory=dict)
    scores: tuple[FoundScore, ...] = ()
    is_run: bool = True

    def judged(self) -> Any:
        runs = (self.report(self.results, self.run),) if self.is_run else ()
        for number, results in enumerate(self.again, 2):
            name = f"{APP}/evaluationRuns/run-{number}"
            bodies = [item | {"evaluationRun": name} for item in results]
            runs += (self.report(bodies, run_body(name=name, runCount=len(results)), len(results)),)
        found = FoundSuite(suite=self.suite, runs=runs, scores=self.scores)
        release = Release(
            name="web",
            app="help-desk",
            file="apps/help-desk/releases/web.yaml",
            deployment="web-chat",
            suites=(self.suite,),
            limits=ReleaseLimits(sessions=100),
            **self.release,
        )
        suites = (found,) if self.is_run or self.scores else ()
        return assess_release(release, Found(suites=suites, **self.found))

    def report(self, results: list[dict[str, Any]], run: dict[str, Any], repeats: int = 3) -> RunReport:
        item = Demanded(
            name=f"{APP}/evaluations/refunds",
            reference="evaluations/refunds",
            display_name="Refunds",
            turns=0,
            thresholds={"hallucination": "DISABLED"},
        )
        settings = RunSettings(version="r2", tools=ToolBehavior.FAKE, repeats=repeats)
        demand = Demand(app=APP, app_key="help-desk", evaluations=(item,), settings=settings)
        bodies = tuple((body["name"], body) for body in results)
        evidence = Evidence(
            run=run,
            results=FoundResults(bodies=bodies, gone=self.gone, foreign=self.foreign),
            gave_up=self.gave_up,
            edited=self.edited,
        )
        evaluations, problems = assess_run(demand, evidence, NAMING)
        return RunReport(
            service=Settings(place=PLACE),
            demand=demand,
            run=run["name"],
            state=run["state"],
            evaluations=evaluations,
            problems=problems,
        )


def bend(index: int, **more: Any) -> Callable[[Scene], None]:
    def bent(scene: Scene) -> None:
        scene.results[index].update(more)

    return bent


def drop(*names: str) -> Callable[[Scene], None]:
    def dropped(scene: Scene) -> None:
        for name in names:
            scene.results[2].pop(name)

    return dropped


def fewer(scene: Scene) -> None:
    scene.results.pop()


def put(**more: Any) -> Callable[[Scene], None]:
    def changed(scene: Scene) -> None:
        for name, value in more.items():
            setattr(scene, name, value)

    return changed


def asked(**more: Any) -> Callable[[Scene], None]:
    def changed(scene: Scene) -> None:
        scene.suite = replace(scene.suite, **more)

    return changed


def both(*changes: Callable[[Scene], None]) -> Callable[[Scene], None]:
    def changed(scene: Scene) -> None:
        for change in changes:
            change(scene)

    return changed


def error(kind: str) -> dict[str, Any]:
    return {
        "executionState": "ERROR",
        "evaluationStatus": "",
        "errorInfo": {"errorType": kind, "errorMessage": "gone"},
    }


FAIL = {"evaluationStatus": "FAIL"}
FAIL_TWICE = both(bend(0, **FAIL), bend(1, **FAIL))
SCORE = ScoreDemand(criterion=Criterion(metric=RESPONSE_MATCH, threshold=0.5))
JUDGE = JudgeDemand(metric="safety_v1", threshold=1.0)
SMOKE = {"smoke": (SayStep(say="Hi"),), "smoke_deployment": "rehearsal"}
DEPLOYED = {"baseline": "deployed"}
BEFORE = {"evaluations/refunds": PASSED}


def score(**more: Any) -> tuple[FoundScore, ...]:
    return (FoundScore(demand=SCORE, reference="evaluations/refunds", **more),)


TABLE: dict[str, tuple[Callable[[Scene], None], EvaluationVerdict, str]] = {
    # What the runs say
    "a suite that was not run": (put(is_run=False), INCONCLUSIVE, "The suite was not run."),
    "a missing result": (fewer, FAILED, "1 of 3 results missing."),
    "a result that is gone": (both(fewer, put(gone=("x",))), FAILED, "results missing"),
    "no results": (put(results=[]), FAILED, "3 of 3 results missing."),
    "a skipped result": (bend(2, evaluationStatus="SKIPPED"), FAILED, "The evaluation was skipped."),
    "a cancelled result": (bend(2, executionState="CANCELLED"), FAILED, "The result was cancelled."),
    "a result without a verdict": (drop("evaluationStatus"), FAILED, "no known verdict: it says none"),
    "an unknown verdict": (bend(2, evaluationStatus="MAYBE"), FAILED, "no known verdict: MAYBE"),
    "an unknown state": (bend(2, executionState="DONE"), FAILED, "no known state: DONE"),
    "an unfinished result": (bend(2, executionState="RUNNING"), INCONCLUSIVE, "The result is not complete."),
    "an error of the agent": (bend(2, **error("RUNTIME_FAILURE")), FAILED, "Error: RUNTIME_FAILURE: gone"),
    "an unknown error": (bend(2, **error("NEW_FAILURE")), FAILED, "Error: NEW_FAILURE: gone"),
    "a spent quota": (bend(2, **error("QUOTA_EXHAUSTED")), INCONCLUSIVE, "QUOTA_EXHAUSTED"),
    "a lost conversation": (bend(2, **error("CONVERSATION_RETRIEVAL_FAILURE")), INCONCLUSIVE, "1 undecided"),
    "a failed simulation": (bend(2, **error("USER_SIMULATION_FAILURE")), INCONCLUSIVE, "1 undecided"),
    "another version": (
        bend(2, appVersion=f"{APP}/versions/r1"),
        FAILED,
        "on version r1 instead of version r2",
    ),
    "the draft": (drop("appVersion"), FAILED, "on the draft instead of version r2"),
    "another channel": (
        bend(2, config={"evaluationChannel": "AUDIO", "toolCallBehaviour": "FAKE"}),
        FAILED,
        "The channel was AUDIO instead of TEXT.",
    ),
    "other tools": (
        bend(2, config={"evaluationChannel": "TEXT", "toolCallBehaviour": "REAL"}),
        FAILED,
        "The tools was REAL instead of FAKE.",
    ),
    "a lowered threshold": (
        bend(2, evaluationMetricsThresholds={"scenarioHallucinationMetricBehavior": "ENABLED"}),
        FAILED,
        "The run used another threshold",
    ),
    "a result of another run": (bend(2, evaluationRun=f"{APP}/evaluationRuns/old"), FAILED, "another run"),
    "a result twice": (put(foreign=(f"{APP}/evaluations/refunds/results/r1",)), FAILED, "1 unrequested result"),
    "a result of a stranger": (
        lambda scene: scene.results.append(result(4, "other")),
        FAILED,
        "1 unrequested result",
    ),
    "one result too many": (lambda scene: scene.results.append(result(4)), FAILED, "4 results were found"),
    "a changed golden": (put(edited=frozenset({"evaluations/refunds"})), FAILED, "changed during the run"),
    "a cancelled run": (put(run=run_body(state="CANCELLED")), FAILED, "The run was cancelled."),
    "a run in an unknown state": (put(run=run_body(state="PAUSED")), FAILED, "no known state: PAUSED"),
    "a run that does not end": (put(run=run_body(state="RUNNING"), gave_up="late"), INCONCLUSIVE, "late"),
    "a run of other repeats": (put(run=run_body(runCount=1)), FAILED, "1 repeats instead of 3"),
    "a run of another version": (
        put(run=run_body(appVersion=f"{APP}/versions/r1")),
        FAILED,
        "The run as a whole: It was run on version r1",
    ),
    "a run that ended in a spent quota": (
        put(run=run_body(state="ERROR", **error("QUOTA_EXHAUSTED")), results=[]),
        INCONCLUSIVE,
        "QUOTA_EXHAUSTED",
    ),
    "a run in error with all results": (
        put(run=run_body(state="ERROR", **error("QUOTA_EXHAUSTED"))),
        INCONCLUSIVE,
        "QUOTA_EXHAUSTED",
    ),
    "a run that ended in an error of the agent": (
        put(run=run_body(state="ERROR", **error("RUNTIME_FAILURE"))),
        FAILED,
        "RUNTIME_FAILURE",
    ),
    # What was asked of them
    "two of three, one passed": (FAIL_TWICE, FAILED, "1 of 3 repeats passed; 2 are required."),
    "a failed and an undecided repeat": (
        both(bend(0, **FAIL), bend(1, **error("QUOTA_EXHAUSTED"))),
        INCONCLUSIVE,
        "1 of 3 repeats passed, 1 undecided",
    ),
    "a failure that nothing can make up for": (
        both(FAIL_TWICE, bend(2, **error("QUOTA_EXHAUSTED"))),
        FAILED,
        "0 of 3 repeats passed, 1 undecided",
    ),
    "a critical failure": (both(bend(0, **FAIL), asked(critical=("refunds",))), FAILED, "it is critical"),
    "a foreign result where one may fail": (
        bend(0, appVersion=f"{APP}/versions/r1", evaluationStatus="FAIL"),
        FAILED,
        "instead of version r2",
    ),
    "a rate that is missed": (
        both(bend(0, **FAIL), asked(requirement=Requirement(each=0, rate=0.7))),
        FAILED,
        "2 of 3 results passed; 70.0% are required.",
    ),
    "a rate that is open": (
        both(bend(0, **error("QUOTA_EXHAUSTED")), asked(requirement=Requirement(each=0, rate=0.6))),
        INCONCLUSIVE,
        "1 undecided",
    ),
    "an inconclusive interval": (
        asked(requirement=Requirement(each=0, rate=0.9, confidence=0.95)),
        INCONCLUSIVE,
        "3 of 3 results passed, which shows at least 52.6%; 90.0% are required. That takes 25 results or more.",
    ),
    "a rate that is missed is not made open by a confidence": (
        both(bend(0, **FAIL), asked(requirement=Requirement(each=0, rate=0.9, confidence=0.95))),
        FAILED,
        "2 of 3 results passed",
    ),
    # Runs that were repeated
    "a failure that a later run did not have": (
        both(FAIL_TWICE, put(again=[[result(4), result(5), result(6)]])),
        FAILED,
        "6 results were found; 3 are required.",
    ),
    "too many results in a later run": (
        both(bend(0, **error("QUOTA_EXHAUSTED")), put(again=[[result(4), result(5)]])),
        FAILED,
        "4 results were found; 3 are required",
    ),
    "a spent quota again": (
        both(
            bend(0, **error("QUOTA_EXHAUSTED")),
            put(again=[[result(4) | error("QUOTA_EXHAUSTED")]]),
        ),
        INCONCLUSIVE,
        "2 of 3 repeats passed, 1 undecided",
    ),
    # Before and around the runs
    "a live golden that is not the tree's": (
        put(found={"blockers": (Objection(where="evaluations/refunds", text="Live differs from the tree."),)}),
        FAILED,
        "Live differs from the tree.",
    ),
    "a spent budget": (
        put(found={"stopped": (Objection(where="limits", text="Too many sessions.", verdict=INCONCLUSIVE),)}),
        INCONCLUSIVE,
        "Too many sessions.",
    ),
    "no score": (put(release={"scores": (SCORE,)}), INCONCLUSIVE, "No evaluation has this score."),
    "a low score": (put(release={"scores": (SCORE,)}, scores=score(value=0.4)), FAILED, "0.4 of at least 0.5."),
    "a score that is not a number": (
        put(release={"scores": (SCORE,)}, scores=score(value=float("nan"))),
        FAILED,
        "nan of at least 0.5.",
    ),
    "a score that cannot be computed": (
        put(release={"scores": (SCORE,)}, scores=score(reason="no turns")),
        INCONCLUSIVE,
        "There is no score: no turns.",
    ),
    "scores that do not apply": (
        put(release={"scores": (SCORE,)}, scores=score(applies=False)),
        INCONCLUSIVE,
        "No evaluation has this score.",
    ),
    "no baseline": (put(release=DEPLOYED), INCONCLUSIVE, "It was not checked."),
    "a baseline that could not be had": (
        put(release=DEPLOYED, found={"baseline": FoundBaseline(label="x", problem="It timed out.")}),
        INCONCLUSIVE,
        "It timed out.",
    ),
    "a regression": (
        both(FAIL_TWICE, put(release=DEPLOYED, found={"baseline": FoundBaseline(label="v1", verdicts=BEFORE)})),
        FAILED,
        "It passed in v1, and no longer passes.",
    ),
    "a case of the reviewed baseline that is not run": (
        put(
            release={"baseline": "releases/approved.json"},
            found={
                "baseline": FoundBaseline(label="f", verdicts={**BEFORE, "evaluations/x": PASSED}, is_file=True)
            },
        ),
        FAILED,
        "It passed in f, and no suite runs it.",
    ),
    "a smoke test that was not run": (put(release=SMOKE), INCONCLUSIVE, "It was not run."),
    "a smoke test without findings": (
        put(release=SMOKE, found={"smoke": PartReport()}),
        INCONCLUSIVE,
        "It produced no findings.",
    ),
    "a failed smoke step": (
        put(
            release=SMOKE,
            found={"smoke": PartReport(findings=(PartFinding(subject="step 1", verdict=FAILED, text="No."),))},
        ),
        FAILED,
        "No.",
    ),
    "judges that are not there": (put(release={"judges": (JUDGE,)}), INCONCLUSIVE, "It was not run."),
    "a judge that could not say": (
        put(
            release={"judges": (JUDGE,)},
            found={
                "judges": PartReport(findings=(PartFinding(subject="a", verdict=INCONCLUSIVE, text="A tie."),))
            },
        ),
        INCONCLUSIVE,
        "A tie.",
    ),
}


@pytest.mark.parametrize("row", TABLE)
def test_this_is_never_a_pass(row: str) -> None:
    """The verdict, its exit code, and a message that names the cause."""
    change, verdict, said = TABLE[row]
    scene = Scene()
    change(scene)
    found = scene.judged()
    assert found.verdict is verdict, found.objections
    texts = [f"{item.where}: {item.text}" for item in found.objections]
    assert any(said in text for text in texts), texts
    assert CODES[verdict] == {FAILED: ExitCode.REFUSED, INCONCLUSIVE: ExitCode.INCONCLUSIVE}[verdict]


PASSES: dict[str, Callable[[Scene], None]] = {
    "everything": lambda scene: None,
    "two of three": bend(0, **FAIL),
    "a rate": both(bend(0, **FAIL), asked(requirement=Requirement(each=0, rate=0.66))),
    "an undecided result that was run again": both(
        bend(0, **error("QUOTA_EXHAUSTED")), put(again=[[result(4)]])
    ),
    "a run in error that was run again": put(
        run=run_body(state="ERROR", **error("QUOTA_EXHAUSTED")),
        results=[],
        again=[[result(4), result(5), result(6)]],
    ),
    "a score": put(release={"scores": (SCORE,)}, scores=score(value=0.5)),
    "a low score that is only reported": put(
        release={"scores": (replace(SCORE, is_required=False),)}, scores=score(value=0.1)
    ),
    "a fix": put(
        release=DEPLOYED,
        found={"baseline": FoundBaseline(label="v1", verdicts={"evaluations/refunds": FAILED})},
    ),
    "a baseline that passed, too": put(
        release=DEPLOYED, found={"baseline": FoundBaseline(label="v1", verdicts=BEFORE)}
    ),
    "a smoke test": put(
        release=SMOKE, found={"smoke": PartReport(findings=(PartFinding(subject="step 1", verdict=PASSED),))}
    ),
}


@pytest.mark.parametrize("row", PASSES)
def test_this_is_a_pass(row: str) -> None:
    """So that the table above fails for the reason that each row names."""
    scene = Scene()
    PASSES[row](scene)
    found = scene.judged()
    assert (found.verdict, found.objections) == (PASSED, ())
    assert CODES[PASSED] == ExitCode.DONE


def test_only_undecided_results_are_run_again() -> None:
    """What failed is not among them, and what can only fail is not run again at all."""
    scene = Scene()
    both(bend(0, **error("QUOTA_EXHAUSTED")), bend(1, **FAIL))(scene)
    found = FoundSuite(suite=scene.suite, runs=(scene.report(scene.results, scene.run),))
    assert undecided_of(found) == {"evaluations/refunds": 1}
    bend(2, **FAIL)(scene)
    found = FoundSuite(suite=scene.suite, runs=(scene.report(scene.results, scene.run),))
    assert undecided_of(found) == {}


_KINDS = {
    "passed": {},
    "failed": FAIL,
    "infra": error("QUOTA_EXHAUSTED"),
    "skipped": {"evaluationStatus": "SKIPPED"},
}


@given(
    kinds=st.lists(st.sampled_from(sorted(_KINDS)), min_size=3, max_size=3),
    each=st.integers(0, 3),
    rate=st.none() | st.sampled_from([0.0, 0.3, 1 / 3, 0.5, 0.67, 1.0]),
    is_critical=st.booleans(),
)
def test_a_pass_needs_every_result_to_be_decided(kinds, each, rate, is_critical):
    """The law behind the table, for all mixtures: no undecided or skipped result, and every bar is reached."""
    scene = Scene()
    for at, kind in enumerate(kinds):
        bend(at, **_KINDS[kind])(scene)
    asked(requirement=Requirement(each=each, rate=rate), critical=("refunds",) if is_critical else ())(scene)
    passed = kinds.count("passed")
    is_decided = passed + kinds.count("failed") == 3
    reaches = passed >= each and (rate is None or Fraction(repr(rate)) * 3 <= passed)
    wanted = is_decided and reaches and not (is_critical and passed < 3)
    found = scene.judged()
    assert (found.verdict is PASSED) == wanted
    assert (found.verdict is PASSED) == (found.objections == ())
    if "skipped" in kinds:
        assert found.verdict is FAILED
