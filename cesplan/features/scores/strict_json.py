"""JSON as its standard defines it (RFC 8259), with limits: input that parsers disagree about is refused."""

import json
import math
import re
from collections import Counter
from typing import Any, NoReturn

from cesplan.domain.text.json_text import decoded

MOST_VALUES = 500_000
"""Members and elements: several thousand conversations."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def strict_json(text: str) -> Any:
    """
    The value of a JSON text.

    Raises ValueError, with the reason as a clause, for text that is not JSON, NaN, numbers out of range,
    duplicate members, lone surrogates, and more than 100 levels.
    """
    try:
        value = decoded(
            text, parse_constant=_no_number, parse_float=_float, parse_int=_int, object_pairs_hook=_members
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: line {error.lineno}, column {error.colno}") from error
    _check(value)
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("it has a number that is out of range")
    return value


def _int(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:  # Python reads some 4,000 digits
        raise ValueError("it has a number that is out of range") from error


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"an object has the member `{twice[:80]}` twice")
    return found


def _check(value: Any) -> None:
    """Check the number of values, and texts for lone surrogates, without recursion."""
    rest = [value]
    left = MOST_VALUES
    while rest:
        item = rest.pop()
        if isinstance(item, dict | list):
            left -= len(item)
            if left < 0:
                raise ValueError(f"it has more than {MOST_VALUES:,} values")
        if isinstance(item, str):
            if not item.isascii() and _SURROGATE.search(item):
                raise ValueError("a text has half of a surrogate pair")
        elif isinstance(item, dict | list):
            rest += [*item, *item.values()] if isinstance(item, dict) else item
