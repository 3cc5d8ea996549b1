"""
Drift: what is live and was not applied, by a comparison of the tree, live, and what was applied last.

A report is of one run over one or many apps; it is a value that is rendered, kept, joined with those of other
shards, and compared with the one before it.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum

from cesplan.domain.address import Address
from cesplan.domain.change import FieldAction, FieldChange, LiveEdit, Origin
from cesplan.domain.features.impact import Impact
from cesplan.domain.features.weakening import Weakening
from cesplan.domain.frozen import dataclass

UNKNOWN_ORIGIN = "origin unknown: it counts as a live edit"
"""The note of such a difference."""


class DriftClass(StrEnum):
    """What a difference between two of the three states means."""

    PENDING = "pending"
    """The tree changed and was not applied yet. Not drift."""
    DRIFT = "drift"
    """Live changed, or its difference to the tree is of unknown origin on an app with a stamp."""
    CONFLICT = "conflict"
    """Both changed, differently. Counts as drift."""
    CONVERGED = "converged"
    """Both changed to the same, or live was changed to what the tree says now. Not drift."""


def class_of(origin: Origin, *, reverts: bool) -> DriftClass:
    """The class of a difference. One of unknown origin is drift where an apply `reverts` what is live."""
    match origin:
        case Origin.TREE:
            return DriftClass.PENDING
        case Origin.LIVE:
            return DriftClass.DRIFT
        case Origin.BOTH:
            return DriftClass.CONFLICT
        case Origin.UNKNOWN:
            return DriftClass.DRIFT if reverts else DriftClass.PENDING


_BACK = {FieldAction.ADDED: FieldAction.REMOVED, FieldAction.REMOVED: FieldAction.ADDED}


class DriftKind(StrEnum):
    """What happened to the resource on the side that moved."""

    CHANGED = "changed"
    CREATED = "created"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftItem:
    """One field that differs, or one resource that only one side has (`change` is None)."""

    address: Address
    drift_class: DriftClass
    kind: DriftKind = DriftKind.CHANGED
    origin: Origin = Origin.UNKNOWN
    display_name: str = ""
    """What people call the resource in the console."""
    resource: str = ""
    """The full name of the live resource; empty if it is not live."""
    change: FieldChange | None = None
    """
    The field, with live's value as `before`, and as `after` the tree's, or in converged ones that of the base.

    Secrets are wrapped.
    """
    edit: LiveEdit | None = None
    """The edit that made the difference; None: not live's. One without an author is unattributed."""
    merges: bool = False
    """True where both sides changed one text and a merge keeps both edits."""
    note: str = ""
    """What a reader should know, in words: what is not known of it, or what else would be lost."""
    ignored: str = ""
    """The reason of the rule that keeps it out of the alarm; empty: none does."""
    weakens: tuple[Weakening, ...] = ()
    """The places at which protection fell live, or for pending differences would fall with an apply."""
    impact: Impact | None = None
    """What the resource reaches; None: not known, or it takes no part in conversations."""

    @property
    def as_read(self) -> FieldChange | None:
        """The field as it is read: of live edits from what was applied to live, else from live to the tree."""
        change = self.change
        if change is None or self.is_two_sided or self.drift_class is DriftClass.PENDING:
            return change
        action = _BACK.get(change.action, change.action)
        return replace(change, before=change.after, after=change.before, action=action)

    @property
    def is_two_sided(self) -> bool:
        """True if the tree changed it, too, and differently: a conflict, or what a merge keeps of both."""
        return self.origin is Origin.BOTH and self.drift_class is not DriftClass.CONVERGED

    @property
    def is_alarming(self) -> bool:
        """True for what counts as drift."""
        return self.drift_class in (DriftClass.DRIFT, DriftClass.CONFLICT) and not self.ignored


@dataclass(frozen=True, slots=True, kw_only=True)
class AppDrift:
    """
    What was found in one app of one environment.

    An app that could not be checked has an `error` and nothing else.
    """

    app: str
    """The key of the app in its tree."""
    name: str = ""
    """The full name of the live app; empty if it does not exist."""
    tree: str = ""
    """The folder of the tree, as it was given."""
    environment: str = ""
    project: str = ""
    location: str = ""
    where: str = ""
    """The service that was read, if it is not the default one."""
    items: tuple[DriftItem, ...] = ()
    """By address, then in the order of fields."""
    managed: int = 0
    """Live resources that the tree has."""
    unmanaged: tuple[Address, ...] = ()
    """Live resources that the tree does not have, without those that it no longer has since the last apply."""
    left_out: int = 0
    """How many differences the options leave out."""
    commit: str = ""
    """The commit of the last complete apply; empty: not known."""
    applied_at: str = ""
    """When that was (RFC 3339); empty: not known."""
    base: str = ""
    """Where the base comes from, in words; empty: two sides were compared."""
    notices: tuple[str, ...] = ()
    requests: int = 0
    quick: bool = False
    """True if only what the change log names was read."""
    former: bool = False
    """True for a live app that the tree was applied to and no longer has a folder of."""
    error: str = ""
    exit_code: int = 0
    """Of the error (docs: exit codes); 0 without one."""

    @property
    def alarming(self) -> tuple[DriftItem, ...]:
        return tuple(item for item in self.items if item.is_alarming)

    @property
    def coverage(self) -> float:
        """The share of live resources that the tree manages, from 0 to 1."""
        whole = self.managed + len(self.unmanaged)
        return self.managed / whole if whole else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftReport:
    """All apps of a run, or of all shards of one. `checked_at` is RFC 3339; joined ones have no `seconds`."""

    apps: tuple[AppDrift, ...] = ()
    checked_at: str = ""
    seconds: float | None = None
    shard: str = ""
    """`i/n` for a part of the apps; empty for all of them."""
    unused: Mapping[str, str] = field(default_factory=dict)
    """Rules of the alarm that have expired or match nothing, by what they say, and why."""

    @property
    def alarming(self) -> tuple[DriftItem, ...]:
        return tuple(item for app in self.apps for item in app.alarming)

    @property
    def has_drift(self) -> bool:
        return any(app.alarming for app in self.apps)
