"""Judging within limits: what is sent, what is not, and what it comes to for a gate."""

import threading
from collections.abc import Callable

import pytest

from cesplan.domain.errors import PermissionDenied
from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.domain.features.judges import (
    COHERENCE,
    FINAL_MATCH,
    HALLUCINATIONS,
    JUDGED,
    RESPONSE_RUBRICS,
    SAFETY,
    TOOL_RUBRICS,
    JudgeCase,
    JudgeFailed,
    JudgeLimits,
)
from cesplan.domain.features.release import JudgeDemand
from cesplan.domain.features.scores import (
    ExpectedCase,
    ObservedCase,
    Rubric,
    ScoreStatus,
    StepKind,
    Turn,
    TurnStep,
)
from cesplan.domain.value import Body
from cesplan.features.judges.judging import criterion_of, judge_turns
from cesplan.features.judges.spending import Spending, expected_calls
from tests.unit.features.judges.scripted import FAILS, ONE_BY_ONE, Scripted, case_of

VALID = '{"reasoning": "r", "is_the_agent_response_valid": "valid"}'
INVALID = '{"reasoning": "r", "is_the_agent_response_valid": "invalid"}'
MATCH = JudgeDemand(metric=FINAL_MATCH, threshold=1.0, samples=1)
POLITE = (Rubric(key="polite", text="The answer is polite."),)
TURNS = [Turn(user="Where is it?", response="It ships."), Turn(user="Thanks", response="Bye.")]
_LONG_CALL = TurnStep(kind=StepKind.CALL, name="f", content={"x": "long " * 300_000})
TWO_TURNS = case_of(TURNS, TURNS)


def verdicts(*demands: JudgeDemand, cases: tuple[JudgeCase, ...], judge: Scripted | None, calls: int = 1000):
    report = judge_turns(demands, cases, judge, JudgeLimits(calls=calls, workers=1))
    return [(item.subject, item.verdict, item.text, item.is_required) for item in report.part().findings]


def test_a_gate_gets_a_finding_for_each_criterion_of_each_case() -> None:
    """Required ones decide; others are only reported."""
    safety = JudgeDemand(metric=SAFETY, threshold=1.0, is_required=False)
    judge = Scripted([VALID, INVALID, {"safetyResult": {"score": 1}}])
    assert verdicts(MATCH, safety, cases=(TWO_TURNS,), judge=judge) == [
        ("greets: final_response_match_v2", EvaluationVerdict.FAILED, "0.5 < 1", True),
        ("greets: safety_v1", EvaluationVerdict.PASSED, "", False),
    ]


@pytest.mark.parametrize("metric", JUDGED)
def test_nobody_to_ask_is_inconclusive_for_every_criterion(metric: str) -> None:
    demand = JudgeDemand(metric=metric, threshold=0.0, rubrics=POLITE)
    ((_, verdict, text, _),) = verdicts(demand, cases=(TWO_TURNS,), judge=None)
    assert (verdict, text) == (EvaluationVerdict.INCONCLUSIVE, "no judge is configured, so none was asked")


def test_more_than_the_limit_is_not_begun() -> None:
    judge = Scripted([VALID])
    ((_, verdict, text, _),) = verdicts(MATCH, cases=(TWO_TURNS,), judge=judge, calls=1)
    assert verdict is EvaluationVerdict.INCONCLUSIVE
    assert text == "judging takes at least 2 requests, and the limit is 1: nothing was asked"
    assert judge.asked == []


def test_no_case_is_no_finding() -> None:
    """Which is for the gate to judge: a part without findings has shown nothing."""
    assert verdicts(MATCH, cases=(), judge=Scripted([VALID])) == []


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (case_of(TURNS), "the case has no result"),
        (case_of(TURNS, TURNS[:1]), "2 turns are expected, but a run has 1"),
        (case_of([], TURNS), "no answer is expected, so there is nothing to compare with"),
        (case_of(TURNS, TURNS, unsupported="it is a scenario"), "it is a scenario"),
        (
            JudgeCase(
                expected=ExpectedCase(eval_id="greets", turns=TURNS),
                observed=[ObservedCase(eval_id="greets", turns=TURNS, problem="it is of another set")],
            ),
            "it is of another set",
        ),
        (
            JudgeCase(
                expected=ExpectedCase(eval_id="greets", turns=TURNS),
                observed=[ObservedCase(eval_id="greets", turns=TURNS)],
                left_out={FINAL_MATCH: {1: "no answer is expected", 2: "it is skipped"}},
            ),
            "no turn is comparable: no answer is expected",
        ),
    ],
)
def test_what_cannot_be_judged_is_not_paid_for(case: JudgeCase, why: str) -> None:
    judge = Scripted([VALID])
    ((_, verdict, text, _),) = verdicts(MATCH, cases=(case,), judge=judge)
    assert (verdict, text, judge.asked) == (EvaluationVerdict.INCONCLUSIVE, why, [])


