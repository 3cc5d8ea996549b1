"""
Drift: live state that was not applied, found by comparing the tree, live, and the last applied state.

A report covers one run over one or many apps. It is a value that is rendered, saved, joined with the reports of
other shards, and compared with the previous report.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum

from cesplan.domain.address import Address
from cesplan.domain.change import FieldAction, FieldChange, LiveEdit, Origin, Weakening
from cesplan.domain.features.impact import Impact
from cesplan.domain.frozen import dataclass

UNKNOWN_ORIGIN = "origin unknown: it counts as a live edit"
"""The note on a difference of unknown origin."""


class DriftClass(StrEnum):
    """The meaning of a difference between two of the three states."""

    PENDING = "pending"
    """The tree changed and was not applied yet. Not drift."""
    DRIFT = "drift"
    """Live changed, or the app has a stamp and the origin of its difference from the tree is unknown."""
    CONFLICT = "conflict"
    """Both changed, to different values. Counts as drift."""
    CONVERGED = "converged"
    """Both changed to the same value, or live was changed to what the tree says now. Not drift."""


def class_of(origin: Origin, *, reverts: bool) -> DriftClass:
    """The class of a difference. One of unknown origin is drift if an apply `reverts` what is live."""
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
    """The display name of the resource in the console."""
    resource: str = ""
    """The full name of the live resource; empty if it is not live."""
    change: FieldChange | None = None
    """
    The field. `before` is live's value; `after` is the tree's, or the base's if the difference is converged.
    Secrets are wrapped.
    """
    edit: LiveEdit | None = None
    """The live edit that made the difference, unattributed if it has no author; None if live did not change."""
    merges: bool = False
    """True if both sides changed one text and a merge keeps both edits."""
    note: str = ""
    """Notes for the reader: what is unknown about it, or what else would be lost."""
    release: str = ""
    """The release that holds the field, which neither a merge nor an apply writes; empty if none does."""
    ignored: str = ""
    """The reason given by the rule that keeps it out of the alarm; empty if no rule does."""
    weakens: tuple[Weakening, ...] = ()
    """
    The places where protection was weakened live or, for pending differences, where an apply would weaken it.
    """
    impact: Impact | None = None
    """What the resource reaches; None if unknown, or if it takes no part in conversations."""

    @property
    def path(self) -> str:
        """The path of the field; empty for a resource that only one side has."""
        return str(self.change.path) if self.change else ""

    @property
    def named(self) -> str:
        """The address, and the path of the field if there is one."""
        return f"{self.address} {self.path}".rstrip()

    @property
    def as_read(self) -> FieldChange | None:
        """The change in reading direction: from applied to live for live edits, else from live to the tree."""
        change = self.change
        if change is None or self.is_two_sided or self.drift_class is DriftClass.PENDING:
            return change
        action = _BACK.get(change.action, change.action)
        return replace(change, before=change.after, after=change.before, action=action)

    @property
    def is_two_sided(self) -> bool:
        """True if the tree changed it too, to something else: a conflict, or two edits that a merge keeps."""
        return self.origin is Origin.BOTH and self.drift_class is not DriftClass.CONVERGED

    @property
    def is_alarming(self) -> bool:
        """True if it counts as drift."""
        return self.drift_class in (DriftClass.DRIFT, DriftClass.CONFLICT) and not self.ignored


@dataclass(frozen=True, slots=True, kw_only=True)
class AppDrift:
    """
    The findings for one app in one environment.

    An app that could not be checked has an `error` and nothing else.
    """

    app: str
    """The key of the app in its tree."""
    name: str = ""
    """The resource name of the live app; empty if it does not exist."""
    tree: str = ""
    """The folder of the tree, as given."""
    environment: str = ""
    project: str = ""
    location: str = ""
    where: str = ""
    """The service that was read, if not the default one."""
    items: tuple[DriftItem, ...] = ()
    """Sorted by address, then in field order."""
    managed: int = 0
    """The number of live resources that the tree has."""
    unmanaged: tuple[Address, ...] = ()
    """
    The number of live resources that are not in the tree, except those removed from it since the last apply.
    """
    left_out: int = 0
    """The number of differences that the options leave out."""
    commit: str = ""
    """The commit of the last complete apply; empty if unknown."""
    applied_at: str = ""
    """When the last complete apply was (RFC 3339); empty if unknown."""
    base: str = ""
    """Where the base comes from, in words; empty if only the tree and live were compared."""
    notices: tuple[str, ...] = ()
    requests: int = 0
    quick: bool = False
    """True if only the resources named in the change log were read."""
    former: bool = False
    """True for a live app that was applied from this tree, which no longer has a folder for it."""
    error: str = ""
    exit_code: int = 0
    """The exit code of the error; 0 if there is none."""

    @property
    def place(self) -> str:
        """`acme-prod/us`; empty: not known."""
        return f"{self.project}/{self.location}" if self.project else ""

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
    """All apps of a run or of all its shards. `checked_at` is RFC 3339; a joined report has no `seconds`."""

    apps: tuple[AppDrift, ...] = ()
    checked_at: str = ""
    seconds: float | None = None
    shard: str = ""
    """`i/n` if the report covers one shard of the apps; empty if it covers all."""
    unused: Mapping[str, str] = field(default_factory=dict)
    """Ignore rules that have expired or match nothing, by their text, each with the reason."""

    @property
    def alarming(self) -> tuple[DriftItem, ...]:
        return tuple(item for app in self.apps for item in app.alarming)

    @property
    def has_drift(self) -> bool:
        return any(app.alarming for app in self.apps)
