"""Personas play scenarios: who is asked for, what it costs, and what the results must show of them."""

import pytest

from tests.evaluation.conftest import APP, PASS, Desk

PERSONAS = """
evaluationPersonas:
- {name: calm, displayName: Calm Carla, personality: Calm.}
- {name: hasty, displayName: Hasty Hugo, personality: Hasty.}
"""
NAMES = {key: f"{APP}/evaluationPersonas/{key}" for key in ("calm", "hasty")}


@pytest.fixture
def played(desk: Desk) -> Desk:
    """The desk with two personas."""
    with (desk.root / "apps/help-desk/app.yaml").open("a", encoding="utf-8") as file:
        file.write(PERSONAS)
    assert desk.typed("apply", "--auto-approve").code == 0
    desk.play(PASS)
    return desk


def test_personas_play_each_scenario_so_often_as_they_are_asked(played: Desk) -> None:
    """By key and by display name; the golden conversation is run by `--repeats`, and all of it is counted."""
    words = ("--persona", "calm=2", "--persona", "Hasty Hugo", "--repeats", "2", "--method", "naive")
    ran = played.evaluate("--all", "--auto-approve", *words, "--format", "json")
    assert ran.code == 0
    run = played.runs[-1]
    assert run["personaRunConfigs"] == [
        {"persona": NAMES["calm"], "taskCount": 2},
        {"persona": NAMES["hasty"], "taskCount": 1},
    ]
    assert "expected: at least 5 sessions" in ran.err  # two of the golden conversation, three of the scenario
    assert "personas Calm Carla ×2, Hasty Hugo ×1" in ran.err
    found = {item["evaluation"]: item for item in ran.json["evaluations"]}
    assert [item["persona"] for item in found["evaluations/late-order"]["results"]] == ["", ""]
    who = sorted(item["persona"] for item in found["evaluations/angry-caller"]["results"])
    assert who == ["Calm Carla", "Calm Carla", "Hasty Hugo"]
    assert ran.json["settings"]["personas"][0] == {"persona": NAMES["calm"], "title": "Calm Carla", "tasks": 2}


def test_a_run_is_held_against_its_own_personas_when_it_is_reported_again(played: Desk) -> None:
    ran = played.evaluate("--all", "--auto-approve", "--persona", "calm=2")
    assert ran.code == 0
    run_id = played.runs[-1]["name"].rpartition("/")[2]
    assert played.evaluate("--run", run_id).code == 0
    other = played.evaluate("--run", run_id, "--persona", "hasty=2")
    assert other.code == 5
    assert "The run has other personas than requested: calm ×2." in other.out
    assert "0 results were played by `Hasty Hugo` instead of 2." in other.out
    assert "2 results were played by `calm`, who was not requested." in other.out


def test_a_result_that_nobody_played_fails(played: Desk) -> None:
    """As where the service ignores the personas."""
    played.play({**PASS, "result": {"persona": {"name": NAMES["hasty"], "displayName": "Hasty Hugo"}}})
    ran = played.evaluate("--name", "angry*", "--auto-approve", "--persona", "calm")
    assert ran.code == 5
    assert "0 results were played by `Calm Carla` instead of 1." in ran.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--persona", "clam"), "The app has no persona `clam`."),
        (("--persona", "calm", "--persona", "Calm Carla=2"), "The persona `calm` is named twice."),
        (("--persona", "calm=0"), "write NAME=N with N from 1 to 1000."),
        (("--persona", "=3"), "write NAME=N with N from 1 to 1000."),
    ],
)
def test_what_cannot_play_is_refused_before_anything_starts(
    played: Desk, words: tuple[str, ...], said: str
) -> None:
    before = len(played.runs)
    ran = played.evaluate("--all", "--auto-approve", *words)
    assert (ran.code, len(played.runs)) == (64, before)
    assert said in ran.err


def test_personas_without_a_scenario_are_refused(played: Desk) -> None:
    """They would have no effect."""
    ran = played.evaluate("--name", "late-order", "--auto-approve", "--persona", "calm")
    assert (ran.code, played.runs) == (64, [])
    assert "No chosen evaluation is a scenario" in ran.err


def test_a_baseline_with_other_personas_is_a_notice(played: Desk) -> None:
    played.evaluate("--all", "--auto-approve", "--persona", "calm", "--report", "json=before.json")
    ran = played.evaluate("--all", "--auto-approve", "--baseline", "before.json")
    assert "The baseline ran with personas calm ×1, this run with none." in " ".join(ran.out.split())
