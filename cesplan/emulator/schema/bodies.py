"""
JSON on the wire: everything that is not protobuf JSON is refused before it is processed.

Beyond the grammar, text must be UTF-8 without unpaired surrogates (a string field is Unicode), numbers must be
finite, and nesting must not exceed the limit of protobuf's parsers.
"""

import json
import math
from typing import Any

from cesplan.emulator.errors import Refused

# The recursion limit of protobuf's JSON parsers.
DEEPEST = 100


def parsed(raw: bytes) -> Any:
    """Return a JSON body, None for an empty one. Raise Refused for invalid JSON."""
    if not raw.strip():
        return None
    try:
        return loads(raw)
    except ValueError as error:
        raise Refused("INVALID_ARGUMENT", f"The body is not JSON: {error}.") from error


def loads(raw: bytes) -> Any:
    """Return the value of a JSON text. Raise ValueError, which says why, for an invalid text."""
    try:
        value = json.loads(raw.decode(), parse_constant=_no_constant, parse_float=_finite)
    except RecursionError as error:
        raise ValueError(f"it has more than {DEEPEST} levels") from error
    if raw.count(b"{") + raw.count(b"[") > DEEPEST:
        check_depth(value)
    if b"\\u" in raw:
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is out of range")
    return number


def check_depth(value: Any) -> None:
    """Raise ValueError for a value nested too deeply for protobuf's parsers."""
    level = [value]
    for _ in range(DEEPEST):
        level = [item for one in level for item in _inner(one)]
    if any(isinstance(one, dict | list) for one in level):
        raise ValueError(f"it has more than {DEEPEST} levels")


def _inner(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
