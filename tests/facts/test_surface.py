"""Routes, ids, operations, errors, lists."""

import re
from typing import Any

import pytest

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"

V1_KINDS = ["agents", "tools", "toolsets", "guardrails", "examples", "versions", "deployments"]
BETA_KINDS = ["evaluations", "evaluationDatasets", "evaluationExpectations", "scheduledEvaluationRuns"]
FUNCTION = {"clientFunction": {"name": "beep"}}
LLM = {"llmCriteria": {"prompt": "polite?"}}
SCHEDULE = {"frequency": "DAILY", "startTime": "2027-01-01T00:00:00Z"}
BODIES: dict[str, Any] = {
    "agents": {"displayName": "Front"},
    "tools": FUNCTION,
    "toolsets": {"displayName": "S", "mcpToolset": {"serverAddress": "https://mcp.acme.example"}},
    "guardrails": {"displayName": "G", "codeCallback": {}},
    "examples": {"displayName": "E"},
    "versions": {},
    "deployments": {"displayName": "D", "channelProfile": {"channelType": "API"}},
    "evaluations": {"displayName": "V", "scenario": {"task": "ask"}},
    "evaluationDatasets": {"displayName": "DS"},
    "evaluationExpectations": {"displayName": "X", **LLM},
    "scheduledEvaluationRuns": {
        "displayName": "R",
        "request": {"app": APP},
        "schedulingConfig": SCHEDULE,
    },
}
ID_PARAMETERS = {
    "agents": "agentId",
    "tools": "toolId",
    "toolsets": "toolsetId",
    "guardrails": "guardrailId",
    "examples": "exampleId",
    "versions": "appVersionId",
    "deployments": "deploymentId",
    "evaluations": "evaluationId",
    "evaluationDatasets": "evaluationDatasetId",
    "evaluationExpectations": "evaluationExpectationId",
    "scheduledEvaluationRuns": "scheduledEvaluationRunId",
}


@pytest.mark.parametrize("kind", V1_KINDS)
def test_v1_serves_what_v1beta_serves(server, kind):
    """v1's routes are a subset of v1beta's, over the same resources."""
    server.app()
    made = server.made(kind, BODIES[kind])
    assert server.get(made["name"], version="v1").body["name"] == made["name"]


@pytest.mark.parametrize("kind", BETA_KINDS)
def test_evaluation_kinds_are_not_in_v1(server, kind):
    """The evaluation kinds have routes in v1beta only."""
    server.app()
    made = server.made(kind, BODIES[kind])
    assert server.get(made["name"], version="v1").code == "NOT_FOUND"


def test_security_settings_are_one_for_a_location_and_v1beta_only(server):
    """There is one securitySettings for each location; it is read and updated, in v1beta."""
    name = f"{LOCATION}/securitySettings"
    body = {"endpointControlPolicy": {"allowedOrigins": ["acme.example"]}}
    assert server.get(name).body == {"name": name}
    assert server.update(name, body, updateMask="endpointControlPolicy").status == 200
    assert server.get(name).body["endpointControlPolicy"] == body["endpointControlPolicy"]
    assert server.get(name, version="v1").code == "NOT_FOUND"
    assert server.delete(name).code == "NOT_FOUND"


def test_personas_and_evaluation_settings_are_v1beta_only(server):
    """App.evaluationPersonas and evaluationSettings: v1 neither shows nor takes them."""
    persona = {"name": f"{APP}/evaluationPersonas/calm", "displayName": "Calm", "personality": "calm"}
    server.app(evaluationPersonas=[persona])
    assert server.get(APP).body["evaluationPersonas"] == [persona]
    assert "evaluationPersonas" not in server.get(APP, version="v1").body
    sent = server.update(APP, {"evaluationPersonas": [persona]}, version="v1")
    assert (sent.code, sent.fields) == ("INVALID_ARGUMENT", ["evaluationPersonas"])


def test_an_update_through_v1_keeps_what_v1_cannot_name(server):
    """A masked v1 update leaves the v1beta-only fields of the same resource alone."""
    persona = {"name": f"{APP}/evaluationPersonas/calm", "displayName": "Calm", "personality": "calm"}
    server.app(evaluationPersonas=[persona])
    server.update(APP, {"description": "d"}, version="v1", updateMask="description")
    assert server.get(APP).body["evaluationPersonas"] == [persona]


@pytest.mark.parametrize("field", ["agent", "rootAgent"])
@pytest.mark.parametrize("answered", ["agent", "rootAgent"])
def test_agent_tool_is_read_under_both_names_in_v1(serving, field, answered):
    """AgentTool has rootAgent in v1's protos, agent elsewhere: v1 takes both, v1beta answers agent."""
    server = serving(v1_agent_tool_field=answered)
    server.app()
    front = server.agent("front")["name"]
    body = {"agentTool": {"name": "ask", field: front}}
    made = server.create(f"{APP}/tools", body, version="v1", toolId="ask-tool")
    assert made.body["agentTool"] == {"name": "ask", answered: front}
    assert server.get(made.body["name"]).body["agentTool"] == {"name": "ask", "agent": front}


