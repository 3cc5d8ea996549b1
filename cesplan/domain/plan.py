"""
The plan: the operations that people read, and the steps that are sent for them.

An operation is for one resource: a create, update, or delete, with its reason. It has one or more steps, and
each step is one write. A create in a reference cycle has a later step that sets the references, and a delete in
a cycle has an earlier step that drops them. A locked app is unlocked first and locked last. Steps name the
steps that they wait for. The plan is a value: it is saved, compared, and applied unchanged.
"""

from collections.abc import Mapping
from dataclasses import field, fields
from enum import StrEnum
from typing import Any

from cesplan.domain.address import Address, AppKey
from cesplan.domain.change import FieldChange, LiveEdit, Origin, Weakening
from cesplan.domain.choice import EVERYTHING, Choice
from cesplan.domain.features.impact import Impact
from cesplan.domain.features.policy import RuleVerdict
from cesplan.domain.field_path import MaskPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.options import Allowances
from cesplan.domain.settings import LiveEdits, Settings
from cesplan.domain.value import Body, Secret


class Reason(StrEnum):
    """Why an operation is planned."""

    NOT_IN_LIVE = "not_in_live"
    NOT_IN_TREE = "not_in_tree"
    FIELD_CHANGED = "field_changed"
    RESENT = "resent"
    """Live shows no difference, but fields that the service never returns are sent again."""
    ID_CHANGED = "id_changed"
    LOCKED = "locked"
    STAMP = "stamp"


class Action(StrEnum):
    """The action of an operation or a step: a standard method of the API (AIP-133, 134, 135)."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


class Purpose(StrEnum):
    """Why a separate step is needed."""

    MAIN = "main"
    LINK = "link"
    UNLINK = "unlink"
    RENAME = "rename"
    UNLOCK = "unlock"
    LOCK = "lock"
    STAMP = "stamp"
    UNDO = "undo"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class StepId:
    """A step: the resource that it writes, and its purpose."""

    address: Address
    purpose: Purpose

    def __str__(self) -> str:
        return str(self.address) if self.purpose is Purpose.MAIN else f"{self.address} ({self.purpose})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One write."""

    id: StepId
    """The resource and the purpose."""
    action: Action
    """The method to call."""
    body: Body = field(default_factory=dict)
    """
    The body to send: all fields for a create, the fields of the mask for an update. References are
    `<kind>/<key>`.
    """
    mask: tuple[MaskPath, ...] = ()
    """The updateMask of an update; empty for other writes."""
    after: tuple[StepId, ...] = ()
    """The steps that it waits for."""
    force: bool = False
    """The `force` of a delete: also remove the references to the resource."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourcePlan:
    """What is planned for one resource."""

    address: Address
    """The resource."""
    action: Action
    """What happens to it."""
    reason: Reason
    """Why it is planned."""
    resource_id: str
    """The id on the server; empty if the server chooses it."""
    display_name: str = ""
    """The display name."""
    changes: tuple[FieldChange, ...] = ()
    """The leaves that differ. Only for updates."""
    before: Body | None = None
    """The canonical live body; None for a create."""
    after: Body | None = None
    """The canonical body after the operation; None for a delete."""
    file: str = ""
    """The file of the resource; empty for a delete."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The files that hold texts of the resource, by field path."""
    notes: tuple[str, ...] = ()
    """Notices about this change."""

    @property
    def of_resource(self) -> dict[str, Any]:
        """All fields by name, for another value that has them."""
        return {name: getattr(self, name) for name in _OF_RESOURCE}


