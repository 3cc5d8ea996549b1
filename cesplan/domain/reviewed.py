"""
Reviewed plans: a plan saved to a file, and what changed live since it was made.

The file holds no secrets and no raw live bodies. Besides the plan it holds a `Seen` for each resource, by which
an apply recognizes whether the resource has changed since planning.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from cesplan.domain.address import Address, AppKey
from cesplan.domain.change import FieldChange, LiveEdit
from cesplan.domain.errors import CesplanError, StalePlan
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Operation, Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """
    What planning saw of a resource in addition to its canonical body.

    `updated` is the server's time of the last change (RFC 3339; empty if it has none). `strangers` are the
    places that the plan's write replaces and that the models do not know.
    """

    updated: str = ""
    strangers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """
    What planning saw of a resource that a version would copy, or that is deleted with its app.

    `digest` covers the canonical body without the stamp. It is empty if the body holds secrets or fields that
    are newer than the models; then `etag`, or else `updated` (RFC 3339), shows whether the resource has
    changed.
    """

    digest: str = ""
    etag: str = ""
    updated: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """
    The content of a plan file.

    `copied` has an entry for each app that gets a version or is deleted: everything that the version would
    copy, or that is deleted with the app. `versions` are the live versions that the plan refers to, with their
    create times (RFC 3339). `made_at` is when the plan was made (RFC 3339) and `seconds` how long it took;
    neither is part of any digest. The operations in `plan` have no `seen`; use the member `seen` instead.
    """

    plan: Plan
    seen: Mapping[Address, Seen] = field(default_factory=dict)
    copied: Mapping[AppKey, Mapping[Address, Copied]] = field(default_factory=dict)
    versions: Mapping[Address, str] = field(default_factory=dict)
    made_at: str = ""
    seconds: float | None = None


class Movement(StrEnum):
    """What happened to a resource after the plan was made."""

    CHANGED = "changed"
    DELETED = "deleted"
    CREATED = "created"
    UNCLEAR = "unclear"
    """It may have changed in values that cannot be compared: secrets, or fields that the models do not know."""
    REFERENCE_GONE = "reference_gone"
    REMADE = "remade"
    """A version that it refers to was deleted and re-created, perhaps with other content."""
    REFERRED = "referred"
    """More resources refer to it now, and a forced delete would change them too."""
    COPIED_CHANGED = "copied_changed"
    """A resource that the version would copy, and that the plan does not write, has changed."""
    COPIED_CREATED = "copied_created"
    COPIED_DELETED = "copied_deleted"
    CONTENT_CHANGED = "content_changed"
    """A resource that the plan would delete with its app has been written since."""
    WRITTEN = "written"
    """It was written since, and the plan would undo that. Perhaps the plan was applied and then reverted."""
    APPLIED = "applied"
    """Another apply completed since, and there is no change log to show what it wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """
    An operation that would no longer do what was reviewed.

    `changes` lead from what the plan saw (for a create: from the planned body) to what is live now. `names` are
    dangling references, resources that refer to it, or places that cannot be compared. `copied` is the resource
    that the version of this operation would copy. `resource` is the resource name of what moved, and `updated`
    the server's time of its last change.
    """

    operation: Operation
    movement: Movement
    resource: str = ""
    updated: str = ""
    changes: tuple[FieldChange, ...] = ()
    names: tuple[str, ...] = ()
    copied: Address | None = None
    edit: LiveEdit | None = None

    @property
    def address(self) -> Address:
        """The address of what moved."""
        return self.copied or self.operation.address


@dataclass(kw_only=True, eq=False)
class Stale(StalePlan):
    """Live changed since the plan was made, so nothing was written. `moved` lists what changed."""

    summary: str = "The plan is stale: nothing was written."
    plan: Plan
    moved: tuple[Moved, ...] = ()


class PlanFileError(CesplanError):
    """A file that is not a plan, was edited, or is from a newer cesplan. Handled like an invalid tree."""

    exit_code = 7
