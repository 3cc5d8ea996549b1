"""Runs and results of evaluations: verdicts come from a script, and from nowhere else."""

import pytest

from tests.facts.evaluations import APP, GOLD, WILD, evaluated_desk, results, run


@pytest.fixture
def desk(server):
    return evaluated_desk(server)


def test_without_a_script_there_is_no_verdict(desk):
    """The operation ends with an error, the run is in error and says why; there are no results."""
    operation, one = run(desk, evaluations=[GOLD])
    assert operation["done"] is True
    assert (operation["error"]["code"], "response" in operation) == (9, False)
    assert "no script" in operation["error"]["message"]
    assert (one["state"], one["errorInfo"]["errorMessage"]) == ("ERROR", operation["error"]["message"])
    assert results(desk, GOLD) == []
    assert "lastCompletedResult" not in desk.get(GOLD).body


def test_what_the_script_does_not_name_ends_in_error(desk):
    """A script that says nothing of an evaluation gives it an error, never an outcome."""
    desk.emulator.play({"evaluation": "Other", "outcome": "PASS"})
    _, one = run(desk, evaluations=[GOLD])
    (result,) = results(desk, GOLD)
    assert (result["executionState"], "evaluationStatus" in result) == ("ERROR", False)
    assert "'Gold'" in result["errorInfo"]["errorMessage"]
    assert one["progress"] == {"totalCount": 1, "errorCount": 1}


def test_outcomes_counts_and_summaries_follow_the_script(desk):
    """Pass, fail and error in order, the last for ever; counted in the run and for each evaluation."""
    desk.emulator.play(
        {"evaluation": "scen*", "outcome": ["PASS", "FAIL", "ERROR"], "message": "down"},
        {"evaluation": "*", "outcome": "PASS"},
    )
    operation, one = run(desk, evaluations=[GOLD, WILD], displayName="Nightly", runCount=4)
    assert operation["metadata"]["evaluations"] == [GOLD, WILD]
    states = [(r["executionState"], r.get("evaluationStatus")) for r in results(desk, WILD)]
    assert states == [("COMPLETED", "PASS"), ("COMPLETED", "FAIL"), ("ERROR", None), ("ERROR", None)]
    assert results(desk, WILD)[2]["errorInfo"]["errorMessage"] == "down"
    counts = {"totalCount": 8, "completedCount": 6, "passedCount": 5, "failedCount": 1, "errorCount": 2}
    assert one["progress"] == counts
    wild = {"passedCount": 1, "failedCount": 1, "errorCount": 2}
    assert one["evaluationRunSummaries"] == {GOLD: {"passedCount": 4}, WILD: wild}
    assert (one["displayName"], one["state"], one["evaluationType"]) == ("Nightly", "COMPLETED", "MIXED")
    assert (one["runCount"], one["goldenRunMethod"]) == (4, "STABLE")
    assert one["operation"] == operation["name"]


def test_a_golden_runs_once_and_a_scenario_five_times(desk):
    """The default of runCount is 1 per golden and 5 per scenario."""
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})
    run(desk, evaluations=[GOLD, WILD])
    assert (len(results(desk, GOLD)), len(results(desk, WILD))) == (1, 5)


def test_a_scenario_runs_for_each_persona(desk):
    """With personaRunConfigs each persona has its own number of repetitions."""
    persona = {"name": f"{APP}/evaluationPersonas/calm", "displayName": "Calm", "personality": "calm"}
    desk.update(APP, {"evaluationPersonas": [persona]}, updateMask="evaluationPersonas")
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})
    run(desk, evaluations=[WILD], personaRunConfigs=[{"persona": persona["name"], "taskCount": 2}])
    assert [result["persona"]["displayName"] for result in results(desk, WILD)] == ["Calm", "Calm"]


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"persona": f"{APP}/evaluationPersonas/nobody"}, "personaRunConfigs[0].persona"),
        ({"taskCount": -1}, "personaRunConfigs[0].taskCount"),
    ],
)
def test_a_run_for_a_persona_that_there_is_not_is_refused(desk, config, field):
    """Neither an unknown persona nor a count below one makes a run without results."""
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})
    sent = desk.send("POST", f"{APP}:runEvaluation", {"evaluations": [WILD], "personaRunConfigs": [config]})
    assert (sent.code, sent.fields) == ("INVALID_ARGUMENT", [field])
    assert desk.get(f"{APP}/evaluationRuns").body == {}


