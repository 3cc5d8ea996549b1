"""`cesplan evaluate --export adk`: the files load in google-adk, and what they cannot hold is said."""

import json
from typing import Any

import pytest

from cesplan.features.scores.adk.criteria import read_criteria
from cesplan.features.scores.adk.eval_sets import read_eval_set
from tests.evaluation.conftest import Desk

RICH = """\
displayName: Refund
tags: [money]
golden:
  turns:
  - steps:
    - userInput: {variables: {tier: gold}}
    - userInput: {text: I want a refund.}
    - expectation: {toolCall: {tool: lookup-order, args: {order: "7"}}}
    - expectation: {toolResponse: {tool: lookup-order, response: {order: "7"}}}
    - expectation: {agentResponse: {role: front-desk, chunks: [{text: One moment.}]}}
    - expectation: {agentTransfer: {targetAgent: orders}}
    - expectation: {agentResponse: {role: orders, chunks: [{text: It is on its way.}]}}
  - steps:
    - userInput: {event: {event: timeout}}
    - expectation: {noToolCalls: true}
    - expectation: {updatedVariables: {refunded: true}}
  evaluationExpectations: [polite]
"""
POLITE = "displayName: Polite\nllmCriteria: {prompt: The agent stays polite.}\n"


@pytest.fixture
def rich(desk: Desk) -> Desk:
    """The desk with an evaluation that says more than ADK can hold."""
    files = {
        "agents/orders.yaml": "displayName: Orders\n",
        "evaluations/refund.yaml": RICH,
        "evaluationExpectations/polite.yaml": POLITE,
    }
    for path, text in files.items():
        file = desk.root / "apps/help-desk" / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return desk


def written(desk: Desk, folder: str = "") -> tuple[dict[str, Any], dict[str, Any]]:
    """Both files, as google-adk reads them; and cesplan reads them too."""
    from google.adk.evaluation.eval_config import EvalConfig  # takes a second, in each process that has tests
    from google.adk.evaluation.eval_set import EvalSet

    root = desk.root / folder
    eval_set = (root / "help-desk.evalset.json").read_text(encoding="utf-8")
    config = (root / "test_config.json").read_text(encoding="utf-8")
    EvalSet.model_validate_json(eval_set)
    EvalConfig.model_validate_json(config)
    read_eval_set(eval_set, "f")
    read_criteria(config, "f")
    return json.loads(eval_set), json.loads(config)


def test_a_golden_conversation_is_a_case_with_its_state_rubrics_and_calls(rich: Desk) -> None:
    """Tools by their display names, transfers as calls, the last message as the answer."""
    ran = rich.evaluate("--name", "refund", "--export", "adk")
    assert ran.code == 0
    eval_set, config = written(rich)
    (case,) = eval_set["eval_cases"]
    first, second = case["conversation"]
    assert case["eval_id"] == "refund"
    assert case["session_input"] == {"app_name": "help-desk", "user_id": "user", "state": {"tier": "gold"}}
    assert case["final_session_state"] == {"refunded": True}
    assert case["rubrics"] == [
        {
            "rubric_id": "polite",
            "rubric_content": {"text_property": "The agent stays polite."},
            "type": "FINAL_RESPONSE_QUALITY",
        }
    ]
    assert first["intermediate_data"]["tool_uses"] == [
        {"args": {"order": "7"}, "name": "lookup_order"},
        {"args": {"agent_name": "Orders"}, "name": "transfer_to_agent"},
    ]
    assert first["intermediate_data"]["intermediate_responses"] == [["Front desk", [{"text": "One moment."}]]]
    assert first["final_response"]["parts"] == [{"text": "It is on its way."}]
    assert second["user_content"]["parts"] == [{"text": ""}]
    assert config["criteria"]["tool_trajectory_avg_score"]["match_type"] == "EXACT"
    assert config["criteria"]["rubric_based_final_response_quality_v1"]["threshold"] == 1.0


def test_what_is_lost_is_said_turn_by_turn(rich: Desk) -> None:
    """For people and for machines."""
    ran = rich.evaluate("--name", "refund", "--export", "adk")
    said = " ".join(ran.out.split())
    assert "1 evaluation of help-desk, from the tree" in said
    assert "turn 1: responses of tools, which ADK does not replay" in said
    assert "turn 2: variables that are expected after a turn" in said
    why = "the user sends `event`, which a turn of ADK cannot hold"
    assert f"turn 2 says nothing in tool_trajectory_avg_score: {why}" in said
    assert "ADK plays the conversation as a whole" in said
    document = rich.evaluate("--name", "refund", "--export", "adk", "--format", "json").json
    (case,) = document["cases"]
    assert document["files"] == ["help-desk.evalset.json", "test_config.json"]
    assert case["turns"][1]["incomparable"] == {
        "response_match_score": why,
        "tool_trajectory_avg_score": why,
    }


