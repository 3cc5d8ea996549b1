"""Runs, results and files of evaluations: verdicts come from a script, and from nowhere else."""

import base64
import json

import pytest

APP = "projects/acme/locations/us/apps/desk1"
CALL = {"expectation": {"toolCall": {"args": {"order": "7"}}}}


@pytest.fixture
def desk(server):
    """An app with a tool, a golden evaluation and a scenario."""
    server.app()
    tool = server.tool("lookup")["name"]
    call = {"expectation": {"toolCall": {"tool": tool, "args": {"order": "7"}}}}
    said = {"expectation": {"agentResponse": {"role": "agent", "chunks": [{"text": "It is sent."}]}}}
    golden = {"turns": [{"steps": [{"userInput": {"text": "hi"}}, said]}, {"steps": [call]}]}
    server.made("evaluations", {"displayName": "Gold", "golden": golden}, evaluationId="golden1")
    server.made("evaluations", {"displayName": "Wild", "scenario": {"task": "ask"}}, evaluationId="scenario1")
    return server


GOLD, WILD = f"{APP}/evaluations/golden1", f"{APP}/evaluations/scenario1"


def run(server, **request):
    """Run and return the operation and the run."""
    operation = server.send("POST", f"{APP}:runEvaluation", request).body
    return operation, server.get(operation["metadata"]["evaluationRun"]).body


def results(server, evaluation):
    return server.get(f"{evaluation}/results", orderBy="create_time asc").body.get("evaluationResults", [])


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


def test_observed_calls_meet_the_expectations_of_their_turn(desk):
    """A call of a turn stands at the turn's tool-call expectation; more calls stand behind."""
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


@pytest.mark.parametrize("form", ["JSON", "YAML"])
def test_evaluations_are_exported_with_their_results(desk, form):
    """What is asked for is in the content; names that lead nowhere are told with a reason."""
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})
    run(desk, evaluations=[GOLD])
    gone = f"{APP}/evaluations/gone1"
    body = {"names": [GOLD, gone], "includeEvaluations": True, "includeEvaluationResults": True}
    body["exportOptions"] = {"exportFormat": form}
    answer = desk.send("POST", f"{APP}/evaluations:export", body).body["response"]
    text = base64.b64decode(answer["evaluationsContent"]).decode()
    assert list(answer["failedEvaluations"]) == [gone]
    assert text.startswith("{" if form == "JSON" else "evaluations:\n")
    if form == "JSON":
        document = json.loads(text)
        assert [one["displayName"] for one in document["evaluations"]] == ["Gold"]
        assert [one["evaluationStatus"] for one in document["evaluationResults"]] == ["PASS"]


def test_an_export_includes_something(desk):
    """Evaluations, results or both must be included."""
    sent = desk.send("POST", f"{APP}/evaluations:export", {"names": [GOLD]})
    assert sent.code == "INVALID_ARGUMENT"


def test_runs_and_results_are_exported(desk):
    """Runs of an app, results of an evaluation; one that is gone refuses the export."""
    desk.emulator.play({"evaluation": "*", "outcome": "PASS"})
    _, one = run(desk, evaluations=[GOLD])
    runs = desk.send("POST", f"{APP}/evaluationRuns:export", {"names": [one["name"]]}).body["response"]
    assert one["name"] in base64.b64decode(runs["evaluationRunsContent"]).decode()
    ask = {"names": one["evaluationResults"]}
    found = desk.send("POST", f"{GOLD}/results:export", ask).body["response"]
    assert one["evaluationResults"][0] in base64.b64decode(found["evaluationResultsContent"]).decode()
    assert desk.send("POST", f"{GOLD}/results:export", {"names": [f"{GOLD}/results/x"]}).code == "NOT_FOUND"


COLUMNS = "text_content,tool_name,tool_args_json,response_agent,expectation_note"
CSV = f"""display_name,turn_index,action_type,{COLUMNS}
Where is it,,,,,,,
,1,INPUT_TEXT,Where is order 7?,,,,
,1,EXPECTATION_TOOL_CALL,,lookup,"{{""order"": ""7""}}",,asks once
,2,EXPECTATION_TEXT,It is sent.,,,Front,
Broken,,,,,,,
,3,INPUT_TEXT,hi,,,,
"""


