"""`cesplan score --judge`: what is asked, what it costs, what it comes to, and what it must not do."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cesplan.emulator import EmbeddedEmulator
from cesplan.remote.other_services.judges import BACKOFF, VertexJudge
from tests.cli.conftest import Run
from tests.unit.features.scores.adk.files import eval_set, invocation, results

TURNS = [invocation("Where is my order?", "It ships today."), invocation("Thanks", "Bye.")]
VALID = '{"reasoning": "r", "is_the_agent_response_valid": "valid"}'
INVALID = '{"reasoning": "r", "is_the_agent_response_valid": "invalid"}'
POLITE = [{"rubric_id": "polite", "rubric_content": {"text_property": "The answer is polite."}}]
BLOCK = "ID: polite\nProperty: The answer is polite.\nEvidence: e\nRationale: It is rude.\nVerdict: {}"
ASKED = ("--judge", "--judge-project", "acme-eval", "--auto-approve")


@pytest.fixture
def judged(tmp_path: Path, cesplan: Run, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs `score --judge` against a scripted judge."""
    monkeypatch.delenv("GOOGLE_CLOUD_PROJECT", raising=False)
    monkeypatch.delenv("GOOGLE_CLOUD_LOCATION", raising=False)
    quick = {**VertexJudge.__init__.__kwdefaults__, "backoff": replace(BACKOFF, first=0.01)}
    monkeypatch.setattr(VertexJudge.__init__, "__kwdefaults__", quick)
    with EmbeddedEmulator() as emulator:
        monkeypatch.setenv("CES_EMULATOR_HOST", emulator.address)
        yield Judged(tmp_path, cesplan, emulator)


class Judged:
    """An eval set of two turns with one run of it."""

    def __init__(self, root: Path, run: Run, emulator: EmbeddedEmulator) -> None:
        self.root = root
        self.emulator = emulator
        self._run = run
        self.write("desk.evalset.json", eval_set(order=TURNS))
        self.write("run.json", results(("order", TURNS)))

    def write(self, name: str, document: Any) -> None:
        (self.root / name).write_text(json.dumps(document), encoding="utf-8")

    def score(self, criteria: dict[str, Any], *words: str, runs: tuple[str, ...] = ("run.json",)) -> Any:
        self.write("test_config.json", {"criteria": criteria})
        self.emulator.journal.clear()
        return self._run(
            "-C", str(self.root), "score", "desk.evalset.json", *runs, "--config", "test_config.json", *words
        )

    @property
    def calls(self) -> int:
        return self.emulator.journal.count


def match(samples: int = 3, **members: Any) -> dict[str, Any]:
    options = {"judge_model": "gemini-2.5-flash", "num_samples": samples}
    return {"final_response_match_v2": {"threshold": 1.0, "judge_model_options": options, **members}}


def rubrics(samples: int = 1) -> dict[str, Any]:
    options = {"num_samples": samples}
    body = {"threshold": 0.6, "judge_model_options": options, "rubrics": POLITE}
    return {"rubric_based_final_response_quality_v1": body}


def test_judges_decide_what_cannot_be_computed(judged: Judged) -> None:
    """Three samples of two turns and one safety question a turn; the trajectory is computed and never sent."""
    judged.emulator.judge(
        {"metric": "safety", "score": 1},
        {"contains": "It ships today.", "answer": [VALID, VALID, INVALID]},
        {"contains": "Bye.", "answer": [INVALID, VALID, VALID]},
    )
    ran = judged.score({**match(), "safety_v1": 1, "tool_trajectory_avg_score": 1}, *ASKED)
    assert ran.code == 0
    assert ran.out == (
        "Eval set desk\n\n"
        "  passed         order\n"
        "                 final_response_match_v2 1 ≥ 1  turns 1, 1\n"
        "                 safety_v1 1 ≥ 1  turns 1, 1\n"
        "                 tool_trajectory_avg_score 1 ≥ 1  turns 1, 1\n\n"
        "1 case: 1 passed.\n"
        "Judges: 8 requests.\n"
    )
    assert "Judges: at least 8 requests to Vertex AI" in ran.err
    sent = judged.emulator.journal.summary()
    assert judged.calls == 8
    assert "trajectory" not in json.dumps(sent)


def test_a_rubric_that_is_missed_says_by_whom_and_why(judged: Judged) -> None:
    judged.emulator.judge({"answer": [BLOCK.format("no")]})
    ran = judged.score(rubrics(), *ASKED)
    assert ran.code == 5
    assert "rubric_based_final_response_quality_v1 0 < 0.6  turns 0, 0" in ran.out
    assert "turn 1, `polite`: 0 yes, 1 no; It is rude." in ran.out


def test_what_a_judge_does_not_say_has_not_passed(judged: Judged) -> None:
    """A judge that is not there, writes nonsense, or writes nothing: inconclusive, whatever else passed."""
    for part in ({"error": {"code": "INVALID_ARGUMENT"}}, {"answer": "I like it."}, {"answer": None}):
        judged.emulator.judge(part)
        ran = judged.score({**match(1), "response_match_score": 0.1}, *ASKED)
        assert ran.code == 8
        assert "1 case: 1 not evaluated." in ran.out


