"""The layout of exports."""

import json

import pytest
from ruamel.yaml import YAML

from tests.facts.archives import APP, CODE, exported, full_desk


@pytest.fixture
def desk(server):
    return full_desk(server)


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
    """Instructions and code are in their files, character by character."""
    files = exported(desk)
    assert files["Desk/global_instruction.txt"] == "Be kind.\n"
    assert files["Desk/agents/Front_desk/instruction.txt"] == "Help."
    assert files["Desk/tools/look_up/python_function/python_code.py"] == CODE


def test_the_server_url_goes_to_the_environment(desk):
    """environment.json has the URL of an OpenAPI schema, in whose place is $env_var."""
    files = exported(desk)
    assert "- url: $env_var\n" in files["Desk/toolsets/Orders/open_api_toolset/open_api_schema.yaml"]
    environment = json.loads(files["Desk/environment.json"])
    assert environment == {"toolsets": {"Orders": {"openApiToolset": {"url": "https://orders.acme.example"}}}}


def test_json_is_written_in_the_servers_style(desk):
    """Two spaces, scalar lists in one line, five escapes, fields by number, no newline at the end."""
    files = exported(desk)
    assert files["Desk/guardrails/No__foul___talk_/No__foul___talk_.json"] == (
        '{\n  "name": "rail1",\n  "displayName": "No \\u0027foul\\u0027 \\u003ctalk\\u003e",\n'
        '  "codeCallback": {\n  }\n}'
    )
    text = files["Desk/agents/Front_desk/Front_desk.json"]
    assert '  "tools": ["end_session", "look_up"],\n' in text
    assert '  "toolsets": [{\n    "toolset": "Orders",\n    "toolIds": ["listOrders"]\n  }]' in text


def test_five_signs_are_escaped(server):
    """`\\u0026 \\u0027 \\u003c \\u003d \\u003e` in keys and values; other signs stand as they are."""
    server.app(metadata={"a=b": "&'<=> \"\\ü"})
    text = exported(server)["Desk/app.json"]
    assert '    "a\\u003db": "\\u0026\\u0027\\u003c\\u003d\\u003e \\"\\\\ü"\n' in text


def test_the_description_of_a_python_function_is_written(server):
    """Though it is output-only, derived from the docstring; an import ignores it."""
    server.app()
    code = 'def look(order: str):\n    """Look it up."""\n    return order\n'
    server.made("tools", {"pythonFunction": {"pythonCode": code}})
    files = exported(server)
    function = json.loads(files["Desk/tools/look/look.json"])["pythonFunction"]
    assert list(function.items()) == [
        ("name", "look"),
        ("pythonCode", "tools/look/python_function/python_code.py"),
        ("description", "Look it up."),
    ]


def test_empty_data_store_settings_are_written_beside_a_data_store_tool_only(server):
    """Their one member is output-only, so what is written is empty."""
    server.app()
    assert "dataStoreSettings" not in json.loads(exported(server)["Desk/app.json"])
    store = "projects/acme/locations/us/collections/c/dataStores/faq"
    server.made("tools", {"dataStoreTool": {"name": "faq", "dataStoreSource": {"dataStore": {"name": store}}}})
    assert json.loads(exported(server)["Desk/app.json"])["dataStoreSettings"] == {}


def test_the_app_stands_in_the_environment_by_itself(server):
    """`"app": {…}`, without its display name; other types by theirs."""
    export = {"enabled": True, "project": "p", "dataset": "d"}
    server.app(loggingSettings={"bigqueryExportSettings": export})
    files = exported(server)
    values = {"loggingSettings": {"bigqueryExportSettings": {"project": "p", "dataset": "d"}}}
    assert json.loads(files["Desk/environment.json"]) == {"app": values}
    settings = json.loads(files["Desk/app.json"])["loggingSettings"]["bigqueryExportSettings"]
    assert settings == {"enabled": True, "project": "$env_var", "dataset": "$env_var"}


def test_tool_ids_have_one_underscore_for_each_run(server):
    """operationIds as FastAPI makes them: `a__b` becomes `a_b`, in exports and among the tools of a toolset."""
    server.app()
    schema = "openapi: 3.0.0\npaths: {/a: {get: {operationId: get__order___id}}}\n"
    orders = {"displayName": "Orders", "openApiToolset": {"openApiSchema": schema}}
    toolset = server.made("toolsets", orders)["name"]
    server.agent("front", displayName="Front", toolsets=[{"toolset": toolset, "toolIds": ["get__order___id"]}])
    agent = json.loads(exported(server)["Desk/agents/Front/Front.json"])
    assert agent["toolsets"] == [{"toolset": "Orders", "toolIds": ["get_order_id"]}]
    for asked in ({}, {"toolIds": ["get_order_id"]}, {"toolIds": ["get__order___id"]}):
        (tool,) = server.send("POST", f"{toolset}:retrieveTools", asked).body["tools"]
        assert tool["displayName"] == "get_order_id"


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
