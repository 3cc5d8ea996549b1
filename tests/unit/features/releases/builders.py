"""Reports of releases with one of everything: a gate that failed, a step that holds, a plan of a gate."""

from datetime import UTC, datetime, timedelta

from cesplan.domain.features.evaluation import EvaluationChoice, EvaluationVerdict
from cesplan.domain.features.gate import (
    FoundScore,
    GatePlan,
    GateReport,
    JudgedEvaluation,
    JudgedSuite,
    Objection,
    PlannedRun,
)
from cesplan.domain.features.release import (
    CanaryMetric,
    CanaryStep,
    PartFinding,
    PartReport,
    Release,
    ReleaseLimits,
    ScoreDemand,
    Suite,
)
from cesplan.domain.features.scores import Criterion
from cesplan.domain.settings import Settings
from cesplan.features.releases.canary import CanaryFinding, CanaryReport, Due, Shares
from cesplan.features.releases.report import Ending, ReleaseReport
from cesplan.features.releases.split import Position, Stage, TrafficShare
from tests.unit.features.evaluation.builders import REPORT as RUN
from tests.unit.render.builders import SETTINGS

PASSED, FAILED, INCONCLUSIVE = EvaluationVerdict
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def release_of(name: str = "web") -> Release:
    return Release(
        name=name,
        app="desk",
        file="apps/desk/releases/web.yaml",
        deployment="web-chat",
        candidate="versions/v42",
        suites=(Suite(name="regression", selection=EvaluationChoice(datasets=("nightly",)), repeats=2),),
        limits=ReleaseLimits(sessions=400),
        canary=(CanaryStep(percent=5, hold=timedelta(hours=1), conversations=50), CanaryStep(percent=100)),
    )


def gate_of(text: str = "one repeat failed", service: Settings = SETTINGS) -> GateReport:
    """A gate that failed; `text` is what everything says."""
    release = release_of()
    return GateReport(
        service=service,
        release=release,
        version="v42",
        version_name="Release 42",
        verdict=FAILED,
        objections=(
            Objection(where="smoke", text=text, verdict=INCONCLUSIVE),
            Objection(where="suites.regression", text=text),
        ),
        suites=(
            JudgedSuite(
                suite=release.suites[0],
                verdict=FAILED,
                evaluations=(
                    JudgedEvaluation(
                        reference="evaluations/hello",
                        display_name=text,
                        repeats=2,
                        passed=2,
                        failed=0,
                        verdict=PASSED,
                    ),
                    JudgedEvaluation(
                        reference="evaluations/refund",
                        display_name="Refund",
                        repeats=2,
                        passed=0,
                        failed=1,
                        verdict=FAILED,
                        is_critical=True,
                        problems=(text,),
                    ),
                ),
                bound=0.15,
                runs=(RUN,),
            ),
        ),
        scores=(
            FoundScore(
                demand=ScoreDemand(criterion=Criterion(metric="response_match_score", threshold=0.5)),
                reference="evaluations/hello",
                value=0.9,
            ),
        ),
        baseline="versions/v41",
        smoke=PartReport(findings=(PartFinding(subject=text, verdict=INCONCLUSIVE, text=text),), sessions=1),
        judges=PartReport(
            findings=(PartFinding(subject="helpful", verdict=PASSED, is_required=False),), calls=5
        ),
        sessions=12,
        judge_calls=5,
        time=NOON,
    )


def failed_gate(text: str = "one repeat failed") -> ReleaseReport:
    return ReleaseReport(
        action="gate",
        service=SETTINGS,
        release=release_of(),
        position=Position(stage=Stage.NOT_STARTED, served="versions/v41"),
        ending=Ending.REFUSED,
        summary="The gate failed. No traffic was moved.",
        gate=gate_of(text),
        notices=(text,),
    )


HOLDING = ReleaseReport(
    action="step",
    service=SETTINGS,
    release=release_of(),
    position=Position(
        stage=Stage.STEP,
        served="versions/v41",
        percent=5,
        step=0,
        shares=(
            TrafficShare(id="a", version="versions/v41", percent=95),
            TrafficShare(id="b", version="versions/v42", percent=5),
        ),
    ),
    ending=Ending.HOLDING,
    summary="The step holds.",
    moved_from=Position(stage=Stage.NOT_STARTED, served="versions/v41"),
    canary=CanaryReport(
        due=Due.HOLD,
        findings=(CanaryFinding(what="conversations", verdict=INCONCLUSIVE, text="12 of 50"),),
        shares=(Shares(metric=CanaryMetric.ERRORS, candidate=(1, 12), served=(3, 240)),),
        until=NOON,
    ),
    not_converged=("experimentConfig",),
)
PLANNED = ReleaseReport(
    action="plan",
    service=SETTINGS,
    release=release_of(),
    position=Position(stage=Stage.NOT_STARTED, served="versions/v41"),
    ending=Ending.DONE,
    summary="The gate would start at least 6 sessions.",
    plan=GatePlan(
        service=SETTINGS,
        release=release_of(),
        version="v42",
        version_name="Release 42",
        served="versions/v41",
        runs=(PlannedRun(suite="regression", demand=RUN.demand, display_name="cesplan 1"),),
        blockers=(Objection(where="evaluations/refund", text="live differs from the tree"),),
        smoke_sessions=1,
    ),
)
