"""The JSON style of exports (docs/api-facts.md)."""

import json
from typing import Any

_ESCAPES = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "&'<=>"})


def dump_json(value: Any, indent: str = "") -> str:
    """
    Return JSON indented by two spaces, with scalar lists on one line and the objects of a list side by side.
    """
    inner = f"{indent}  "
    match value:
        case dict():
            rows = [f"{inner}{_scalar(key)}: {dump_json(item, inner)}" for key, item in value.items()]
            return "{\n" + ",\n".join(rows) + ("\n" if rows else "") + f"{indent}}}"
        case list():
            return "[" + ", ".join(dump_json(item, indent) for item in value) + "]"
        case _:
            return _scalar(value)


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).translate(_ESCAPES)
