"""The JSON Schema of a patch in `environments/`: operations of RFC 6902, as YAML."""

from typing import Any

OPERATIONS = {
    "add": ("path", "value"),
    "remove": ("path",),
    "replace": ("path", "value"),
    "move": ("from", "path"),
    "copy": ("from", "path"),
    "test": ("path", "value"),
}
"""The members of each operation besides `op` (RFC 6902, section 4)."""

_POINTER = {
    "description": (
        "A JSON Pointer (RFC 6901), such as `/tools/0`; `/tools/-` is the position after the last element."
    ),
    "type": "string",
    "pattern": "^(?:/(?:[^~]|~[01])*)?$",
}
_MEMBERS: dict[str, Any] = {
    "path": _POINTER,
    "from": {**_POINTER, "description": "A JSON Pointer to the source of the value."},
    "value": {"description": "The value; `{$file}`, `{$var}`, and `{$ref}` work as in a resource file."},
}


def patch_schema() -> dict[str, Any]:
    """The schema without its `$schema` line."""
    return {
        "title": "Patch",
        "description": "RFC 6902 operations, applied in order to the resource file of the same name.",
        "type": "array",
        "items": {"anyOf": [_operation(op, needed) for op, needed in OPERATIONS.items()]},
    }


def _operation(op: str, needed: tuple[str, ...]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["op", *needed],
        "properties": {"op": {"const": op}, **{name: _MEMBERS[name] for name in needed}},
    }
