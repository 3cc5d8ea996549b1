"""
Changes: what differs between desired and live, which side moved since the last apply, and who edited live. What
to send is an Operation.

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
    One edit of a resource on the service, from the change log.

    An edit that the log does not show has neither author nor time.
    """

    kind: EditKind
    author: str = ""
    """The email address; empty if unattributed."""
    time: str = ""
    """RFC 3339; empty if unattributed."""
    cause: str = ""
    """The resource name of another resource whose deletion caused this edit; empty for a direct edit."""

    @property
    def by(self) -> str:
        """`bob@acme.example, 2026-11-20 17:40 UTC` on one line, with its cause; empty if unattributed."""
        author = " ".join(self.author.split())
        if not author:
            return ""
        cause = "/".join(self.cause.split("/")[-2:])
        parts = [author, when(self.time) if self.time else "", f"by deleting {cause}" if cause else ""]
        return ", ".join(filter(None, parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """
    One leaf that differs: only in the tree (added), only live (removed), or different in both (modified).

    An element of an ordered list that only changed position is `moved`: `path` is its new place, and `before`
    and `after` are positions from 0.

    `mask` is the updateMask path that changes it. Long text, best shown as diff hunks, has a `language`
    (`python`, `yaml`, `markdown`, `text`). `is_set` marks lists whose order has no meaning; their `before` and
    `after` are whole lists.
    """

    path: FieldPath
    mask: MaskPath
    action: FieldAction
    before: Any = None
    after: Any = None
    language: str = ""
    is_set: bool = False
    live_path: FieldPath | None = None
    """`path` with live's positions in ordered lists, if they differ; None if they are the same."""
    origin: Origin = Origin.UNKNOWN
    """Which side moved since the last apply."""
    edit: LiveEdit | None = None
    """The live edit that changing this field reverts; None if there is none."""
    typed: TypedDiff | None = field(default=None, compare=False)
    """What the difference between two texts means in their language, if known. Not compared."""

    @property
    def place_live(self) -> FieldPath:
        """The path of the same place in the live body."""
        return self.live_path or self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class Weakening:
    """One place where an operation allows, trusts, or retains more than before."""

    code: str
    """The code of the rule, such as `WEA001`."""
    path: str
    """The field; empty for the resource as a whole."""
    text: str
    """The effect, in one line."""
