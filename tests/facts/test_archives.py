"""FACTS §6: the export layout, and what an import does."""

import base64
import io
import json
import zipfile

import pytest
from ruamel.yaml import YAML

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"
CALLBACK = "def before_agent_callback(callback_context):\n    return None\n"
CODE = "def look_up(order: str):\n    return order\n"
SCHEMA = """openapi: 3.0.0
info: {title: Orders, version: "1"}
servers:
- url: https://orders.acme.example
paths:
  /orders: {get: {operationId: listOrders}}
"""


def zipped(files, root="Desk"):
    """Return base64 of a ZIP; values that are no text are written as JSON."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, value in files.items():
            name = f"{root}/{path}" if root else path
            archive.writestr(name, value if isinstance(value, str) else json.dumps(value))
    return base64.b64encode(out.getvalue()).decode()


def unzipped(content):
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(content))) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def exported(server, form="JSON", **request):
    answer = server.send("POST", f"{APP}:exportApp", {"exportFormat": form, **request})
    assert answer.status == 200, answer.body
    return unzipped(answer.body["response"]["appContent"])


def imported(server, files, **request):
    """Import files and return the response of the operation, or the error of the request."""
    body = {"appContent": zipped(files), **request}
    answer = server.send("POST", f"{LOCATION}/apps:importApp", body)
    return answer.body["response"] if answer.status == 200 else answer


def replacing(strategy, **more):
    return {"appId": "desk1", "importOptions": {"conflictResolutionStrategy": strategy, **more}}


def names(server, kind):
    found = server.get(f"{APP}/{kind}").body.get(kind, [])
    return {one["displayName"]: one["name"].rpartition("/")[2] for one in found}


@pytest.fixture
def desk(server):
    """An app with one of everything that an export holds."""
    server.app(globalInstruction="Be kind.\n")
    tool = server.made("tools", {"pythonFunction": {"name": "look_up", "pythonCode": CODE}}, toolId="lookup")
    toolset = {"displayName": "Orders", "openApiToolset": {"openApiSchema": SCHEMA}}
    orders = server.made("toolsets", toolset, toolsetId="orders")
    rail = server.made(
        "guardrails", {"displayName": "No 'foul' <talk>", "codeCallback": {}}, guardrailId="rail1"
    )
    front = server.agent(
        "front",
        displayName="Front desk",
        instruction="Help.",
        tools=[tool["name"], f"{APP}/tools/end_session"],
        toolsets=[{"toolset": orders["name"], "toolIds": ["listOrders"]}],
        guardrails=[rail["name"]],
        beforeAgentCallbacks=[{"pythonCode": CALLBACK, "description": "one"}, {"pythonCode": CALLBACK}],
    )
    server.update(APP, {"rootAgent": front["name"]}, updateMask="rootAgent")
    expectation = server.made(
        "evaluationExpectations", {"displayName": "Polite", "llmCriteria": {"prompt": "?"}}
    )
    call = {"expectation": {"toolCall": {"tool": tool["name"], "args": {"order": "7"}}}}
    golden = {"turns": [{"steps": [call]}], "evaluationExpectations": [expectation["name"]]}
    evaluation = server.made("evaluations", {"displayName": "Gold", "golden": golden})
    server.made("evaluationDatasets", {"displayName": "All", "evaluations": [evaluation["name"]]})
    example = {
        "displayName": "Ex",
        "entryAgent": front["name"],
        "messages": [{"role": "user", "chunks": [{"text": "hi"}]}],
    }
    server.made("examples", example)
    return server


def test_an_export_has_one_root_folder_and_a_folder_for_each_resource(desk):
    """Folders are display names with one `_` for each other character; callbacks count from 01."""
    assert sorted(exported(desk)) == [
        "Desk/agents/Front_desk/Front_desk.json",
        "Desk/agents/Front_desk/before_agent_callbacks/before_agent_callbacks_01/python_code.py",
        "Desk/agents/Front_desk/before_agent_callbacks/before_agent_callbacks_02/python_code.py",
        "Desk/agents/Front_desk/instruction.txt",
        "Desk/app.json",
        "Desk/environment.json",
        "Desk/evaluationDatasets/All/All.json",
        "Desk/evaluationExpectations/Polite/Polite.json",
        "Desk/evaluations/Gold/Gold.json",
        "Desk/examples/Ex/Ex.json",
        "Desk/global_instruction.txt",
        "Desk/guardrails/No__foul___talk_/No__foul___talk_.json",
        "Desk/tools/look_up/look_up.json",
        "Desk/tools/look_up/python_function/python_code.py",
        "Desk/toolsets/Orders/Orders.json",
        "Desk/toolsets/Orders/open_api_toolset/open_api_schema.yaml",
    ]


def test_names_are_bare_ids_and_references_display_names(desk):
    """`name` is the id; tools, agents, guardrails, toolsets, expectations are named by display name."""
    files = exported(desk)
    assert json.loads(files["Desk/app.json"]) == {
        "name": "desk1",
        "displayName": "Desk",
        "rootAgent": "Front desk",
        "globalInstruction": "global_instruction.txt",
        "loggingSettings": {"conversationLoggingSettings": {"retentionWindow": "31536000s"}},
        "dataStoreSettings": {},
    }
    agent = json.loads(files["Desk/agents/Front_desk/Front_desk.json"])
    assert agent["tools"] == ["end_session", "look_up"]
    assert agent["toolsets"] == [{"toolset": "Orders", "toolIds": ["listOrders"]}]
    assert agent["guardrails"] == ["No 'foul' <talk>"]
    assert agent["instruction"] == "agents/Front_desk/instruction.txt"
    folder = "agents/Front_desk/before_agent_callbacks"
    assert agent["beforeAgentCallbacks"] == [
        {"description": "one", "pythonCode": f"{folder}/before_agent_callbacks_01/python_code.py"},
        {"pythonCode": f"{folder}/before_agent_callbacks_02/python_code.py"},
    ]
    golden = json.loads(files["Desk/evaluations/Gold/Gold.json"])["golden"]
    assert golden["evaluationExpectations"] == ["Polite"]
    assert golden["turns"][0]["steps"][0]["expectation"]["toolCall"]["tool"] == "look_up"
    assert json.loads(files["Desk/evaluationDatasets/All/All.json"])["evaluations"] == ["Gold"]


def test_texts_are_files_as_they_are(desk):
    """Instructions and code stand in their files, character by character."""
    files = exported(desk)
    assert files["Desk/global_instruction.txt"] == "Be kind.\n"
    assert files["Desk/agents/Front_desk/instruction.txt"] == "Help."
    assert files["Desk/tools/look_up/python_function/python_code.py"] == CODE


def test_the_server_url_goes_to_the_environment(desk):
    """environment.json has the URL of an OpenAPI schema, in whose place stands $env_var."""
    files = exported(desk)
    assert "- url: $env_var\n" in files["Desk/toolsets/Orders/open_api_toolset/open_api_schema.yaml"]
    environment = json.loads(files["Desk/environment.json"])
    assert environment == {"toolsets": {"Orders": {"openApiToolset": {"url": "https://orders.acme.example"}}}}


def test_json_is_written_in_the_servers_style(desk):
    """Two spaces, scalar lists in one line, three characters escaped, no newline at the end."""
    files = exported(desk)
    assert files["Desk/guardrails/No__foul___talk_/No__foul___talk_.json"] == (
        '{\n  "name": "rail1",\n  "codeCallback": {\n  },\n'
        '  "displayName": "No \\u0027foul\\u0027 \\u003ctalk\\u003e"\n}'
    )
    text = files["Desk/agents/Front_desk/Front_desk.json"]
    assert '  "tools": ["end_session", "look_up"],\n' in text
    assert '  "toolsets": [{\n    "toolset": "Orders",\n    "toolIds": ["listOrders"]\n  }]' in text


def test_yaml_is_the_other_format(desk):
    """With YAML every resource file is YAML and says the same."""
    as_json, as_yaml = exported(desk), exported(desk, "YAML")
    for path, text in as_json.items():
        if path.endswith(".json") and not path.endswith("environment.json"):
            assert YAML(typ="safe").load(as_yaml[f"{path.removesuffix('json')}yaml"]) == json.loads(text)


def test_before_2026_names_were_missing_and_before_august_lists_unsorted(serving):
    """`name` is absent from files before 2026; tools are sorted since 2026-08."""
    for month, named, tools in (
        ("2025-12", False, ["b_tool", "a_tool"]),
        ("2026-08", True, ["a_tool", "b_tool"]),
    ):
        server = serving(as_of=month)
        server.app()
        made = [server.made("tools", {"clientFunction": {"name": f"{n}_tool"}})["name"] for n in "ba"]
        server.agent("front", tools=made)
        agent = json.loads(exported(server)["Desk/agents/front/front.json"])
        assert ("name" in agent, agent["tools"]) == (named, tools)


def test_deployments_versions_and_the_change_log_are_not_in_it(desk):
    """Not exported: deployments, versions, runs, the change log."""
    desk.made("versions", {}, appVersionId="v0001")
    desk.made("deployments", {"displayName": "D", "channelProfile": {"channelType": "API"}})
    assert {path.split("/")[1] for path in exported(desk)}.isdisjoint({"versions", "deployments", "changelogs"})


def test_a_version_can_be_exported(desk):
    """With appVersion the snapshot is exported, not the draft; evaluations are not in a snapshot."""
    version = desk.made("versions", {}, appVersionId="v0001")["name"]
    desk.update(f"{APP}/agents/front", {"instruction": "Later."}, updateMask="instruction")
    files = exported(desk, appVersion=version)
    assert files["Desk/agents/Front_desk/instruction.txt"] == "Help."
    assert not any("evaluations" in path for path in files)
    bad = desk.send("POST", f"{APP}:exportApp", {"exportFormat": "JSON", "appVersion": f"{APP}/versions/gone"})
    assert bad.code == "NOT_FOUND"


def test_the_format_is_required(desk):
    """exportFormat is a required field of the request."""
    sent = desk.send("POST", f"{APP}:exportApp", {})
    assert (sent.code, sent.fields) == ("INVALID_ARGUMENT", ["exportFormat"])


def test_two_resources_of_one_folder_name_are_both_exported(server):
    """Where display names differ only in other characters the second folder has a number."""
    server.app()
    for key, name in (("alpha", "a b"), ("bravo", "a_b")):
        server.agent(key, displayName=name)
    assert {p.split("/")[2] for p in exported(server) if "/agents/" in p} == {"a_b", "a_b_2"}


@pytest.mark.parametrize("form", ["JSON", "YAML"])
def test_an_export_comes_back_as_it_was(desk, form):
    """Imported as a new app, everything is there again: references, texts, the environment's values."""
    answer = desk.send("POST", f"{APP}:exportApp", {"exportFormat": form})
    body = {"appContent": answer.body["response"]["appContent"], "appId": "desk2", "displayName": "Copy"}
    made = desk.send("POST", f"{LOCATION}/apps:importApp", body).body["response"]
    assert made == {"@type": made["@type"], "name": f"{LOCATION}/apps/desk2"}
    for kind in ("agents", "tools", "toolsets", "guardrails", "examples", "evaluations", "evaluationDatasets"):
        here, there = (desk.get(f"{LOCATION}/apps/{app}/{kind}").body[kind] for app in ("desk1", "desk2"))
        assert plain(here, "desk1") == plain(there, "desk2")
    app = desk.get(f"{LOCATION}/apps/desk2").body
    assert (app["displayName"], app["rootAgent"]) == ("Copy", f"{LOCATION}/apps/desk2/agents/front")


