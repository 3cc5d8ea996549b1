"""CES050 to CES056: OpenAPI documents that the service cannot turn into tools."""

from collections.abc import Iterator

from cesplan.config.checks.open_api_reading import OpenApi, read_open_api
from cesplan.config.checks.placing import shown
from cesplan.config.checks.walking import FileWalk, Visit, text_at
from cesplan.config.manifest import AppTree, Finding
from cesplan.config.repeated import repeated

_DOCUMENT = FileWalk(lambda _, field: field.name == "openApiSchema")
_PLACEHOLDER = "$env_var"
"""The placeholder for the URL in exported apps; the import replaces it."""


def check_open_api_documents(tree: AppTree) -> list[Finding]:
    """Documents must be valid, of version 3, and have operations that can be identified and called."""
    found: list[Finding] = []
    for visit in _DOCUMENT.over(*tree.all()):
        if isinstance(visit.value, str):
            found += _findings(visit, read_open_api(visit.value))
    return found


def _findings(visit: Visit, document: OpenApi) -> Iterator[Finding]:
    if document.fault:
        what = f"the OpenAPI document cannot be read: {shown(document.fault.text)}"
        yield visit.finding("CES050", what, "The document must be YAML or JSON.", document.fault.place)
        return
    yield from _version(visit, document)
    if not document.operations:
        detail = "Each operation under `paths` becomes a tool, so this document has no tools."
        yield visit.finding("CES052", "the OpenAPI document has no operations", detail)
    yield from _operation_ids(visit, document)
    yield from _references(visit, document)
    yield from _servers(visit, document)


def _version(visit: Visit, document: OpenApi) -> Iterator[Finding]:
    version = document.version
    if version is None:
        yield visit.finding(
            "CES051",
            "the document does not declare `openapi: 3.…`",
            "The service creates tools from OpenAPI 3 documents.",
        )
    elif not version.text.startswith("3."):
        what = (
            f"the document is OpenAPI {shown(version.text) or 'without a version'}, but the service "
            "reads OpenAPI 3"
        )
        yield visit.finding("CES051", what, "Convert the document, for example to 3.0.3.", version.place)


def _operation_ids(visit: Visit, document: OpenApi) -> Iterator[Finding]:
    for operation, earlier in repeated(document.operations, lambda item: item.id):
        what = f"the operationId `{shown(operation.id)}` is already used by {shown(earlier.label)}"
        detail = f"It names the tool for {operation.label}. Each operation needs a unique operationId."
        yield visit.finding("CES053", what, detail, operation.place)
    for operation in document.operations:
        if not operation.id and not text_at(visit.holder, "name"):
            what = f"{shown(operation.label)} has no operationId"
            detail = "It becomes the id of the tool, which agents, evaluations, and instructions refer to."
            yield visit.finding("CES054", what, detail, operation.place)


def _references(visit: Visit, document: OpenApi) -> Iterator[Finding]:
    for reference in document.broken_references:
        inside = reference.text.startswith("#")
        what = f"`$ref: {shown(reference.text)}` does not exist in this document"
        detail = (
            "The document has nothing at that path."
            if inside
            else "The service receives only this document. Copy definitions from other files into it."
        )
        yield visit.finding("CES055", what, detail, reference.place)


def _servers(visit: Visit, document: OpenApi) -> Iterator[Finding]:
    detail = "Requests go to the address under `servers`. Add `servers: [{url: https://…}]`."
    if document.operations and not document.servers:
        yield visit.finding("CES056", "the OpenAPI document has no servers", detail)
    for server in document.servers:
        if "://" not in server.text and server.text != _PLACEHOLDER and "{" not in server.text:
            what = f"the server `{shown(server.text)}` is not an absolute URL"
            yield visit.finding("CES056", what, detail, server.place)
