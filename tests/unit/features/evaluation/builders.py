"""A report of a run with one of everything: passed, failed, inconclusive; golden conversation and scenario."""

from cesplan.domain.features.evaluation import (
    ConversationStep,
    Demand,
    Demanded,
    EvaluationVerdict,
    Expectation,
    FoundEvaluation,
    FoundResult,
    Latency,
    PersonaTasks,
    Problem,
    RunComparison,
    RunReport,
    RunSettings,
    Score,
    ToolBehavior,
)
from cesplan.domain.features.judges import FINAL_MATCH
from cesplan.domain.features.scores import (
    Criterion,
    JudgeCalls,
    JudgeOptions,
    Judgment,
    MetricScore,
    ScoreStatus,
    Votes,
)
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import Settings

PASSED, FAILED, INCONCLUSIVE = EvaluationVerdict
APP = "projects/acme-dev/locations/us/apps/desk"
_HUGO = PersonaTasks(persona=f"{APP}/evaluationPersonas/hasty", title="Hasty Hugo", tasks=2)
SETTINGS = RunSettings(version="v42", tools=ToolBehavior.FAKE, repeats=2, personas=(_HUGO,))


def demanded(key: str, title: str, turns: int) -> Demanded:
    thresholds = {"semantic similarity": 3.0, "hallucination": "DISABLED"} if turns else {}
    return Demanded(
        name=f"{APP}/evaluations/{key}",
        reference=f"evaluations/{key}",
        display_name=title,
        turns=turns,
        thresholds=thresholds,
    )


def result(number: int, verdict: EvaluationVerdict, *problems: Problem, **members: object) -> FoundResult:
    name = f"{APP}/evaluations/e/results/{number}"
    return FoundResult(name=name, verdict=verdict, problems=problems, **members)  # type: ignore[arg-type]


def criterion(score: float | None, status: ScoreStatus, reason: str = "") -> MetricScore:
    """A judged criterion, with what the judge said."""
    note = reason or "It promises what it cannot keep."
    judgment = Judgment(run=1, turn=2, score=score, votes=Votes(yes=1, no=4), note=note)
    return MetricScore(
        criterion=Criterion(metric=FINAL_MATCH, threshold=0.8, judge=JudgeOptions(model="gemini-2.5-flash")),
        status=status,
        score=score,
        runs=((1.0, score),),
        reason=reason,
        judgments=(judgment,),
    )


REPORT = RunReport(
    service=Settings(place=Place(project="acme-dev", location="us"), api_version="v1beta"),
    demand=Demand(
        app=APP,
        app_key="desk",
        evaluations=(
            demanded("refund", "Refund", 2),
            demanded("mood", "Mood", 0),
            demanded("hello", "Hello", 1),
        ),
        settings=SETTINGS,
        version_name="Release 42",
    ),
    run=f"{APP}/evaluationRuns/run-1",
    display_name="cesplan 1",
    state="COMPLETED",
    create_time="2026-11-20T12:00:00Z",
    initiated_by="ada@acme.example",
    evaluations=(
        FoundEvaluation(
            demanded=demanded("refund", "Refund", 2),
            repeats=2,
            results=(
                result(1, PASSED, turn_seconds=(0.4, 0.6)),
                result(
                    2,
                    FAILED,
                    Problem(text="The service says FAIL.", is_measured=True),
                    steps=(
                        ConversationStep(
                            turn=2,
                            what="tool call",
                            expected='lookup(order: "7")',
                            observed="nothing",
                            outcome="FAIL",
                            note="by number",
                        ),
                    ),
                    scores=(
                        Score(name="semantic similarity", value=2.0, threshold=3.0, turn=1, outcome="FAIL"),
                    ),
                    expectations=(
                        Expectation(prompt="Stay polite.", outcome="FAIL", explanation="It shouts."),
                    ),
                ),
            ),
            problems=(Problem(text="final_response_match_v2 0.5 < 0.8."),),
            criteria=(criterion(0.0, ScoreStatus.FAILED),),
        ),
        FoundEvaluation(
            demanded=demanded("mood", "Mood", 0),
            repeats=2,
            results=(
                result(1, PASSED, persona="Hasty Hugo"),
                result(2, INCONCLUSIVE, Problem(text="Error: QUOTA_EXHAUSTED: later", verdict=INCONCLUSIVE)),
            ),
        ),
        FoundEvaluation(
            demanded=demanded("hello", "Hello", 1),
            repeats=2,
            results=(result(1, PASSED), result(2, PASSED)),
            criteria=(
                MetricScore(
                    criterion=Criterion(metric="response_match_score", threshold=0.8),
                    status=ScoreStatus.PASSED,
                    score=0.9,
                    runs=((0.8,), (1.0,)),
                ),
            ),
        ),
    ),
    problems=(Problem(text="The run lists 1 unrequested result, such as x."),),
    latencies=(Latency(what="turns", p50=0.5, p90=0.6, calls=2),),
    sessions=6,
    comparison=RunComparison(
        baseline="run run-0",
        regressions=("evaluations/refund",),
        fixes=("evaluations/hello",),
        added=("evaluations/mood",),
        missing=("evaluations/old",),
        notices=("The baseline ran with repeats 1, this run with 2.",),
    ),
    notices=("evaluations/hello was last updated at 2026-11-20T12:01:00Z, after the run began.",),
    judge_calls=JudgeCalls(sent=11, expected=10),
)
