"""The effects of an import."""

import base64
import io
import json
import zipfile

import pytest

from tests.facts.archives import (
    APP,
    APP_FILE,
    CALLBACK,
    LOCATION,
    SCHEMA,
    agent_files,
    full_desk,
    imported,
    names,
    replacing,
    zipped,
)


@pytest.fixture
def desk(server):
    return full_desk(server)


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
        **agent_files("Bad", llmAgent=1),
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


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_unknown_fields_are_dropped_and_the_resource_is_kept(server, version):
    """A tool with a `description`, an app with `tools`: each is named in a warning, by file and path."""
    files = {
        "app.json": {"displayName": "Desk", "tools": ["look"], "loggingSettings": {"colour": {"a": 1}}},
        **agent_files("Front", transferRules=[{"x": 1, "childAgent": "Front", "direction": "CHILD_TO_PARENT"}]),
        "tools/look/look.json": {"description": "d", "clientFunction": {"name": "look", "code": "c"}},
    }
    body = {"appContent": zipped(files), "appId": "desk1"}
    answer = server.send("POST", f"{LOCATION}/apps:importApp", body, version=version).body["response"]
    dropped = "no such field; it is skipped."
    assert answer["warnings"] == [
        f"app.json: tools: {dropped}",
        f"app.json: loggingSettings.colour: {dropped}",
        f"tools/look/look.json: description: {dropped}",
        f"tools/look/look.json: clientFunction.code: {dropped}",
        f"agents/Front/Front.json: transferRules[0].x: {dropped}",
    ]
    assert names(server, "agents").keys() == {"Front"}
    (tool,) = server.get(f"{APP}/tools").body["tools"]
    assert tool["clientFunction"] == {"name": "look"}


def test_a_plain_write_with_an_unknown_field_is_refused(server):
    """What an import drops is an error of a create or update."""
    server.app()
    tool = {"description": "d", "clientFunction": {"name": "look"}}
    assert server.create(f"{APP}/tools", tool).fields == ["description"]
    assert server.update(APP, {"tools": []}, updateMask="displayName").fields == ["tools"]


@pytest.mark.parametrize("switch", ["accept", "refuse"])
def test_archives_written_by_hand_use_the_names_of_the_protos(serving, switch):
    """snake_case or camelCase: both are in real archives. Where they are not taken they are unknown fields."""
    server = serving(proto_names=switch)
    scenario = {"task": "t", "scenario_expectations": [{"agent_response": {"role": "agent"}}]}
    evaluation = {"displayName": "V", "scenario": scenario}
    files = {**APP_FILE, "evaluations/V/V.json": evaluation}
    answer = imported(server, files, appId="desk1")
    (made,) = server.get(f"{APP}/evaluations").body["evaluations"]
    taken = switch == "accept"
    assert ("scenarioExpectations" in made["scenario"], "warnings" in answer) == (taken, not taken)


def test_a_field_under_two_names_costs_the_resource(server):
    """displayName and display_name say two things."""
    (warning,) = imported(server, {**APP_FILE, **agent_files("Front", display_name="x")})["warnings"]
    assert warning == (
        "agents/Front/Front.json: display_name: the field is set twice, under two names; it is skipped."
    )


def test_a_stray_file_costs_nothing(server):
    """Compiled Python, an image, a file of an editor: an import reads what it knows and leaves the rest."""
    out = io.BytesIO(base64.b64decode(zipped(APP_FILE | agent_files("Front"))))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("Desk/tools/look/__pycache__/python_code.cpython-311.pyc", b"\xa7\r\r\n\x00\xff")
        archive.writestr("Desk/logo.png", b"\x89PNG\r\n\x1a\n")
        archive.writestr("Desk/agents/.DS_Store", b"\x00\x00\x00\x01Bud1\xff")
        archive.writestr("Desk/evaluations/flat.json", "{}")
    body = {"appContent": base64.b64encode(out.getvalue()).decode(), "appId": "desk1"}
    answer = server.send("POST", f"{LOCATION}/apps:importApp", body).body["response"]
    assert "warnings" not in answer
    assert names(server, "agents").keys() == {"Front"}


@pytest.mark.parametrize(("switch", "kept"), [("accept", True), ("refuse", False)])
def test_another_name_of_a_parameter_is_warned_of(serving, switch, kept):
    """tool_input for input: the callback is kept with a warning, or dropped with one."""
    server = serving(callback_parameters=switch)
    code = "def after_tool_callback(tool, tool_input, callback_context, tool_response):\n    return None\n"
    files = agent_files("Front", afterToolCallbacks=[{"pythonCode": code}])
    (warning,) = imported(server, {**APP_FILE, **files}, appId="desk1")["warnings"]
    assert warning.startswith(
        "agents/Front/Front.json: afterToolCallbacks[0]: after_tool_callback must take (tool, "
    )
    assert warning.endswith("the callback is kept." if kept else "the callback is skipped.")
    agent = server.get(f"{APP}/agents/{names(server, 'agents')['Front']}").body
    assert ("afterToolCallbacks" in agent) == kept


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


@pytest.mark.parametrize("patch", [{"jsonPatchContent": "[]"}, {"jsonPatchGcsUri": "gs://b/o"}])
def test_patches_of_an_archive_are_not_served(server, patch):
    """Newer than the protos, and documented by name only: refused, never ignored."""
    sent = server.send("POST", f"{LOCATION}/apps:importApp", {"appContent": zipped(APP_FILE), **patch})
    assert sent.code == "UNIMPLEMENTED"
    assert server.get(f"{LOCATION}/apps").body == {}
