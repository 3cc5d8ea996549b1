"""Files of evaluations: exports, and imports from CSV, conversations and exports."""

import base64
import json

import pytest

from tests.facts.evaluations import APP, GOLD, evaluated_desk, run


@pytest.fixture
def desk(server):
    return evaluated_desk(server)


@pytest.mark.parametrize("form", ["JSON", "YAML"])
def test_evaluations_are_exported_with_their_results(desk, form):
    """What is asked for is in the content; names that lead nowhere are reported with a reason."""
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
    """A row with a name begins an evaluation, each further row is a step; a bad one is reported."""
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