def test_observed_calls_meet_the_expectations_of_their_turn(desk):
    """A call of a turn is at the turn's tool-call expectation; more calls stand behind."""
    calls = [
        {"turn": 2, "tool": "lookup", "args": {"order": "8"}, "response": {"state": "sent"}, "outcome": "FAIL"},
        {"turn": 2, "tool": "other", "args": {}},
    ]
    desk.emulator.play({"evaluation": "Gold", "outcome": "FAIL", "calls": calls})
    run(desk, evaluations=[GOLD])
    (result,) = results(desk, GOLD)
    first, second = result["goldenResult"]["turnReplayResults"]
    assert [list(one) for one in first["expectationOutcome"]] == [["expectation"]]
    met, extra = second["expectationOutcome"]
    observed = met["observedToolCall"]
    assert (observed["tool"], observed["displayName"]) == (f"{APP}/tools/lookup", "lookup")
    assert (observed["args"], met["outcome"]) == ({"order": "8"}, "FAIL")
    assert met["expectation"]["toolCall"]["args"] == {"order": "7"}
    assert extra == {"observedToolCall": {"tool": "other"}}


def test_observed_calls_of_a_scenario_come_with_their_responses(desk):
    """A scenario's result has the calls and responses; further fields come as they are given."""
    call = {"tool": "lookup", "args": {"order": "7"}, "response": {"state": "sent"}}
    extra = {"scenarioResult": {"taskCompleted": True}}
    desk.emulator.play(
        {"evaluation": "Wild", "outcome": "PASS", "calls": [call]},
    )
    run(desk, evaluations=[WILD], runCount=1)
    found = results(desk, WILD)[0]["scenarioResult"]
    observed = found["expectationOutcomes"][0]["observedToolCall"]
    assert observed["toolCall"]["args"] == {"order": "7"}
    assert observed["toolResponse"]["response"] == {"state": "sent"}
    desk.emulator.play({"evaluation": "Wild", "outcome": "PASS", "result": extra})
    run(desk, evaluations=[WILD], runCount=1)
    assert results(desk, WILD)[-1]["scenarioResult"] == {"taskCompleted": True}


def test_a_run_of_a_dataset_names_the_dataset(desk):
    """A dataset's evaluations are run; the run names the dataset and not the evaluations."""
    dataset = desk.made("evaluationDatasets", {"displayName": "DS", "evaluations": [GOLD]})["name"]
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})
    _, one = run(desk, evaluationDataset=dataset)
    assert (one["evaluationDataset"], "evaluations" in one) == (dataset, False)
    assert (one["evaluationType"], len(one["evaluationResults"])) == ("GOLDEN", 1)


def test_a_run_says_what_it_ran_against(desk):
    """Against a version: its name; against the draft: the newest entry of the change log."""
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})
    version = desk.made("versions", {"displayName": "one"}, appVersionId="v0001")["name"]
    _, of_version = run(desk, evaluations=[GOLD], appVersion=version)
    _, of_draft = run(desk, evaluations=[GOLD])
    assert (of_version["appVersion"], of_version["appVersionDisplayName"]) == (version, "one")
    newest = desk.get(f"{APP}/changelogs").body["changelogs"][-1]
    assert (of_draft["changelog"], of_draft["changelogCreateTime"]) == (newest["name"], newest["createTime"])


def test_runs_and_results_know_who_started_them(desk):
    """initiatedBy is the caller."""
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})
    headers = {"x-emulator-author": "alice@acme.example"}
    operation = desk.send("POST", f"{APP}:runEvaluation", {"evaluations": [GOLD]}, headers=headers).body
    one = desk.get(operation["response"]["evaluationRun"]).body
    (result,) = results(desk, GOLD)
    assert (one["initiatedBy"], result["initiatedBy"]) == ("alice@acme.example",) * 2
    assert result["evaluationRun"] == one["name"]