_OF_RESOURCE = tuple(item.name for item in fields(ResourcePlan))


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(ResourcePlan):
    """What happens to one resource, as people read it."""

    steps: tuple[Step, ...]
    """The writes, in a valid order."""
    seen: Body | None = None
    """The raw live body at planning. The resource must still have it before the first write."""
    etag: str = ""
    """The etag of that body; empty if it has none."""
    used_by: tuple[Address, ...] = ()
    """The resources that refer to it: now for a delete, after the plan otherwise."""
    still_used_by: tuple[Address, ...] = ()
    """For a delete: the resources that will still refer to it by then. A forced delete changes them."""
    origin: Origin = Origin.UNKNOWN
    """Which side changed since the last apply, over all fields."""
    reverts: bool = False
    """True if this reverts a live edit, or may: the app has a stamp, but the origin is unknown."""
    edit: LiveEdit | None = None
    """The newest live edit that this reverts, if it created, deleted, or changed the resource as a whole."""
    weakens: tuple[Weakening, ...] = field(default=(), compare=False)
    """The places where this weakens protection. Not compared: they follow from the bodies."""
    impact: Impact | None = field(default=None, compare=False)
    """
    What it reaches; None if it takes no part in conversations. Not compared: it depends on other resources.
    """

    @property
    def is_frame(self) -> bool:
        """True if it only frames other writes: the stamp, or opening and closing the lock of an app."""
        return self.reason in (Reason.STAMP, Reason.LOCKED)

    @property
    def undoes(self) -> str:
        """The live edit that it undoes, and who made it, in words; empty if it undoes none."""
        if not self.reverts:
            return ""
        if self.origin is Origin.UNKNOWN:
            return "may revert a live edit: what was applied last is not known"
        by = f" by {self.edit.by}" if self.edit and self.edit.by else " (unattributed)"
        match self.action:
            case Action.CREATE:
                return f"recreates what was deleted live{by}"
            case Action.UPDATE:
                return f"reverts a live edit{by}"
            case Action.DELETE:
                done = "created" if self.origin is Origin.LIVE else "edited"
                return f"deletes what was {done} live{by}"

    @property
    def mask(self) -> tuple[MaskPath, ...]:
        """All updateMask paths of this operation, sorted."""
        return tuple(sorted({path for step in self.steps for path in step.mask}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmanaged:
    """A live resource that is not in the tree and that the plan leaves alone, and why."""

    address: Address
    display_name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """When and how a plan was made. For information only: plans that differ only here are the same."""

    at: str = ""
    """RFC 3339; empty if unknown."""
    commit: str = ""
    """The full id of the commit of the tree; empty outside git."""
    dirty: bool = False
    """Whether the tree differed from that commit."""
    version: str = ""
    """The version of cesplan; empty if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that one run would do."""

    settings: Settings
    """The settings of its environment."""
    operations: tuple[Operation, ...] = ()
    """The operations, in an order in which they could run one by one."""
    namings: Mapping[str, Naming] = field(default_factory=dict)
    """The ids of every app in the plan."""
    unchanged: int = 0
    """The number of managed resources that match the tree."""
    unmanaged: tuple[Unmanaged, ...] = ()
    """Live resources that are not in the tree and that the plan leaves alone."""
    would_remove: tuple[str, ...] = ()
    """Changes held back on first contact, one line each."""
    notices: tuple[str, ...] = ()
    """Notices about the plan."""
    refusals: tuple[str, ...] = ()
    """Why the guard refuses the plan, including policy rules that deny."""
    verdicts: tuple[RuleVerdict, ...] = ()
    """The verdicts of the tree's policy."""
    requests: int = 0
    """The number of requests that planning sent."""
    choice: Choice = EVERYTHING
    """The requested part of the changes."""
    left_out: tuple[Address, ...] = ()
    """Changes that `choice` leaves out."""
    sequences: Mapping[str, int] = field(default_factory=dict)
    """The newest change log entry of each app before the app was read, if known. Not part of any digest."""
    stamps: Mapping[str, str] = field(default_factory=dict)
    """The stamp of each app. Not part of any digest."""
    allowances: Allowances = field(default_factory=Allowances)
    """The flags with which the guard allowed the plan."""
    snapshot_base: Mapping[AppKey, tuple[LiveResource, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """For each app that gets a version: the live resources that the version copies. Not compared."""
    contents: Mapping[AppKey, tuple[LiveResource, ...]] = field(default_factory=dict, compare=False, repr=False)
    """For each app that is deleted: the live resources deleted with it. Not compared."""
    named_versions: Mapping[AppKey, tuple[LiveResource, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Live versions that operations refer to. They must not be re-created meanwhile. Not compared."""
    unrecorded: Mapping[AppKey, tuple[LiveResource, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """The ones among them that no complete apply recorded. Not compared."""
    remade: Mapping[AppKey, frozenset[str]] = field(default_factory=dict, compare=False, repr=False)
    """The keys of versions that were re-created since an apply recorded them. Not compared."""
    refers_before: Mapping[Address, frozenset[Address]] = field(default_factory=dict, compare=False, repr=False)
    """The references of each live resource inside its app. Not compared, and not in plan files."""
    refers_after: Mapping[Address, frozenset[Address]] = field(default_factory=dict, compare=False, repr=False)
    """The references as they will be after the plan."""
    secrets: tuple[Secret, ...] = field(default=(), compare=False, repr=False)
    """Secrets to hide while the plan is applied. Not compared."""
    secret_sources: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The sources of secrets (`secret: {from: …}`), by variable name. Not compared."""
    made: "Made | None" = field(default=None, compare=False)
    """When and how the plan was made; None if unknown. Not compared, and not part of any digest."""
    quick: bool = False
    """True if only the resources in the change logs were read. Such a plan must not be applied."""
    since: str = ""
    """
    The commit whose tree was compared with, in place of live; such a plan must not be applied. Empty: live was
    read.
    """

    @property
    def shown(self) -> tuple[Operation, ...]:
        """The operations that count as changes: all except the stamp."""
        return tuple(item for item in self.operations if item.reason is not Reason.STAMP)

    @property
    def reverts(self) -> tuple[Operation, ...]:
        """The operations that undo live edits."""
        return tuple(item for item in self.operations if item.reverts)

    @property
    def open_reverts(self) -> tuple[Operation, ...]:
        """The reverts that neither a person, nor a flag, nor `liveEdits: revert` has allowed."""
        if self.settings.live_edits is LiveEdits.REVERT:
            return ()
        return tuple(item for item in self.reverts if not self.allowances.reverts(item.address))

    @property
    def revert_reasons(self) -> tuple[str, ...]:
        """Why an apply without a prompt is refused: the live edits that it would revert, one line each."""
        return tuple(
            f"{item.address} {item.undoes}: allow it with --allow-revert {item.address}"
            for item in self.open_reverts
        )

    @property
    def blockers(self) -> tuple[str, ...]:
        """Why the plan must not be applied: the refusals, and policy violations without approval."""
        return (*self.refusals, *(item.text for item in self.verdicts if item.is_open))

    @property
    def is_all(self) -> bool:
        """True if the plan is complete: after it is applied, live matches the tree."""
        return not (self.quick or self.would_remove or self.refusals or self.left_out or self.unmanaged)

    @property
    def is_empty(self) -> bool:
        return not self.shown

    def count(self, action: Action) -> int:
        return sum(1 for item in self.shown if item.action is action)


def steps_of(plan: Plan) -> tuple[Step, ...]:
    """All steps of a plan, in the order of its operations."""
    return tuple(step for operation in plan.operations for step in operation.steps)


def expected_seconds(plan: Plan) -> int:
    """The minimum time of an apply within the quotas of the service, in seconds."""
    steps, quotas = steps_of(plan), plan.settings.quotas
    verified = [step for step in steps if step.action is not Action.CREATE]
    reads = len(verified) if plan.settings.verify_before_write else 0
    return max(quotas.writes.seconds(len(steps)), quotas.reads.seconds(reads))


def summary_counts(plan: Plan) -> dict[str, Any]:
    """The numbers of operations by action, for summaries in all formats."""
    return {
        "create": plan.count(Action.CREATE),
        "update": plan.count(Action.UPDATE),
        "delete": plan.count(Action.DELETE),
        "unchanged": plan.unchanged,
        "reverts": len(plan.reverts),
    }