def plain(resources, app):
    """Return resources without what differs between two apps; the set of an agent's tools sorted."""
    text = json.dumps(resources).replace(f"/apps/{app}/", "/apps/*/")
    hidden = ("etag", "createTime", "updateTime")
    found = [{k: v for k, v in one.items() if k not in hidden} for one in json.loads(text)]
    for one in found:
        if "tools" in one:
            one["tools"] = sorted(one["tools"])
    return sorted(found, key=lambda one: one["displayName"])


APP_FILE = {"app.json": {"displayName": "Desk"}}


def agent_files(stem, **body):
    return {f"agents/{stem}/{stem}.json": {"displayName": stem, "llmAgent": {}, **body}}


def test_an_import_without_an_id_makes_a_new_app(server):
    """Without appId the app gets an id of its own, and without `name` so do its resources."""
    answer = imported(server, {**APP_FILE, **agent_files("Front")})
    name = answer["name"]
    assert len(name.rpartition("/")[2]) == 36
    (agent,) = server.get(f"{name}/agents").body["agents"]
    assert len(agent["name"].rpartition("/")[2]) == 36


def test_a_name_in_a_file_becomes_the_id(server):
    """With `name` in the files the ids are those."""
    imported(server, {**APP_FILE, **agent_files("Front", name="front")}, appId="desk1")
    assert names(server, "agents") == {"Front": "front"}


