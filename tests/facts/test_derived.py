"""What the server derives, ignores and never returns."""

import pytest

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"
API = {"displayName": "D", "channelProfile": {"channelType": "API"}}


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
    """Output-only fields in a body change nothing and are not an error, at any depth."""
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
    """Evaluation.evaluationDatasets is derived from the datasets, and not written by anyone."""
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
