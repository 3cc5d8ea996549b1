"""OpenAPI documents that the service can make tools of."""

from typing import Any

import pytest

from cesplan.config.checks.open_api_documents import check_open_api_documents
from cesplan.config.checks.open_api_reading import operation_ids
from cesplan.config.manifest import AppTree
from tests.unit.config.checks.builders import Included, app, found

GOOD = """\
openapi: 3.0.3
servers: [{url: 'https://api.example.com/v1'}]
paths:
  /a/{id}:
    parameters: [{$ref: '#/components/parameters/Id'}]
    get:
      operationId: getA
      responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/A~1b'}}}}}
    delete: {operationId: deleteA}
components:
  parameters: {Id: {name: id, in: path}}
  schemas:
    A/b: {type: object, properties: {$ref: {type: string}}, example: {$ref: nowhere}}
"""
PATH = "toolsets/s openApiToolset.openApiSchema"


def _toolset(text: Any) -> AppTree:
    return app(toolsets={"s": {"openApiToolset": {"openApiSchema": text}}})


def test_a_good_document_passes() -> None:
    """Escaped pointers resolve; data and property names that look like references are none."""
    assert found(check_open_api_documents, _toolset(GOOD)) == []
    assert operation_ids(GOOD) == ("getA", "deleteA")


def test_json_is_read_too() -> None:
    """Tabs and all: what YAML refuses and JSON allows."""
    text = '{\n\t"openapi": "3.1.0",\n\t"servers": [{"url": "https://a.example"}],\n'
    text += '\t"paths": {"/a": {"get": {"operationId": "x", "responses": {"200": {"$ref": "#/paths"}}}}}\n}\n'

    assert found(check_open_api_documents, _toolset(text)) == []
    assert operation_ids(text) == ("x",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("openapi: [", "@1:10+1: the OpenAPI document cannot be read: unclosed bracket"),
        ("just a text", "@1:1+1: the OpenAPI document cannot be read: it is not a mapping"),
    ],
)
def test_what_cannot_be_read_is_said_at_its_place(text: str, expected: str) -> None:
    """Nothing else is said of such a document."""
    assert found(check_open_api_documents, _toolset(Included(text))) == [f"CES050 {PATH}{expected}"]


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (
            "swagger: '2.0'",
            ("@1:10+5: the document is OpenAPI 2.0, but the service reads OpenAPI 3"),
        ),
        (
            "openapi: 4.0.0",
            ("@1:10+5: the document is OpenAPI 4.0.0, but the service reads OpenAPI 3"),
        ),
        ("info: {}", "@1:1+1: the document does not declare `openapi: 3.…`"),
    ],
)
def test_the_version_is_3(version: str, expected: str) -> None:
    """Swagger 2, later versions, and none."""
    text = GOOD.replace("openapi: 3.0.3", version)

    assert found(check_open_api_documents, _toolset(Included(text))) == [f"CES051 {PATH}{expected}"]


@pytest.mark.parametrize(
    "paths", ["", "paths: {}", "paths: {/a: {summary: none}}", "paths: [get]", "paths: null"]
)
def test_a_document_without_operations_makes_no_tool(paths: str) -> None:
    """Empty, of another shape, or with paths that offer nothing."""
    assert found(check_open_api_documents, _toolset(f"openapi: 3.0.3\n{paths}\n")) == [
        f"CES052 {PATH}: the OpenAPI document has no operations"
    ]


def test_operations_can_be_told_apart() -> None:
    """An operationId is unique; a missing one is a warning."""
    text = GOOD.replace("deleteA", "getA") + "\n"
    text = text.replace("components:", "  /b: {post: {summary: make}}\ncomponents:", 1)

    assert found(check_open_api_documents, _toolset(Included(text))) == [
        f"CES053 {PATH}@9:27+4: the operationId `getA` is already used by GET /a/{{id}}",
        f"CES054 {PATH}@10:8+4: POST /b has no operationId",
    ]


def test_a_tool_with_a_name_of_its_own_needs_no_operation_id() -> None:
    """The name of a single tool comes from the operationId only where it has none."""
    text = "openapi: 3.0.3\nservers: [{url: 'https://a.example'}]\npaths: {/b: {post: {}}}\n"
    named = {"openApiTool": {"openApiSchema": text, "name": "make_b"}}
    bare = {"openApiTool": {"openApiSchema": text}}

    assert found(check_open_api_documents, app(tools={"n": named, "u": bare})) == [
        "CES054 tools/u openApiTool.openApiSchema: POST /b has no operationId"
    ]


@pytest.mark.parametrize("target", ["#/components/schemas/B", "other.yaml#/A", "#/components/schemas/A/b", "A"])
def test_a_reference_leads_to_something_in_the_document(target: str) -> None:
    """Wrong pointers, other files and bare names do not."""
    text = GOOD.replace("#/components/schemas/A~1b", target)

    assert found(check_open_api_documents, _toolset(Included(text))) == [
        f"CES055 {PATH}@8:71+{len(target) + 2}: `$ref: {target}` does not exist in this document"
    ]


def test_pointers_through_responses_are_not_judged() -> None:
    """Unquoted status codes are numbers, which the reader leaves out."""
    text = GOOD.replace("#/components/schemas/A~1b", "#/paths/~1a/get/responses/200/content")

    assert found(check_open_api_documents, _toolset(text)) == []


def test_references_in_a_circle_are_followed_once() -> None:
    """A schema may hold itself."""
    text = GOOD + "    C: {properties: {next: {$ref: '#/components/schemas/C'}}}\n"

    assert found(check_open_api_documents, _toolset(text)) == []


@pytest.mark.parametrize(
    ("servers", "expected"),
    [
        ("", ["@1:1+1: the OpenAPI document has no servers"]),
        ("servers: []", ["@1:1+1: the OpenAPI document has no servers"]),
        ("servers: [{url: /v1}]", ["@2:17+3: the server `/v1` is not an absolute URL"]),
        ("servers: [{url: $env_var}]", []),
        ("servers: [{url: 'https://{region}.example.com'}]", []),
    ],
)
def test_calls_have_an_address(servers: str, expected: list[str]) -> None:
    """A relative address has nothing to be relative to; the placeholder of exports is one."""
    text = GOOD.replace("servers: [{url: 'https://api.example.com/v1'}]", servers)

    assert found(check_open_api_documents, _toolset(Included(text))) == [
        f"CES056 {PATH}{line}" for line in expected
    ]


def test_servers_of_operations_count() -> None:
    """An address may be on the operation alone."""
    text = "openapi: 3.0.3\npaths: {/a: {get: {operationId: x, servers: [{url: 'https://a.example'}]}}}\n"

    assert found(check_open_api_documents, _toolset(text)) == []
