"""Judging: nothing passes by being absent."""

from itertools import product

import pytest

from cesplan.domain.features.evaluation import (
    Demand,
    Demanded,
    EvaluationVerdict,
    FoundEvaluation,
    RunSettings,
    worst_verdict,
)
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place
from cesplan.features.evaluation.found_results import FoundResults
from cesplan.features.evaluation.request import settings_of_run
from cesplan.features.evaluation.verdict import Evidence, assess_run
from tests.unit.features.odd_shapes import odd_bodies

APP = "projects/acme/locations/us/apps/desk1"
NAME = f"{APP}/evaluations/gold"
NAMING = Naming(place=Place(project="acme", location="us"), app_id="desk1")
PASSED, FAILED, INCONCLUSIVE = EvaluationVerdict
CONFIG = {"evaluationChannel": "TEXT", "toolCallBehaviour": "REAL"}
RUN = {"name": f"{APP}/evaluationRuns/r1", "state": "COMPLETED", "config": CONFIG, "goldenRunMethod": "STABLE"}


def body(**changed):
    return {
        "evaluationRun": RUN["name"],
        "executionState": "COMPLETED",
        "evaluationStatus": "PASS",
        "goldenResult": {"turnReplayResults": [{}]},
        **changed,
    }


def verdict(*bodies, run=RUN, gave_up=""):
    gold = Demanded(name=NAME, reference="evaluations/gold", display_name="Gold", turns=1)
    demand = Demand(app=APP, app_key="desk", evaluations=(gold,), settings=RunSettings(repeats=1))
    results = FoundResults(bodies=tuple((f"{NAME}/results/{n}", item) for n, item in enumerate(bodies)))
    (found,), problems = assess_run(demand, Evidence(run=run, results=results, gave_up=gave_up), NAMING)
    return worst_verdict([found.verdict, *(item.verdict for item in problems)])


def test_only_everything_right_passes():
    """The one row of the table that does."""
    assert verdict(body()) is PASSED


STATES = ("", "QUEUED", "RUNNING", "COMPLETED", "ERROR", "CANCELLED", "NEWER")
STATUSES = ("", "PASS", "FAIL", "SKIPPED", "NEWER")


@pytest.mark.parametrize(("run_state", "state", "status"), [*product(STATES, STATES, STATUSES)])
def test_every_state_of_run_and_result(run_state, state, status):
    """Of all combinations of states and statuses one passes."""
    found = verdict(body(executionState=state, evaluationStatus=status), run={**RUN, "state": run_state})
    is_right = (run_state, state, status) == ("COMPLETED", "COMPLETED", "PASS")
    assert (found is PASSED) == is_right


@pytest.mark.parametrize("bodies", [(), (body(), body())])
def test_fewer_or_more_results_than_demanded_fail(bodies):
    """Whatever they say."""
    assert verdict(*bodies) is FAILED


def test_a_run_that_was_not_waited_for_is_inconclusive():
    """It may still pass."""
    assert verdict(run={**RUN, "state": "RUNNING"}, gave_up="it did not end") is INCONCLUSIVE


def test_a_turn_in_error_keeps_a_result_from_passing():
    """By the type of its error."""
    turn = {"errorInfo": {"errorType": "QUOTA_EXHAUSTED"}}
    assert verdict(body(goldenResult={"turnReplayResults": [turn]})) is INCONCLUSIVE


def test_no_verdicts_at_all_fail():
    """Nothing was shown."""
    assert worst_verdict([]) is FAILED
    gold = Demanded(name=NAME, reference="evaluations/gold", display_name="", turns=1)
    assert FoundEvaluation(demanded=gold, repeats=1).verdict is FAILED


def test_a_value_of_another_type_never_ends_the_judging():
    """And never passes what would not pass without it."""
    turn = {"errorInfo": {"errorType": "QUOTA_EXHAUSTED", "errorMessage": "Later."}}
    whole = body(
        config=CONFIG, error={"code": 8, "message": "Later."}, goldenResult={"turnReplayResults": [{}, turn]}
    )
    for odd in odd_bodies({"result": whole, "run": RUN}):
        if isinstance(odd["result"], dict) and isinstance(odd["run"], dict):
            assert verdict(odd["result"], run=odd["run"]) in EvaluationVerdict
            settings_of_run(odd["run"])
