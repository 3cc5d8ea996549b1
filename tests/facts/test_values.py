"""The values that the server fills in, and how values are returned."""

import pytest

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"
YEAR = "31536000s"
API = {"displayName": "D", "channelProfile": {"channelType": "API"}}


@pytest.mark.parametrize(
    ("switches", "settings"),
    [
        ({}, {"conversationLoggingSettings": {"retentionWindow": YEAR}}),
        ({"fill_retention_window": False}, {}),
        ({"fill_logging_settings": False}, None),
    ],
)
def test_logging_settings_are_filled_in(serving, switches, settings):
    """loggingSettings appear when absent, since 2026-05 with a retention of 365 days inside."""
    assert serving(**switches).app().get("loggingSettings") == settings


@pytest.mark.parametrize(("switch", "window"), [(True, YEAR), (False, None)])
def test_the_retention_window_is_filled_into_settings_of_the_user(serving, switch, window):
    """Inside settings that were sent, the window is filled in when absent and kept when sent."""
    server = serving(fill_retention_window=switch)
    cloud = {"cloudLoggingSettings": {"enableCloudLogging": True}}
    settings = server.app(loggingSettings=cloud)["loggingSettings"]
    assert settings["cloudLoggingSettings"] == {"enableCloudLogging": True}
    assert settings.get("conversationLoggingSettings", {}).get("retentionWindow") == window
    own = {"conversationLoggingSettings": {"retentionWindow": "86400s"}}
    now = server.update(APP, {"loggingSettings": own}, updateMask="loggingSettings").body
    assert now["loggingSettings"] == own


def test_clearing_a_filled_in_field_asks_for_the_default(server):
    """loggingSettings named in a mask and missing come back filled in."""
    server.app(loggingSettings={"conversationLoggingSettings": {"retentionWindow": "86400s"}})
    now = server.update(APP, {}, updateMask="loggingSettings").body
    assert now["loggingSettings"] == {"conversationLoggingSettings": {"retentionWindow": YEAR}}


@pytest.mark.parametrize(("switch", "settings"), [(True, {}), (False, None)])
def test_data_store_settings_are_filled_in(serving, switch, settings):
    """dataStoreSettings appear; their only member, engines, is output-only."""
    server = serving(fill_data_store_settings=switch)
    assert server.app().get("dataStoreSettings") == settings
    sent = {"dataStoreSettings": {"engines": [{"name": "mine"}]}}
    now = server.update(APP, sent, updateMask="dataStoreSettings").body
    assert now.get("dataStoreSettings") == {}


@pytest.mark.parametrize("mask", ["dataStoreSettings", None])
def test_engines_outlive_updates(server, mask):
    """No update by a caller takes the engines away."""
    server.app()
    store = {"name": "projects/acme/locations/us/collections/c/dataStores/faq"}
    server.made("tools", {"dataStoreTool": {"name": "faq", "dataStoreSource": {"dataStore": store}}})
    before = server.get(APP).body["dataStoreSettings"]
    query = {"updateMask": mask} if mask else {}
    now = server.update(APP, {"displayName": "Desk"}, **query).body
    assert before["engines"]
    assert now["dataStoreSettings"] == before


@pytest.mark.parametrize("switch", [True, False])
def test_the_prompt_template_of_a_guardrail_is_filled_in(serving, switch):
    """llmPromptSecurity.defaultSettings.defaultPromptTemplate is the server's, whatever is sent."""
    server = serving(fill_prompt_template=switch)
    server.app()
    security = {"defaultSettings": {"defaultPromptTemplate": "sent"}}
    made = server.made("guardrails", {"displayName": "G", "llmPromptSecurity": security})
    settings = made["llmPromptSecurity"]["defaultSettings"]
    assert ("defaultPromptTemplate" in settings) is switch
    assert settings.get("defaultPromptTemplate") != "sent"


