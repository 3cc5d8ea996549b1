"""Scalars as YAML: plain if all parsers agree, quoted if a YAML 1.1 or 1.2 parser would misread them."""

import re
from typing import Any

from cesplan.domain.text.characters import COMMAND, HIDDEN, WORD_COMMAND

_SIMPLE_START = re.compile(
    r"[A-Za-z0-9_/$(.<+\u00a1-\ud7ff\ue000-\ufefe\U00010000-\U0010ffff]|-(?=[A-Za-z0-9_])"
)
_NOT_SHOWN = f"\x00-\x1f\xa0\ud800-\udfff\ufffe\uffff{HIDDEN}"
_NOT_PLAIN = re.compile(rf": |:$| #|[{_NOT_SHOWN}]|\s$|{COMMAND}")
_WORDS = frozenset(
    (
        "~",
        "null",
        "true",
        "false",
        "yes",
        "no",
        "on",
        "off",
        "y",
        "n",
        ".inf",
        "-.inf",
        "+.inf",
        ".nan",
        "<<",
        "=",
    )
)
"""YAML 1.1 does not read these as strings, in any letter case."""
_NUMBER_LIKE = re.compile(
    r"[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+"
    r"|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
    r"|[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)"
)
_DATE_LIKE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[Tt \t].*)?")
_FLOW_SAFE = re.compile(r"[A-Za-z0-9_./@+*$()~-]+(?: [A-Za-z0-9_./@+*$()~-]+)*")
_UNPRINTABLE = re.compile(f"[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff{HIDDEN}]|{COMMAND}")
_SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\", "\0": "\\0"}
_ESCAPED = re.compile(rf'["\\{_NOT_SHOWN}]|{WORD_COMMAND}')


def scalar(value: Any) -> str:
    """
    One value on one line, in the plainest style that is safe in block context. Raises TypeError for others.
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _number(value)
        case str() if is_plain(value):
            return value
        case str():
            return quoted(value)
    raise TypeError(f"not a YAML scalar: {type(value).__name__}")


_NOT_SINGLE = re.compile(f"[{_NOT_SHOWN}]|{COMMAND}")
"""Characters that need an escape, and text that a log could treat as a command."""


def is_plain(text: str) -> bool:
    """True if a text needs no quotes in block context."""
    return (
        _SIMPLE_START.match(text) is not None
        and _NOT_PLAIN.search(text) is None
        and text.lower() not in _WORDS
        and not text.startswith(("--- ", "... "))
        and text not in ("...", "---")
        and not _NUMBER_LIKE.fullmatch(text)
        and not _DATE_LIKE.fullmatch(text)
    )


def is_flow_safe(value: Any) -> bool:
    """True if a value needs no quotes in brackets, and is easy to read there."""
    if isinstance(value, str):
        return is_plain(value) and _FLOW_SAFE.fullmatch(value) is not None
    return value is None or isinstance(value, bool | int | float)


def is_plain_in_flow(text: str) -> bool:
    """True if a text needs no quotes in brackets."""
    return is_plain(text) and not set(text) & set(",[]{}")


def quoted(text: str) -> str:
    """Any text in quotes, on one line: in single ones unless it needs escapes."""
    return double_quoted(text) if _NOT_SINGLE.search(text) else "'" + text.replace("'", "''") + "'"


def double_quoted(text: str) -> str:
    """Any text in double quotes, on one line."""
    return '"' + _ESCAPED.sub(lambda found: "".join(map(_escape, found[0])), text) + '"'


def fits_block(text: str) -> bool:
    """True if `|` preserves a text exactly, even if an editor changes the end of the file."""
    lines = text.split("\n")
    return (
        "\n" in text.rstrip("\n")
        and not text.endswith("\n\n")
        and not _UNPRINTABLE.search(text)
        and lines[0].strip() != ""
        and not lines[0].startswith((" ", "\t"))
        and not any(line and not line.strip() for line in lines)
    )


def block_header(text: str) -> str:
    """The header of a block scalar for a text that fits."""
    return "|" if text.endswith("\n") else "|-"


def _number(value: float) -> str:
    """A float that YAML 1.1 parsers recognize too: with a point, and a sign in the exponent."""
    mantissa, e, exponent = repr(value).partition("e")
    if e and "." not in mantissa:
        mantissa += ".0"
    return f"{mantissa}{e}{exponent}"


def _escape(sign: str) -> str:
    if sign in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[sign]
    code = ord(sign)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
