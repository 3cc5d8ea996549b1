"""Conversion of JSON Schema in OpenAPI documents to the API's message `Schema`."""

from collections.abc import Iterable
from typing import Any

from cesplan.emulator.openapi.references import References
from cesplan.emulator.openapi.shapes import Json, mapping, sequence, wrong

_TYPES = {
    "string": "STRING",
    "integer": "INTEGER",
    "number": "NUMBER",
    "boolean": "BOOLEAN",
    "array": "ARRAY",
    "object": "OBJECT",
}
_SAME = ("description", "title", "nullable", "default", "minimum", "maximum", "uniqueItems")
_SEVERAL = ("anyOf", "oneOf")
# References can make a small document expand endlessly. No real tool has this many parts.
_MOST = 5000


class SchemaReader:
    """Converts the schemas of one document. A schema inside itself is replaced by its type."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._count = 0

    def schema(self, raw: Any, where: str, within: frozenset[str] = frozenset()) -> Json:
        """Return a `Schema`. `within` are the $refs that contain it."""
        if isinstance(raw, bool):
            return {"type": "OBJECT"}
        value, passed = self._followed(raw, where)
        if passed & within:
            return {"type": _type_of(value)}
        within |= passed
        value = self._joined(value, where, within)
        return _plain(value, where) | self._inner(value, where, within)

    def _followed(self, raw: Any, where: str) -> tuple[Json, frozenset[str]]:
        self._count += 1
        if self._count > _MOST:
            raise wrong(where, f"with its references resolved, the schema has more than {_MOST} parts")
        return self._references.followed(raw, where)

    def _inner(self, value: Json, where: str, within: frozenset[str]) -> Json:
        found: Json = {}
        properties = mapping(value.get("properties"), f"{where}.properties")
        if properties:
            found["properties"] = {
                key: self.schema(inner, f"{where}.{key}", within) for key, inner in sorted(properties.items())
            }
        for word in ("items", "additionalProperties"):
            if isinstance(value.get(word), dict):
                found[word] = self.schema(value[word], f"{where}.{word}", within)
        for word, name in (("prefixItems", "prefixItems"), *((word, "anyOf") for word in _SEVERAL)):
            several = sequence(value.get(word), f"{where}.{word}")
            if several and name not in found:
                found[name] = [self.schema(one, f"{where}.{word}", within) for one in several]
        return found

    def _joined(self, value: Json, where: str, within: frozenset[str]) -> Json:
        """Return a schema merged with its allOf, at any depth."""
        for raw in sequence(value.get("allOf"), f"{where}.allOf"):
            part, passed = self._followed(raw, f"{where}.allOf")
            if passed & within:
                continue
            part = self._joined(part, where, within | passed)
            properties = {**_properties(part, where), **_properties(value, where)}
            required = unique([*_required(part, where), *_required(value, where)])
            value = part | value | {"properties": properties, "required": required}
        return value


def _plain(value: Json, where: str) -> Json:
    """Return the members of a schema that are not schemas themselves."""
    found: Json = {"type": _type_of(value)}
    found |= {key: value[key] for key in _SAME if key in value}
    if isinstance(value.get("type"), list) and "null" in value["type"]:
        found["nullable"] = True
    found |= {key: str(value[key]) for key in ("minItems", "maxItems") if key in value}
    if "enum" in value:
        found["enum"] = [str(item) for item in sequence(value["enum"], f"{where}.enum")]
    required = _required(value, where)
    return found | ({"required": required} if required else {})


def _properties(value: Json, where: str) -> Json:
    return mapping(value.get("properties"), f"{where}.properties")


def _required(value: Json, where: str) -> list[str]:
    return [str(name) for name in sequence(value.get("required"), f"{where}.required")]


def unique(names: Iterable[str]) -> list[str]:
    """Return each name once, in order."""
    return list(dict.fromkeys(names))


def _type_of(value: Json) -> str:
    kinds = value.get("type")
    names = [name for name in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(name, str)]
    known = [_TYPES[name] for name in names if name in _TYPES]
    return known[0] if known else _implied(value)


def _implied(value: Json) -> str:
    if "items" in value or "prefixItems" in value:
        return "ARRAY"
    inner = {"properties", "additionalProperties", "allOf"} & value.keys()
    return "OBJECT" if inner or not value else "STRING"
