"""`cesplan release plan` and `gate`: what is started, what is not, and what it comes to."""

import json

import pytest

from tests.evaluation.conftest import PASS
from tests.releases.conftest import DEPLOYMENT, FAIL

YES = "--auto-approve"
WEB_FILE = "apps/help-desk/releases/web.yaml"
SMALL = "deployment: web-chat\nsuites: {regression: {evaluations: {all: true}}}\nlimits: {sessions: 20}\n"
QUOTA = {"evaluation": "*", "outcome": "ERROR", "error": "QUOTA_EXHAUSTED"}


def test_nothing_is_started_for_a_plan(desk):
    """It says what would be run and what that costs."""
    desk.candidate()
    ran = desk.release("plan")
    assert ran.code == 0
    assert "2 evaluations, each 3 times on release-2, stable, fake tools: at least 9 sessions" in " ".join(
        ran.out.split()
    )
    assert desk.runs == []


def test_everything_is_sent_and_recorded(desk):
    """Fake tools, the version, all repeats; the evidence says what was judged, and is private."""
    desk.candidate()
    assert desk.release("gate", YES).code == 0
    (run,) = desk.runs
    assert run["config"] == {"evaluationChannel": "TEXT", "toolCallBehaviour": "FAKE"}
    assert (run["appVersion"].rpartition("/")[2], run["runCount"]) == ("release-2", 3)
    found = desk.evidence
    assert found["gate"]["verdict"] == "passed"
    assert sorted(found["gate"]["digests"]) == [
        "evaluations/angry-caller",
        "evaluations/late-order",
        "release",
    ]
    (suite,) = found["gate"]["suites"]
    assert suite["runs"][0]["name"] == run["name"]
    (path,) = (desk.root / ".cesplan/releases").glob("*.json")
    assert path.stat().st_mode & 0o077 == 0


def test_without_a_terminal_nothing_is_started_without_approval(desk):
    desk.candidate()
    ran = desk.release("gate")
    assert (ran.code, desk.runs) == (1, [])
    assert "Nothing was started: there is no terminal" in ran.err


def test_more_sessions_than_the_limit_are_not_started(desk):
    desk.write(WEB_FILE, SMALL.replace("20", "2"))
    desk.candidate()
    ran = desk.release("gate", YES)
    assert (ran.code, desk.runs) == (5, [])
    assert "At least 3 sessions are needed, and the limit is 2." in ran.err


@pytest.mark.parametrize(
    ("path", "old", "new", "said"),
    [
        (
            "apps/help-desk/evaluations/late-order.yaml",
            "Which order?",
            "What order?",
            "evaluations/late-order: Live differs from the tree",
        ),
        ("apps/help-desk/app.yaml", "Threshold: 2", "Threshold: 3", "help-desk: Live differs from the tree"),
        (
            "apps/help-desk/evaluationDatasets/nightly.yaml",
            "late-order",
            "angry-caller",
            "evaluationDatasets/nightly: Live differs from the tree",
        ),
    ],
)
def test_live_must_have_the_bar_of_the_tree(desk, path, old, new, said):
    """A golden or a threshold that is not the tree's fails the gate before anything is started."""
    desk.candidate()
    text = (desk.root / path).read_text()
    assert old in text
    desk.write(path, text.replace(old, new))
    ran = desk.release("gate", YES)
    assert (ran.code, desk.runs) == (5, [])
    assert said in " ".join(ran.out.split())


def test_a_bar_that_is_lowered_live_is_seen_behind_ignore_and_declared_ownership(desk):
    """Both leave live fields alone; for a bar, that is how it would be lowered unseen."""
    path = "apps/help-desk/evaluations/late-order.yaml"
    text = (desk.root / path).read_text()
    desk.write(path, f"$ownership: declared\n$ignore: [evaluationMetricsThresholdOverride]\n{text}")
    desk.candidate()
    row = desk.emulator.store.get("projects/acme-dev/locations/us/apps/help-desk/evaluations/late-order")
    golden = {"turnLevelMetricsThresholds": {"semanticSimilaritySuccessThreshold": 1}}
    desk.emulator.seed(
        {
            **row.body,
            "name": row.name,
            "evaluationMetricsThresholdOverride": {"goldenEvaluationMetricsThresholds": golden},
        }
    )
    assert desk.typed("plan", "--detailed-exitcode").code == 0
    ran = desk.release("gate", YES)
    assert (ran.code, desk.runs) == (5, [])
    assert "evaluationMetricsThresholdOverride" in ran.out


def test_a_candidate_that_is_not_live_is_inconclusive(desk):
    desk.write("apps/help-desk/versions/release-2.yaml", "displayName: Release 2\n")
    desk.write("apps/help-desk/deployments/web-chat.yaml", DEPLOYMENT.format("release-2"))
    desk.write("apps/help-desk/agents/front-desk.yaml", "displayName: Front desk\ninstruction: New.\n")
    ran = desk.release("gate", YES)
    assert (ran.code, desk.runs) == (8, [])
    assert "The candidate is not live: apply the tree." in ran.out


