"""JSON Schema of directives in files: those at the root, and those that stand for a value."""

from typing import Any

from cesplan.domain.resource_name import ID_PATTERN
from cesplan.model.kinds import Kind

_REASON = {"type": "string", "minLength": 1}

_ID = {"type": "string", "pattern": f"^(?:{ID_PATTERN.pattern})$"}

_DOLLAR_ID: dict[str, Any] = {
    "$id": {
        "description": "The id on the server if it differs from the key, or one id for each environment.",
        "anyOf": [_ID, {"type": "object", "additionalProperties": _ID}],
    },
}

_ROOT_DIRECTIVES: dict[str, Any] = {
    "$protect": {"description": "If true, this resource is never deleted.", "type": "boolean"},
    "$ignore": {
        "description": "Field paths that cesplan ignores, such as `modelSettings.temperature` or "
        "`variableDeclarations[name=tier].description`.",
        "type": "array",
        "items": {"type": "string"},
    },
    "$ownership": {
        "description": (
            "full: fields absent from the file are reset to their defaults. declared: they are left unchanged."
        ),
        "enum": ["full", "declared"],
    },
    "$extra": {
        "description": "Fields newer than this schema, by path. They are compared and sent unchanged.",
        "type": "object",
    },
    "$silence": {
        "description": "Checks that are disabled for this file, each with a reason.",
        "type": "object",
        "propertyNames": {"pattern": "^CES[0-9]{3}$"},
        "additionalProperties": _REASON,
    },
}

EXCLUDE: dict[str, Any] = {
    "$exclude": {
        "description": "Leaves the resource out of this environment. No other key is allowed.",
        "const": True,
    },
}
"""Only for files in `environments/`."""


def root_directives(kind: Kind) -> dict[str, Any]:
    """The directives at the top of a file of this kind. A singleton has no `$id`."""
    return {**(_DOLLAR_ID if kind.id_parameter else {}), **_ROOT_DIRECTIVES}


VALUE_DIRECTIVES: dict[str, Any] = {
    "file": {
        "$comment": "The contents of a text file.",
        "type": "object",
        "additionalProperties": False,
        "required": ["$file"],
        "properties": {
            "$file": {
                "description": "The path of the file, relative to this file. One final newline is dropped.",
                "type": "string",
            },
            "$expand": {"description": "If true, expand `${name}` in the text.", "type": "boolean"},
        },
    },
    "variable": {
        "$comment": "The value of a variable.",
        "type": "object",
        "additionalProperties": False,
        "required": ["$var"],
        "properties": {"$var": {"description": "The name of the variable.", "type": "string"}},
    },
    "reference": {
        "$comment": "Another resource of this app.",
        "type": "object",
        "additionalProperties": False,
        "required": ["$ref"],
        "properties": {
            "$ref": {"description": "The kind and the key, such as `tools/lookup-order`.", "type": "string"}
        },
    },
    "expanded": {
        "$comment": "A string that contains variables.",
        "type": "string",
        "pattern": "\\$\\{",
    },
}
