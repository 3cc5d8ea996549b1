"""FACTS §2: what the server accepts, refuses and derives."""

from typing import Any

import pytest

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"
FRONT = f"{APP}/agents/front"
API = {"displayName": "D", "channelProfile": {"channelType": "API"}}
CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
KEY = "projects/acme/secrets/key/versions/1"


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"clientFunction": {"name": "beep"}}, "beep"),
        ({"googleSearchTool": {"name": "search"}}, "search"),
        ({"widgetTool": {"name": "card"}}, "card"),
        ({"pythonFunction": {"name": "two", "pythonCode": "def two():\n    pass\n"}}, "two"),
    ],
)
def test_a_tools_display_name_is_derived(server, body, name):
    """displayName of a tool comes from the tool type's name, whatever is sent."""
    server.app()
    made = server.made("tools", body | {"displayName": "Sent"}, toolId="tool1")
    assert made["displayName"] == name
    server.update(made["name"], {"displayName": "Again"}, updateMask="displayName")
    assert server.get(made["name"]).body["displayName"] == name


def test_a_python_tools_description_is_its_docstring(server):
    """pythonFunction.description is derived from the docstring and follows the code."""
    server.app()
    code = 'def look(order):\n    """Find an order."""\n    return order\n'
    made = server.made("tools", {"pythonFunction": {"pythonCode": code, "description": "sent"}})
    assert made["pythonFunction"]["description"] == "Find an order."
    bare = {"pythonFunction": {"pythonCode": "def look(order):\n    return order\n"}}
    now = server.update(made["name"], bare, updateMask="pythonFunction.pythonCode").body
    assert "description" not in now["pythonFunction"]


def test_output_only_fields_are_ignored(server):
    """Output-only fields in a body change nothing and are no error, at any depth."""
    server.app()
    store = {"name": "projects/acme/locations/us/collections/c/dataStores/faq", "displayName": "sent"}
    sent = {"generatedSummary": "s", "createTime": "2001-01-01T00:00:00Z"}
    body = {"dataStoreTool": {"name": "faq", "dataStoreSource": {"dataStore": store}}}
    made = server.made("tools", sent | body)
    assert "generatedSummary" not in made
    assert made["createTime"] > "2020"
    assert "displayName" not in made["dataStoreTool"]["dataStoreSource"]["dataStore"]


def test_output_only_fields_survive_an_update_without_a_mask(server):
    """An update of all fields leaves what only the server can set."""
    made = server.app()
    server.made("deployments", API)
    now = server.update(APP, {"displayName": "Desk"}).body
    assert (now["createTime"], now["deploymentCount"]) == (made["createTime"], 1)


def test_the_name_of_a_target_is_derived(server):
    """displayName of toolCall and agentTransfer is derived from what they name."""
    server.app()
    tool, agent = server.tool("lookup")["name"], server.agent("front", displayName="Front")["name"]
    chunks = [
        {"toolCall": {"tool": tool, "displayName": "sent"}},
        {"agentTransfer": {"targetAgent": agent}},
    ]
    made = server.made("examples", {"displayName": "E", "messages": [{"role": "a", "chunks": chunks}]})
    found = made["messages"][0]["chunks"]
    assert found[0]["toolCall"]["displayName"] == "lookup"
    assert found[1]["agentTransfer"]["displayName"] == "Front"


def test_a_dataset_is_mirrored_on_its_evaluations(server):
    """Evaluation.evaluationDatasets is derived from the datasets, and not written by anybody."""
    server.app()
    one, two = (
        server.made("evaluations", {"displayName": key, "scenario": {"task": "t"}})["name"] for key in "ab"
    )
    made = server.made("evaluationDatasets", {"displayName": "DS", "evaluations": [one]})["name"]
    assert server.get(one).body["evaluationDatasets"] == [made]
    server.update(made, {"evaluations": [two]}, updateMask="evaluations")
    assert "evaluationDatasets" not in server.get(one).body
    assert server.get(two).body["evaluationDatasets"] == [made]
    server.delete(made)
    assert "evaluationDatasets" not in server.get(two).body


def test_input_only_fields_never_come_back(server):
    """whatsappCredentials and instagramCredentials are taken and never answered."""
    server.app()
    secret = {"whatsappCredentials": {"authCode": "hunter2", "pin": "123456"}}
    made = server.made("deployments", API | secret)
    read = server.get(made["name"])
    now = server.update(made["name"], secret, updateMask="whatsappCredentials")
    assert "hunter2" not in f"{made}{read.body}{now.body}"


