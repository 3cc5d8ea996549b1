"""The JSON Schema of release files, made from the table that reads them."""

from typing import Any, assert_never

from cesplan.config.resource.values import EXCLUDE
from cesplan.domain.value import folded
from cesplan.features.releases.files.file_shape import RELEASE
from cesplan.features.releases.files.shapes import (
    TIME_PATTERN,
    Flag,
    Free,
    ListOf,
    MapOf,
    Number,
    RecordShape,
    Shape,
    TextShape,
    TimeShape,
    Variants,
)

SCHEMA_FILE = "releases.schema.json"
OVERLAY_SCHEMA_FILE = f"environments/{SCHEMA_FILE}"


def release_schema() -> dict[str, Any]:
    """The schema without its `$schema` line."""
    title = {
        "title": "releases/<name>.yaml",
        "description": "What a version must pass before a deployment serves it.",
    }
    return {**title, **_of(RELEASE)}


def release_overlay_schema() -> dict[str, Any]:
    """The schema of what an environment lays over a release: nothing is required, and null removes a member."""
    whole = folded(_of(RELEASE), lambda leaf: leaf, _partial)
    title = {
        "title": "environments/<environment>/…/releases/<name>.yaml",
        "description": "What an environment changes in a release, or a release that only this environment has.",
    }
    return {**title, **whole, "properties": {**whole["properties"], EXCLUDE: {"const": True}}}


def _partial(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without required members; every member may be null."""
    found = {name: value for name, value in schema.items() if name != "required"}
    if isinstance(members := found.get("properties"), dict):
        found["properties"] = {name: {"anyOf": [item, {"type": "null"}]} for name, item in members.items()}
    return found


def _of(shape: Shape) -> dict[str, Any]:
    found = _bare(shape)
    return {"description": shape.doc, **found} if shape.doc else found


def _bare(shape: Shape) -> dict[str, Any]:
    match shape:
        case TextShape():
            return _text(shape)
        case Number():
            kind = "integer" if shape.integer else "number"
            return {"type": kind, "minimum": shape.low, "maximum": shape.high}
        case Flag():
            return {"type": "boolean"}
        case TimeShape():
            return {"type": "string", "pattern": TIME_PATTERN}
        case Free():
            return {"type": "object"}
        case ListOf():
            items = {"type": "array", "items": _of(shape.item), "minItems": shape.at_least}
            items["maxItems"] = shape.at_most
            return {"anyOf": [_of(shape.item), items]} if shape.or_one else items
        case MapOf():
            names = {"propertyNames": {"enum": list(map(str, shape.keys))}} if shape.keys else {}
            return {"type": "object", **names, "additionalProperties": _of(shape.item)}
        case RecordShape():
            return _record(shape)
        case Variants():
            return {"oneOf": [_of(item) for item in shape.by_key.values()]}
        case _:
            assert_never(shape)


def _text(shape: TextShape) -> dict[str, Any]:
    if shape.choices:
        return {"enum": [str(item) for item in shape.choices]}
    return {"type": "string", **({"pattern": f"^{shape.pattern}$"} if shape.pattern else {"minLength": 1})}


def _record(shape: RecordShape) -> dict[str, Any]:
    found: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {key: _of(item) for key, item in shape.fields.items()},
    }
    if shape.required:
        found["required"] = list(shape.required)
    return {"anyOf": [_of(shape.fields[shape.short]), found]} if shape.short else found