def test_root_agent_of_an_agent_tool_is_unknown_to_v1beta(server):
    """In v1beta the field is agent, and nothing else."""
    server.app()
    sent = server.create(f"{APP}/tools", {"agentTool": {"name": "ask", "rootAgent": "x"}})
    assert (sent.code, sent.fields) == ("INVALID_ARGUMENT", ["agentTool.rootAgent"])


def test_fields_that_only_discovery_knows_are_accepted(server):
    """Deployment.modality, its modelSettings and more are in discovery, not in the protos."""
    server.app()
    body = BODIES["deployments"] | {"modality": "MODALITY_VOICE", "modelSettings": {"model": "m"}}
    made = server.made("deployments", body)
    assert (made["modality"], made["modelSettings"]) == ("MODALITY_VOICE", {"model": "m"})


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_every_method_takes_fields(server, version):
    """`fields` selects parts of an answer, as it keeps snapshots out of lists of versions."""
    server.app()
    server.made("versions", {"displayName": "one"}, appVersionId="v0001")
    listed = server.get(f"{APP}/versions", version=version, fields="appVersions(name,displayName)")
    assert listed.body == {"appVersions": [{"name": f"{APP}/versions/v0001", "displayName": "one"}]}
    one = server.get(f"{APP}/versions/v0001", version=version, fields="displayName,snapshot/app/displayName")
    assert one.body == {"displayName": "one", "snapshot": {"app": {"displayName": "Desk"}}}


def test_a_selector_that_names_no_field_is_refused(server):
    """A partial response of an unknown field is an error, not an empty answer."""
    server.app()
    assert server.get(APP, fields="displayname").code == "INVALID_ARGUMENT"


@pytest.mark.parametrize("kind", sorted(ID_PARAMETERS))
def test_the_id_is_a_query_parameter(server, kind):
    """A create takes its id as a query parameter named after the kind; the id ends the name."""
    server.app()
    made = server.made(kind, BODIES[kind], **{ID_PARAMETERS[kind]: "my-own_ID1"})
    assert made["name"] == f"{APP}/{kind}/my-own_ID1"


def test_without_an_id_the_server_makes_a_uuid(server):
    """The id is optional; the server's own is a UUID."""
    server.app()
    made = server.made("agents", BODIES["agents"])
    assert re.fullmatch(r".*/agents/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", made["name"])


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ("root", 400),  # too short
        ("abcde", 200),
        ("a" * 36, 200),
        ("a" * 37, 400),
        ("-abcde", 400),
        ("_abcde", 400),
        ("9abc_-", 200),
        ("ab.cde", 400),
    ],
)
def test_ids_keep_the_pattern(server, given, status):
    """Ids are [a-zA-Z0-9][a-zA-Z0-9-_]{4,35}: five to thirty-six characters."""
    server.app()
    assert server.create(f"{APP}/agents", BODIES["agents"], agentId=given).status == status


def test_a_taken_id_already_exists(server):
    """Creating under a taken id is ALREADY_EXISTS, and leaves what is there."""
    server.app()
    server.agent("front", displayName="first")
    again = server.create(f"{APP}/agents", {"displayName": "second"}, agentId="front")
    assert (again.status, again.code) == (409, "ALREADY_EXISTS")
    assert server.get(f"{APP}/agents/front").body["displayName"] == "first"


@pytest.mark.parametrize("parameter", ["allowMissing", "validateOnly"])
def test_updates_take_neither_allow_missing_nor_validate_only(server, parameter):
    """There is no allow_missing and no validate_only on create, update or delete."""
    server.app()
    sent = server.update(APP, {"description": "d"}, updateMask="description", **{parameter: "true"})
    assert sent.code == "INVALID_ARGUMENT"
    assert server.update(f"{APP}x", {"displayName": "d"}).code == "NOT_FOUND"


def test_versions_have_no_patch(server):
    """A version cannot be updated."""
    server.app()
    made = server.made("versions", {})
    assert server.update(made["name"], {"displayName": "n"}).code == "NOT_FOUND"


def test_evaluation_runs_have_no_create(server):
    """Runs come from :runEvaluation, so there is no POST on their collection."""
    server.app()
    assert server.create(f"{APP}/evaluationRuns", {}).code == "NOT_FOUND"


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_create_and_delete_of_an_app_are_long_running(server, version):
    """Both answer an operation, readable under its name; its response has the asked version's type."""
    made = server.create(f"{LOCATION}/apps", {"displayName": "D"}, version=version, appId="desk1")
    assert made.body["done"] is True
    read = server.get(made.body["name"], version=version).body
    assert read["response"]["@type"] == f"type.googleapis.com/google.cloud.ces.{version}.App"
    assert read["response"]["name"] == APP
    gone = server.delete(APP, version=version)
    assert gone.body["response"] == {"@type": "type.googleapis.com/google.protobuf.Empty"}
    assert server.get(APP).code == "NOT_FOUND"


