"""Tools of OpenAPI toolsets, and schemas of tools."""

import json

import pytest
import urllib3
from ruamel.yaml import YAML

from cesplan.emulator import EmbeddedEmulator
from cesplan.emulator.openapi.operations import operations_in
from cesplan.emulator.openapi.schemas import input_of, output_of

DOCUMENT = """openapi: 3.0.3
info: {title: Orders, version: "1"}
servers: [{url: https://orders.acme.example}]
components:
  parameters:
    Id: {name: id, in: path, required: true, description: The order., schema: {type: string}}
  schemas:
    Base: {type: object, required: [id], properties: {id: {type: string}}}
    Order:
      allOf:
      - {$ref: '#/components/schemas/Base'}
      - type: object
        properties:
          state: {type: string, enum: [open, sent], default: open}
          lines: {type: array, minItems: 1, items: {$ref: '#/components/schemas/Line'}}
    Line:
      type: object
      properties:
        sku: {type: string}
        count: {type: integer, minimum: 1}
        parent: {$ref: '#/components/schemas/Line'}
    Note: {anyOf: [{type: string}, {type: [number, "null"]}]}
paths:
  /orders/{id}:
    parameters: [{$ref: '#/components/parameters/Id'}]
    get:
      operationId: getOrder
      summary: Read an order.
      responses:
        "404": {description: gone}
        "200": {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
    post:
      operationId: noteOrder
      description: Leave a note.
      parameters: [{name: loud, in: query, schema: {type: boolean}}]
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [note], properties: {note: {$ref: '#/components/schemas/Note'}}}
      responses: {"204": {description: done}}
  /orders:
    get: {responses: {default: {description: all}}}
"""
APP = "projects/p/locations/us/apps/desk1"


def named(tool_id):
    return next(one for one in operations_in(DOCUMENT) if one.tool_id == tool_id)


def test_each_operation_is_a_tool():
    """By operationId, or by verb and path where there is none; the summary stands in for a description."""
    found = [(one.tool_id, one.description) for one in operations_in(DOCUMENT)]
    assert found == [("getOrder", "Read an order."), ("noteOrder", "Leave a note."), ("get_orders", "")]


def test_inputs_are_parameters_and_the_body():
    """Parameters of the path and of the operation, with what the body holds."""
    assert input_of(named("noteOrder")) == {
        "type": "OBJECT",
        "properties": {
            "id": {"type": "STRING", "description": "The order."},
            "loud": {"type": "BOOLEAN"},
            "note": {
                "type": "STRING",
                "anyOf": [{"type": "STRING"}, {"type": "NUMBER", "nullable": True}],
            },
        },
        "required": ["id", "note"],
    }


def test_outputs_are_what_a_success_answers():
    """References and allOf are resolved; a schema inside itself ends."""
    found = output_of(named("getOrder"))
    assert found["required"] == ["id"]
    assert found["properties"]["state"] == {"type": "STRING", "default": "open", "enum": ["open", "sent"]}
    lines = found["properties"]["lines"]
    assert (lines["type"], lines["minItems"]) == ("ARRAY", "1")
    assert lines["items"]["properties"]["count"] == {"type": "INTEGER", "minimum": 1}
    assert output_of(named("noteOrder")) == {"type": "OBJECT"}


def test_an_operation_alone_keeps_its_format():
    """The document of one tool has one operation, in the format of the whole; its references lead on."""
    alone = YAML(typ="safe", pure=True).load(named("getOrder").alone(DOCUMENT))
    assert list(alone["paths"]) == ["/orders/{id}"]
    assert list(alone["paths"]["/orders/{id}"]) == ["parameters", "get"]
    as_json = json.dumps(YAML(typ="safe", pure=True).load(DOCUMENT))
    assert json.loads(named("getOrder").alone(as_json)) == alone


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
    for key, text in (("first", "{"), ("second", "[]"), ("third", "openapi: 3.0.0")):
        name = rest.made("toolset", key, {"displayName": key, "openApiToolset": {"openApiSchema": text}})
        assert rest.post(f"{name}:retrieveTools", {})[1]["error"]["status"] == "INVALID_ARGUMENT"


def test_the_schema_of_a_tool_of_a_toolset(rest, orders):
    """By toolset and tool id; without an id the toolset must have just one tool."""
    _, found = rest.schema(toolsetTool={"toolset": orders, "toolId": "getOrder"})
    assert found["toolsetTool"] == {"toolset": orders, "toolId": "getOrder"}
    assert found["inputSchema"]["required"] == ["id"]
    assert rest.schema(toolsetTool={"toolset": orders})[0] == 400


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