def test_an_mcp_tool_cannot_be_written_directly(server):
    """mcpTool comes from an MCP toolset: neither create nor update take it."""
    server.app()
    body = {"mcpTool": {"name": "look", "serverAddress": "https://mcp.acme.example"}}
    assert server.create(f"{APP}/tools", body).code == "INVALID_ARGUMENT"
    tool = server.tool("lookup")["name"]
    assert server.update(tool, body, updateMask="mcpTool").code == "INVALID_ARGUMENT"


@pytest.mark.parametrize(
    "body",
    [
        {"openApiTool": {"openApiSchema": "paths: {/a: {get: {operationId: look}}}"}},
        {"connectorTool": {"connection": "projects/p/locations/l/connections/c", "name": "crm", "action": {}}},
        {"systemTool": {"name": "end_session"}},
    ],
)
def test_other_tool_types_are_accepted(server, body):
    """That openApi, connector and system tools are read-only is another tool's note: they are taken."""
    server.app()
    made = server.create(f"{APP}/tools", body)
    assert made.status == 200, made.body


@pytest.mark.parametrize("switch", ["check", "accept"])
def test_a_tool_of_a_toolset_is_no_tool(serving, switch):
    """toolsets/*/tools/* cannot be referenced where a tool is expected."""
    server = serving(references=switch)
    server.app()
    body = {"displayName": "S", "mcpToolset": {"serverAddress": "https://mcp.acme.example"}}
    toolset = server.made("toolsets", body)["name"]
    sent = server.create(f"{APP}/agents", {"displayName": "A", "tools": [f"{toolset}/tools/look"]})
    assert (sent.code, sent.fields) == ("INVALID_ARGUMENT", ["tools[0]"])


CALLBACKS = {
    "beforeAgentCallbacks": ("before_agent_callback", "callback_context"),
    "afterAgentCallbacks": ("after_agent_callback", "callback_context"),
    "beforeModelCallbacks": ("before_model_callback", "callback_context, llm_request"),
    "afterModelCallbacks": ("after_model_callback", "callback_context, llm_response"),
    "beforeToolCallbacks": ("before_tool_callback", "tool, input, callback_context"),
    "afterToolCallbacks": ("after_tool_callback", "tool, input, callback_context, tool_response"),
}


@pytest.mark.parametrize("field", sorted(CALLBACKS))
def test_callbacks_need_the_right_name_and_signature(server, field):
    """A callback is a function of the kind's name and parameters."""
    server.app()
    name, parameters = CALLBACKS[field]
    good = f"def {name}({parameters}):\n    return None\n"
    for code, status in (
        (good, 200),
        (good.replace(name, "other"), 400),
        (good.replace(parameters, "x"), 400),
        ("def (", 400),
    ):
        body = {"displayName": "A", field: [{"pythonCode": code}]}
        assert server.create(f"{APP}/agents", body).status == status, code


def test_callbacks_are_not_looked_at_when_the_switch_says_so(serving):
    """The check of callbacks can be switched off."""
    server = serving(check_callbacks=False)
    server.app()
    server.agent("front", beforeAgentCallbacks=[{"pythonCode": "x = 1"}])


def test_guardrail_callbacks_are_laxer(server):
    """The code of a guardrail's callback may be of any name and signature."""
    server.app()
    code = {"beforeAgentCallback": {"pythonCode": "def anything(x):\n    return None\n"}}
    server.made("guardrails", {"displayName": "G", "codeCallback": code})


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("guardrails", {"displayName": "G", "codeCallback": {}, "action": {"generativeAnswer": {}}}),
        ("evaluations", {"displayName": "V", "scenario": {"task": "t"}}),
    ],
)
def test_required_fields_that_real_apps_lack_are_not_insisted_on(server, kind, body):
    """generativeAnswer.prompt, scenarioExpectations and rubrics are required and missing in real apps."""
    server.app()
    server.made(kind, body)


def test_a_variable_needs_no_description(server):
    """The description of a variable is required by the protos, and missing in real apps."""
    server.app(variableDeclarations=[{"name": "v", "schema": {"type": "STRING"}}])