def test_an_operation_takes_as_many_reads_as_the_switch_says(serving):
    """Create of an app can take long: an operation is first read as not done, without a response."""
    server = serving(operation_polls=2)
    made = server.create(f"{LOCATION}/apps", {"displayName": "D"}, appId="desk1")
    reads = [server.get(made.body["name"]).body for _ in range(3)]
    assert [read.get("done", False) for read in [made.body, *reads]] == [False, False, True, True]
    assert ["response" in read for read in reads] == [False, True, True]


@pytest.mark.parametrize("kind", sorted(ID_PARAMETERS))
def test_all_else_is_synchronous(server, kind):
    """Create of anything below an app answers the resource itself."""
    server.app()
    made = server.made(kind, BODIES[kind])
    assert set(made) >= {"name", "etag", "createTime"}
    assert "done" not in made


def test_enums_travel_as_integers_when_asked(server):
    """With `$alt=json;enum-encoding=int` enums are integers in the body and in the answer."""
    sent = {"displayName": "D", "toolExecutionMode": 2}
    query = {"$alt": "json;enum-encoding=int"}
    made = server.create(f"{LOCATION}/apps", sent, appId="desk1", **query)
    assert made.body["response"]["toolExecutionMode"] == 2
    assert server.get(APP, **query).body["toolExecutionMode"] == 2
    assert server.get(APP).body["toolExecutionMode"] == "SEQUENTIAL"


@pytest.mark.parametrize(
    ("verb", "path", "status", "code"),
    [
        ("GET", f"{LOCATION}/apps/nobody", 404, "NOT_FOUND"),
        ("GET", f"{LOCATION}/apps/nobody/agents", 404, "NOT_FOUND"),
        ("POST", f"{LOCATION}/apps/nobody/agents", 404, "NOT_FOUND"),
        ("GET", f"{LOCATION}/gadgets", 404, "NOT_FOUND"),
        ("POST", f"{LOCATION}/apps/desk1:generateAppResource", 501, "UNIMPLEMENTED"),
    ],
)
def test_errors_have_one_shape(server, verb, path, status, code):
    """Errors are {"error": {code, message, status}}, unknown routes included."""
    answer = server.send(verb, path, {"displayName": "x"} if verb == "POST" else None)
    error = answer.body["error"]
    assert (answer.status, error["code"], error["status"]) == (status, status, code)
    assert error["message"]


@pytest.mark.parametrize(
    ("verb", "path", "reason"),
    [
        ("POST", f"{APP}:generateAppResource", "language model"),
        ("POST", f"{APP}:testPersonaVoice", "language model"),
        ("POST", f"{APP}/conversations/c1:generateEvaluation", "language model"),
        ("POST", f"{APP}/evaluations/e1:uploadEvaluationAudio", "audio"),
        ("GET", f"{APP}/extendedAgentCard", "running agent"),
        ("POST", f"{APP}/sessions/s1:generateChatToken", "language model"),
    ],
)
def test_what_is_not_served_says_so(server, verb, path, reason):
    """Methods that the emulator does not have are UNIMPLEMENTED, with the reason."""
    answer = server.send(verb, path, {} if verb == "POST" else None)
    assert (answer.status, answer.code) == (501, "UNIMPLEMENTED")
    assert reason in answer.body["error"]["message"]


def test_locations_are_us_and_eu(server):
    """The service has the locations us and eu."""
    assert server.create("projects/acme/locations/eu/apps", {"displayName": "D"}).status == 200
    assert server.create("projects/acme/locations/mars/apps", {"displayName": "D"}).status == 400


def test_fields_that_discovery_had_first(server):
    """
    Agent.remoteA2aAgent (one of the types of an agent), App.dashboardSettings, Guardrail.supervisor,
    ModelSettings.thinkingLevel; Tool.readOnly is output-only.
    """
    dashboard = {"defaultDashboard": "projects/p/locations/us/dashboards/d"}
    app = server.app(dashboardSettings=dashboard, modelSettings={"model": "m", "thinkingLevel": "LOW"})
    assert (app["dashboardSettings"], app["modelSettings"]["thinkingLevel"]) == (dashboard, "LOW")
    remote = {"a2aConfig": {"agentRegistry": "projects/p/locations/us/agents/a", "streamingEnabled": True}}
    agent = server.made("agents", {"displayName": "Remote", "remoteA2aAgent": remote}, agentId="remote")
    assert agent["remoteA2aAgent"] == remote
    both = {"displayName": "Both", "remoteA2aAgent": remote, "llmAgent": {}}
    assert server.create(f"{APP}/agents", both).code == "INVALID_ARGUMENT"
    switched = server.update(agent["name"], {"llmAgent": {}}, updateMask="llmAgent").body
    assert ("llmAgent" in switched, "remoteA2aAgent" in switched) == (True, False)
    rail = server.made("guardrails", {"displayName": "S", "supervisor": {"type": "PROFANITY"}})
    assert rail["supervisor"] == {"type": "PROFANITY"}
    tool = server.made("tools", {"clientFunction": {"name": "look"}, "readOnly": True})
    assert "readOnly" not in tool
