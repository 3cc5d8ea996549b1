"""
The syntax of a YAML text: all values with their offsets in characters, and anchors and aliases as written.

Unlike in `cesplan.config.yaml.nodes`, which represents the meaning of a text, aliases and merge keys are not
resolved.
"""

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from cesplan.config.yaml.events import SyntaxProblem, exact_events

_PROPERTIES = re.compile(r"(?:[&!]\S*[ \t]+)+")
_LINE_BREAK = re.compile("\r\n|\r|\n")
_DIRECTIVE = re.compile(r"^%(?=[^\n]*$)", re.MULTILINE)
_HEAD = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?:%[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*)+(?=---)")
"""The directives before the first `---` (YAML 1.2, chapter 9.1.2)."""
_TABS_BETWEEN = re.compile(r"(?<=[:?,\[\]{}-])[ ]*\t[ \t]*|(?<![ \t])[ ]*\t[ \t]*(?=#|\r?$)", re.MULTILINE)
"""Tabs as separators, which YAML 1.2 allows (chapter 6.2) but the pure Python parser does not."""


@dataclass(slots=True, eq=False)
class Part:
    """
    One node as written. `start` is after the anchor and tag, `end` after its last character, before any
    comment. `style` is `plain`, `'`, `"`, `|`, or `>` for scalars, `block`, or `flow` for collections, or
    `alias`. `entries` are the keys and values of a mapping, `items` the elements of a list. `text` is the value
    of a scalar or the name of an alias.
    """

    start: int
    end: int
    style: str
    text: str = ""
    anchor: str = ""
    entries: "list[tuple[Part, Part]]" = field(default_factory=list)
    items: "list[Part]" = field(default_factory=list)
    is_mapping: bool = False
    is_list: bool = False

    def value_of(self, key: str) -> "Part | None":
        """The value of a key that is written here, not merged."""
        return next((value for name, value in self.entries if name.text == key), None)

    def key_of(self, key: str) -> "Part | None":
        return next((name for name, _ in self.entries if name.text == key), None)