@pytest.mark.parametrize(("switch", "name"), [(True, "look"), (False, None)])
def test_the_name_of_a_python_function_may_be_derived(serving, switch, name):
    """pythonFunction.name may come from the code; one that was sent stays."""
    server = serving(fill_python_function_name=switch)
    server.app()
    code = "import re\n\n\ndef look(order):\n    return order\n\n\ndef help_it():\n    pass\n"
    sent = server.create(f"{APP}/tools", {"pythonFunction": {"pythonCode": code}})
    assert sent.body.get("pythonFunction", {}).get("name") == name
    own = {"pythonFunction": {"pythonCode": code, "name": "help_it"}}
    assert server.made("tools", own)["pythonFunction"]["name"] == "help_it"


@pytest.mark.parametrize("switch", [True, False])
def test_an_open_api_tool_is_named_after_its_operation(serving, switch):
    """name and description derive from operationId and summary when absent; that they are stored is open."""
    server = serving(fill_open_api_names=switch)
    server.app()
    schema = "openapi: 3.0.0\npaths: {/x: {get: {operationId: listOrders, summary: All orders.}}}\n"
    made = server.made("tools", {"openApiTool": {"openApiSchema": schema}})
    derived = {"name": "listOrders", "description": "All orders."} if switch else {}
    assert made["openApiTool"] == {"openApiSchema": schema, **derived}
    assert made["displayName"] == "listOrders"
    own = {"name": "orders", "description": "Mine."}
    assert server.made("tools", {"openApiTool": {"openApiSchema": schema, **own}})["openApiTool"] == {
        "openApiSchema": schema,
        **own,
    }


@pytest.mark.parametrize(("switch", "project"), [("as_sent", "acme"), ("project_number", "123456789012")])
def test_an_app_version_may_come_back_in_another_spelling(serving, switch, project):
    """deployment.appVersion as sent, or with the project's number; either can be sent."""
    server = serving(app_version_spelling=switch)
    server.app()
    version = server.made("versions", {}, appVersionId="v0001")["name"]
    made = server.made("deployments", API | {"appVersion": version}, deploymentId="web01")
    assert made["appVersion"] == f"projects/{project}/locations/us/apps/desk1/versions/v0001"
    again = server.update(made["name"], {"appVersion": made["appVersion"]}, updateMask="appVersion")
    assert again.body["appVersion"] == made["appVersion"]


@pytest.mark.parametrize("number", ["123456789012", "42"])
def test_the_number_of_the_project_means_the_same_as_its_id(serving, number):
    """A reference with the number leads to the same resource; another number leads nowhere."""
    server = serving(project_number=number)
    server.app()
    server.tool("lookup")
    tail = "locations/us/apps/desk1/tools/lookup"
    agent = server.agent("front", tools=[f"projects/{number}/{tail}"])
    assert server.delete(f"{APP}/tools/lookup").code == "FAILED_PRECONDITION"
    body = {"displayName": "Back", "llmAgent": {}, "tools": [f"projects/7{number}/{tail}"]}
    assert server.create(f"{APP}/agents", body).code == "INVALID_ARGUMENT"
    assert server.delete(f"{APP}/tools/lookup", force="true").status == 200
    assert "tools" not in server.get(agent["name"]).body


def test_tool_execution_mode_is_not_filled_in(server):
    """toolExecutionMode stays absent when it is not sent."""
    assert "toolExecutionMode" not in server.app()


def test_values_come_back_as_sent(server):
    """Doubles, texts with CRLF and durations come back as they were sent."""
    server.app()
    text = "one\r\ntwo\r\n\ttrailing  \n"
    agent = server.agent("front", instruction=text, modelSettings={"temperature": 0.7})
    assert (agent["instruction"], agent["modelSettings"]["temperature"]) == (text, 0.7)
    tool = server.made("tools", {"clientFunction": {"name": "beep"}, "timeout": "30s"})
    assert tool["timeout"] == "30s"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [("3.5s", "3.500s"), ("3.500s", "3.500s"), ("03s", "3s"), ("0.000001s", "0.000001s"), ("-1.5s", "-1.500s")],
)
def test_a_duration_has_one_spelling(server, sent, kept):
    """Durations come back with 0, 3, 6 or 9 decimals, as ProtoJSON writes them."""
    server.app()
    assert server.made("tools", {"clientFunction": {"name": "beep"}, "timeout": sent})["timeout"] == kept


