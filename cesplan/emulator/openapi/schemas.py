"""From JSON Schema, as OpenAPI and Python annotations have it, to the API's message `Schema`."""

import ast
from typing import Any

from cesplan.emulator.openapi.operations import Operation

Json = dict[str, Any]

_TYPES = {
    "string": "STRING",
    "integer": "INTEGER",
    "number": "NUMBER",
    "boolean": "BOOLEAN",
    "array": "ARRAY",
    "object": "OBJECT",
}
_ANNOTATIONS = {
    "str": "STRING",
    "int": "INTEGER",
    "float": "NUMBER",
    "bool": "BOOLEAN",
    "list": "ARRAY",
    "dict": "OBJECT",
}
_SAME = ("description", "title", "nullable", "default", "minimum", "maximum", "uniqueItems")
_DEEPEST = 32
_JSON = "application/json"


def input_of(operation: Operation) -> Json:
    """Return the schema of an operation's parameters; what the body holds stands among them."""
    reader = _Reader(operation.document)
    item = operation.document["paths"][operation.path]
    properties: Json = {}
    required: list[str] = []
    for raw in [*item.get("parameters", []), *operation.body.get("parameters", [])]:
        parameter = reader.target(raw)
        name = str(parameter.get("name", ""))
        properties[name] = reader.schema(parameter.get("schema", {}))
        if "description" in parameter:
            properties[name]["description"] = parameter["description"]
        required += [name] if parameter.get("required") and name not in required else []
    body = reader.content(operation.body.get("requestBody", {}))
    if body is not None:
        inner = reader.schema(body)
        properties |= inner.get("properties", {})
        required += [name for name in inner.get("required", []) if name not in required]
    return _object(properties, required)


def output_of(operation: Operation) -> Json:
    """Return the schema of what an operation answers when it succeeds."""
    reader = _Reader(operation.document)
    responses = operation.body.get("responses", {})
    good = sorted((str(code), value) for code, value in responses.items() if str(code)[:1] == "2")
    for _, response in good:
        found = reader.content(response)
        if found is not None:
            return reader.schema(found)
    return {"type": "OBJECT"}


def input_of_python(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Json:
    """Return the schema of a function's parameters, from its annotations."""
    arguments = function.args.args
    first_default = len(arguments) - len(function.args.defaults)
    properties = {a.arg: {"type": _annotated(a.annotation)} for a in arguments}
    return _object(properties, [a.arg for a in arguments[:first_default]])


def output_of_python(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Json:
    """Return the schema of what a function returns, from its annotation."""
    return {"type": _annotated(function.returns) if function.returns else "OBJECT"}


def _annotated(node: ast.expr | None) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    name = node.id.lower() if isinstance(node, ast.Name) else ""
    return _ANNOTATIONS.get(name, "STRING" if node is None else "OBJECT")


def _object(properties: Json, required: list[str]) -> Json:
    found: Json = {"type": "OBJECT"}
    found |= {"properties": dict(sorted(properties.items()))} if properties else {}
    return found | ({"required": required} if required else {})


class _Reader:
    """Reads schemas of one document, with its $refs."""

    def __init__(self, document: Json) -> None:
        self._document = document

    def target(self, value: Any) -> Json:
        """Return what a $ref leads to inside the document, or the value itself."""
        for _ in range(_DEEPEST):
            if not isinstance(value, dict):
                return {}
            ref = value.get("$ref")
            if not isinstance(ref, str) or not ref.startswith("#/"):
                return value
            found: Any = self._document
            for part in ref[2:].split("/"):
                found = found.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else {}
            value = found
        return {}

    def content(self, holder: Any) -> Json | None:
        """Return the JSON schema of a request body or a response, None where there is none."""
        media = self.target(holder).get("content", {})
        chosen = media.get(_JSON) or next(iter(media.values()), None)
        return None if not isinstance(chosen, dict) else chosen.get("schema", {})

    def schema(self, raw: Any, depth: int = 0) -> Json:
        """Return a `Schema`. A schema inside itself is cut off as an object."""
        value = self.target(raw)
        if depth > _DEEPEST:
            return {"type": "OBJECT"}
        value = self._joined(value)
        kinds = value.get("type")
        names = [name for name in (kinds if isinstance(kinds, list) else [kinds]) if name in _TYPES]
        found: Json = {"type": _TYPES[names[0]] if names else _implied(value)}
        found |= {key: value[key] for key in _SAME if key in value}
        if isinstance(kinds, list) and "null" in kinds:
            found["nullable"] = True
        found |= {key: str(value[key]) for key in ("minItems", "maxItems") if key in value}
        if "enum" in value:
            found["enum"] = [str(item) for item in value["enum"]]
        if value.get("required"):
            found["required"] = list(value["required"])
        return found | self._inner(value, depth + 1)

    def _inner(self, value: Json, depth: int) -> Json:
        found: Json = {}
        if value.get("properties"):
            items = sorted(value["properties"].items())
            found["properties"] = {key: self.schema(inner, depth) for key, inner in items}
        if isinstance(value.get("items"), dict):
            found["items"] = self.schema(value["items"], depth)
        if isinstance(value.get("additionalProperties"), dict):
            found["additionalProperties"] = self.schema(value["additionalProperties"], depth)
        several = value.get("anyOf") or value.get("oneOf")
        if several:
            found["anyOf"] = [self.schema(one, depth) for one in several]
        return found

    def _joined(self, value: Json) -> Json:
        """Return a schema with what its allOf adds."""
        for part in map(self.target, value.get("allOf", [])):
            properties = {**part.get("properties", {}), **value.get("properties", {})}
            required = [*part.get("required", []), *value.get("required", [])]
            value = part | value | {"properties": properties, "required": list(dict.fromkeys(required))}
        return value


def _implied(value: Json) -> str:
    return "ARRAY" if "items" in value else "OBJECT" if "properties" in value or not value else "STRING"
