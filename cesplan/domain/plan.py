"""
The plan: operations that people read, and the steps that will be sent for them.

An operation is one resource: Create, Update or Delete, with its reason. It consists of one or more steps,
each one write: a create in a cycle has a later step that sets the references; a delete in a cycle has an
earlier one that drops them; a locked app is unlocked first and locked last. Steps name the steps they wait
for. The plan is a value: it is saved, compared and applied as it is.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from cesplan.domain.address import Address, AppKey
from cesplan.domain.change import FieldChange, LiveEdit, Origin
from cesplan.domain.choice import EVERYTHING, Choice
from cesplan.domain.features.impact import Impact
from cesplan.domain.features.policy import Verdict
from cesplan.domain.features.weakening import Weakening
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
    """Live shows no difference: fields that never come back are sent again."""
    ID_CHANGED = "id_changed"
    LOCKED = "locked"
    STAMP = "stamp"


class Action(StrEnum):
    """What happens to a resource, and what one step sends: the API's standard methods (AIP-133, 134, 135)."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


class Purpose(StrEnum):
    """Why a step of its own is needed."""

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
    """A step: the resource it writes and its purpose there."""

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
    """The method that is called."""
    body: Body = field(default_factory=dict)
    """
    The body to send: everything for a create, the fields of the mask for an update; references as
    `<kind>/<key>`.
    """
    mask: tuple[MaskPath, ...] = ()
    """The paths that an update names; empty for other writes."""
    after: tuple[StepId, ...] = ()
    """The steps that it waits for."""
    force: bool = False
    """True if a delete takes along what refers to the resource."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What happens to one resource, as people read it."""

    address: Address
    """The resource."""
    action: Action
    """What happens to it."""
    reason: Reason
    """Why it is planned."""
    steps: tuple[Step, ...]
    """The writes, in an order in which they could be sent."""
    resource_id: str
    """The id on the server; empty if the server will choose it."""
    display_name: str = ""
    """The display name."""
    changes: tuple[FieldChange, ...] = ()
    """The leaves that differ; for updates only."""
    before: Body | None = None
    """The canonical body that live has; None for a create."""
    after: Body | None = None
    """The canonical body that live will have; None for a delete."""
    seen: Body | None = None
    """The raw live body at planning, which the resource must still have before the first write."""
    etag: str = ""
    """The etag of that body; empty if it has none."""
    used_by: tuple[Address, ...] = ()
    """
    The resources that refer to it: to one that is deleted as it is now, to another as it will be after the
    plan.
    """
    still_used_by: tuple[Address, ...] = ()
    """Of a delete, those that still will when it is made: a delete by force changes them."""
    file: str = ""
    """The file of the resource; empty for a delete."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The files that hold texts of the resource, by the path of the field."""
    notes: tuple[str, ...] = ()
    """Notices about this change."""
    origin: Origin = Origin.UNKNOWN
    """Which side moved since the last apply, all fields taken together."""
    reverts: bool = False
    """True if this reverts a live edit, or may: its origin is unknown, on an app with a stamp."""
    edit: LiveEdit | None = None
    """The newest live edit that this undoes, where the resource as a whole came, went or changed."""
    weakens: tuple[Weakening, ...] = field(default=(), compare=False)
    """The places at which this weakens protection. Not compared: they follow from the bodies."""
    impact: Impact | None = field(default=None, compare=False)
    """
    What it reaches; None for what takes no part in conversations. Not compared: it depends on other resources.
    """

    @property
    def is_frame(self) -> bool:
        """True for what only frames the writes of others: the stamp, and the opening and closing of a lock."""
        return self.reason in (Reason.STAMP, Reason.LOCKED)

    @property
    def undoes(self) -> str:
        """What it undoes of what others did live, and who did it, in words; empty if it undoes nothing."""
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
        """All paths that the updates of this operation name, sorted."""
        return tuple(sorted({path for step in self.steps for path in step.mask}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmanaged:
    """A live resource that the plan leaves alone although the tree does not have it, and why."""

    address: Address
    display_name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """How a plan came to be. It decides nothing: two plans that differ in it alone are the same."""

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
    """Everything one run would do."""

    settings: Settings
    """The environment that it is for."""
    operations: tuple[Operation, ...] = ()
    """What happens to each resource, in an order in which they could run one by one."""
    namings: Mapping[str, Naming] = field(default_factory=dict)
    """The ids of every app in the plan."""
    unchanged: int = 0
    """How many managed resources are equal."""
    unmanaged: tuple[Unmanaged, ...] = ()
    """Live resources that are left alone although the tree does not have them."""
    would_remove: tuple[str, ...] = ()
    """What first contact holds back, one line each."""
    notices: tuple[str, ...] = ()
    """Notices about the plan."""
    refusals: tuple[str, ...] = ()
    """The guard's reasons, already checked; verdicts that deny are among them."""
    verdicts: tuple[Verdict, ...] = ()
    """What the project's policy says."""
    requests: int = 0
    """How many requests planning took."""
    choice: Choice = EVERYTHING
    """The part of the changes that was asked for."""
    left_out: tuple[Address, ...] = ()
    """Changes that `choice` does not ask for."""
    sequences: Mapping[str, int] = field(default_factory=dict)
    """How far the change log of each app had come before it was read, if known; no digest covers it."""
    stamps: Mapping[str, str] = field(default_factory=dict)
    """Which stamp each app had; no digest covers it."""
    allowances: Allowances = field(default_factory=Allowances)
    """Those under which the guard let the plan pass."""
    snapshot_base: Mapping[AppKey, tuple[LiveResource, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """For each app of which the plan makes a version: what that copies, as it was live. Not compared."""
    contents: Mapping[AppKey, tuple[LiveResource, ...]] = field(default_factory=dict, compare=False, repr=False)
    """For each app that the plan deletes: everything that goes with it, as it was live. Not compared."""
    named_versions: Mapping[AppKey, tuple[LiveResource, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Live versions that operations will name: they must not be re-created meanwhile. Not compared."""
    unrecorded: Mapping[AppKey, tuple[LiveResource, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Those of them that no complete apply recorded. Not compared."""
    remade: Mapping[AppKey, frozenset[str]] = field(default_factory=dict, compare=False, repr=False)
    """The keys of versions that were made again since an apply recorded them. Not compared."""
    refers_before: Mapping[Address, frozenset[Address]] = field(default_factory=dict, compare=False, repr=False)
    """What each live resource of the apps names in its app. Not compared, and not in plan files."""
    refers_after: Mapping[Address, frozenset[Address]] = field(default_factory=dict, compare=False, repr=False)
    """The same once the plan is applied."""
    secrets: tuple[Secret, ...] = field(default=(), compare=False, repr=False)
    """Secrets that must not be shown while the plan is applied. Not compared."""
    secret_sources: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Where secrets were read (`secret: {from: …}`), by the name of the variable. Not compared."""
    made: "Made | None" = field(default=None, compare=False)
    """When, from which commit and by which version it was made; None: not said. Not compared, in no digest."""
    quick: bool = False
    """True if apps were read by their change logs: it must not be applied."""
    since: str = ""
    """
    The commit whose tree stands in for what is live: such a plan is only to be read. Empty: live was read.
    """

    @property
    def shown(self) -> tuple[Operation, ...]:
        """The operations that count as changes: all but the stamp."""
        return tuple(item for item in self.operations if item.reason is not Reason.STAMP)

    @property
    def reverts(self) -> tuple[Operation, ...]:
        """The operations that undo live edits."""
        return tuple(item for item in self.operations if item.reverts)

    @property
    def open_reverts(self) -> tuple[Operation, ...]:
        """Those of them that neither a person, nor a flag, nor `liveEdits: revert` has allowed."""
        if self.settings.live_edits is LiveEdits.REVERT:
            return ()
        return tuple(item for item in self.reverts if not self.allowances.reverts(item.address))

    @property
    def revert_reasons(self) -> tuple[str, ...]:
        """Why an apply without a prompt is refused: the live edits that it would revert."""
        return tuple(
            f"{item.address} {item.undoes}: allow it with --allow-revert {item.address}"
            for item in self.open_reverts
        )

    @property
    def blockers(self) -> tuple[str, ...]:
        """Why the plan must not be applied: the refusals, and policy rules without approval."""
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
    """Every step of a plan, in the order of its operations."""
    return tuple(step for operation in plan.operations for step in operation.steps)


def expected_seconds(plan: Plan) -> int:
    """The least time that the requests of an apply take within the quotas of the service, in seconds."""
    steps, quotas = steps_of(plan), plan.settings.quotas
    verified = [step for step in steps if step.action is not Action.CREATE]
    reads = len(verified) if plan.settings.verify_before_write else 0
    return max(quotas.writes.seconds(len(steps)), quotas.reads.seconds(reads))


def summary_counts(plan: Plan) -> dict[str, Any]:
    """Numbers of a plan by action, for summaries in every format."""
    return {
        "create": plan.count(Action.CREATE),
        "update": plan.count(Action.UPDATE),
        "delete": plan.count(Action.DELETE),
        "unchanged": plan.unchanged,
        "reverts": len(plan.reverts),
    }
