"""The endpoint `/mcp`: JSON-RPC 2.0 over streamable HTTP, over the same service as REST."""

import json

import pytest
import urllib3

from cesplan.emulator import EmbeddedEmulator

LOCATION = "projects/p/locations/us"
APP = f"{LOCATION}/apps/desk1"
ACCEPT = {"Accept": "application/json, text/event-stream"}
KINDS = [
    "app",
    "agent",
    "tool",
    "toolset",
    "guardrail",
    "example",
    "deployment",
    "evaluation",
    "evaluation_dataset",
]


class Endpoint:
    def __init__(self, emulator):
        self.emulator = emulator
        self.url = f"http://{emulator.address}/mcp"

    def post(self, body, headers=ACCEPT):
        data = body if isinstance(body, str) else json.dumps(body)
        return urllib3.request("POST", self.url, body=data.encode(), headers=headers)

    def ask(self, method, params=None, **headers):
        body = {"jsonrpc": "2.0", "id": 7, "method": method} | (
            {"params": params} if params is not None else {}
        )
        answer = self.post(body, ACCEPT | headers).json()
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
        return answer

    def call(self, tool, /, **arguments):
        """Call a tool; whether it failed, and the value in its text."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        (content,) = result["content"]
        assert content["type"] == "text"
        return result["isError"], json.loads(content["text"])


@pytest.fixture
def endpoint():
    with EmbeddedEmulator() as emulator:
        yield Endpoint(emulator)


@pytest.fixture
def desk(endpoint):
    failed, operation = endpoint.call("create_app", parent=LOCATION, appId="desk1", app={"displayName": "Desk"})
    assert (failed, operation["done"]) == (False, True)
    return endpoint


def test_it_greets_with_the_protocol_that_is_asked_for(endpoint):
    """initialize answers the version of the client if it is known, else its own newest."""
    asked = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    result = endpoint.ask("initialize", asked)["result"]
    assert (result["protocolVersion"], result["capabilities"]) == ("2025-03-26", {"tools": {}})
    assert result["serverInfo"]["name"] == "cesplan emulator"
    assert endpoint.ask("initialize", {"protocolVersion": "1999"})["result"]["protocolVersion"] == "2025-06-18"
    assert endpoint.ask("ping")["result"] == {}


def test_the_tools_are_those_of_the_service(endpoint):
    """Five for each kind, versions, change log, runs, results, operations, import and export."""
    tools = {tool["name"]: tool for tool in endpoint.ask("tools/list")["result"]["tools"]}
    expected = {f"{verb}_{kind}" for kind in KINDS for verb in ("get", "create", "update", "delete")}
    expected |= {f"list_{kind}s" for kind in [*KINDS, "app_version", "changelog"]}
    expected |= {f"{verb}_app_version" for verb in ("get", "create", "delete")}
    expected |= {"get_changelog", "run_evaluation", "get_operation", "start_import_app", "start_export_app"}
    expected |= {f"{verb}_evaluation_{what}" for verb in ("get", "delete") for what in ("run", "result")}
    expected |= {"list_evaluation_runs", "list_evaluation_results"}
    assert set(tools) == expected
    reads = {name for name, tool in tools.items() if tool["annotations"]["readOnlyHint"]}
    assert reads == {name for name in tools if name.startswith(("get_", "list_"))}


def test_a_tool_tells_what_it_takes(endpoint):
    """The first level of the input: path, query parameters, the resource."""
    tools = {tool["name"]: tool["inputSchema"] for tool in endpoint.ask("tools/list")["result"]["tools"]}
    assert tools["create_agent"] == {
        "type": "object",
        "properties": {
            "parent": {"type": "string"},
            "agentId": {"type": "string"},
            "agent": {"type": "object"},
        },
        "required": ["agent", "parent"],
    }
    assert tools["delete_tool"]["properties"]["force"] == {"type": "boolean"}
    assert tools["start_export_app"]["required"] == ["name"]
    assert "exportFormat" in tools["start_export_app"]["properties"]


def test_a_resource_lives_through_the_tools(desk):
    """Create, list, get, update by a mask, delete: what REST would do with the same arguments."""
    body = {"displayName": "Front", "llmAgent": {}}
    failed, made = desk.call("create_agent", parent=APP, agentId="front", agent=body)
    assert (failed, made["name"]) == (False, f"{APP}/agents/front")
    assert desk.call("list_agents", parent=APP, pageSize=5, orderBy="name")[1] == {"agents": [made]}
    changed = {"name": made["name"], "instruction": "Help.", "etag": made["etag"]}
    failed, now = desk.call("update_agent", agent=changed, updateMask="instruction")
    assert (failed, now["instruction"]) == (False, "Help.")
    assert desk.call("get_agent", name=made["name"]) == (False, now)
    assert desk.call("delete_agent", name=made["name"], force=True, etag=now["etag"]) == (False, {})
    failed, error = desk.call("get_agent", name=made["name"])
    assert (failed, error["error"]["status"]) == (True, "NOT_FOUND")


def test_custom_methods_and_operations(desk):
    """Exports start operations that get_operation reads; versions and change logs have tools."""
    failed, started = desk.call("start_export_app", name=APP, exportFormat="JSON")
    assert (failed, "appContent" in started["response"]) == (False, True)
    assert desk.call("get_operation", name=started["name"]) == (False, started)
    body = {"appContent": started["response"]["appContent"], "appId": "desk2"}
    assert desk.call("start_import_app", parent=LOCATION, **body)[1]["response"]["name"].endswith("/desk2")
    assert desk.call("create_app_version", parent=APP, appVersion={"displayName": "one"})[0] is False
    entries = desk.call("list_changelogs", parent=APP, filter="resource_type:version")[1]["changelogs"]
    assert [entry["displayName"] for entry in entries] == ["one"]


def test_refusals_are_results_that_say_so(desk):
    """What the service refuses sets isError and carries its error; so do arguments that are none."""
    for name, arguments in (
        ("create_agent", {"parent": APP, "agent": {"displayname": "x"}}),
        ("create_agent", {"agent": {"displayName": "x"}}),
        ("get_agent", {"name": APP}),
        ("get_agent", {"name": f"{APP}/agents/front", "size": 1}),
        ("update_agent", {"agent": {"displayName": "x"}}),
        ("start_export_app", {"name": APP}),
    ):
        failed, value = desk.call(name, **arguments)
        assert (failed, value["error"]["status"]) == (True, "INVALID_ARGUMENT"), name


def test_the_author_comes_from_the_header_and_the_journal_knows(desk):
    """Writes through tools are signed like those of REST, and the journal has the method."""
    arguments = {"name": "create_agent", "arguments": {"parent": APP, "agent": {"displayName": "A"}}}
    desk.ask("tools/call", arguments, **{"x-emulator-author": "bot@acme.example"})
    entry = desk.call("list_changelogs", parent=APP)[1]["changelogs"][-1]
    assert entry["author"] == "bot@acme.example"
    assert [entry.rpc for entry in desk.emulator.journal.entries][-2:] == ["CreateAgent", "ListChangelogs"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("{", 400, -32700),
        ("[]", 400, -32600),
        ({"id": 1, "method": "ping"}, 400, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": 5}, 400, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "explode"}, 200, -32601),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "explode"}}, 200, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": []}, 200, -32602),
    ],
)
def test_what_is_no_request_has_its_code(endpoint, body, status, code):
    """The errors of JSON-RPC: parse, request, method, params."""
    answer = endpoint.post(body)
    assert (answer.status, answer.json()["error"]["code"]) == (status, code)


def test_notifications_are_accepted_without_an_answer(endpoint):
    """A request without an id is taken with 202 and an empty body."""
    answer = endpoint.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (answer.status, answer.data) == (202, b"")


def test_only_post_with_both_types_accepted(endpoint):
    """There is no stream to GET and no session to DELETE; Accept must name JSON and event streams."""
    for verb in ("GET", "DELETE"):
        answer = urllib3.request(verb, endpoint.url, headers=ACCEPT)
        assert (answer.status, answer.headers["Allow"]) == (405, "POST")
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert endpoint.post(body, {"Accept": "application/json"}).status == 406
    assert endpoint.post(body, {"Accept": "*/*"}).status == 200
