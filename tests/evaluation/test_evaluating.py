"""`cesplan evaluate` on the emulator: what is chosen and sent, what is found, and what it comes to."""

import json

import pytest

from cesplan.emulator import Switches
from tests.evaluation.conftest import ALL, APP, GOLD, PASS, WILD

GOLDEN = ("--name", "late-order", "--auto-approve")


def test_everything_that_passes_ends_with_0(desk):
    """Each evaluation has all its repeats, and the verdict is passed."""
    desk.play(PASS)
    ran = desk.evaluate(*ALL, "--repeats", "3", "--format", "json")
    assert (ran.code, ran.json["verdict"]) == (0, "passed")
    shares = {item["evaluation"]: (item["passed"], item["repeats"]) for item in ran.json["evaluations"]}
    assert shares == {"evaluations/angry-caller": (3, 3), "evaluations/late-order": (3, 3)}


def test_every_setting_is_sent(desk):
    """No setting of the app decides: an earlier result is never copied, and the report asks for latencies."""
    desk.play(PASS)
    desk.evaluate(*GOLDEN, "--tools", "fake", "--method", "naive", "--repeats", "2", "--channel", "audio")
    (run,) = desk.runs
    assert run["config"] == {"evaluationChannel": "AUDIO", "toolCallBehaviour": "FAKE"}
    assert (run["goldenRunMethod"], run["runCount"], run["evaluations"]) == ("NAIVE", 2, [GOLD])
    requests = desk.emulator.journal.summary()["requests"]
    (sent,) = [item["body"] for item in requests if item["path"].endswith(":runEvaluation")]
    assert sent["evaluationRunCachingSettings"] == {"runCachingMode": "FORCE_RUN"}
    assert sent["generateLatencyReport"] is True


def test_the_default_is_real_tools_and_that_is_said(desk):
    """Unset, the service would use real tools without a word."""
    desk.play(PASS)
    ran = desk.evaluate(*GOLDEN)
    assert "real tools: they have real effects" in ran.err
    assert desk.runs[0]["config"]["toolCallBehaviour"] == "REAL"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("--dataset", "nightly"), [GOLD]),
        (("--dataset", "Nightly"), [GOLD]),
        (("--tag", "moods"), [WILD]),
        (("--name", "Angry*"), [WILD]),
        (("--name", "evaluations/late-order"), [GOLD]),
        (("--tag", "moods", "--dataset", "nightly"), [GOLD, WILD]),
        (("--all",), [GOLD, WILD]),
    ],
)
def test_what_is_chosen_is_run(desk, words, found):
    """By dataset, tag, display name, key or address; the options add up."""
    desk.play(PASS)
    ran = desk.evaluate(*words, "--auto-approve", "--format", "json")
    assert (ran.code, sorted(item["name"] for item in ran.json["evaluations"])) == (0, sorted(found))


def test_a_dataset_alone_is_run_as_a_dataset(desk):
    """So that the run says which dataset it is of."""
    desk.play(PASS)
    desk.evaluate("--dataset", "nightly", "--auto-approve")
    assert desk.runs[0]["evaluationDataset"] == f"{APP}/evaluationDatasets/nightly"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--dataset", "nightl"), "no dataset `nightl`"),
        (("--tag", "order"), "no evaluation with the tag `order`. Did you mean `orders`?"),
        (("--name", "late-ordre"), "no evaluation `late-ordre`. Did you mean `late-order`?"),
        (("--all", "--version", "v9"), "no version `v9`"),
        (("--all", "--app", "no-such"), "no app `no-such`"),
        (("--run", "no-such-run"), "no evaluation run `no-such-run`"),
        (("--all", "--baseline", "v9"), "`v9` is not a file, an evaluation run, or a version"),
        ((), "Choose evaluations"),
    ],
)
def test_what_means_nothing_starts_nothing(desk, words, said):
    """Wrong usage, with what there is."""
    ran = desk.evaluate(*words, "--auto-approve")
    assert (ran.code, desk.runs) == (64, [])
    assert said in ran.err


def test_without_a_terminal_approval_is_required(desk):
    """Sessions cost money."""
    ran = desk.evaluate("--all")
    assert (ran.code, desk.runs) == (1, [])
    assert "at least 3 sessions" in ran.err
    assert "--auto-approve" in ran.err


@pytest.mark.parametrize(("answer", "code", "runs"), [("yes", 0, 1), ("y", 1, 0), (None, 1, 0)])
def test_at_a_terminal_only_yes_starts(desk, monkeypatch, answer, code, runs):
    """Any other answer declines. The question says where."""
    desk.play(PASS)
    monkeypatch.setattr("cesplan.cli.console.Console.can_ask", True)
    asked = []
    monkeypatch.setattr("cesplan.cli.console.Console.ask", lambda _, text: asked.append(text) or answer)
    assert (desk.evaluate("--all").code, len(desk.runs)) == (code, runs)
    assert asked == ["\nStart at least 3 sessions in acme-dev/us (EMULATOR)? Type `yes` to start: "]