@pytest.mark.parametrize(
    ("kind", "body", "field"),
    [
        ("agents", {}, "displayName"),
        ("agents", {"displayName": ""}, "displayName"),
        (
            "toolsets",
            {"displayName": "S", "connectorToolset": {"authConfig": {}}},
            "connectorToolset.connection",
        ),
        (
            "examples",
            {"displayName": "E", "messages": [{"chunks": [{"image": {}}]}]},
            "messages[0].chunks[0].image.mimeType",
        ),
        ("deployments", {"displayName": "D"}, "channelProfile"),
    ],
)
def test_other_required_fields_are_insisted_on(server, kind, body, field):
    """A missing required field, also a nested one, is INVALID_ARGUMENT and named by its path."""
    server.app()
    sent = server.create(f"{APP}/{kind}", body)
    assert sent.code == "INVALID_ARGUMENT"
    assert field in sent.fields


@pytest.mark.parametrize("switch", ["check", "accept"])
def test_dangling_outward_references_are_accepted(serving, switch):
    """Transfer agents, toolIds, buckets and templates need not exist."""
    server = serving(references=switch)
    bucket = {"gcsBucket": "gs://nobody"}
    template = "projects/acme/locations/us/inspectTemplates/none"
    logging = {"audioRecordingConfig": bucket, "redactionConfig": {"inspectTemplate": template}}
    server.app(loggingSettings=logging)
    action = {"transferAgent": {"agent": f"{APP}/agents/nobody"}}
    server.made("guardrails", {"displayName": "G", "codeCallback": {}, "action": action})
    body = {"displayName": "S", "mcpToolset": {"serverAddress": "https://mcp.acme.example"}}
    toolset = server.made("toolsets", body)["name"]
    server.agent("front", toolsets=[{"toolset": toolset, "toolIds": ["nothing"]}])


@pytest.mark.parametrize(("switch", "status"), [("check", 400), ("accept", 200)])
@pytest.mark.parametrize("field", ["tools", "childAgents", "guardrails"])
def test_references_inside_an_app(serving, switch, status, field):
    """Whether an agent's own references are checked is open: by switch, refused by default."""
    server = serving(references=switch)
    server.app()
    sent = server.create(f"{APP}/agents", {"displayName": "A", field: [f"{APP}/{field}/nobody"]})
    assert sent.status == status


def test_a_reference_that_dangles_already_stands_in_no_ones_way(server):
    """Only what an update adds is checked; live apps do hold dangling references."""
    server.app()
    server.emulator.seed({"name": FRONT, "displayName": "F", "tools": [f"{APP}/tools/gone"]})
    assert server.update(FRONT, {"description": "d"}, updateMask="description").status == 200


@pytest.mark.parametrize("switch", ["check", "accept"])
@pytest.mark.parametrize("version", ["gone1", "-"])
def test_a_deployed_version_must_exist(serving, switch, version):
    """A deployment's version must exist (400); the draft, `versions/-`, is refused too."""
    server = serving(references=switch)
    server.app()
    sent = server.create(f"{APP}/deployments", API | {"appVersion": f"{APP}/versions/{version}"})
    assert (sent.status, sent.fields) == (400, ["appVersion"])


def allocations(*shares: Any) -> dict[str, Any]:
    rows = [{"appVersion": f"{APP}/versions/v0001", "trafficPercentage": share} for share in shares]
    return {"experimentConfig": {"versionRelease": {"state": "RUNNING", "trafficAllocations": rows}}}


@pytest.mark.parametrize(
    ("shares", "status"),
    [((50, 50), 200), ((100,), 200), ((60, 50), 400), ((120, -20), 400), ((99,), 400)],
)
def test_a_traffic_split_sums_to_100(server, shares, status):
    """Each share is 0 to 100 and their sum is 100."""
    server.app()
    server.made("versions", {}, appVersionId="v0001")
    assert server.create(f"{APP}/deployments", API | allocations(*shares)).status == status


def test_a_traffic_split_names_existing_versions_and_short_ids(server):
    """The versions of a split must exist, and an id has at most 128 characters."""
    server.app()
    assert server.create(f"{APP}/deployments", API | allocations(100)).code == "INVALID_ARGUMENT"
    server.made("versions", {}, appVersionId="v0001")
    for length, status in ((128, 200), (129, 400)):
        body = allocations(100)
        body["experimentConfig"]["versionRelease"]["trafficAllocations"][0]["id"] = "i" * length
        assert server.create(f"{APP}/deployments", API | body).status == status


