"""Criteria of ADK on what a run observed: computed, or asked of judges; what is not met fails."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.conftest import APP, PASS, Desk

VALID = '{"reasoning": "r", "is_the_agent_response_valid": "valid"}'
CALL = {"tool": f"{APP}/tools/lookup-order", "args": {"order": "7"}}
JUDGED = ("--criteria", "bar.json", "--judge", "--judge-project", "acme-eval", "--auto-approve")
CRITERIA = ("--criteria", "bar.json", "--auto-approve")


def result(answer: str, call: dict[str, Any] | None = CALL) -> dict[str, Any]:
    """A result of the golden conversation: an answer in the first turn, a call in the second."""
    said = {"observedAgentResponse": {"role": "front-desk", "chunks": [{"text": answer}]}, "outcome": "PASS"}
    called = {"observedToolCall": call, "outcome": "PASS"} if call else {"outcome": "PASS"}
    turns = [{"expectationOutcome": [said]}, {"expectationOutcome": [called]}]
    return {"goldenResult": {"turnReplayResults": turns}}


@pytest.fixture
def scored(desk: Desk) -> Desk:
    """The desk; its golden conversation is observed as expected."""
    observed(desk, result("Which order?"))
    return desk


def observed(desk: Desk, *results: dict[str, Any]) -> None:
    desk.play({**PASS, "evaluation": "Late order", "result": list(results)}, PASS)


def bar(desk: Desk, **criteria: Any) -> None:
    (desk.root / "bar.json").write_text(json.dumps({"criteria": criteria}), encoding="utf-8")


def golden(desk: Desk, *words: str) -> Any:
    return desk.evaluate("--name", "late-order", *words)


def calls(desk: Desk) -> int:
    return sum(path.endswith(":evaluateInstances") for path in _paths(desk))


def _paths(desk: Desk) -> list[str]:
    return [row["path"] for row in desk.emulator.journal.summary()["requests"]]


def test_met_criteria_are_shown_and_pass(scored: Desk) -> None:
    """Turns that say nothing in a metric are left out of its mean."""
    bar(scored, tool_trajectory_avg_score=1, response_match_score=0.8)
    ran = golden(scored, *CRITERIA)
    assert ran.code == 0
    assert "tool_trajectory_avg_score 1 ≥ 1" in ran.out
    assert "response_match_score 1 ≥ 0.8" in ran.out


def test_a_missed_criterion_fails_what_the_service_passes(scored: Desk) -> None:
    """In every format."""
    observed(scored, result("Go away.", {**CALL, "args": {"order": "8"}}))
    bar(scored, tool_trajectory_avg_score=1, response_match_score=0.8)
    ran = golden(scored, *CRITERIA, "--format", "json", "--report", "markdown=r.md", "--report", "junit=r.xml")
    assert ran.code == 5
    (found,) = ran.json["evaluations"]
    assert found["verdict"] == "failed"
    assert [item["message"] for item in found["problems"]] == [
        "tool_trajectory_avg_score 0.5 < 1.",
        "response_match_score 0 < 0.8.",
    ]
    assert [item["score"] for item in found["criteria"]] == [0.5, 0.0]
    for name in ("r.md", "r.xml"):
        assert "0.5" in (scored.root / name).read_text(encoding="utf-8")


def test_all_repeats_count(scored: Desk) -> None:
    observed(scored, result("Which order?"), result("Which order?", None))
    bar(scored, tool_trajectory_avg_score=0.75)
    assert golden(scored, *CRITERIA, "--repeats", "2").code == 0
    bar(scored, tool_trajectory_avg_score=0.8)
    assert golden(scored, *CRITERIA, "--repeats", "2").code == 5


def test_judges_are_asked_about_the_observed_turns(scored: Desk) -> None:
    """Of the turns that have an answer to compare."""
    bar(scored, final_response_match_v2={"threshold": 1, "judge_model_options": {"num_samples": 3}})
    scored.emulator.judge({"contains": "Which order?", "answer": VALID})
    ran = golden(scored, *JUDGED, "--format", "json")
    assert ran.code == 0
    assert "and 3 requests to judges" in ran.err
    assert ran.json["judge_calls"] == {"sent": 3, "expected": 3}
    (found,) = ran.json["evaluations"]
    assert found["criteria"][0]["judgments"][0]["votes"] == {"yes": 3, "no": 0, "unread": 0}
    assert calls(scored) == 3


def test_what_a_judge_does_not_say_is_inconclusive(scored: Desk) -> None:
    bar(scored, safety_v1=1)
    scored.emulator.judge({"metric": "safety", "error": {"code": "INVALID_ARGUMENT", "message": "Blocked."}})
    ran = golden(scored, *JUDGED)
    assert ran.code == 8
    assert "the judge answered 400: Blocked." in " ".join(ran.out.split())


def test_a_criterion_that_needs_a_judge_is_inconclusive_without_one(scored: Desk) -> None:
    bar(scored, safety_v1=1)
    ran = golden(scored, *CRITERIA)
    assert (ran.code, calls(scored)) == (8, 0)
    assert "needs a judge, and none was asked: add --judge" in " ".join(ran.out.split())


def test_more_requests_than_allowed_start_nothing(scored: Desk) -> None:
    """Neither sessions nor judges are paid for."""
    bar(scored, final_response_match_v2={"threshold": 1, "judge_model_options": {"num_samples": 3}})
    ran = golden(scored, *JUDGED, "--max-judge-calls", "2")
    assert (ran.code, scored.runs, calls(scored)) == (5, [], 0)


def test_a_scenario_has_nothing_to_compare_and_says_so(scored: Desk) -> None:
    """Beside a golden conversation that is a notice; alone it proves nothing."""
    bar(scored, tool_trajectory_avg_score=1)
    ran = scored.evaluate("--all", *CRITERIA)
    assert ran.code == 0
    assert "evaluations/angry-caller has nothing to compare in tool_trajectory_avg_score" in " ".join(
        ran.out.split()
    )
    ran = scored.evaluate("--name", "angry*", *CRITERIA)
    assert ran.code == 8
    assert "`tool_trajectory_avg_score` has nothing to compare in any evaluation." in " ".join(ran.out.split())


def test_a_run_is_scored_when_it_is_reported_again(scored: Desk) -> None:
    golden(scored, "--auto-approve")
    run_id = scored.runs[-1]["name"].rpartition("/")[2]
    bar(scored, response_match_score=0.8, safety_v1=1)
    scored.emulator.judge({"metric": "safety", "score": 1})
    ran = scored.evaluate("--run", run_id, *JUDGED)
    assert (ran.code, calls(scored)) == (0, 1)
    assert "safety_v1 1 ≥ 1" in ran.out


def test_judges_of_a_found_run_are_approved_first(scored: Desk) -> None:
    golden(scored, "--auto-approve")
    run_id = scored.runs[-1]["name"].rpartition("/")[2]
    bar(scored, safety_v1=1)
    ran = scored.evaluate("--run", run_id, *JUDGED[:-1])
    assert (ran.code, calls(scored)) == (1, 0)


def test_a_judge_sees_no_secret_of_the_tree(scored: Desk) -> None:
    """The instruction of an agent is shown to it; a variable that is a secret has its name there."""
    agent = scored.root / "apps/help-desk/agents/front-desk.yaml"
    text = agent.read_text(encoding="utf-8")
    agent.write_text(f'{text}instruction: "The pin is pin-4711-0815, never tell."\n', encoding="utf-8")
    scored.typed("apply", "--auto-approve")
    rubric = {"rubric_id": "polite", "rubric_content": {"text_property": "It is polite."}}
    bar(
        scored,
        rubric_based_final_response_quality_v1={
            "threshold": 1,
            "rubrics": [rubric],
            "judge_model_options": {"num_samples": 1},
        },
    )
    block = "ID: polite\nProperty: It is polite.\nEvidence: e\nRationale: r\nVerdict: yes"
    scored.emulator.judge({"contains": "INSTRUCTIONS OF THE AGENT", "answer": block})
    ran = golden(scored, *JUDGED)
    assert ran.code == 0, ran.out
    asked = [entry.raw for entry in scored.emulator.journal.entries if b"pointwiseMetricInput" in entry.raw]
    assert asked
    assert not any(b"pin-4711-0815" in raw for raw in asked)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--judge", "--auto-approve"), 64, "--judge needs --criteria."),
        (("--criteria", "nothing.json", "--auto-approve"), 7, "Cannot read nothing.json"),
        (("--criteria", "bad.json", "--auto-approve"), 7, "bad.json cannot be read"),
    ],
)
def test_what_cannot_be_read_starts_nothing(scored: Desk, words: tuple[str, ...], code: int, said: str) -> None:
    Path("bad.json").write_text("{", encoding="utf-8")
    ran = golden(scored, *words)
    assert (ran.code, scored.runs) == (code, [])
    assert said in ran.err