@pytest.mark.parametrize(
    ("most", "method", "code"), [("2", "stable", 5), ("3", "stable", 0), ("2", "naive", 0)]
)
def test_more_sessions_than_allowed_start_nothing(desk, most, method, code):
    """Stable: two turns and a scenario; naive: one session each."""
    desk.play(PASS)
    ran = desk.evaluate(*ALL, "--max-sessions", most, "--method", method)
    assert (ran.code, len(desk.runs)) == (code, 0 if code else 1)


def test_v1_has_no_evaluations(desk):
    """A clear error, and no request."""
    (desk.root / "cesplan.yaml").write_text("cesplan: 1\nproject: acme-dev\nlocation: us\napiVersion: v1\n")
    for path in (desk.root / "apps/help-desk").glob("evaluation*/*"):
        path.unlink()
    ran = desk.evaluate(*ALL)
    assert (ran.code, desk.runs) == (64, [])
    assert "The API version v1 has no evaluations." in ran.err


def test_without_a_tree_an_app_is_found_by_its_name(desk, tmp_path, monkeypatch):
    """As `pull` finds it: by display name with a project, or by full name."""
    empty = tmp_path / "elsewhere"
    empty.mkdir()
    (desk.root / "cesplan.yaml").rename(tmp_path / "cesplan.off")
    monkeypatch.chdir(empty)
    desk.play(PASS)
    assert desk.evaluate(*ALL, "--app", "Help desk", "--project", "acme-dev").code == 0
    assert desk.evaluate(*ALL, "--app", APP).code == 0
    assert desk.evaluate(*ALL).code == 64


ERRORS = {
    "RUNTIME_FAILURE": 5,
    "CONVERSATION_RETRIEVAL_FAILURE": 8,
    "METRIC_CALCULATION_FAILURE": 8,
    "EVALUATION_UPDATE_FAILURE": 8,
    "QUOTA_EXHAUSTED": 8,
    "USER_SIMULATION_FAILURE": 8,
}


@pytest.mark.parametrize(("error", "code"), ERRORS.items())
def test_an_error_of_a_result(desk, error, code):
    """Errors of the infrastructure are inconclusive; a failure at run time may be the agent's own."""
    desk.play({"evaluation": "*", "outcome": ["PASS", "ERROR"], "error": error, "message": "it broke"})
    ran = desk.evaluate(*GOLDEN, "--repeats", "2")
    assert ran.code == code
    assert f"Error: {error}: it broke" in ran.out
    assert "1 of 2" in ran.out


@pytest.mark.parametrize(("error", "code"), ERRORS.items())
def test_an_error_of_the_run(desk, error, code):
    """The results that it lacks have its cause; the text says it once, for the run."""
    desk.play(PASS, state="ERROR", error=error, message="it broke", missing=1)
    ran = desk.evaluate(*GOLDEN, "--repeats", "2", "--report", "json=run.json")
    assert ran.code == code
    said = " ".join(ran.out.split())
    assert said.count(f"The run ended in an error: {error}: it broke") == 1
    assert "1 of 2 results missing " in said
    (problem,) = json.loads((desk.root / "run.json").read_text())["evaluations"][0]["problems"]
    assert problem["message"] == f"1 of 2 results missing: The run ended in an error: {error}: it broke"


