"""The script of evaluation runs: files, patterns, mistakes."""

import pytest

from cesplan.emulator import EmbeddedEmulator, Script
from cesplan.emulator.errors import Refused
from cesplan.emulator.evaluating.script import ObservedCall

TEXT = """evaluations:
- evaluation: "Refund *"
  outcome: [PASS, FAIL]
  calls:
  - {turn: 2, tool: lookup, args: {order: "7"}, response: {}, outcome: PASS}
- {evaluation: "*", outcome: ERROR, message: down}
"""


def test_a_script_comes_from_a_file(tmp_path):
    """YAML or JSON; the first part whose pattern fits counts, and its last outcome goes on."""
    path = tmp_path / "script.yaml"
    path.write_text(TEXT)
    script = Script.load(path)
    part = script.part_of(["Refund of a gift", "id1"])
    assert part.calls == (
        ObservedCall(tool="lookup", turn=2, args={"order": "7"}, response={}, outcome="PASS"),
    )
    assert [part.outcome(n) for n in range(4)] == ["PASS", "FAIL", "FAIL", "FAIL"]
    assert script.part_of(["Other"]).message == "down"
    assert Script().part_of(["Other"]) is None


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"evaluations": {}},
        {"evaluations": [], "more": 1},
        {"evaluations": ["x"]},
        {"evaluations": [{"evaluation": "x"}]},
        {"evaluations": [{"outcome": "PASS"}]},
        {"evaluations": [{"evaluation": "x", "outcome": "MAYBE"}]},
        {"evaluations": [{"evaluation": "x", "outcome": []}]},
        {"evaluations": [{"evaluation": "x", "outcome": {"a": 1}}]},
        {"evaluations": [{"evaluation": "x", "outcome": [["PASS"]]}]},
        {"evaluations": [{"evaluation": "x", "outcome": "PASS", "call": []}]},
        {"evaluations": [{"evaluation": "x", "outcome": "PASS", "calls": {}}]},
        {"evaluations": [{"evaluation": "x", "outcome": "PASS", "result": []}]},
        {"evaluations": [{"evaluation": "x", "outcome": "PASS", "calls": [{"args": {}}]}]},
        {"evaluations": [{"evaluation": "x", "outcome": "PASS", "calls": [{"tool": "t", "turn": "1"}]}]},
        {"evaluations": [{"evaluation": "x", "outcome": "PASS", "calls": [{"tool": "t", "args": []}]}]},
        {"evaluations": [{"evaluation": "x", "outcome": "PASS", "calls": [{"tool": "t", "outcome": "ERROR"}]}]},
    ],
)
def test_what_is_no_script_is_refused(document):
    """Mistakes are INVALID_ARGUMENT and name their place."""
    with pytest.raises(Refused) as caught:
        Script.parse(document)
    assert caught.value.code == "INVALID_ARGUMENT"
    assert caught.value.violations[0].field.startswith("evaluations")


def test_a_file_that_is_wrong_is_a_value_error_with_its_path(tmp_path):
    """What is wrong with a file is said with its path."""
    path = tmp_path / "script.json"
    path.write_text("[]")
    with pytest.raises(ValueError, match=r"script\.json: "):
        Script.load(path)


def test_reset_brings_back_the_script_of_the_start():
    """A script given at the start is there again after a reset, one given later is gone."""
    first = Script.parse({"evaluations": [{"evaluation": "*", "outcome": "PASS"}]})
    with EmbeddedEmulator(script=first) as emulator:
        emulator.play()
        assert emulator.application.service.runs.script == Script()
        emulator.reset()
        assert emulator.application.service.runs.script == first


def test_a_script_says_how_the_run_goes():
    """States over time, its end, and a type of error and further fields for each repetition."""
    script = Script.parse(
        {
            "evaluations": [
                {"evaluation": "*", "outcome": "ERROR", "error": "QUOTA_EXHAUSTED", "result": [{"a": 1}, {}]}
            ],
            "run": {"queued": 1, "running": 2, "state": "ERROR", "error": "USER_SIMULATION_FAILURE"},
        }
    )
    assert (script.course.queued, script.course.running, script.course.state) == (1, 2, "ERROR")
    assert script.course.error == "USER_SIMULATION_FAILURE"
    (part,) = script.parts
    assert (part.error, [part.result(n) for n in range(3)]) == ("QUOTA_EXHAUSTED", [{"a": 1}, {}, {}])


@pytest.mark.parametrize(
    ("course", "field"),
    [
        ({"state": "RUNNING"}, "run.state"),
        ({"error": "OUT_OF_MONEY"}, "run.error"),
        ({"queued": -1}, "run.queued"),
        ({"running": True}, "run.running"),
        ({"fields": []}, "run.fields"),
        ({"paused": 1}, "run.paused"),
        ([], "run"),
    ],
)
def test_a_course_that_is_none_is_refused(course, field):
    """Mistakes about the run name their place."""
    with pytest.raises(Refused) as caught:
        Script.parse({"evaluations": [], "run": course})
    assert caught.value.violations[0].field == field