@pytest.mark.parametrize(
    ("certificate", "key", "status"),
    [(CERTIFICATE, KEY, 200), ("MIIB", KEY, 400), (CERTIFICATE, "-----BEGIN PRIVATE KEY-----", 400)],
)
def test_client_certificate_and_key_are_checked(server, certificate, key, status):
    """The certificate is PEM and the key a secret version."""
    server.app()
    settings = {"tlsCertificate": certificate, "privateKey": key}
    sent = server.update(APP, {"clientCertificateSettings": settings}, updateMask="clientCertificateSettings")
    assert sent.status == status


@pytest.mark.parametrize("switch", ["check", "accept"])
def test_the_root_agent_cannot_be_set_when_the_app_is_created(serving, switch):
    """rootAgent in a create of an app is refused: no agent can exist yet."""
    server = serving(references=switch)
    body = {"displayName": "D", "rootAgent": FRONT}
    sent = server.create(f"{LOCATION}/apps", body, appId="desk1")
    assert sent.code == "INVALID_ARGUMENT"
    assert server.get(APP).code == "NOT_FOUND"


@pytest.mark.parametrize(("switch", "status"), [(False, 200), (True, 400)])
def test_an_app_without_a_model_may_fail(serving, switch, status):
    """An app created with a display name only may fail for want of a model."""
    server = serving(app_needs_model=switch)
    assert server.create(f"{LOCATION}/apps", {"displayName": "D"}).status == status
    body = {"displayName": "D", "modelSettings": {"model": "m"}}
    assert server.create(f"{LOCATION}/apps", body).status == 200


def test_a_locked_app_refuses_changes_of_its_resources(server):
    """locked: true refuses create, update and delete below the app, and the app's own fields."""
    server.app()
    server.agent("front")
    server.update(APP, {"locked": True}, updateMask="locked")
    refused = [
        server.create(f"{APP}/agents", {"displayName": "A"}),
        server.update(FRONT, {"description": "d"}, updateMask="description"),
        server.delete(FRONT),
        server.create(f"{APP}/versions", {}),
        server.update(APP, {"description": "d"}, updateMask="description"),
        server.delete(APP),
    ]
    assert [answer.code for answer in refused] == ["FAILED_PRECONDITION"] * 6
    assert server.get(FRONT).status == 200
    assert "locked" not in server.update(APP, {"locked": False}, updateMask="locked").body
    assert server.delete(FRONT).status == 200


@pytest.mark.parametrize("kind", ["toolsets", "evaluations", "evaluationExpectations", "evaluationDatasets"])
def test_display_names_that_are_documented_as_unique(server, kind):
    """Display names of toolsets and of the evaluation kinds are unique in the app."""
    bodies: dict[str, Any] = {
        "toolsets": {"mcpToolset": {"serverAddress": "https://mcp.acme.example"}},
        "evaluations": {"scenario": {"task": "t"}},
        "evaluationExpectations": {"llmCriteria": {"prompt": "p"}},
    }
    server.app()
    body = bodies.get(kind, {}) | {"displayName": "One"}
    made = server.made(kind, body)
    assert server.create(f"{APP}/{kind}", body).code == "ALREADY_EXISTS"
    assert server.update(made["name"], {"displayName": "One"}, updateMask="displayName").status == 200


def test_toolsets_without_a_display_name_do_not_clash(server):
    """A toolset's display name is optional: two without one are no two of the same name."""
    server.app()
    body = {"mcpToolset": {"serverAddress": "https://mcp.acme.example"}}
    assert [server.create(f"{APP}/toolsets", body).status for _ in range(2)] == [200, 200]


def test_display_names_of_other_kinds_may_repeat(server):
    """Two agents may have one display name."""
    server.app()
    server.agent("front", displayName="Same")
    server.agent("back1", displayName="Same")