@pytest.mark.parametrize(
    ("part", "course", "code", "said"),
    [
        ({"outcome": "FAIL"}, {}, 5, "The service says FAIL."),
        ({"outcome": "SKIPPED"}, {}, 5, "The evaluation was skipped."),
        ({"outcome": "CANCELLED"}, {}, 5, "The result was cancelled."),
        ({}, {"missing": 1}, 5, "1 of 1 result missing."),
        ({}, {"state": "CANCELLED"}, 5, "The run was cancelled."),
        ({"result": {"evaluationStatus": "OUTCOME_UNSPECIFIED"}}, {}, 5, "no known verdict"),
        ({"result": {"executionState": "EXECUTION_STATE_UNSPECIFIED"}}, {}, 5, "no known state"),
        ({"result": {"executionState": "RUNNING"}}, {}, 8, "The result is not complete."),
        (
            {"result": {"config": {"evaluationChannel": "AUDIO"}}},
            {},
            5,
            "The channel was AUDIO instead of TEXT.",
        ),
        (
            {"result": {"config": {"evaluationChannel": "TEXT", "toolCallBehaviour": "FAKE"}}},
            {},
            5,
            "The tools was FAKE instead of REAL.",
        ),
        ({"result": {"goldenRunMethod": "NAIVE"}}, {}, 5, "The method was NAIVE instead of STABLE."),
        ({"result": {"appVersion": f"{APP}/versions/other1"}}, {}, 5, "on version other1 instead of the draft"),
        ({"result": {"evaluationRun": f"{APP}/evaluationRuns/other1"}}, {}, 5, "belongs to another run"),
        (
            {"result": {"evaluationMetricsThresholds": {}}},
            {},
            5,
            "semantic similarity: 3 instead of 2",
        ),
        ({"result": {"goldenResult": {"turnReplayResults": [{}]}}}, {}, 5, "Only 1 of 2 turns have a result."),
        ({}, {"fields": {"runCount": 7}}, 5, "The run has 7 repeats instead of 1."),
        (
            {},
            {"fields": {"appVersion": f"{APP}/versions/other1"}},
            5,
            "The run as a whole: It was run on version",
        ),
        ({}, {"fields": {"evaluationResults": []}}, 5, "1 of 1 result missing."),
        (
            {},
            {"fields": {"evaluationResults": ["projects/x/locations/us/apps/y/evaluations/z/results/1"]}},
            5,
            "1 unrequested result",
        ),
        ({}, {"fields": {"evaluationResults": ["../../secrets"]}}, 5, "1 unrequested result"),
    ],
)
def test_nothing_passes_that_is_not_as_demanded(desk, part, course, code, said):
    """The truth table: each departure alone keeps an evaluation from passing, and is said."""
    desk.play({**PASS, **part}, **course)
    ran = desk.evaluate(*GOLDEN)
    assert ran.code == code
    assert said in " ".join(ran.out.split())


def test_an_evaluation_that_is_edited_during_the_run_does_not_pass(desk):
    """Whoever may edit an evaluation may lower the bar."""
    desk.play(PASS)
    edit = {"body": {"evaluationMetricsThresholdOverride": {"goldenHallucinationMetricBehavior": "ENABLED"}}}
    desk.emulator.break_with({"method": "GetEvaluationRun", "resource": "*", "edit": {**edit, "name": GOLD}})
    ran = desk.evaluate(*GOLDEN)
    assert ran.code == 5
    assert "changed during the run" in ran.out


def test_a_failure_wins_over_what_is_inconclusive(desk):
    """5 and not 8."""
    desk.play(
        {"evaluation": "late*", "outcome": "FAIL"}, {**PASS, "outcome": "ERROR", "error": "QUOTA_EXHAUSTED"}
    )
    assert desk.evaluate(*ALL).code == 5


def test_the_report_shows_expected_and_observed_side_by_side(desk):
    """Which turn, which tool, with which arguments; scores beside their thresholds."""
    calls = [{"turn": 2, "tool": "lookup-order", "args": {"order": "8"}, "outcome": "FAIL"}]
    desk.play({"evaluation": "*", "outcome": "FAIL", "calls": calls})
    ran = desk.evaluate(*GOLDEN)
    assert "turn 2, tool call" in ran.out
    assert 'expected  lookup-order(order: "7")' in ran.out
    assert 'observed  lookup-order(order: "8")' in ran.out
    again = desk.evaluate(*GOLDEN, "--report", "html=run.html")
    page = (desk.root / "run.html").read_text()
    assert (again.code, again.out.split("\n")[0]) == (5, ran.out.split("\n")[0])
    assert 'data-column="Observed"><code>lookup-order(order: &#34;8&#34;)</code>' in page


def test_queued_and_running_are_waited_for(desk):
    """With progress on stderr, and events in JSON Lines."""
    desk.play(PASS, queued=2, running=3)
    ran = desk.evaluate(*ALL, "--format", "jsonl")
    events = [json.loads(row) for row in ran.out.splitlines()]
    states = [item["state"] for item in events if item["type"] == "evaluation_run"]
    assert (ran.code, states) == (0, ["QUEUED", "RUNNING", "COMPLETED"])
    assert "RUNNING 0 of 2 results" in ran.err
    assert events[-1] == {"type": "done", "exit_code": 0}


def test_a_run_that_does_not_end_in_time_is_inconclusive_and_can_be_resumed(desk):
    """8, with the command that waits again; the run goes on, and then passes."""
    desk.play(PASS, running=2)
    ran = desk.evaluate(*GOLDEN, "--timeout", "1s")
    assert ran.code == 8
    assert "did not end within 1 s" in ran.out
    run_id = desk.runs[0]["name"].rpartition("/")[2]
    assert f"cesplan evaluate --run {run_id}" in ran.out
    again = desk.evaluate("--run", run_id)
    assert (again.code, len(desk.runs)) == (0, 1)