def imported(server, text, strategy=""):
    body = {"csvContent": base64.b64encode(text.encode()).decode()}
    if strategy:
        body["importOptions"] = {"conflictResolutionStrategy": strategy}
    return server.send("POST", f"{APP}:importEvaluations", body)


def test_golden_evaluations_come_from_a_csv_file(desk):
    """A row with a name begins an evaluation, each further row is a step; a bad one is told."""
    answer = imported(desk, CSV).body["response"]
    (made,) = answer["evaluations"]
    assert (answer["importFailureCount"], "'Broken'" in answer["errorMessages"][0]) == (1, True)
    first, second = desk.get(made["name"]).body["golden"]["turns"]
    assert first["steps"][0] == {"userInput": {"text": "Where is order 7?"}}
    expected = first["steps"][1]["expectation"]
    assert (expected["toolCall"]["tool"], expected["note"]) == (f"{APP}/tools/lookup", "asks once")
    assert second["steps"] == [
        {"expectation": {"agentResponse": {"role": "Front", "chunks": [{"text": "It is sent."}]}}}
    ]


@pytest.mark.parametrize(
    ("strategy", "count", "failures", "changed"),
    [("OVERWRITE", 1, 0, True), ("SKIP", 1, 0, False), ("DUPLICATE", 2, 0, False), ("", 1, 1, False)],
)
def test_an_evaluation_of_the_same_name(desk, strategy, count, failures, changed):
    """Overwritten, kept, or kept beside a duplicate; without a strategy it is a failure."""
    one = "display_name,turn_index,action_type,text_content\nSame,,,\n,1,INPUT_TEXT,{}\n"
    name = imported(desk, one.format("first")).body["response"]["evaluations"][0]["name"]
    answer = imported(desk, one.format("second"), strategy).body["response"]
    listed = desk.get(f"{APP}/evaluations").body["evaluations"]
    assert sum(found["displayName"].startswith("Same") for found in listed) == count
    assert answer.get("importFailureCount", 0) == failures
    text = desk.get(name).body["golden"]["turns"][0]["steps"][0]["userInput"]["text"]
    assert text == ("second" if changed else "first")


def test_a_conversation_becomes_a_golden_evaluation(desk):
    """What was said is the input, what the agent said and did is expected."""
    messages = [
        {"role": "user", "chunks": [{"text": "hi"}]},
        {"role": "Front", "chunks": [{"toolCall": {"tool": f"{APP}/tools/lookup"}}, {"text": "hello"}]},
    ]
    name = f"{APP}/conversations/talk1"
    desk.emulator.seed({"name": name, "turns": [{"messages": messages}]})
    body = {"conversationList": {"conversations": [name, f"{APP}/conversations/gone1"]}}
    answer = desk.send("POST", f"{APP}:importEvaluations", body).body["response"]
    assert answer["importFailureCount"] == 1
    (turn,) = answer["evaluations"][0]["golden"]["turns"]
    assert [list(step) for step in turn["steps"]] == [["userInput"], ["expectation"], ["expectation"]]


def test_an_export_of_evaluations_is_imported_again(desk):
    """gs:// addresses lead into the emulator's own store: what one app writes another reads."""
    body = {"names": [GOLD], "includeEvaluations": True, "exportOptions": {"gcsUri": "gs://acme/out"}}
    sent = desk.send("POST", f"{APP}/evaluations:export", body).body["response"]
    assert sent["evaluationsUri"] == "gs://acme/out"
    desk.delete(GOLD)
    answer = desk.send("POST", f"{APP}:importEvaluations", {"gcsUri": "gs://acme/out/evaluations.json"}).body
    assert [one["displayName"] for one in answer["response"]["evaluations"]] == ["Gold"]


@pytest.mark.parametrize(
    "body",
    [{}, {"csvContent": base64.b64encode(b"a,b").decode()}, {"gcsUri": "gs://acme/none.json"}, {"gcsUri": "x"}],
)
def test_what_holds_no_evaluations_is_refused(desk, body):
    """No source, a CSV without its columns, a missing object: refused at once."""
    assert desk.send("POST", f"{APP}:importEvaluations", body).code in ("INVALID_ARGUMENT", "NOT_FOUND")