def test_replace_matches_display_names_and_deletes_nothing(server):
    """What has the same display name is overwritten and keeps its id; what is not there stays."""
    server.app()
    server.agent("front", displayName="Front", description="old")
    server.agent("other", displayName="Other")
    files = {**APP_FILE, **agent_files("Front", name="other2", instruction="new"), **agent_files("More")}
    answer = imported(server, files, **replacing("REPLACE"))
    assert "warnings" not in answer
    found = names(server, "agents")
    assert (found["Front"], found["Other"], set(found)) == ("front", "other", {"Front", "Other", "More"})
    front = server.get(f"{APP}/agents/front").body
    assert (front["instruction"], "description" in front) == ("new", False)


@pytest.mark.parametrize(("switch", "kept"), [("new", False), ("from_file", True)])
def test_overwrite_deletes_and_makes_new_ones(serving, switch, kept):
    """OVERWRITE deletes agents, tools, examples, guardrails, toolsets; what it makes has new ids."""
    server = serving(import_overwrite_ids=switch)
    server.app()
    server.agent("front", displayName="Front")
    server.agent("other", displayName="Other")
    evaluation = server.made("evaluations", {"displayName": "V", "scenario": {"task": "t"}})["name"]
    imported(server, {**APP_FILE, **agent_files("Front", name="front")}, **replacing("OVERWRITE"))
    found = names(server, "agents")
    assert (set(found), found["Front"] == "front") == ({"Front"}, kept)
    assert server.get(evaluation).status == 200