def test_undecided_results_are_run_again_once(desk):
    """Only they are, only as often as they are undecided, and no more than the release allows."""
    desk.candidate()
    desk.emulator.play(
        {"evaluation": "Late*", "outcome": ["PASS", "ERROR", "ERROR"], "error": "QUOTA_EXHAUSTED"}, PASS
    )
    ran = desk.release("gate", YES, "--format", "json")
    first, second = desk.runs
    assert (first["runCount"], second["runCount"]) == (3, 2)
    assert [name.rpartition("/")[2] for name in second["evaluations"]] == ["late-order"]
    assert ran.code == 8  # the second run found one more error
    again = desk.release("gate", YES, "--format", "json")
    assert (again.code, len(desk.runs)) == (8, 2)  # both are found again


def test_a_run_that_only_the_quota_ended_passes_when_run_again(desk):
    desk.write(WEB_FILE, SMALL)
    desk.candidate()
    desk.emulator.play(QUOTA)
    # The script changes between the two runs.
    ran = desk.release("gate", YES)
    assert (ran.code, len(desk.runs)) == (8, 2)
    assert "QUOTA_EXHAUSTED" in ran.out


def test_a_failed_run_is_not_run_again(desk):
    desk.write(WEB_FILE, SMALL)
    desk.candidate()
    desk.emulator.play({"evaluation": "Late*", "outcome": "FAIL"}, QUOTA)
    assert desk.release("gate", YES).code == 5
    assert len(desk.runs) == 1


def test_a_rerun_beyond_the_limit_is_not_started(desk):
    desk.write(WEB_FILE, SMALL.replace("20", "3"))
    desk.candidate()
    desk.emulator.play(QUOTA)
    ran = desk.release("gate", YES)
    assert (ran.code, len(desk.runs)) == (8, 1)
    assert "Undecided results are not run again" in ran.out


def test_old_runs_are_void(desk):
    """After the age limit the same demand is run anew."""
    from datetime import timedelta

    desk.write(WEB_FILE, SMALL)
    desk.candidate()
    desk.emulator.play(FAIL)
    assert desk.release("gate", YES).code == 5
    desk.emulator.play(PASS)
    assert desk.release("gate", YES).code == 5
    desk.clock.ahead = timedelta(hours=25)
    assert desk.release("gate", YES).code == 0
    assert len(desk.runs) == 2


def test_a_changed_requirement_judges_the_same_runs(desk):
    """The data is the same; only the reviewed bar is another."""
    text = SMALL.replace("{all: true}}", "{all: true}, repeats: 3, require: {each: 3 of 3}}")
    desk.write(WEB_FILE, text)
    desk.candidate()
    desk.emulator.play({"evaluation": "*", "outcome": ["PASS", "PASS", "FAIL"]})
    assert desk.release("gate", YES).code == 5
    desk.write(WEB_FILE, text.replace("3 of 3", "2 of 3"))
    assert (desk.release("gate", YES).code, len(desk.runs)) == (0, 1)


def test_a_reviewed_baseline(desk):
    """A report of `cesplan evaluate` in the tree: what passed there must pass, and must be run."""
    desk.typed("evaluate", "--all", YES, "--report", "json=approved.json")
    report = (desk.root / "approved.json").read_text()
    desk.write("apps/help-desk/releases/approved.json", report)
    only = SMALL.replace("{all: true}", "{name: late-order}")
    desk.write(WEB_FILE, f"{only}baseline: approved.json\n")
    desk.candidate()
    ran = desk.release("gate", YES)
    assert ran.code == 5
    assert "It passed in apps/help-desk/releases/approved.json, and no suite runs it." in " ".join(
        ran.out.split()
    )
    desk.write(WEB_FILE, f"{SMALL}baseline: approved.json\n")
    assert desk.release("gate", YES).code == 0
    desk.write("apps/help-desk/releases/approved.json", "{}")
    assert desk.release("gate", YES).code == 8


def test_scores_are_computed_from_the_observed_turns(desk):
    """The golden expects a call of lookup-order with order 7; another one scores 0."""
    score = "scores: {tool_trajectory_avg_score: 0.5}\n"
    desk.write(WEB_FILE, SMALL + score)
    desk.candidate()
    call = {"turn": 2, "tool": "lookup-order", "args": {"order": "8"}, "outcome": "PASS"}
    desk.emulator.play({"evaluation": "Late*", "outcome": "PASS", "calls": [call]}, PASS)
    ran = desk.release("gate", YES, "--format", "json")
    (found,) = [item for item in ran.json["gate"]["scores"] if item["applies"]]
    assert found["evaluation"] == "evaluations/late-order"
    assert (ran.code, found["score"]) == (0, 0.5)  # of two turns, the first has no call and none is expected
    desk.write(WEB_FILE, SMALL + score.replace("0.5", "0.51"))
    assert desk.release("gate", YES).code == 5
    desk.write(WEB_FILE, SMALL + score.replace("0.5", "{threshold: 1, reportOnly: true}"))
    assert desk.release("gate", YES).code == 0


