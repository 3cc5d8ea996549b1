"""
Merges: the results for fields and resources that differ between the tree and live.

Each has three values: the base (last applied), the tree's, and live's. A change made only live is taken, a
change made only in the tree is kept, and two different changes are a conflict.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from pathlib import Path
from typing import Any

from cesplan.domain.address import Address, AppKey
from cesplan.domain.change import LiveEdit, Weakening
from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.features.impact import Impact
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.text_merge import Collision
from cesplan.domain.text.typed_diff import TypedDiff
from cesplan.domain.value import Body


class MergeResult(StrEnum):
    """The result for a field whose three values are not all equal."""

    TAKEN = "taken"
    KEPT = "kept"
    MERGED = "merged"
    """Both changed a text in different places: the file gets both edits."""
    CONFLICT = "conflict"
    BY_HAND = "by_hand"
    """Only live changed, but a file cannot express the value."""


class Side(StrEnum):
    """Which side wins, named as in git merges."""

    NEITHER = "neither"
    TREE = "ours"
    LIVE = "theirs"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldMerge:
    """
    One field: its three values (None: absent), and the result.

    `won` says how a conflict was decided, `why` why a live value cannot be written. `is_set` marks lists whose
    order has no meaning. `language` is the language of long text. `merged` is the text or ordered list with the
    edits of both sides, to be written to the file. `collisions` are the places of a text where the edits
    collide. `file` is the text's own file, if it has one.
    """

    path: FieldPath
    result: MergeResult
    base: Any = None
    tree: Any = None
    live: Any = None
    language: str = ""
    is_set: bool = False
    why: str = ""
    won: Side = Side.NEITHER
    merged: Any = None
    collisions: tuple[Collision, ...] = ()
    file: str = ""
    typed: TypedDiff | None = field(default=None, compare=False)
    """What the difference between two texts means in their language, if known. Not compared."""

    @property
    def has_changes(self) -> bool:
        """True if the file has to change."""
        if self.merged is not None:
            return bool(self.merged != self.tree)
        return self.result is MergeResult.TAKEN or self.won is Side.LIVE

    @property
    def has_markers(self) -> bool:
        """True if both sides of a conflict go into the file, between markers."""
        return self.result is MergeResult.CONFLICT and self.won is Side.NEITHER and self.merged is not None

    @property
    def is_open(self) -> bool:
        """True if someone has to decide, or edit by hand."""
        undecided = self.result is MergeResult.CONFLICT and self.won is Side.NEITHER
        return undecided or self.result is MergeResult.BY_HAND


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedResource:
    """
    A resource after the merge. `body` and `extra` are the new content of its file, spelled as in the tree
    wherever nothing was taken. `file` is the path of the file.
    """

    address: Address
    body: Body
    extra: Mapping[str, Any]
    fields: tuple[FieldMerge, ...]
    file: str = ""
    weakens: tuple[Weakening, ...] = ()
    """The places where the values taken from live weaken protection."""
    impact: Impact | None = None
    """What the resource reaches in the tree before the merge; None if it takes no part in conversations."""

    @property
    def is_changed(self) -> bool:
        """True if the file has to change."""
        return any(item.has_changes for item in self.fields)

    @property
    def has_markers(self) -> bool:
        """True if one of its texts gets conflict markers."""
        return any(item.has_markers for item in self.fields)

    @property
    def is_open(self) -> bool:
        """True if something in it needs a decision."""
        return any(item.is_open for item in self.fields)


class Fate(StrEnum):
    """The result for a resource that one side lacks."""

    CREATED = "created"
    """Only live has it: it gets a file."""
    DELETED = "deleted"
    """Deleted live, unchanged in the tree: its file is deleted."""
    ONLY_IN_TREE = "only_in_tree"
    """Not live yet, or not known to have been: its file is kept."""
    ONLY_LIVE = "only_live"
    """Removed from the tree, unchanged live: it stays without a file."""
    DELETED_LIVE = "deleted_live"
    """A conflict: deleted live, changed in the tree."""
    DELETED_IN_TREE = "deleted_in_tree"
    """A conflict: removed from the tree, changed live."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceFate:
    """
    One whole resource. `won` says how a conflict was decided.

    `referrers` are the resources in the merged tree that still refer to one deleted live.
    """

    address: Address
    fate: Fate
    won: Side = Side.NEITHER
    referrers: tuple[str, ...] = ()

    @property
    def is_conflict(self) -> bool:
        return self.fate in (Fate.DELETED_LIVE, Fate.DELETED_IN_TREE)

    @property
    def writes_file(self) -> bool:
        return self.fate is Fate.CREATED or (self.fate is Fate.DELETED_IN_TREE and self.won is Side.LIVE)

    @property
    def removes_file(self) -> bool:
        return self.fate is Fate.DELETED or (self.fate is Fate.DELETED_LIVE and self.won is Side.LIVE)

    @property
    def keeps_references(self) -> bool:
        """True if the side that has it keeps it, and with it the references that the other side removed."""
        if self.fate is Fate.DELETED_LIVE:
            return self.won is not Side.LIVE
        return self.fate is Fate.DELETED_IN_TREE and self.won is Side.LIVE

    @property
    def is_open(self) -> bool:
        """True if someone has to decide."""
        return self.is_conflict and self.won is Side.NEITHER


@dataclass(frozen=True, slots=True, kw_only=True)
class ReCreated:
    """
    A resource whose `$id` no longer exists live, but which is live under another id: an import renews all ids.
    """

    address: Address
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppMerge:
    """
    The merge of one app.

    `base` describes the state used as last applied, `weaker` says why there was no better one. `refused` are
    live changes that cannot be written to a file, by address and field path, each with the reason. `ids` are
    files that get an `$id`, and `re_created` those whose old `$id` no longer exists. `edits` are the live edits
    that need a decision, by address and field path (empty: the whole resource).
    """

    key: AppKey
    base: str
    weaker: str = ""
    resources: tuple[MergedResource, ...] = ()
    fates: tuple[ResourceFate, ...] = ()
    refused: Mapping[tuple[str, str], str] = field(default_factory=dict)
    ids: tuple[Address, ...] = ()
    re_created: tuple[ReCreated, ...] = ()
    edits: Mapping[tuple[Address, str], LiveEdit] = field(default_factory=dict)
    notices: tuple[str, ...] = ()

    @property
    def is_changed(self) -> bool:
        """True if files have to change."""
        whole = any(item.writes_file or item.removes_file for item in self.fates)
        return whole or bool(self.ids) or any(item.is_changed for item in self.resources)

    @property
    def is_open(self) -> bool:
        """True if someone has to decide, or edit by hand."""
        whole = any(item.is_open for item in self.fates)
        return whole or bool(self.refused) or any(item.is_open for item in self.resources)


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeOutcome:
    """
    The merge of a tree. `written` and `removed` are files, also where `check` kept them from being so.

    `touched` are resources that other environments say differently now, by environment. `service` is the
    service that was read, where that is not the default one.
    """

    root: Path
    apps: tuple[AppMerge, ...]
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    is_check: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    touched: Mapping[str, tuple[Address, ...]] = field(default_factory=dict)
    requests: int = 0
    service: str = ""

    @property
    def is_empty(self) -> bool:
        """True if there was nothing to merge."""
        return not any(item.is_changed or item.is_open for item in self.apps)
