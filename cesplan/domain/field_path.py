"""
Paths to fields, and the algebra of update masks (google.protobuf.FieldMask, AIP-161).

A path names a place in a body: `modelSettings.temperature`, `variableDeclarations[name=tier].description`,
`messages[2].chunks[0].text`, `metadata["team"]`. A mask on the wire can only name fields, so a path is cut
at its first list or map, which is replaced whole; and a mask is canonical when no path covers another.
"""

from collections.abc import Iterable
from dataclasses import dataclass


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
        return f'["{self.key}"]'


@dataclass(frozen=True, slots=True, order=True)
class Element:
    """An element of a keyed list, by the field that identifies it."""

    field: str
    value: str

    def __str__(self) -> str:
        return f"[{self.field}={self.value}]"


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


@dataclass(frozen=True, slots=True, order=True)
class MaskPath:
    """One path of a FieldMask: camelCase field names; never empty in a mask that is sent."""

    fields: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join(self.fields)

    def covers(self, other: "MaskPath") -> bool:
        """True when updating this path also updates the other."""
        return other.fields[: len(self.fields)] == self.fields


def mask_path(text: str) -> MaskPath:
    """Read `modelSettings.temperature`."""
    return MaskPath(tuple(text.split(".")))


def canonical_cover(paths: Iterable[MaskPath]) -> tuple[MaskPath, ...]:
    """The sorted paths of which none covers another, and which cover all that were given."""
    cover: list[MaskPath] = []
    for path in sorted(set(paths)):
        if not (cover and cover[-1].covers(path)):
            cover.append(path)
    return tuple(cover)
