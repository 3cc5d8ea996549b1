"""Directives of files as JSON Schema: those at the root, and those that stand for a value (DESIGN §3)."""

from typing import Any

from cesplan.domain.resource_name import ID_PATTERN
from cesplan.model.kinds import Kind

_REASON = {"type": "string", "minLength": 1}

_ID = {"type": "string", "pattern": f"^(?:{ID_PATTERN.pattern})$"}

_DOLLAR_ID: dict[str, Any] = {
    "$id": {
        "description": "The id on the server where it is not the key; or one for each environment.",
        "anyOf": [_ID, {"type": "object", "additionalProperties": _ID}],
    },
}

_ROOT_DIRECTIVES: dict[str, Any] = {
    "$protect": {"description": "True: never delete this resource.", "type": "boolean"},
    "$ignore": {
        "description": "Field paths that are left alone, such as `modelSettings.temperature` or "
        "`variableDeclarations[name=tier].description`.",
        "type": "array",
        "items": {"type": "string"},
    },
    "$ownership": {
        "description": "full: an absent field must have its default on the server. declared: it is left alone.",
        "enum": ["full", "declared"],
    },
    "$extra": {
        "description": "Fields newer than this schema, by path: sent and compared as they stand.",
        "type": "object",
    },
    "$silence": {
        "description": "Checks that are turned off for this file, each with the reason.",
        "type": "object",
        "propertyNames": {"pattern": "^CES[0-9]{3}$"},
        "additionalProperties": _REASON,
    },
}

EXCLUDE: dict[str, Any] = {
    "$exclude": {"description": "This environment does not have the resource. Stands alone.", "const": True},
}
"""For files in `environments/` only."""


def root_directives(kind: Kind) -> dict[str, Any]:
    """The directives at the top of a file of this kind; what exists once has no id of its own."""
    return {**(_DOLLAR_ID if kind.id_parameter else {}), **_ROOT_DIRECTIVES}


VALUE_DIRECTIVES: dict[str, Any] = {
    "file": {
        "description": "The text of a file.",
        "type": "object",
        "additionalProperties": False,
        "required": ["$file"],
        "properties": {
            "$file": {
                "description": "Path of the file, relative to this one. One final newline is left out.",
                "type": "string",
            },
            "$expand": {"description": "True: expand `${name}` in the text.", "type": "boolean"},
        },
    },
    "variable": {
        "description": "The value of a variable.",
        "type": "object",
        "additionalProperties": False,
        "required": ["$var"],
        "properties": {"$var": {"description": "Name of the variable.", "type": "string"}},
    },
    "reference": {
        "description": "Another resource of this app.",
        "type": "object",
        "additionalProperties": False,
        "required": ["$ref"],
        "properties": {
            "$ref": {"description": "Kind and key, such as `tools/lookup-order`.", "type": "string"}
        },
    },
    "expanded": {
        "description": "A text with variables in it.",
        "type": "string",
        "pattern": "\\$\\{",
    },
}