def test_unknown_live_fields_and_enum_values_pass_through(server):
    """Fields and enum values newer than the contract come back, and outlive masked updates."""
    server.app()
    newer = {"remoteA2aAgent": {"a2aConfig": {}}, "modelSettings": {"model": "m", "topK": 3}}
    server.emulator.seed({"name": FRONT, "displayName": "F", **newer})
    server.update(FRONT, {"description": "d"}, updateMask="description")
    now = server.get(FRONT).body
    assert (now["remoteA2aAgent"], now["modelSettings"]) == (newer["remoteA2aAgent"], newer["modelSettings"])
    tool = {"name": f"{APP}/tools/tool1", "clientFunction": {"name": "b"}, "executionType": "LATER"}
    server.emulator.seed(tool)
    assert server.get(tool["name"]).body["executionType"] == "LATER"


def test_a_server_newer_than_the_contract_takes_what_it_has_answered(server):
    """What was live can be sent again, as a list that must be replaced whole needs it."""
    server.app()
    server.emulator.seed({"name": FRONT, "displayName": "F", "remoteA2aAgent": {"x": 1}})
    now = server.update(FRONT, {"remoteA2aAgent": {"x": 2}}, updateMask="remoteA2aAgent")
    assert now.body["remoteA2aAgent"] == {"x": 2}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"displayname": "x"}, "displayname"),
        ({"display_name": "x"}, "display_name"),
        ({"displayName": 5}, "displayName"),
        ({"tools": "one"}, "tools"),
        ({"modelSettings": {"temperature": "hot"}}, "modelSettings.temperature"),
        ({"modelSettings": []}, "modelSettings"),
        ({"llmAgent": {}, "remoteDialogflowAgent": {"agent": "a"}}, "remoteDialogflowAgent"),
    ],
)
def test_a_body_off_the_schema_is_refused(server, body, field):
    """Unknown fields, wrong types and two members of a oneof are INVALID_ARGUMENT, named by path."""
    server.app()
    sent = server.create(f"{APP}/agents", {"displayName": "A"} | body)
    assert sent.code == "INVALID_ARGUMENT"
    assert field in sent.fields


def test_an_unknown_enum_value_is_refused(server):
    """An enum takes its names and numbers only."""
    server.app()
    for value, status in (("SYNCHRONOUS", 200), (1, 200), ("LATER", 400), (99, 400), (True, 400)):
        body = {"clientFunction": {"name": "beep"}, "executionType": value}
        assert server.create(f"{APP}/tools", body).status == status, value


@pytest.mark.parametrize(("switch", "status"), [("accept", 200), ("refuse", 400)])
@pytest.mark.parametrize("mask", ["googleSearchTool", None])
def test_the_type_of_a_resource(serving, switch, status, mask):
    """Whether a resource's type oneof can be switched in place is open; the same type always can."""
    server = serving(type_change=switch)
    server.app()
    name = server.made("tools", {"clientFunction": {"name": "beep"}})["name"]
    query = {"updateMask": mask} if mask else {}
    assert server.update(name, {"clientFunction": {"name": "boop"}}).status == 200
    assert server.update(name, {"googleSearchTool": {"name": "find"}}, **query).status == status


@pytest.mark.parametrize(("models", "status"), [(None, 200), (("gemini-x",), 200), (("other",), 400)])
def test_model_ids_are_checked(serving, models, status):
    """A model must be one of the location's, wherever it is named; by default any will do."""
    server = serving(models=models)
    server.app()
    body = {"displayName": "A", "modelSettings": {"model": "gemini-x"}}
    assert server.create(f"{APP}/agents", body).status == status


@pytest.mark.parametrize(("known", "status"), [(None, 200), (True, 200), (False, 400)])
def test_data_stores_are_checked(serving, known, status):
    """The data store of a tool must exist; by default any will do."""
    name = "projects/acme/locations/us/collections/c/dataStores/faq"
    stores = None if known is None else (name,) if known else ()
    server = serving(data_stores=stores)
    server.app()
    tool = {"name": "faq", "dataStoreSource": {"dataStore": {"name": name}}}
    assert server.create(f"{APP}/tools", {"dataStoreTool": tool}).status == status


def test_personas_are_few_and_their_names_differ(server):
    """At most thirty personas, with display names of their own."""
    server.app()

    def personas(*names):
        rows = [{"name": f"{APP}/evaluationPersonas/p", "displayName": n, "personality": "x"} for n in names]
        return server.update(APP, {"evaluationPersonas": rows}, updateMask="evaluationPersonas").status

    assert personas(*map(str, range(30))) == 200
    assert personas(*map(str, range(31))) == 400
    assert personas("same", "same") == 400