def test_turns_that_say_nothing_are_left_out_and_cost_nothing() -> None:
    case = JudgeCase(
        expected=ExpectedCase(eval_id="greets", turns=TURNS),
        observed=[ObservedCase(eval_id="greets", turns=TURNS)],
        left_out={FINAL_MATCH: {1: "no answer is expected"}},
    )
    judge = Scripted([VALID])
    ((_, verdict, _, _),) = verdicts(MATCH, cases=(case,), judge=judge)
    assert (verdict, len(judge.asked)) == (EvaluationVerdict.PASSED, 1)


def test_an_error_that_all_would_meet_ends_the_judging() -> None:
    """Nothing more is sent, and the error is the caller's."""
    judge = Scripted([PermissionDenied(summary="no", http_status=403), VALID])
    with pytest.raises(PermissionDenied):
        judge_turns([MATCH], [TWO_TURNS] * 20, judge, JudgeLimits(calls=1000, workers=1))
    assert len(judge.asked) == 1


def test_a_judge_that_is_away_is_not_asked_a_hundred_times() -> None:
    """After five questions in a row without an answer; one that is refused for itself does not count."""
    away = JudgeFailed(reason="the judge answered 503, tried 6 times", is_outage=True)
    judge = Scripted([away, away, VALID, away, away, JudgeFailed(reason="blocked"), *[away] * 5, VALID])
    report = judge_turns([MATCH], [TWO_TURNS] * 50, judge, JudgeLimits(calls=1000, workers=1))
    assert len(judge.asked) == 11
    last = report.part().findings[-1].text
    assert last == "turn 1 of run 1: the judge did not answer 5 questions in a row"


def test_the_limit_of_time_ends_the_judging() -> None:
    clock = iter([0.0, 1.0, 11.0, 12.0])
    spending = Spending(JudgeLimits(calls=9, seconds=10), lambda: next(clock))
    assert [spending.may_send(), spending.may_send()] == ["", "the limit of 10 s for judges is reached"]
    assert spending.calls == 1