class TestSlowOperations:
    """That a done operation means a run that ended is not documented."""

    @pytest.fixture
    def switches(self):
        return Switches(operation_polls=3)

    @pytest.mark.parametrize("running", [0, 6])
    def test_both_are_waited_for(self, desk, running):
        """Whichever ends last."""
        desk.play(PASS, running=running)
        assert desk.evaluate(*ALL).code == 0


def test_a_run_is_held_against_what_is_asked_for(desk):
    """A run of one evaluation does not pass for all, nor one with fake tools for one with real tools."""
    desk.play(PASS)
    desk.evaluate(*GOLDEN, "--tools", "fake")
    run = desk.runs[0]["displayName"]
    assert desk.evaluate("--run", run).code == 0
    assert desk.evaluate("--run", run, "--all").code == 5
    assert desk.evaluate("--run", run, "--tools", "real").code == 5
    assert desk.evaluate("--run", run, "--repeats", "2").code == 5


def test_a_version_is_evaluated_and_demanded(desk):
    """By its display name; the draft's results are none of it."""
    body = {"displayName": "v1", "name": f"{APP}/versions/first1"}
    desk.emulator.seed(body)
    desk.play(PASS)
    assert desk.evaluate(*GOLDEN, "--version", "v1").code == 0
    assert desk.runs[0]["appVersion"] == f"{APP}/versions/first1"
    desk.evaluate(*GOLDEN)
    ran = desk.evaluate("--run", desk.runs[1]["displayName"], "--version", "v1")
    assert ran.code == 5
    assert "on the draft instead of version first1" in ran.out


def test_regressions_and_fixes_are_told_apart(desk):
    """Against a run, a file, and the newest run of a version."""
    desk.emulator.seed({"displayName": "v1", "name": f"{APP}/versions/first1"})
    desk.play({"evaluation": "Late*", "outcome": "FAIL"}, PASS)
    desk.evaluate(*ALL, "--version", "v1", "--report", "json=before.json")
    desk.play({"evaluation": "Angry*", "outcome": "FAIL"}, PASS)
    run = desk.runs[0]["name"].rpartition("/")[2]
    for baseline in (run, "before.json", "v1"):
        ran = desk.evaluate(*ALL, "--baseline", baseline, "--format", "json")
        assert ran.code == 5
        found = ran.json["comparison"]
        assert found["regressions"] == ["evaluations/angry-caller"]
        assert found["fixes"] == ["evaluations/late-order"]


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"format_version": "9.0"}', '{"format_version": "1.0"}', "nonsense"]
)
def test_a_file_that_is_not_a_report_is_no_baseline(desk, text):
    """It is refused before anything starts."""
    (desk.root / "before.json").write_text(text)
    ran = desk.evaluate(*ALL, "--baseline", "before.json")
    assert (ran.code, desk.runs) == (64, [])
    assert "before.json is not an evaluation report" in ran.err


def test_latencies_and_sessions_are_those_of_the_service(desk):
    """Percentiles of turns from the results, of tools from the report of the run."""
    metrics = {"p50Latency": "0.5s", "p90Latency": "1.5s", "callCount": 4}
    report = {"sessionCount": 9, "toolLatencies": [{"toolDisplayName": "lookup", "latencyMetrics": metrics}]}
    turns = {"goldenResult": {"turnReplayResults": [{"turnLatency": "1s"}, {"turnLatency": "3s"}]}}
    desk.play({**PASS, "result": turns}, fields={"latencyReport": report})
    found = desk.evaluate(*GOLDEN, "--format", "json").json
    assert found["latencies"] == [
        {"what": "turns", "p50_seconds": 1.0, "p90_seconds": 3.0, "calls": 2},
        {"what": "tool lookup", "p50_seconds": 0.5, "p90_seconds": 1.5, "calls": 4},
    ]
    assert found["summary"]["sessions"] == 9


@pytest.mark.parametrize("format_", ["text", "json", "jsonl", "markdown", "junit"])
def test_hostile_texts_do_nothing_and_secrets_are_redacted(desk, format_):
    """Texts of the service break out of no format, and repeat no secret of the tree."""
    said = "\x1b[31m</details>\n::set-env name=A::b\n| @admin <script> pin-4711-0815"
    judged = [{"prompt": said, "outcome": "FAIL", "explanation": said}]
    golden = {"turnReplayResults": [{}, {}], "evaluationExpectationResults": judged}
    part = {"evaluation": "*", "outcome": "FAIL", "result": {"goldenResult": golden}}
    desk.play(part, state="ERROR", message=said)
    ran = desk.evaluate(*GOLDEN, "--format", format_)
    assert ran.code == 5
    for text in (ran.out, ran.err):
        assert "pin-4711-0815" not in text
        assert "\x1b" not in text
        assert "\n::set-env" not in text
    if format_ == "markdown":
        assert "<script>" not in ran.out
        assert "\n| @admin" not in ran.out
