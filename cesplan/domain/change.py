"""
Changes: what differs between desired and live, which side moved since the last apply, and who edited live.
An Operation says what to send.

A change names fields; its values are canonical, with secrets still wrapped.
"""

from dataclasses import field
from enum import StrEnum
from typing import Any

from cesplan.domain.field_path import FieldPath, MaskPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.times import when
from cesplan.domain.text.typed_diff import TypedDiff


class FieldAction(StrEnum):
    ADDED = "added"
    MODIFIED = "modified"
    REMOVED = "removed"
    MOVED = "moved"


class Origin(StrEnum):
    """Which side of a difference between the tree and live moved since the last apply (the base)."""

    TREE = "tree"
    """The tree changed; live is what was applied last."""
    LIVE = "live"
    """Live changed; the tree is what was applied last. Applying reverts a live edit."""
    BOTH = "both"
    """Both changed, to different values. Applying reverts a live edit."""
    UNKNOWN = "unknown"
    """The last applied state is unknown."""


class EditKind(StrEnum):
    """A live edit of a resource."""

    CREATED = "created"
    UPDATED = "updated"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveEdit:
    """
    One edit of a resource on the service, as the change log has it.

    An edit of which the log does not tell has neither author nor time.
    """

    kind: EditKind
    author: str = ""
    """The e-mail address; empty: unattributed."""
    time: str = ""
    """RFC 3339; empty: unattributed."""
    cause: str = ""
    """The full name of the resource whose deletion changed this one as a side effect; empty: edited itself."""

    @property
    def by(self) -> str:
        """`bob@acme.example, 2026-11-20 17:40 UTC` on one line, with its cause; empty: unattributed."""
        author = " ".join(self.author.split())
        if not author:
            return ""
        cause = "/".join(self.cause.split("/")[-2:])
        parts = [author, when(self.time) if self.time else "", f"by deleting {cause}" if cause else ""]
        return ", ".join(filter(None, parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """
    One leaf that differs: absent live (added), absent in the tree (removed), or both and unequal (modified).

    An element of an ordered list with only a new position has moved: `path` is its new place, `before` and
    `after` are positions, from 0.

    `mask` is the path of an updateMask that changes it. Long text, whose difference reads best as hunks, has a
    `language` (`python`, `yaml`, `markdown`, `text`). `is_set` marks lists whose order means nothing: `before`
    and `after` are whole lists.
    """

    path: FieldPath
    mask: MaskPath
    action: FieldAction
    before: Any = None
    after: Any = None
    language: str = ""
    is_set: bool = False
    live_path: FieldPath | None = None
    """`path` with the positions that live has in ordered lists, where they are others; None: the same."""
    origin: Origin = Origin.UNKNOWN
    """Which side moved since the last apply."""
    edit: LiveEdit | None = None
    """The live edit that changing this field reverts; None if there is none."""
    typed: TypedDiff | None = field(default=None, compare=False)
    """What the difference of two texts means in their language, where that is known. Not compared."""

    @property
    def place_live(self) -> FieldPath:
        """The path of the same place in the live body."""
        return self.live_path or self.path
