"""
Changes: what differs between desired and live. What to send for it is an Operation.

A change names fields; its values are canonical, with secrets still wrapped.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from cesplan.domain.field_path import FieldPath, MaskPath


class FieldAction(StrEnum):
    ADDED = "added"
    MODIFIED = "modified"
    REMOVED = "removed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """
    One leaf that differs: absent live (added), absent in the tree (removed), or both and unequal (modified).

    An element of an ordered list that only stands elsewhere has moved: `path` is its new place, `before` and
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
