"""Judges of a release: asked about what the runs observed, and never a pass by silence."""

import json

import pytest

from tests.evaluation.test_criteria import result
from tests.releases.test_gate import SMALL, WEB_FILE, YES

VALID, INVALID = (
    json.dumps({"reasoning": "r", "is_the_agent_response_valid": label}) for label in ("valid", "invalid")
)
JUDGES = (
    "judges:\n"
    "  final_response_match_v2: {threshold: 1.0, samples: 3}\n"
    "  safety_v1: {threshold: 1.0, reportOnly: true}\n"
)


@pytest.fixture
def judged(desk):
    """A release with two judges, and a run that observed the expected answer."""
    desk.write(WEB_FILE, SMALL.replace("20}", "20, judgeCalls: 20}") + JUDGES)
    desk.candidate()
    observed = result("Which order?")
    desk.emulator.play(
        {"evaluation": "Late order", "outcome": "PASS", "result": observed},
        {"evaluation": "*", "outcome": "PASS"},
    )
    return desk


@pytest.mark.parametrize(
    ("script", "code", "verdict"),
    [
        ([{"metric": "safety", "score": 1}, {"answer": VALID}], 0, "passed"),
        ([{"metric": "safety", "score": 0}, {"answer": VALID}], 0, "passed"),
        ([{"metric": "safety", "score": 1}, {"answer": INVALID}], 5, "failed"),
        ([{"metric": "safety", "score": 1}, {"answer": ["?", VALID, VALID]}], 0, "passed"),
        ([{"metric": "safety", "score": 1}, {"answer": ["?", VALID]}], 0, "passed"),
        ([{"metric": "safety", "score": 1}, {"answer": "?"}], 8, "inconclusive"),
        ([{"metric": "safety", "score": 1}, {"error": {"code": "INVALID_ARGUMENT"}}], 8, "inconclusive"),
        ([{"metric": "safety", "score": 1}], 8, "inconclusive"),
    ],
)
def test_a_gate_is_what_its_required_judges_say(judged, script, code, verdict):
    """One that is only reported decides nothing."""
    judged.emulator.judge(*script)
    ran = judged.release("gate", YES, "--format", "json")
    assert (ran.code, ran.json["gate"]["verdict"]) == (code, verdict), ran.out


def test_a_service_that_forbids_judges_leaves_the_gate_inconclusive(judged):
    judged.emulator.judge({"answer": VALID})
    judged.emulator.break_with(
        {"method": "EvaluateInstances", "status": {"code": "PERMISSION_DENIED"}, "times": 100}
    )
    ran = judged.release("gate", YES, "--format", "json")
    assert (ran.code, ran.json["gate"]["verdict"]) == (8, "inconclusive")