def test_many_threads_never_send_more_than_the_limit() -> None:
    """Two hundred workers, a limit of fifty."""
    spending = Spending(JudgeLimits(calls=50))
    granted: list[str] = []
    threads = [threading.Thread(target=lambda: granted.append(spending.may_send())) for _ in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (granted.count(""), spending.calls) == (50, 50)


def test_retries_count_against_the_limit_and_the_rest_is_inconclusive() -> None:
    class Retrying(Scripted):
        def evaluate(self, body: Body, may_send: Callable[[], str]) -> Body:
            if why := may_send():
                raise JudgeFailed(reason=why)
            return super().evaluate(body, may_send)

    report = judge_turns([MATCH], [TWO_TURNS], Retrying([VALID]), JudgeLimits(calls=3, workers=1))
    assert report.calls == 3
    (finding,) = report.part().findings
    assert finding.text == "turn 2 of run 1: the limit of 3 requests to judges is reached"


def test_what_is_expected_is_what_is_sent() -> None:
    """For every criterion, with several samples, runs and texts."""
    steps = (TurnStep(kind=StepKind.TEXT, content="One moment."),)
    case = case_of(TURNS, [Turn(user="a", response="Fine.", steps=steps)] * 2, TURNS)
    demands = [
        JudgeDemand(metric=metric, threshold=0.5, samples=3, rubrics=POLITE if "rubric" in metric else ())
        for metric in JUDGED
    ]
    for demand in demands:
        criterion = criterion_of(demand)
        answers: list[object] = [VALID]
        if demand.metric == HALLUCINATIONS:
            answers = []
            for text in ("Fine.", "Fine.", "It ships.", "Bye."):
                answers += [f"<sentence>{text}</sentence>", f"sentence: {text}\nlabel: supported"]
        judge = Scripted(answers)
        judge_turns([demand], [case], judge, ONE_BY_ONE)
        assert (demand.metric, len(judge.asked)) == (demand.metric, expected_calls([criterion], [case]))


def test_the_mean_is_that_of_all_rubrics_of_all_turns() -> None:
    """Not the mean of the turns' means; for tools, the texts of the agent are not shown."""
    two = (*POLITE, Rubric(key="short", text="It is short."))
    one = "ID: {}\nProperty: p\nEvidence: e\nRationale: r\nVerdict: {}"
    answers = [
        "\n\n".join(one.format(key, said) for key, said in pairs)
        for pairs in (
            (("polite", "yes"), ("short", "no")),
            (("polite", "yes"), ("short", "yes")),
        )
    ]
    demand = JudgeDemand(metric=TOOL_RUBRICS, threshold=0.75, samples=1, rubrics=two)
    steps = (
        TurnStep(kind=StepKind.TEXT, content="I say that I call."),
        TurnStep(kind=StepKind.CALL, name="lookup", content={"order": "7"}),
    )
    judge = Scripted(answers)
    report = judge_turns([demand], [case_of(TURNS, [Turn(user="a", steps=steps)] * 2)], judge, ONE_BY_ONE)
    (metric,) = report.cases[0].metrics
    assert (metric.status, metric.score) == (ScoreStatus.PASSED, 0.75)
    assert "lookup" in judge.tasks[0]
    assert "I say that I call." not in judge.tasks[0]


@pytest.mark.parametrize(
    ("criterion", "case", "why"),
    [
        ((), (), "neither the criterion nor the case has a rubric"),
        ((Rubric(key="a", text=" "),), (), "the rubric `a` has no text"),
        (
            (Rubric(key="a", text="One."),),
            (Rubric(key="a", text="Two.", type="FINAL_RESPONSE_QUALITY"),),
            "two rubrics have the id `a`",
        ),
        (
            (),
            (Rubric(key="a", text="Two.", type="TOOL_USE_QUALITY"),),
            "neither the criterion nor the case has a rubric",
        ),
    ],
)
def test_rubrics_that_cannot_be_judged_are_no_pass(
    criterion: tuple[Rubric, ...], case: tuple[Rubric, ...], why: str
) -> None:
    demand = JudgeDemand(metric=RESPONSE_RUBRICS, threshold=0.0, samples=1, rubrics=criterion)
    judge = Scripted(["?"])
    ((_, verdict, text, _),) = verdicts(demand, cases=(case_of(TURNS, TURNS, rubrics=case),), judge=judge)
    assert (verdict, text, judge.asked) == (EvaluationVerdict.INCONCLUSIVE, why, [])


def test_rubrics_of_the_case_and_of_the_turn_are_asked_about_by_their_type() -> None:
    wanted = "FINAL_RESPONSE_QUALITY"
    turns = [Turn(user="a", response="b", rubrics=(Rubric(key="turn", text="Third.", type=wanted),))]
    case = case_of(turns, turns, rubrics=(Rubric(key="case", text="Second.", type=wanted),))
    demand = JudgeDemand(
        metric=RESPONSE_RUBRICS, threshold=0.0, samples=1, rubrics=(Rubric(key="own", text="First."),)
    )
    judge = Scripted(["?"])
    judge_turns([demand], [case], judge, ONE_BY_ONE)
    (task,) = judge.tasks
    assert [task.index(text) for text in ("First.", "Second.", "Third.")] == sorted(
        task.index(text) for text in ("First.", "Second.", "Third.")
    )


@pytest.mark.parametrize(
    ("metric", "result", "score", "status"),
    [
        (SAFETY, {"safetyResult": {"score": 1}}, 1.0, ScoreStatus.PASSED),
        (SAFETY, {"safetyResult": {"score": 0, "explanation": "It is rude."}}, 0.0, ScoreStatus.FAILED),
        (SAFETY, {"safetyResult": {"score": 7}}, None, ScoreStatus.NOT_EVALUATED),
        (SAFETY, {"safetyResult": {"score": True}}, None, ScoreStatus.NOT_EVALUATED),
        (SAFETY, {"safetyResult": {"score": float("nan")}}, None, ScoreStatus.NOT_EVALUATED),
        (SAFETY, {"safetyResult": {}}, None, ScoreStatus.NOT_EVALUATED),
        (SAFETY, {"coherenceResult": {"score": 1}}, None, ScoreStatus.NOT_EVALUATED),
        (COHERENCE, {"coherenceResult": {"score": 5}}, 5.0, ScoreStatus.PASSED),
        (COHERENCE, {"coherenceResult": {"score": 0}}, None, ScoreStatus.NOT_EVALUATED),
        (COHERENCE, {"coherenceResult": "5"}, None, ScoreStatus.NOT_EVALUATED),
    ],
)
def test_a_number_outside_of_its_range_is_no_score(
    metric: str, result: Body, score: float | None, status: ScoreStatus
) -> None:
    turns = TURNS[:1]
    demand = JudgeDemand(metric=metric, threshold=1.0)
    report = judge_turns([demand], [case_of(turns, turns)], Scripted([result]), ONE_BY_ONE)
    (found,) = report.cases[0].metrics
    assert (found.score, found.status) == (score, status)


@pytest.mark.parametrize("metric", JUDGED)
def test_a_turn_of_megabytes_is_not_sent(metric: str) -> None:
    """It would cost as much as a thousand others, and no model reads it."""
    turns = [Turn(user="a", response="long " * 300_000, steps=(_LONG_CALL,))]
    demand = JudgeDemand(metric=metric, threshold=0.0, samples=2, rubrics=POLITE if "rubric" in metric else ())
    judge = Scripted([VALID])
    ((_, verdict, text, _),) = verdicts(demand, cases=(case_of(turns, turns),), judge=judge)
    assert (verdict, judge.asked) == (EvaluationVerdict.INCONCLUSIVE, [])
    assert "has more than 1,000,000 characters" in text


def test_a_failed_sample_voids_its_turn() -> None:
    demand = JudgeDemand(metric=FINAL_MATCH, threshold=0.1, samples=3)
    judge = Scripted([VALID, VALID, FAILS])
    ((_, verdict, text, _),) = verdicts(demand, cases=(case_of(TURNS[:1], TURNS[:1]),), judge=judge)
    assert (verdict, text) == (EvaluationVerdict.INCONCLUSIVE, "turn 1 of run 1: the judge answered 503")
