"""
Values to YAML: block style, indented by two spaces, in the given order; short lists of words in brackets.

Takes plain dicts, lists, and scalars. `Flow` is a mapping in braces, such as `{$file: x.md}`.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from cesplan.config.writing.scalars import block_header, double_quoted, fits_block, is_flow_safe, quoted, scalar
from cesplan.domain.frozen import dataclass

WIDTH = 100
"""The most characters of a list on one line. Texts are never folded."""

_LONGEST_KEY = 120
"""YAML limits single-line keys to 1024 characters, including quotes and escapes."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A mapping in braces, on one line."""

    entries: dict[str, Any]


def document(value: dict[str, Any]) -> str:
    """The text of a file with a mapping."""
    return "\n".join(mapping_lines(value, 0)) + "\n" if value else "{}\n"


def mapping_lines(value: dict[str, Any], indent: int) -> Iterator[str]:
    """The lines of a block mapping at an indent, in spaces."""
    for key, item in value.items():
        yield from entry_lines(key, item, indent)


def entry_lines(key: str, value: Any, indent: int) -> Iterator[str]:
    """The lines of one entry of a block mapping."""
    pad = " " * indent
    name = scalar(key)
    if len(name) > _LONGEST_KEY:
        yield f"{pad}? {double_quoted(key)}"
        yield from value_lines(f"{pad}:", value, indent)
    else:
        yield from value_lines(f"{pad}{name}:", value, indent)


def item_lines(value: Any, indent: int) -> Iterator[str]:
    """The lines of one element of a block list whose dashes are at an indent."""
    pad = " " * indent
    if isinstance(value, dict) and value:
        yield from _hanging(pad, mapping_lines(value, indent + 2))
    elif isinstance(value, list) and value and not _fits_in_line(value, indent):
        yield from _hanging(pad, (line for item in value for line in item_lines(item, indent + 2)))
    else:
        yield from value_lines(f"{pad}-", value, indent)


def value_lines(head: str, value: Any, indent: int) -> Iterator[str]:
    """The lines of a value after a head such as `key:`. `indent` is that of its parent."""
    if isinstance(value, str) and fits_block(value):
        yield f"{head} {block_header(value)}"
        pad = " " * (indent + 2)
        yield from (pad + line if line else "" for line in value.removesuffix("\n").split("\n"))
    elif isinstance(value, dict) and value:
        yield head
        yield from mapping_lines(value, indent + 2)
    elif isinstance(value, list) and not _fits_in_line(value, len(head) + 1):
        yield head
        yield from (line for item in value for line in item_lines(item, indent + 2))
    else:
        yield f"{head} {inline(value)}"


def inline(value: Any) -> str:
    """A value on one line: a scalar, or a collection in flow style."""
    match value:
        case Flow(entries):
            return "{" + ", ".join(f"{scalar(key)}: {_in_flow(item)}" for key, item in entries.items()) + "}"
        case dict():
            return "{" + ", ".join(f"{_in_flow(key)}: {_in_flow(item)}" for key, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_in_flow, value)) + "]"
    return scalar(value)


def _in_flow(value: Any) -> str:
    if isinstance(value, dict | list | Flow):
        return inline(value)
    return scalar(value) if is_flow_safe(value) else quoted(value)


def _fits_in_line(value: list[Any], before: int) -> bool:
    return all(map(is_flow_safe, value)) and before + len(inline(value)) <= WIDTH


def _hanging(pad: str, lines: Iterable[str]) -> Iterator[str]:
    """Lines at a deeper indent, with a dash in the first line."""
    first = True
    for line in lines:
        yield f"{pad}- {line[len(pad) + 2 :]}" if first else line
        first = False