def test_a_busy_judge_is_asked_again_and_each_try_is_counted(judged: Judged) -> None:
    judged.emulator.judge({"answer": VALID})
    fault = {"code": "RESOURCE_EXHAUSTED", "retryAfter": 0}
    judged.emulator.break_with({"method": "EvaluateInstances", "status": fault, "times": 1})
    ran = judged.score(match(1), *ASKED)
    assert (ran.code, "Judges: 3 requests, 2 expected." in ran.out) == (0, True)


def test_more_than_the_limit_is_not_even_begun(judged: Judged) -> None:
    judged.emulator.judge({"answer": VALID})
    ran = judged.score(match(5), *ASKED, "--max-judge-calls", "9")
    assert (ran.code, judged.calls) == (5, 0)
    assert "At least 10 are expected, and --max-judge-calls is 9." in ran.err


def test_retries_end_at_the_limit(judged: Judged) -> None:
    """Two are expected and allowed; one is spent on a retry, so one turn stays without an answer."""
    judged.emulator.judge({"answer": VALID})
    judged.emulator.break_with(
        {"method": "EvaluateInstances", "status": {"code": "UNAVAILABLE", "retryAfter": 0}, "times": 1}
    )
    ran = judged.score(match(1), *ASKED, "--max-judge-calls", "2")
    assert (ran.code, judged.calls) == (8, 2)
    assert "the limit of 2 requests to judges is reached" in " ".join(ran.out.split())


def test_nobody_is_asked_without_a_yes(judged: Judged) -> None:
    """No terminal, no approval: nothing is sent. Without --judge nothing is sent either."""
    ran = judged.score(match(), *ASKED[:-1])
    assert (ran.code, judged.calls) == (1, 0)
    assert "add --auto-approve" in ran.err
    ran = judged.score(match())
    assert (ran.code, judged.calls) == (8, 0)
    assert "needs a judge, and none was asked: add --judge" in " ".join(ran.out.split())


def test_a_project_is_needed(judged: Judged) -> None:
    ran = judged.score(match(), "--judge", "--auto-approve")
    assert (ran.code, judged.calls) == (64, 0)
    assert "--judge-project" in ran.err


def test_a_case_that_cannot_be_compared_is_not_paid_for(judged: Judged) -> None:
    """Other turns than expected: a judge could not change that."""
    judged.write("run.json", results(("order", TURNS[:1])))
    ran = judged.score(match(), *ASKED)
    assert (ran.code, judged.calls) == (8, 0)
    assert "2 turns are expected, but a run has 1" in ran.out


def test_the_reports_hold_every_judgment(judged: Judged, tmp_path: Path) -> None:
    """JSON by its schema, and JUnit."""
    judged.emulator.judge({"answer": [BLOCK.format("yes"), BLOCK.format("no")]})
    ran = judged.score(rubrics(), *ASKED, "--format", "json", "--report", f"junit={tmp_path / 'scores.xml'}")
    document = json.loads(ran.out)
    assert (ran.code, document["judge_calls"]) == (5, {"sent": 2, "expected": 2})
    metric = document["cases"][0]["metrics"][0]
    assert metric["judge"] == {"model": "gemini-2.5-flash", "samples": 1, "rubrics": ["polite"]}
    assert metric["score"] == 0.5
    assert sorted(item["score"] for item in metric["judgments"]) == [0.0, 1.0]
    assert {item["subject"] for item in metric["judgments"]} == {"polite"}
    root = ElementTree.parse(tmp_path / "scores.xml").getroot()
    failure = next(root.iter("failure"))
    assert "It is rude." in (failure.text or "")


def test_several_runs_are_judged_turn_by_turn(judged: Judged) -> None:
    judged.write("again.json", results(("order", TURNS)))
    judged.emulator.judge({"metric": "coherence", "score": 4})
    ran = judged.score({"response_evaluation_score": 4}, *ASKED, runs=("run.json", "again.json"))
    assert (ran.code, judged.calls) == (0, 4)
    assert "response_evaluation_score 4 ≥ 4  turns 4, 4; 4, 4" in ran.out


def test_what_a_judge_writes_does_nothing_in_a_terminal(judged: Judged, tmp_path: Path) -> None:
    """Nor in a file that a service reads."""
    said = "\x1b[31mred\x1b]0;title\x07 </failure> & \u202e"
    judged.emulator.judge({"metric": "safety", "score": 0, "explanation": said})
    ran = judged.score({"safety_v1": 1}, *ASKED, "--report", f"junit={tmp_path / 'scores.xml'}")
    assert ran.code == 5
    for text in (ran.out, (tmp_path / "scores.xml").read_text(encoding="utf-8")):
        assert not set(text) & {"\x1b", "\x07", "\u202e"}
    ElementTree.parse(tmp_path / "scores.xml")


def test_credentials_are_not_sent_to_an_emulator(judged: Judged) -> None:
    judged.emulator.judge({"answer": VALID})
    judged.score(match(1), *ASKED)
    assert "authorization" not in json.dumps(judged.emulator.journal.summary()).lower()


def test_an_endpoint_is_a_host_or_a_url(judged: Judged) -> None:
    ran = judged.score(match(), *ASKED, "--judge-endpoint", "https://judge.example/v1?x=1")
    assert (ran.code, judged.calls) == (64, 0)