def test_a_dry_run_says_the_same_and_changes_nothing(server):
    """validateOnly: the same warnings, and nothing is created, changed or written in the log."""
    server.app()
    before = server.get(f"{APP}/changelogs").body
    files = {**APP_FILE, **agent_files("Front", tools=["gone"])}
    dry = imported(server, files, **replacing("REPLACE", validateOnly=True))
    assert server.get(f"{APP}/agents").body == {}
    assert server.get(f"{APP}/changelogs").body == before
    assert imported(server, files, **replacing("REPLACE"))["warnings"] == dry["warnings"]


def test_a_resource_with_errors_is_left_out_with_a_warning(server):
    """The rest is imported; a warning names the file, a reference to what is missing goes too."""
    files = {
        **APP_FILE,
        **agent_files("Front", tools=["broken", "fine"]),
        **agent_files("Bad", displayname="x"),
        **agent_files("Lost", instruction="agents/Lost/instruction.txt"),
        "agents/Torn/Torn.json": "{",
        "tools/broken/broken.json": {"pythonFunction": {"name": "broken", "pythonCode": "def broken(:\n"}},
        "tools/fine/fine.json": {"clientFunction": {"name": "fine"}},
        "guardrails/None/None.json": {"enabled": True},
    }
    warnings = imported(server, files, appId="desk1")["warnings"]
    assert names(server, "agents").keys() == {"Front"}
    assert names(server, "tools").keys() == {"fine"}
    told = {warning.split(":")[0] for warning in warnings}
    assert told == {
        "agents/Bad/Bad.json",
        "agents/Front/Front.json",
        "agents/Lost/Lost.json",
        "agents/Torn/Torn.json",
        "guardrails/None/None.json",
        "tools/broken/broken.json",
    }
    assert server.get(f"{APP}/agents/{names(server, 'agents')['Front']}").body["tools"] == [
        f"{APP}/tools/{names(server, 'tools')['fine']}"
    ]


