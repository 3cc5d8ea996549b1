"""
Scalars in their existing style: quoted stays quoted, and a block stays a block.

All functions return the text that replaces a whole scalar.
"""

import re
from typing import Any

from cesplan.config.editing.syntax import Part, SourceText
from cesplan.config.writing.scalars import (
    double_quoted,
    fits_block,
    is_plain,
    is_plain_in_flow,
    quoted,
    scalar,
)
from cesplan.domain.text.line_matching import opcodes

_HEADER = re.compile(r"([|>])([-+]?)([1-9]?)([-+]?)")


def restyled(source: SourceText, part: Part, value: Any, *, in_flow: bool) -> str | None:
    """A new value in the style of the old one; None if the style cannot express it, or a block is better."""
    if not isinstance(value, str):
        return scalar(value)
    if part.style in "|>":
        return _block(source, part, value)
    if "\n" in value and part.style == "plain":
        return None
    if part.style == '"':
        return double_quoted(value)
    plain = is_plain_in_flow(value) if in_flow else is_plain(value)
    return value if plain and part.style != "'" else quoted(value)


def _block(source: SourceText, part: Part, value: str) -> str | None:
    """A block scalar in which unchanged lines keep their bytes."""
    written = source.text[part.start : part.end]
    header, _, content = written.partition(source.newline)
    found = _HEADER.match(header)
    if found is None or not content or "+" in found[0] or not _fits_block(value):
        return None
    indent = _indent(content, source.newline)
    head = header.replace(found[0], _header(found, value), 1)
    lines = value.removesuffix("\n").split("\n")
    if found[1] == ">":
        body = _folded(content.split(source.newline), lines, indent)
    else:
        body = _kept(content.split(source.newline), lines, indent)
    return source.newline.join([head, *body]) if body is not None else None


def _fits_block(value: str) -> bool:
    """Like `fits_block`, but a text of one line may stay a block."""
    return fits_block(value) or ("\n" not in value.rstrip("\n") and fits_block(f"{value.rstrip()}\n-"))


def _header(found: re.Match[str], value: str) -> str:
    """The header with the chomping that a value needs, unchanged if possible."""
    chomping = "" if value.endswith("\n") else "-"
    return f"{found[1]}{found[3]}{chomping}" if found[4] else f"{found[1]}{chomping}{found[3]}"


def _indent(content: str, newline: str) -> str:
    first = next((line for line in content.split(newline) if line.strip()), "")
    return first[: len(first) - len(first.lstrip(" "))]


def _kept(old: list[str], lines: list[str], indent: str) -> list[str]:
    """The lines of a literal block."""
    before = [line[len(indent) :] for line in old]
    kept_lines: list[str] = []
    for tag, low, high, first, last in opcodes(before, lines):
        if tag == "equal":
            kept_lines += old[low:high]
        else:
            kept_lines += [indent + line if line else "" for line in lines[first:last]]
    return kept_lines


def _folded(old: list[str], lines: list[str], indent: str) -> list[str] | None:
    """
    The lines of a folded block, in which a line feed of the value is an empty line between paragraphs.

    An unchanged paragraph keeps its line breaks. None for texts that folding would damage.
    """
    if any(line.startswith((" ", "\t")) or line.endswith((" ", "\t")) for line in lines):
        return None
    paragraphs: dict[str, list[str]] = {}
    for group in _groups(old):
        paragraphs.setdefault(" ".join(line.strip() for line in group), group)
    folded: list[str] = []
    for place, line in enumerate(lines):
        folded += [""] if place else []
        folded += paragraphs.get(line) or ([indent + line] if line else [])
    return folded


def _groups(lines: list[str]) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            groups[-1].append(line)
        elif groups[-1]:
            groups.append([])
    return [group for group in groups if group]
