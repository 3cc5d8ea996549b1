"""
Reviewed plans: a plan saved to a file, and how live has changed since it was made.

The file holds no secret and nothing raw from live; what apply needs to tell whether a resource is still what
the plan saw, beside the plan itself, is its `Seen`.
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
    What planning saw of a resource beside its canonical body.

    `updated` is the server's time of its last change (RFC 3339; empty if it has none). `strangers` are the
    places that the plan's write replaces and that are newer than the models.
    """

    updated: str = ""
    strangers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """
    What planning saw of a resource that a version would copy, or the delete of an app take along.

    `digest` is of the canonical body without the stamp; empty if that holds anything secret or newer than
    the models. Then `etag`, or without one `updated` (RFC 3339), vouches for the resource.
    """

    digest: str = ""
    etag: str = ""
    updated: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """
    The content of a plan file.

    `copied` is there for each app of which the plan makes a version, or which it deletes: everything that the
    version would copy, or that goes with the app.
    `versions` are the live ones that the plan will name, and when they were made (RFC 3339).
    `made_at` is when the plan was made (RFC 3339) and `seconds` how long it took; neither is part of any
    digest. Resources in `plan` have no `seen`; in its place is `seen`.
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
    """It may have changed in values that cannot be compared: secrets, or fields newer than the models."""
    REFERENCE_GONE = "reference_gone"
    REMADE = "remade"
    """A version that it would name was deleted and made again, perhaps with other content."""
    REFERRED = "referred"
    """Others came to refer to what would be deleted by force: the delete would change them too."""
    COPIED_CHANGED = "copied_changed"
    """The version would copy something that the plan does not write, and that changed."""
    COPIED_CREATED = "copied_created"
    COPIED_DELETED = "copied_deleted"
    CONTENT_CHANGED = "content_changed"
    """Something in the app was written since, and the plan would delete it with the app."""
    WRITTEN = "written"
    """It was written since, and the plan would take that back: applied already and reverted, perhaps."""
    APPLIED = "applied"
    """Another apply was complete since, and no change log tells what it wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """
    An operation that would no longer do what was reviewed.

    `changes` lead from what the plan saw (for a create: from what it would make) to what is live now. `names`
    are references that lead nowhere, resources that refer to it, or places that cannot be compared. `copied` is
    the resource that the version of this operation would copy. `resource` is the full name of what moved, and
    `updated` the server's time of its last change.
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
        """What moved."""
        return self.copied or self.operation.address


@dataclass(kw_only=True, eq=False)
class Stale(StalePlan):
    """Live moved since the plan was made: nothing was written. `moved` says what, `plan` is the plan."""

    summary: str = "The plan is stale: nothing was written."
    plan: Plan
    moved: tuple[Moved, ...] = ()


class PlanFileError(CesplanError):
    """A file that is not a plan, was edited, or is from a newer cesplan; handled like an invalid tree."""

    exit_code = 7
