"""What the server accepts and refuses."""

from typing import Any

import pytest

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"
FRONT = f"{APP}/agents/front"


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
        (
            "evaluations",
            {
                "displayName": "V",
                "scenario": {
                    "task": "t",
                    "scenarioExpectations": [{"toolExpectation": {"expectedToolCall": {"args": {}}}}],
                },
            },
        ),
        ("tools", {"dataStoreTool": {"name": "faq", "engineSource": {}}}),
    ],
)
@pytest.mark.parametrize("switch", ["resource", "documented"])
def test_required_fields_that_real_apps_lack_are_not_insisted_on(serving, switch, kind, body):
    """
    generativeAnswer.prompt, scenarioExpectations, rubrics, toolExpectation.mockToolResponse and
    dataStoreTool.engineSource.engine are required and missing in real apps.
    """
    server = serving(required_fields=switch)
    server.app()
    server.made(kind, body)


@pytest.mark.parametrize("switch", ["resource", "documented"])
def test_a_variable_needs_no_description(serving, switch):
    """The description of a variable is required by the protos, and missing in real apps."""
    serving(required_fields=switch).app(variableDeclarations=[{"name": "v", "schema": {"type": "STRING"}}])


@pytest.mark.parametrize(
    ("kind", "body", "field"),
    [
        ("agents", {}, "displayName"),
        ("agents", {"displayName": ""}, "displayName"),
        ("deployments", {"displayName": "D"}, "channelProfile"),
    ],
)
@pytest.mark.parametrize("switch", ["resource", "documented"])
def test_required_fields_of_a_resource_are_insisted_on(serving, switch, kind, body, field):
    """A resource without one of its own required fields is INVALID_ARGUMENT, which names it."""
    server = serving(required_fields=switch)
    server.app()
    sent = server.create(f"{APP}/{kind}", body)
    assert (sent.code, sent.fields) == ("INVALID_ARGUMENT", [field])


@pytest.mark.parametrize(("switch", "status"), [("resource", 200), ("documented", 400)])
@pytest.mark.parametrize(
    ("kind", "body", "field"),
    [
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
    ],
)
def test_other_required_fields_further_down(serving, switch, status, kind, body, field):
    """More of them must be expected to be missing in real apps: whether they are insisted on is a switch."""
    server = serving(required_fields=switch)
    server.app()
    sent = server.create(f"{APP}/{kind}", body)
    assert sent.status == status
    assert status == 200 or field in sent.fields


@pytest.mark.parametrize(("switch", "status"), [("accept", 200), ("refuse", 400)])
def test_two_samples_of_google_name_a_parameter_otherwise(serving, switch, status):
    """`tool_input` for `input` in the after-tool callback: a switch; no other name will do."""
    server = serving(callback_parameters=switch)
    server.app()
    code = "def after_tool_callback(tool, tool_input, callback_context, tool_response):\n    return None\n"
    for text, expected in ((code, status), (code.replace("tool_input", "given"), 400)):
        body = {"displayName": "A", "afterToolCallbacks": [{"pythonCode": text}]}
        assert server.create(f"{APP}/agents", body).status == expected
    before = code.replace("after_tool", "before_tool").replace(", tool_response", "")
    body = {"displayName": "A", "beforeToolCallbacks": [{"pythonCode": before}]}
    assert server.create(f"{APP}/agents", body).status == 400


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
    """A toolset's display name is optional: two without one are not two of the same name."""
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