def test_an_evaluation_tells_of_its_runs_and_last_result(desk):
    """evaluationRuns and lastCompletedResult follow; lastTenResults come when asked for."""
    etag = desk.get(GOLD).body["etag"]
    desk.emulator.play({"evaluation": "*", "outcome": ["PASS"]})
    _, one = run(desk, evaluations=[GOLD], runCount=12)
    evaluation = desk.get(GOLD).body
    assert (evaluation["evaluationRuns"], evaluation["etag"]) == ([one["name"]], etag)
    assert evaluation["lastCompletedResult"]["name"] == results(desk, GOLD)[-1]["name"]
    (plain,) = desk.get(f"{APP}/evaluations", pageSize=1, orderBy="name").body["evaluations"]
    (whole,) = desk.get(f"{APP}/evaluations", pageSize=1, orderBy="name", lastTenResults="true").body[
        "evaluations"
    ]
    assert ("lastTenResults" in plain, len(whole["lastTenResults"])) == (False, 10)


def test_a_schedule_that_triggered_a_run_tells_of_it(desk):
    """scheduledEvaluationRun on the request: lastCompletedRun and totalExecutions follow."""
    timing = {"frequency": "DAILY", "startTime": "2027-01-01T00:00:00Z"}
    body = {"displayName": "R", "request": {"app": APP, "evaluations": [GOLD]}, "schedulingConfig": timing}
    schedule = desk.made("scheduledEvaluationRuns", body)["name"]
    other = desk.made("scheduledEvaluationRuns", body | {"displayName": "S"})["name"]
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})
    _, one = run(desk, evaluations=[GOLD], scheduledEvaluationRun=schedule)
    found = desk.get(schedule).body
    assert (one["scheduledEvaluationRun"], found["lastCompletedRun"]) == (schedule, one["name"])
    assert found["totalExecutions"] == 1
    by_run = desk.get(f"{APP}/scheduledEvaluationRuns", orderBy="last_completed_run.create_time").body
    assert [one["name"] for one in by_run["scheduledEvaluationRuns"]] == [schedule, other]


def test_results_are_listed_for_one_evaluation_or_one_run(desk):
    """Below `evaluations/-` the results of all are listed, filtered by run; a gone evaluation is 404."""
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})
    _, first = run(desk, evaluations=[GOLD, WILD], runCount=1)
    _, second = run(desk, evaluations=[GOLD], runCount=1)
    everything = desk.get(f"{APP}/evaluations/-/results").body["evaluationResults"]
    assert len(everything) == 3
    key = second["name"].rpartition("/")[2]
    of_run = desk.get(f"{APP}/evaluations/-/results", filter=f'evaluation_run="{key}"').body
    assert [one["name"] for one in of_run["evaluationResults"]] == second["evaluationResults"]
    assert {one["evaluationRun"] for one in everything} == {first["name"], second["name"]}
    assert desk.get(f"{APP}/evaluations/gone1/results").code == "NOT_FOUND"


def test_evaluations_are_found_by_their_runs(desk):
    """evaluationRunFilter: create_time, initiated_by, app_version_display_name of the runs."""
    version = desk.made("versions", {"displayName": "one"}, appVersionId="v0001")["name"]
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})
    run(desk, evaluations=[WILD], appVersion=version)
    for text, found in (
        ("app_version_display_name=one", [WILD]),
        ("initiated_by:EMULATOR", [WILD]),
        ('create_time > "2001-01-01T00:00:00Z" AND initiated_by:emulator', [WILD]),
        ("initiated_by:nobody", []),
    ):
        listed = desk.get(f"{APP}/evaluations", evaluationRunFilter=text).body.get("evaluations", [])
        assert [one["name"] for one in listed] == found, text


def test_deleting_results_and_runs(desk):
    """A result goes from its run and evaluation; a run goes as an operation and its results stay."""
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})
    _, one = run(desk, evaluations=[GOLD], runCount=2)
    first, second = one["evaluationResults"]
    assert desk.delete(first).body == {}
    assert desk.get(one["name"]).body["evaluationResults"] == [second]
    gone = desk.delete(one["name"]).body
    assert gone["response"] == {"@type": "type.googleapis.com/google.protobuf.Empty"}
    assert desk.get(one["name"]).code == "NOT_FOUND"
    assert desk.get(second).status == 200
    assert "evaluationRuns" not in desk.get(GOLD).body


def test_results_go_with_their_evaluation(desk):
    """Deleting an evaluation deletes what is below it."""
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})
    _, one = run(desk, evaluations=[GOLD])
    desk.delete(GOLD)
    assert desk.get(one["evaluationResults"][0]).code == "NOT_FOUND"


