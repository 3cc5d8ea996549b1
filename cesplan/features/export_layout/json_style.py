"""
JSON as the service writes it: two spaces, lists of scalars in one line, lists of objects hugging
their braces, HTML-safe escapes, no line break at the end.

That is the style of protobuf's Java printer on top of Gson; numbers with a fraction are spelled as Java does.
"""

import json
import re
from typing import Any

from cesplan.domain.value import folded

_HTML_UNSAFE = re.compile("[&<=>']")
"""The escapes seen in exports: those of Gson with its default settings."""

_INDENT = "  "


def json_text(value: Any) -> str:
    """The text of a file. Takes dicts, lists, texts, booleans, integers, floats, and None."""
    text: str = folded(value, _leaf, _object, lambda items: "[" + ", ".join(items) + "]")
    return text


def _leaf(value: Any) -> str:
    match value:
        case str():
            return _string(value)
        case float():
            return java_number(value)
    return json.dumps(value)


def _object(members: dict[str, str]) -> str:
    """An object from the texts of its members, one member per line."""
    rows = (f"{_string(key)}: {text}".replace("\n", f"\n{_INDENT}") for key, text in members.items())
    body = ",\n".join(f"{_INDENT}{row}" for row in rows)
    return f"{{\n{body}\n}}" if body else "{\n}"


def _string(text: str) -> str:
    return _HTML_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def java_number(number: float) -> str:
    """A double as Java's `Double.toString` spells it: `0.2`, `3.0`, `1.0E10`."""
    if number == 0:
        return "-0.0" if str(number).startswith("-") else "0.0"
    sign, digits, exponent = _digits(number)
    if -3 <= exponent < 7:
        padded = digits if exponent >= 0 else "0" * -exponent + digits
        point = max(exponent, 0) + 1
        padded = padded.ljust(point, "0")
        return f"{sign}{padded[:point]}.{padded[point:] or '0'}"
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{exponent}"


def _digits(number: float) -> tuple[str, str, int]:
    """Sign, the shortest digits that identify the number, and the decimal exponent of the first digit."""
    mantissa, _, exponent = f"{abs(number):.17e}".partition("e")
    for size in range(17):
        short = f"{abs(number):.{size}e}"
        if float(short) == abs(number):
            mantissa, _, exponent = short.partition("e")
            break
    return "-" if number < 0 else "", mantissa.replace(".", "").rstrip("0") or "0", int(exponent)
