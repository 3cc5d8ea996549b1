"""Equality of JSON values as Python defines it, as texts that are equal exactly where the values are."""

import json
from typing import Any


def canonical(value: Any) -> str:
    """
    A text that two JSON values share exactly if Python compares them as equal.

    The order of members does not matter; `1`, `1.0` and `true` are equal, `"1"` is not. Takes linear time, as
    comparing with many others then does too.
    """
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))


def _plain(value: Any) -> Any:
    match value:
        case bool():
            return int(value)
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case list():
            return [_plain(item) for item in value]
    return value