@pytest.mark.parametrize(
    ("request_body", "field"),
    [
        ({}, "evaluations"),
        ({"evaluations": [f"{APP}/evaluations/gone1"]}, "evaluations[0]"),
        ({"evaluations": [GOLD], "evaluationDataset": f"{APP}/evaluationDatasets/gone1"}, "evaluationDataset"),
        ({"evaluations": [GOLD], "appVersion": f"{APP}/versions/gone1"}, "appVersion"),
        ({"evaluations": [GOLD], "runCount": 0}, "runCount"),
        ({"evaluations": [GOLD], "runcount": 1}, "runcount"),
    ],
)
def test_a_run_of_what_is_not_there_is_refused(desk, request_body, field):
    """Nothing to run, gone evaluations, datasets and versions: INVALID_ARGUMENT, and no run."""
    sent = desk.send("POST", f"{APP}:runEvaluation", request_body)
    assert (sent.code, sent.fields) == ("INVALID_ARGUMENT", [field])
    assert desk.get(f"{APP}/evaluationRuns").body == {}


def test_a_run_is_queued_then_running_then_completed(desk):
    """The script says how many reads find it so; results and verdicts come at the end."""
    part = {"evaluation": "*", "outcome": "PASS"}
    desk.emulator.play(part, run={"queued": 1, "running": 1})
    operation = desk.send("POST", f"{APP}:runEvaluation", {"evaluations": [GOLD]}).body
    name = operation["metadata"]["evaluationRun"]
    seen = [desk.get(name).body for _ in range(4)]
    assert [one["state"] for one in seen] == ["QUEUED", "RUNNING", "COMPLETED", "COMPLETED"]
    assert [len(one.get("evaluationResults", [])) for one in seen] == [0, 0, 1, 1]
    assert seen[0]["progress"] == {"totalCount": 1}


def test_a_cancelled_operation_cancels_the_run_that_goes_on(desk):
    """State CANCELLED, and its results are counted as cancelled."""
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"}, run={"running": 9})
    operation = desk.send("POST", f"{APP}:runEvaluation", {"evaluations": [GOLD]}).body
    desk.send("POST", f"{operation['name']}:cancel", {})
    one = desk.get(operation["metadata"]["evaluationRun"]).body
    assert (one["state"], one["progress"]) == ("CANCELLED", {"totalCount": 1, "cancelledCount": 1})


def test_a_run_ends_with_an_error_of_a_type_and_without_results(desk):
    """A run in error says the type; the results that were not made are missing."""
    course = {"state": "ERROR", "error": "QUOTA_EXHAUSTED", "message": "no tokens", "missing": 1}
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"}, run=course)
    _, one = run(desk, evaluations=[GOLD], runCount=2)
    assert (one["state"], len(one["evaluationResults"])) == ("ERROR", 1)
    assert one["errorInfo"] == {"errorType": "QUOTA_EXHAUSTED", "errorMessage": "no tokens"}


def test_a_result_says_its_method_and_the_thresholds_in_force(desk):
    """Those of the app with those of the evaluation over them; a scenario has no golden method."""
    turn = {"turnLevelMetricsThresholds": {"semanticSimilaritySuccessThreshold": 2}}
    step = {"expectationLevelMetricsThresholds": {"toolInvocationParameterCorrectnessThreshold": 0.5}}
    app = {"evaluationMetricsThresholds": {"goldenEvaluationMetricsThresholds": turn}}
    desk.update(APP, app, updateMask="evaluationMetricsThresholds")
    override = {"evaluationMetricsThresholdOverride": {"goldenEvaluationMetricsThresholds": step}}
    desk.update(GOLD, override, updateMask="evaluationMetricsThresholdOverride")
    desk.emulator.play({"evaluation": "*", "outcome": ["PASS", "CANCELLED"]})
    run(desk, evaluations=[GOLD, WILD], goldenRunMethod="NAIVE", runCount=2)
    first, second = results(desk, GOLD)
    assert first["evaluationMetricsThresholds"] == {"goldenEvaluationMetricsThresholds": {**turn, **step}}
    assert (first["goldenRunMethod"], "goldenRunMethod" in results(desk, WILD)[0]) == ("NAIVE", False)
    assert (second["executionState"], "evaluationStatus" in second) == ("CANCELLED", False)
