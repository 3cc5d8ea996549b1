"""The input and output of an operation, as the schemas of a tool."""

from typing import Any

from cesplan.emulator.openapi.operations import Operation
from cesplan.emulator.openapi.references import References
from cesplan.emulator.openapi.schemas import SchemaReader, unique
from cesplan.emulator.openapi.shapes import Json, mapping, sequence

_JSON = "application/json"
# The argument name for a body that is not an object; the emulator's own choice.
_BODY = "body"


def input_of(operation: Operation) -> Json:
    """Return the schema of an operation's parameters, including the members of the body."""
    references = References(operation.document)
    reader = SchemaReader(references)
    properties: Json = {}
    required: list[str] = []
    for parameter in _parameters(operation, references):
        name = str(parameter.get("name", ""))
        properties[name] = reader.schema(_schema_of(parameter, name), name)
        if "description" in parameter:
            properties[name]["description"] = parameter["description"]
        required += [name] if parameter.get("required") else []
    where = f"{operation.path}.{operation.verb}.requestBody"
    holder = references.target(operation.body.get("requestBody"), where)
    body = _content(holder, where)
    if body is not None:
        inner = reader.schema(body, where)
        if inner["type"] == "OBJECT":
            properties |= inner.get("properties", {})
            required += inner.get("required", [])
        else:
            properties[_BODY] = inner
            required += [_BODY] if holder.get("required") else []
    return object_of(properties, unique(required))


def output_of(operation: Operation) -> Json:
    """Return the schema of an operation's successful response."""
    references = References(operation.document)
    where = f"{operation.path}.{operation.verb}.responses"
    responses = mapping(operation.body.get("responses"), where)
    good = sorted((str(code), value) for code, value in responses.items() if str(code)[:1] == "2")
    for code, response in good:
        found = _content(references.target(response, f"{where}.{code}"), where)
        if found is not None:
            return SchemaReader(references).schema(found, where)
    return {"type": "OBJECT"}


def object_of(properties: Json, required: list[str]) -> Json:
    """Return the schema of an object."""
    found: Json = {"type": "OBJECT"}
    found |= {"properties": dict(sorted(properties.items()))} if properties else {}
    return found | ({"required": required} if required else {})


def _parameters(operation: Operation, references: References) -> list[Json]:
    """Return the parameters of the path and of the operation, which override those of the path (OpenAPI 3)."""
    found: dict[tuple[str, str], Json] = {}
    for holder, where in (
        (operation.item, operation.path),
        (operation.body, f"{operation.path}.{operation.verb}"),
    ):
        for raw in sequence(holder.get("parameters"), f"{where}.parameters"):
            parameter = references.target(raw, f"{where}.parameters")
            found[str(parameter.get("name", "")), str(parameter.get("in", ""))] = parameter
    return list(found.values())


def _schema_of(parameter: Json, where: str) -> Any:
    """Return the schema of a parameter, which has either a schema or a content."""
    return parameter.get("schema") if "schema" in parameter else _content(parameter, where)


def _content(holder: Json, where: str) -> Any:
    """Return the JSON schema of a body, a response, or a parameter; None if there is none."""
    media = mapping(holder.get("content"), f"{where}.content")
    chosen = media.get(_JSON) or next(iter(media.values()), None)
    return None if chosen is None else mapping(chosen, f"{where}.content").get("schema", {})