@pytest.mark.parametrize("sent", ["30", "30m", "1.2345678901s", 30, "s"])
def test_what_is_no_duration_is_refused(server, sent):
    """A duration is seconds with an s."""
    server.app()
    body = {"clientFunction": {"name": "beep"}, "timeout": sent}
    assert server.create(f"{APP}/tools", body).fields == ["timeout"]


def test_timestamps_come_back_in_utc(server):
    """Timestamps come back ending in Z, whatever offset was sent."""
    server.app()
    schedule = {"frequency": "DAILY", "startTime": "2027-01-01T02:30:00.5+02:30"}
    body = {"displayName": "R", "request": {"app": APP}, "schedulingConfig": schedule}
    made = server.made("scheduledEvaluationRuns", body)
    assert made["schedulingConfig"]["startTime"] == "2027-01-01T00:00:00.500Z"


def test_integers_inside_a_struct_come_back_as_doubles(server):
    """Inside Struct and Value every number is a double; elsewhere integers stay integers."""
    server.app()
    args = {"n": 3, "deep": [{"m": 4}], "yes": True, "none": None, "text": "5"}
    chunk = {"toolCall": {"tool": f"{APP}/tools/none1", "args": args}}
    made = server.made("examples", {"displayName": "E", "messages": [{"role": "a", "chunks": [chunk]}]})
    found = made["messages"][0]["chunks"][0]["toolCall"]["args"]
    assert (type(found["n"]), type(found["deep"][0]["m"])) == (float, float)
    assert found == {"n": 3.0, "deep": [{"m": 4.0}], "yes": True, "none": None, "text": "5"}


@pytest.mark.parametrize("sent", [3, "3", 3.0])
def test_int64_comes_back_as_a_string(server, sent):
    """int64 is a string in answers; numbers and strings are taken."""
    schema = {"type": "ARRAY", "minItems": sent}
    app = server.app(variableDeclarations=[{"name": "v", "schema": schema}])
    assert app["variableDeclarations"][0]["schema"]["minItems"] == "3"


def test_a_float_keeps_32_bits(server):
    """A float comes back as the shortest text of the same 32-bit number."""
    server.app()
    source = {"dataStore": {"name": "projects/p/locations/us/collections/c/dataStores/d"}}
    config = {"modalityType": "TEXT", "groundingConfig": {"groundingLevel": 1.10000002384185791}}
    tool = {"name": "faq", "dataStoreSource": source, "modalityConfigs": [config]}
    made = server.made("tools", {"dataStoreTool": tool})
    found = made["dataStoreTool"]["modalityConfigs"][0]["groundingConfig"]["groundingLevel"]
    assert found == 1.1


def test_bytes_come_back_in_one_alphabet(server):
    """base64 is taken in both alphabets, padded or not, and comes back standard and padded."""
    server.app()
    chunk = {"image": {"mimeType": "image/png", "data": "-_8"}}
    made = server.made("examples", {"displayName": "E", "messages": [{"role": "u", "chunks": [chunk]}]})
    assert made["messages"][0]["chunks"][0]["image"]["data"] == "+/8="


def test_defaults_without_presence_are_not_answered(server):
    """false, 0, "", [], {} of a map and the enum's zero equal absence and are left out."""
    server.app(pinned=False, metadata={}, toolExecutionMode="TOOL_EXECUTION_MODE_UNSPECIFIED")
    server.agent("front", description="", tools=[])
    app, agent = server.get(APP).body, server.get(f"{APP}/agents/front").body
    assert not {"pinned", "metadata", "toolExecutionMode"} & set(app)
    assert not {"description", "tools"} & set(agent)


def test_values_with_presence_and_empty_messages_are_answered(server):
    """0 of an optional field, a oneof member and an empty message are values."""
    server.app()
    agent = server.agent("front", modelSettings={"temperature": 0}, llmAgent={})
    assert (agent["modelSettings"], agent["llmAgent"]) == ({"temperature": 0}, {})


def test_null_inside_a_value_is_a_value(server):
    """Schema.default: null is kept; null elsewhere is absence."""
    schema = {"type": "STRING", "default": None, "title": None}
    app = server.app(variableDeclarations=[{"name": "v", "schema": schema}])
    assert app["variableDeclarations"][0]["schema"] == {"type": "STRING", "default": None}
