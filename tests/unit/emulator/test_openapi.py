"""Tools of OpenAPI toolsets, and schemas of tools."""

import json

import pytest
import urllib3

from cesplan.emulator import EmbeddedEmulator
from tests.unit.emulator.orders import DOCUMENT

APP = "projects/p/locations/us/apps/desk1"


class Rest:
    def __init__(self, emulator):
        self._base = f"http://{emulator.address}/v1/"
        self.post("projects/p/locations/us/apps?appId=desk1", {"displayName": "D"})

    def post(self, path, body):
        answer = urllib3.request("POST", f"{self._base}{path}", json=body)
        return answer.status, answer.json()

    def made(self, kind, key, body):
        status, found = self.post(f"{APP}/{kind}s?{kind}Id={key}", body)
        assert status == 200, found
        return found["name"]

    def schema(self, **asked):
        return self.post(f"{APP}:retrieveToolSchema", asked)


@pytest.fixture
def rest():
    with EmbeddedEmulator() as emulator:
        yield Rest(emulator)


@pytest.fixture
def orders(rest):
    key = {"apiKeyConfig": {"keyName": "k", "apiKeySecretVersion": "projects/p/secrets/s/versions/1"}}
    key["apiKeyConfig"]["requestLocation"] = "HEADER"
    inner = {"openApiSchema": DOCUMENT, "apiAuthentication": key, "ignoreUnknownFields": True}
    body = {"displayName": "Orders", "openApiToolset": inner, "executionType": "ASYNCHRONOUS"}
    return rest.made("toolset", "orders", body)


def test_the_tools_of_a_toolset(rest, orders):
    """They are named below the toolset and have its authentication and execution type."""
    _, found = rest.post(f"{orders}:retrieveTools", {})
    assert [tool["name"] for tool in found["tools"]] == [
        f"{orders}/tools/{key}" for key in ("getOrder", "noteOrder", "get_orders")
    ]
    first = found["tools"][0]
    assert (first["displayName"], first["executionType"]) == ("getOrder", "ASYNCHRONOUS")
    assert first["openApiTool"]["description"] == "Read an order."
    assert first["openApiTool"]["apiAuthentication"]["apiKeyConfig"]["keyName"] == "k"


def test_some_tools_of_a_toolset(rest, orders):
    """toolIds selects; one that there is not is refused."""
    _, found = rest.post(f"{orders}:retrieveTools", {"toolIds": ["noteOrder"]})
    assert [tool["displayName"] for tool in found["tools"]] == ["noteOrder"]
    status, error = rest.post(f"{orders}:retrieveTools", {"toolIds": ["gone"]})
    assert (status, error["error"]["status"]) == (400, "INVALID_ARGUMENT")


def test_toolsets_of_other_servers_are_not_asked(rest):
    """The tools of an MCP toolset are known to its server alone."""
    body = {"displayName": "M", "mcpToolset": {"serverAddress": "https://mcp.acme.example"}}
    name = rest.made("toolset", "remote", body)
    status, error = rest.post(f"{name}:retrieveTools", {})
    assert (status, error["error"]["status"]) == (501, "UNIMPLEMENTED")


def test_a_document_that_is_none_is_refused(rest):
    """What cannot be parsed has no tools to tell of."""
    same = "openapi: 3.0.0\npaths: {/a: {get: {operationId: x}}, /b: {get: {operationId: x}}}"
    for key, text in {
        "first": "{",
        "second": "[]",
        "third": "openapi: 3.0.0",
        "fourth": 'swagger: "2.0"\npaths: {}',
        "fifth": same,
        "sixth": "[" * 100_000,
    }.items():
        name = rest.made("toolset", key, {"displayName": key, "openApiToolset": {"openApiSchema": text}})
        assert rest.post(f"{name}:retrieveTools", {})[1]["error"]["status"] == "INVALID_ARGUMENT"


def test_the_schema_of_a_tool_of_a_toolset(rest, orders):
    """By toolset and tool id; without an id the toolset must have just one tool."""
    _, found = rest.schema(toolsetTool={"toolset": orders, "toolId": "getOrder"})
    assert found["toolsetTool"] == {"toolset": orders, "toolId": "getOrder"}
    assert found["inputSchema"]["required"] == ["id"]
    assert rest.schema(toolsetTool={"toolset": orders})[0] == 400


@pytest.mark.parametrize(
    "schema",
    [{"type": "string", "nullable": "yes"}, {"type": "number", "minimum": "low"}, {"minItems": "many"}],
)
def test_a_schema_that_the_api_cannot_hold_is_refused(rest, schema):
    """What comes back is always a `Schema` of the API."""
    path = {"get": {"operationId": "odd", "parameters": [{"name": "a", "in": "query", "schema": schema}]}}
    text = json.dumps({"openapi": "3.0.0", "paths": {"/x": path}})
    name = rest.made("toolset", "odd-one", {"displayName": "O", "openApiToolset": {"openApiSchema": text}})
    status, error = rest.schema(toolsetTool={"toolset": name})
    assert (status, error["error"]["status"]) == (400, "INVALID_ARGUMENT")


def test_a_schema_that_is_nested_too_deeply_is_refused(rest):
    """Far deeper than anyone's is an error of the document, not of the emulator."""
    deep = '{"items":' * 300 + "{}" + "}" * 300
    path = '{"get": {"parameters": [{"name": "a", "in": "query", "schema": ' + deep + "}]}}"
    text = f'{{"openapi": "3.0.0", "paths": {{"/x": {path}}}}}'
    name = rest.made("toolset", "deep-one", {"displayName": "O", "openApiToolset": {"openApiSchema": text}})
    status, error = rest.schema(toolsetTool={"toolset": name})
    assert (status, error["error"]["status"]) == (400, "INVALID_ARGUMENT")


def test_schemas_of_tools_that_need_nobody(rest):
    """Python functions by their annotations, client functions by what they declare."""
    code = "def find(order: str, many: int, tags: list[str], note: str = '') -> dict:\n    return {}\n"
    python = rest.made("tool", "find1", {"pythonFunction": {"pythonCode": code}})
    _, found = rest.schema(tool=python)
    kinds = {"order": "STRING", "many": "INTEGER", "tags": "ARRAY", "note": "STRING"}
    assert found["inputSchema"]["properties"] == {key: {"type": kinds[key]} for key in sorted(kinds)}
    assert (found["inputSchema"]["required"], found["outputSchema"]) == (
        ["order", "many", "tags"],
        {"type": "OBJECT"},
    )
    parameters = {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}
    client = rest.made("tool", "beep1", {"clientFunction": {"name": "beep", "parameters": parameters}})
    assert rest.schema(tool=client)[1]["inputSchema"] == parameters


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({}, 400),
        ({"tool": f"{APP}/tools/gone1"}, 404),
        ({"tool": "projects/p/locations/us/apps/desk2/tools/x"}, 404),
    ],
)
def test_a_schema_of_what_is_not_there(rest, asked, status):
    """A tool or a tool of a toolset is required, and must be in the app."""
    assert rest.schema(**asked)[0] == status
