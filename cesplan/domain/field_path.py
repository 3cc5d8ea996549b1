"""
Paths to fields, and the algebra of update masks (google.protobuf.FieldMask, AIP-161).

A path names a place in a body: `modelSettings.temperature`, `variableDeclarations[name=tier].description`,
`messages[2].chunks[0].text`, `metadata["team"]`. The printed form can be parsed again: a map key is a JSON
string, and so is the value of an element's key if it contains a bracket or a quote. A mask on the wire can only
name fields, so a path is cut at its first list or map, which is replaced as a whole. A mask is canonical if no
path covers another.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from cesplan.domain.frozen import dataclass
from cesplan.domain.value import at_place, canonical_text

_STRING = r'"(?:[^"\\]|\\.)*"'
_SEGMENT = re.compile(
    rf"(?P<name>[A-Za-z_][A-Za-z0-9_]*)|\[(?P<index>[0-9]{{1,9}})\]|\[(?P<entry>{_STRING})\]"
    rf"|\[(?P<field>[A-Za-z_][A-Za-z0-9_.]*)=(?:(?P<quoted>{_STRING})|(?P<plain>[^\]\"][^\]]*|))\]"
)
_NEEDS_QUOTES = re.compile(r'^"|[\]\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]')


@dataclass(frozen=True, slots=True, order=True)
class Index:
    """An element of an ordered list, by position (from 0)."""

    position: int

    def __str__(self) -> str:
        return f"[{self.position}]"


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """An entry of a map or a member of a free-form value, by key."""

    key: str

    def __str__(self) -> str:
        return f"[{_quoted(self.key)}]"


@dataclass(frozen=True, slots=True, order=True)
class Element:
    """An element of a keyed list, by the field that identifies it."""

    field: str
    value: str

    def __str__(self) -> str:
        value = _quoted(self.value) if _NEEDS_QUOTES.search(self.value) else self.value
        return f"[{self.field}={value}]"

    @classmethod
    def of(cls, field: str, value: Any) -> "Element | None":
        """The element with this value in this field; None for a value that identifies nothing."""
        if value in (None, "", {}):
            return None
        return cls(field, value if isinstance(value, str) else canonical_text(value))

    def is_key_of(self, element: Any) -> bool:
        """True if `element` is the list element that this identifies."""
        value = at_place(element, tuple(self.field.split(".")))
        return Element.of(self.field, value) == self


Segment = str | Index | Entry | Element


@dataclass(frozen=True, slots=True)
class FieldPath:
    """A place in a body: field names as `str`, everything inside lists and maps as selectors."""

    segments: tuple[Segment, ...] = ()

    def __truediv__(self, segment: Segment) -> "FieldPath":
        return FieldPath((*self.segments, segment))

    def __str__(self) -> str:
        text = ""
        for segment in self.segments:
            text += f".{segment}" if text and isinstance(segment, str) else str(segment)
        return text

    @classmethod
    def parse(cls, text: str) -> "FieldPath":
        """Parse a printed path. Raises ValueError for a text that is not a path."""
        segments: list[Segment] = []
        end = 0
        while end < len(text) or not segments:
            dot = bool(segments) and text.startswith(".", end)
            found = _SEGMENT.match(text, end + dot)
            is_name = found is not None and found["name"] is not None
            if found is None or is_name != (dot or not segments):
                raise ValueError(f"not a field path: {text!r}")
            segments.append(_segment(found))
            end = found.end()
        return cls(tuple(segments))

    def get(self, body: Any, missing: Any = None) -> Any:
        """The value at this place of a body; `missing` if there is none."""
        for segment in self.segments:
            step = _step(body, segment)
            if step is None or (isinstance(body, dict) and step not in body):
                return missing
            body = body[step]
        return body

    def put(self, body: Any, value: Any) -> Any:
        """
        A copy of a body with another value at this place.

        Missing messages and maps on the path are created. Raises LookupError if the path leads through a
        missing list element or a single value.
        """
        if not self.segments:
            return value
        head, rest = self.segments[0], FieldPath(self.segments[1:])
        body = {} if body is None and not isinstance(head, Index | Element) else body
        step = _step(body, head)
        if step is None:
            raise LookupError(str(self))
        inner = None if isinstance(body, dict) and step not in body else body[step]
        copy = body.copy()
        copy[step] = rest.put(inner, value)
        return copy

    def remove(self, body: Any) -> Any:
        """A copy of a body without the value at this place; the body itself if there is none."""
        absent = object()
        if not self.segments or self.get(body, absent) is absent:
            return body
        step = _step(body, self.segments[0])
        copy = body.copy()
        if len(self.segments) == 1:
            del copy[step]
        else:
            copy[step] = FieldPath(self.segments[1:]).remove(body[step])
        return copy

    def is_inside(self, other: "FieldPath") -> bool:
        """True if this is the other place or inside it."""
        return self.segments[: len(other.segments)] == other.segments

    @property
    def fields(self) -> tuple[str, ...]:
        """The leading field names, up to the first list or map: what a mask can name."""
        names: list[str] = []
        for segment in self.segments:
            if not isinstance(segment, str):
                break
            names.append(segment)
        return tuple(names)

    @property
    def mask(self) -> "MaskPath":
        return MaskPath(self.fields)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=bool(_NEEDS_QUOTES.search(text)))


def _segment(found: "re.Match[str]") -> Segment:
    if found["name"] is not None:
        return found["name"]
    if found["index"] is not None:
        return Index(int(found["index"]))
    if found["entry"] is not None:
        return Entry(json.loads(found["entry"], strict=False))
    quoted = found["quoted"]
    return Element(found["field"], found["plain"] if quoted is None else json.loads(quoted, strict=False))


def _step(body: Any, segment: Segment) -> Any:
    """The position in a list, or the key in a mapping, of a segment; None if it is not there."""
    match segment, body:
        case ((str(key) | Entry(key)), dict()):
            return key
        case Index(position), list() if position < len(body):
            return position
        case Element(), list():
            return next((place for place, item in enumerate(body) if segment.is_key_of(item)), None)
    return None


@dataclass(frozen=True, slots=True, order=True)
class MaskPath:
    """One path of a FieldMask: camelCase field names; never empty in a mask that is sent."""

    fields: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join(self.fields)

    def covers(self, other: "MaskPath") -> bool:
        """True if updating this path also updates the other."""
        return other.fields[: len(self.fields)] == self.fields


def mask_path(text: str) -> MaskPath:
    """Parse `modelSettings.temperature`."""
    return MaskPath(tuple(text.split(".")))


def canonical_cover(paths: Iterable[MaskPath]) -> tuple[MaskPath, ...]:
    """The smallest set of paths that covers all given ones, sorted; none covers another."""
    cover: list[MaskPath] = []
    for path in sorted(set(paths)):
        if not (cover and cover[-1].covers(path)):
            cover.append(path)
    return tuple(cover)