class SourceText:
    """A text, its lines, and its parts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(found.end() for found in _LINE_BREAK.finditer(text))]
        self.newline = next((found[0] for found in _LINE_BREAK.finditer(text)), "\n")
        self.root = self._parsed()

    def _parsed(self) -> "Part | None":
        """The parts of the text, even if the pure Python parser cannot handle its directives or tabs."""
        try:
            return _Builder(self, self.text).build()
        except SyntaxProblem:
            plain = _plain(self.text)
            if plain == self.text:
                raise
            return _Builder(self, plain).build()

    def offset(self, mark: Any) -> int:
        return self._starts[min(int(mark.line), len(self._starts) - 1)] + int(mark.column)

    def line_start(self, offset: int) -> int:
        return self._starts[bisect.bisect_right(self._starts, offset) - 1]

    def line_end(self, offset: int) -> int:
        """The end of the line of an offset, before its line break."""
        found = _LINE_BREAK.search(self.text, offset)
        return found.start() if found else len(self.text)

    def next_line(self, offset: int) -> int:
        """The beginning of the line after that of an offset."""
        found = _LINE_BREAK.search(self.text, offset)
        return found.end() if found else len(self.text)

    def column(self, offset: int) -> int:
        return offset - self.line_start(offset)

    def is_first_in_line(self, offset: int) -> bool:
        return not self.text[self.line_start(offset) : offset].strip()

    def aliases(self) -> frozenset[str]:
        """The names of all anchors that an alias refers to."""
        parts = walk(self.root) if self.root else ()
        return frozenset(part.text for part in parts if part.style == "alias")


def _plain(text: str) -> str:
    """The text with directives as comments and separating tabs as spaces; everything keeps its offset."""
    head = _HEAD.match(text)
    end = head.end() if head else 0
    return _DIRECTIVE.sub("#", text[:end]) + _TABS_BETWEEN.sub(lambda found: " " * len(found[0]), text[end:])


def walk(part: Part) -> Iterator[Part]:
    """A part and everything inside it, in the order of the text."""
    pending = [part]
    while pending:
        part = pending.pop()
        yield part
        inside = [*(item for entry in part.entries for item in entry), *part.items]
        pending += reversed(inside)


class _Builder:
    """Builds parts from events. `text` is parsed; its offsets are those of the source."""

    def __init__(self, source: SourceText, text: str) -> None:
        self._source = source
        self._text = text
        self._stack: list[Part] = []
        self._keys: list[Part | None] = []
        self._root: Part | None = None

    def build(self) -> Part | None:
        for event in exact_events(self._text):
            match event:
                case ScalarEvent():
                    self._add(self._scalar(event))
                case AliasEvent():
                    start, end = self._range(event)
                    self._add(Part(start, end, "alias", text=event.anchor))
                case MappingStartEvent() | SequenceStartEvent():
                    self._open(event)
                case MappingEndEvent() | SequenceEndEvent():
                    self._close(event)
        return self._root

    def _range(self, event: Any) -> tuple[int, int]:
        return self._source.offset(event.start_mark), self._source.offset(event.end_mark)

    def _scalar(self, event: Any) -> Part:
        start, end = self._range(event)
        start = self._behind_properties(event, start)
        style = event.style or "plain"
        if style in "|>":
            kept = self._source.text[start:end].rstrip()
            end = start + len(kept)
        return Part(start, max(start, end), style, text=event.value, anchor=event.anchor or "")

    def _behind_properties(self, event: Any, start: int) -> int:
        if not event.anchor and event.tag is None:
            return start
        found = _PROPERTIES.match(self._source.text, start)
        return found.end() if found else start

    def _open(self, event: Any) -> None:
        start, end = self._range(event)
        start = self._behind_properties(event, start)
        part = Part(start, end, "flow" if event.flow_style else "block", anchor=event.anchor or "")
        part.is_mapping = isinstance(event, MappingStartEvent)
        part.is_list = not part.is_mapping
        self._stack.append(part)
        self._keys.append(None)

    def _close(self, event: Any) -> None:
        part = self._stack.pop()
        self._keys.pop()
        if part.style == "flow":
            part.end = self._source.offset(event.end_mark)
        elif part.entries:
            part.start = part.entries[0][0].start
            part.end = max(part.entries[-1][1].end, part.entries[-1][0].end + 1)
        elif part.items:
            part.start = dash_of(self._source.text, part.items[0])
            part.end = part.items[-1].end
        self._add(part)

    def _add(self, part: Part) -> None:
        if not self._stack:
            self._root = part
            return
        parent = self._stack[-1]
        if parent.is_list:
            parent.items.append(part)
        elif self._keys[-1] is None:
            self._keys[-1] = part
        else:
            key, self._keys[-1] = self._keys[-1], None
            if part.style == "plain" and part.start == part.end:
                part.start = part.end = self._behind_colon(key)
            parent.entries.append((key, part))

    def _behind_colon(self, key: Part) -> int:
        return self._source.text.find(":", key.end) + 1


def dash_of(text: str, item: Part) -> int:
    """The offset of the dash of an element of a block list."""
    return text.rfind("-", 0, outermost(text, item))


def outermost(text: str, part: Part) -> int:
    """The beginning of a part with its anchor and tag."""
    line, at = text.rfind("\n", 0, part.start) + 1, part.start
    while at > line:
        end = line + len(text[line:at].rstrip(" \t"))
        begin = next((place + 1 for place in range(end - 1, line - 1, -1) if text[place].isspace()), line)
        marks = [place for place in (text.find("&", begin, end), text.find("!", begin, end)) if place >= 0]
        if end == at or not marks:
            break
        at = min(marks)
        if at > begin:
            break
    return at