def test_the_tree_and_the_live_app_are_the_same_files(rich: Desk) -> None:
    """Without a word to the service in the first case."""
    rich.emulator.journal.clear()
    assert rich.evaluate("--all", "--export", "adk", "--out", "tree").code == 0
    assert rich.emulator.journal.count == 0
    assert rich.typed("apply", "--auto-approve").code == 0
    ran = rich.evaluate("--all", "--export", "adk", "--out", "live", "--live")
    assert (ran.code, "from the live app" in ran.out) == (0, True)
    assert written(rich, "tree") == written(rich, "live")


def test_a_scenario_is_a_plan_for_a_simulated_user(rich: Desk) -> None:
    assert rich.evaluate("--tag", "moods", "--export", "adk").code == 0
    eval_set, config = written(rich)
    (case,) = eval_set["eval_cases"]
    assert case["conversation_scenario"] == {
        "starting_prompt": "Hello.",
        "conversation_plan": "Complain about a late order.",
    }
    assert [item["rubric_content"]["text_property"] for item in case["rubrics"]] == ["Stay calm."]
    assert list(config["criteria"]) == ["rubric_based_final_response_quality_v1"]


def test_a_criterion_that_would_break_other_cases_is_left_out(rich: Desk) -> None:
    """ADK has no score for a rubric criterion in a case without rubrics."""
    ran = rich.evaluate("--all", "--export", "adk")
    _, config = written(rich)
    assert "rubric_based_final_response_quality_v1" not in config["criteria"]
    said = " ".join(ran.out.split())
    assert "ADK evaluates it only if every case has rubrics" in said
    assert "export them apart" in said


def test_allowed_extra_calls_are_in_order(rich: Desk) -> None:
    """And a turn that allows no call then says nothing."""
    app = rich.root / "apps/help-desk/app.yaml"
    text = app.read_text(encoding="utf-8")
    app.write_text(f"{text}    toolMatchingSettings: {{extraToolCallBehavior: ALLOW}}\n", encoding="utf-8")
    ran = rich.evaluate("--name", "refund", "--name", "late-order", "--export", "adk")
    assert ran.code == 0
    _, config = written(rich)
    assert config["criteria"]["tool_trajectory_avg_score"]["match_type"] == "IN_ORDER"


def test_files_that_would_change_are_not_replaced_unasked(rich: Desk) -> None:
    """The same files again are no change; neither is written if one of them would be."""
    assert rich.evaluate("--name", "refund", "--export", "adk").code == 0
    assert rich.evaluate("--name", "refund", "--export", "adk").code == 0
    before = written(rich)
    ran = rich.evaluate("--tag", "moods", "--export", "adk")
    assert (ran.code, written(rich) == before) == (64, True)
    assert "help-desk.evalset.json exists and would change. Nothing was written." in ran.err
    assert rich.evaluate("--tag", "moods", "--export", "adk", "--overwrite").code == 0
    assert written(rich) != before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--all", "--export", "adk", "--repeats", "2"), "--export runs nothing: remove --repeats."),
        (("--all", "--export", "adk", "--run", "r"), "none of --run, --baseline"),
        (("--export", "adk"), "--export needs --dataset"),
        (("--all", "--live", "--auto-approve"), "belong to --export"),
        (("--all", "--export", "adk", "--format", "markdown"), "text or JSON, not as markdown"),
        (("--name", "nothing", "--export", "adk"), "The app has no evaluation `nothing`."),
        (("--all", "--app", "other", "--export", "adk"), "The tree has no app `other`."),
    ],
)
def test_what_makes_no_sense_is_refused(rich: Desk, words: tuple[str, ...], said: str) -> None:
    ran = rich.evaluate(*words)
    assert (ran.code, rich.runs, list(rich.root.glob("*.json"))) == (64, [], [])
    assert said in " ".join(ran.err.split())


def test_a_link_out_of_the_tree_is_not_followed(rich: Desk, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "f.json"
    (rich.root / "help-desk.evalset.json").symlink_to(outside)
    assert rich.evaluate("--all", "--export", "adk").code == 64
    assert not outside.exists()


def test_secrets_are_not_written(rich: Desk) -> None:
    """A value of the tree that is a secret has its name."""
    file = rich.root / "apps/help-desk/evaluations/refund.yaml"
    file.write_text(RICH.replace("{tier: gold}", "{tier: {$var: pin}}"), encoding="utf-8")
    ran = rich.evaluate("--name", "refund", "--export", "adk")
    text = (rich.root / "help-desk.evalset.json").read_text(encoding="utf-8") if ran.code == 0 else ""
    assert "pin-4711" not in text + ran.out + ran.err