def test_results_that_are_run_again_have_their_score_there(desk):
    """What an error of the infrastructure left undecided is no reason that a case has no score."""
    text = SMALL.replace("{all: true}}", "{name: late-order}, repeats: 2}")
    desk.write(WEB_FILE, f"{text}scores: {{tool_trajectory_avg_score: 1}}\n")
    desk.candidate()
    call = {"turn": 2, "tool": "lookup-order", "args": {"order": "7"}, "outcome": "PASS"}
    script = {"evaluation": "*", "outcome": ["PASS", "ERROR"], "error": "QUOTA_EXHAUSTED", "calls": [call]}
    desk.emulator.play(script)
    ran = desk.release("gate", YES, "--format", "json")
    assert (ran.code, len(desk.runs)) == (0, 2), ran.out
    (found,) = ran.json["gate"]["scores"]
    assert found["score"] == 1


def test_the_smoke_test_needs_a_deployment_of_the_candidate(desk):
    """It talks to the smoke deployment, which has to serve the candidate; else nothing is shown."""
    rehearsal = "apps/help-desk/deployments/rehearsal.yaml"
    desk.write(rehearsal, DEPLOYMENT.format("release-1").replace("Web chat", "Rehearsal"))
    smoke = "smokeDeployment: rehearsal\nsmoke: [{say: Hi, expect: {says: hello}}]\n"
    desk.write(WEB_FILE, SMALL + smoke)
    desk.candidate()
    desk.emulator.converse({"input": "Hi", "steps": [{"say": "Hello!"}]})
    wrong = desk.release("gate", YES)
    assert wrong.code == 8, wrong.out + wrong.err
    assert "must serve release-2 and nothing else" in " ".join(wrong.out.split())
    desk.write(rehearsal, DEPLOYMENT.format("release-2").replace("Web chat", "Rehearsal"))
    assert desk.typed("apply", YES).code == 0
    ran = desk.release("gate", YES)
    assert ran.code == 0, ran.out
    desk.emulator.converse({"input": "Hi", "steps": [{"say": "Go away."}]})
    assert desk.release("gate", YES).code == 5


def test_judges_are_asked_and_counted(desk):
    """Without a script the emulator's judge cannot say: inconclusive, never passed."""
    judges = "judges: {final_response_match_v2: {threshold: 0.5, samples: 2}}\n"
    desk.write(WEB_FILE, SMALL.replace("20}", "20, judgeCalls: 10}") + judges)
    desk.candidate()
    ran = desk.release("gate", YES, "--format", "json")
    assert ran.code in (5, 8)
    assert ran.json["gate"]["verdict"] != "passed"
    desk.write(WEB_FILE, SMALL.replace("20}", "20, judgeCalls: 1}") + judges)
    over = desk.release("gate", YES)
    assert over.code == 5
    assert "calls of judges are needed, and the limit is 1." in over.err


def test_evidence_that_is_something_else_is_not_overwritten(desk):
    desk.candidate()
    desk.write("mine.json", json.dumps({"my": "data"}))
    ran = desk.release("gate", YES, "--evidence", "mine.json")
    assert ran.code == 64
    assert (desk.root / "mine.json").read_text() == json.dumps({"my": "data"})


def test_a_release_that_is_not_there(desk):
    desk.candidate()
    ran = desk.release("plan", "wep")
    assert (ran.code, "The tree has no release `wep`. Did you mean `web`?" in ran.err) == (64, True)


def test_an_interrupt_leaves_the_runs_going_and_the_next_gate_finds_them(desk, monkeypatch):
    """Ctrl-C while it waits: 130, one run, and the same command goes on with it."""
    desk.write(WEB_FILE, SMALL)
    desk.candidate()
    desk.emulator.play(PASS, run={"running": 3})
    rests = []

    def interrupted(seconds):
        rests.append(seconds)
        raise KeyboardInterrupt

    monkeypatch.setattr("cesplan.workflow.evaluation.evaluating.sleep", interrupted)
    ran = desk.release("gate", YES)
    assert (ran.code, len(desk.runs)) == (130, 1)
    assert "The runs continue. The same command finds them again." in ran.err
    monkeypatch.setattr("cesplan.workflow.evaluation.evaluating.sleep", rests.append)
    assert (desk.release("gate", YES).code, len(desk.runs)) == (0, 1)