@pytest.mark.parametrize("told", ["warn", "silent"])
@pytest.mark.parametrize(
    "code", ["def f(:\n", "def f(a, **more):\n    return a\n", "def f(a=None):\n    return a\n"]
)
def test_tools_are_dropped_for_their_code(serving, told, code):
    """Import drops tools with syntax errors, **kwargs or None defaults."""
    server = serving(import_dropped_code=told)
    tool = {"tools/f/f.json": {"pythonFunction": {"name": "f", "pythonCode": code}}}
    answer = imported(server, {**APP_FILE, **tool}, appId="desk1")
    assert server.get(f"{APP}/tools").body == {}
    assert ("warnings" in answer) == (told == "warn")


@pytest.mark.parametrize("told", ["warn", "silent"])
def test_bad_callbacks_are_dropped(serving, told):
    """Import drops callbacks of another name or signature, and keeps the agent."""
    server = serving(import_dropped_code=told)
    callbacks = [{"pythonCode": CALLBACK}, {"pythonCode": "def other():\n    pass\n"}]
    answer = imported(
        server, {**APP_FILE, **agent_files("Front", beforeAgentCallbacks=callbacks)}, appId="desk1"
    )
    agent = server.get(f"{APP}/agents/{names(server, 'agents')['Front']}").body
    assert agent["beforeAgentCallbacks"] == [{"pythonCode": CALLBACK}]
    assert ("warnings" in answer) == (told == "warn")


def test_a_locked_app_is_imported_over_only_when_asked(server):
    """ignoreAppLock overrides the lock during an import."""
    server.app(locked=True)
    request = replacing("REPLACE")
    assert imported(server, APP_FILE | agent_files("Front"), **request).code == "FAILED_PRECONDITION"
    imported(server, APP_FILE | agent_files("Front"), **request, ignoreAppLock=True)
    assert names(server, "agents").keys() == {"Front"}


def test_display_names_of_imports(server):
    """On a new app displayName wins, with a time behind it if taken; on a known app it is refused."""
    server.app()
    first = imported(server, APP_FILE, displayName="Other")["name"]
    assert server.get(first).body["displayName"] == "Other"
    second = imported(server, APP_FILE)["name"]
    assert server.get(second).body["displayName"].startswith("Desk 20")
    again = imported(server, APP_FILE, appId="desk1", displayName="New")
    assert (again.code, again.fields) == ("INVALID_ARGUMENT", ["displayName"])


def test_yaml_wins_and_comments_are_passed_over(server):
    """Both app.yaml and app.json: yaml counts. Keys that begin with _comment are nobody's fields."""
    files = {"app.json": {"displayName": "Json"}, "app.yaml": "_comment_1: by hand\ndisplayName: Yaml\n"}
    assert server.get(imported(server, files)["name"]).body["displayName"] == "Yaml"


def test_the_environment_fills_in_what_the_files_leave_open(server):
    """$env_var is replaced by environment.json, by type, display name and field path, dotted or nested."""
    big_query = {"enabled": True, "project": "$env_var", "dataset": "$env_var"}
    app = {"displayName": "Desk", "loggingSettings": {"bigqueryExportSettings": big_query}}
    tool = {"name": "faq", "dataStoreSource": {"dataStore": {"name": "$env_var"}}}
    store = "projects/acme/locations/us/collections/c/dataStores/faq"
    files = {
        "app.json": app,
        "tools/faq/faq.json": {"displayName": "faq", "dataStoreTool": tool},
        "toolsets/S/S.json": {"displayName": "S", "openApiToolset": {"openApiSchema": "any/place.yaml"}},
        "any/place.yaml": SCHEMA.replace("https://orders.acme.example", "$env_var"),
        "environment.json": {
            "app": {"loggingSettings": {"bigqueryExportSettings": {"project": "p", "dataset": "d"}}},
            "tools": {"faq": {"dataStoreTool.dataStoreSource.dataStore.name": store}},
            "toolsets": {"S": {"openApiToolset": {"url": "https://prod.acme.example"}}},
        },
    }
    name = imported(server, files)["name"]
    settings = server.get(name).body["loggingSettings"]["bigqueryExportSettings"]
    assert settings == {"enabled": True, "project": "p", "dataset": "d"}
    (faq,) = server.get(f"{name}/tools").body["tools"]
    assert faq["dataStoreTool"]["dataStoreSource"]["dataStore"]["name"] == store
    (orders,) = server.get(f"{name}/toolsets").body["toolsets"]
    assert "- url: https://prod.acme.example\n" in orders["openApiToolset"]["openApiSchema"]


