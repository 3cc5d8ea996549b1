"""One value as text: inline, or as an outline of several lines, shortened if it is long."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from cesplan.domain.value import Secret, folded
from cesplan.render.page import width_of

NOT_SET = "not set"
SENSITIVE = "(sensitive)"

_PLAIN_TEXT = re.compile(r"[^\s\"'`\[\]{}(),:#&*!|>%@→‹›]([^\s\"'`,→‹›]*[^\s\"'`,:→‹›])?")
_OTHER_TYPE = re.compile(r"[-+.]?[0-9][0-9_.eE+-]*|true|false|null|not set|~", re.IGNORECASE)
_LONGEST_TEXT_IN_OUTLINE = 12


def inline(value: Any) -> str:
    """A value on one line: texts are unquoted unless they could be misread; None is `not set`."""
    text: str = folded(
        value,
        _leaf,
        lambda members: "{" + ", ".join(f"{key}: {item}" for key, item in members.items()) + "}",
        lambda items: "[" + ", ".join(items) + "]",
    )
    return text


def _leaf(value: Any) -> str:
    match value:
        case None:
            return NOT_SET
        case Secret():
            return str(value) if value.variables else SENSITIVE
        case str():
            return value if _is_plain(value) else json.dumps(value, ensure_ascii=False)
    return json.dumps(value)


def outline(value: Any, *, longest: int | None = _LONGEST_TEXT_IN_OUTLINE) -> list[str]:
    """
    A value on as many lines as it needs, as in YAML; texts of more than `longest` lines are cut.

    Recursive without the shared walker: how an entry begins depends on whether its content fits on one line.
    """
    if isinstance(value, Mapping) and value:
        return [row for key, item in value.items() for row in _under(f"{key}:", item, longest)]
    if isinstance(value, list | tuple) and value:
        return [row for item in value for row in _item(_part(item, longest))]
    if isinstance(value, str) and "\n" in value:
        return ["|", *(f"  {row}" for row in _beginning(value, longest))]
    return [inline(value)]


def lines_of(value: Any, *, longest: int | None = _LONGEST_TEXT_IN_OUTLINE) -> list[str]:
    """One side of a change: all lines of a text, the outline of any other value, nothing if it is absent."""
    if value is None:
        return []
    return value.split("\n") if isinstance(value, str) else outline(value, longest=longest)


def whole_outline(value: Any) -> list[str]:
    """An outline with every line of every text."""
    return outline(value, longest=None)


def shortened(text: str, width: int) -> str:
    """A text without its middle if it is too wide, because both ends say more than the middle."""
    if width_of(text) <= width:
        return text
    kept = max(2, width - 3)
    head = (kept + 1) // 2
    return f"{text[:head].rstrip()} … {text[len(text) - (kept - head) :].lstrip()}"


def _is_plain(text: str) -> bool:
    return bool(_PLAIN_TEXT.fullmatch(text)) and not _OTHER_TYPE.fullmatch(text) and text.isprintable()


def _part(value: Any, longest: int | None) -> list[str]:
    """A member or an element: null is a value there, as in `Schema.default`."""
    return ["null"] if value is None else outline(value, longest=longest)


def _under(head: str, value: Any, longest: int | None) -> Iterator[str]:
    rows = _part(value, longest)
    if not (isinstance(value, Mapping | list | tuple) and value) and len(rows) == 1:
        yield f"{head} {rows[0]}"
        return
    if rows[0] == "|":
        yield f"{head} |"
        yield from rows[1:]
        return
    yield head
    yield from (f"  {row}" for row in rows)


def _item(rows: list[str]) -> Iterator[str]:
    yield f"- {rows[0]}"
    yield from (f"  {row}" for row in rows[1:])


def _beginning(text: str, longest: int | None) -> list[str]:
    rows = text.split("\n")
    if longest is None or len(rows) <= longest:
        return rows
    return [*rows[: longest - 1], f"… {len(rows) - longest + 1} more lines"]


def line_ends_only(before: Any, after: Any) -> str:
    """`CRLF → LF` if two texts of several lines differ only in their line ends; otherwise empty."""
    if not isinstance(before, str) or not isinstance(after, str) or before == after:
        return ""
    if _with_line_feeds(before) != _with_line_feeds(after):
        return ""
    return f"{_name(before)} → {_name(after)}"


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _name(text: str) -> str:
    both = text.count("\r\n")
    counts = {"CRLF": both, "LF": text.count("\n") - both, "CR": text.count("\r") - both}
    names = [name for name, number in counts.items() if number]
    return names[0] if len(names) == 1 else "mixed"