def test_an_open_value_without_an_environment_leaves_the_resource_out(server):
    """A $env_var that environment.json says nothing of is an error of that resource."""
    tool = {"name": "faq", "dataStoreSource": {"dataStore": {"name": "$env_var"}}}
    answer = imported(server, {**APP_FILE, "tools/faq/faq.json": {"dataStoreTool": tool}})
    assert [warning.split(":")[0] for warning in answer["warnings"]] == ["tools/faq/faq.json"]


@pytest.mark.parametrize("root", ["", "Desk", "a/b"])
def test_the_root_folder_is_where_the_app_is(server, root):
    """The folder that holds app.json is the root, whatever it is called."""
    body = {"appContent": zipped(APP_FILE | agent_files("Front"), root)}
    name = server.send("POST", f"{LOCATION}/apps:importApp", body).body["response"]["name"]
    assert len(server.get(f"{name}/agents").body["agents"]) == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "app"),
        ({"appContent": base64.b64encode(b"no zip").decode()}, "appContent"),
        ({"appContent": zipped({"readme.txt": "x"})}, "appContent"),
        ({"appContent": zipped({"app.json": "["})}, "appContent"),
        ({"gcsUri": "https://acme.example/app.zip"}, "gcsUri"),
        ({"appContent": zipped(APP_FILE), "gcsUri": "gs://b/o"}, "gcsUri"),
        ({"appContent": zipped(APP_FILE), "appId": "x"}, "appId"),
        ({"appContent": zipped(APP_FILE), "importOptions": {"force": True}}, "importOptions.force"),
    ],
)
def test_what_cannot_be_imported_is_refused_at_once(server, body, field):
    """No source, two sources, no archive, no app in it, a bad id: INVALID_ARGUMENT, no operation."""
    sent = server.send("POST", f"{LOCATION}/apps:importApp", body)
    assert (sent.code, sent.fields) == ("INVALID_ARGUMENT", [field])


def test_archives_go_to_storage_and_come_from_it(desk):
    """With gcsUri the archive is an object; the emulator keeps such objects itself."""
    uri = "gs://acme/desk.zip"
    sent = desk.send("POST", f"{APP}:exportApp", {"exportFormat": "JSON", "gcsUri": uri})
    assert sent.body["response"]["appUri"] == uri
    made = desk.send("POST", f"{LOCATION}/apps:importApp", {"gcsUri": uri}).body["response"]
    assert len(desk.get(f"{made['name']}/agents").body["agents"]) == 1
    assert desk.send("POST", f"{LOCATION}/apps:importApp", {"gcsUri": "gs://acme/none"}).code == "NOT_FOUND"


def test_agents_that_name_each_other_are_imported(server):
    """References may go in a circle."""
    files = {**APP_FILE, **agent_files("A", childAgents=["B"]), **agent_files("B", childAgents=["A"])}
    files["app.json"] = {"displayName": "Desk", "rootAgent": "A"}
    assert "warnings" not in imported(server, files, appId="desk1")
    ids = names(server, "agents")
    assert server.get(APP).body["rootAgent"] == f"{APP}/agents/{ids['A']}"
    assert server.get(f"{APP}/agents/{ids['B']}").body["childAgents"] == [f"{APP}/agents/{ids['A']}"]


def test_an_import_is_in_the_change_log(server):
    """Each resource of an import has its entry, by the caller."""
    imported(server, APP_FILE | agent_files("Front"), appId="desk1")
    entries = server.get(f"{APP}/changelogs").body["changelogs"]
    assert sorted((one["action"], one["resourceType"]) for one in entries) == [
        ("Create", "Agent"),
        ("Create", "App"),
    ]
