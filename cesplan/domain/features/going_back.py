"""
Going back: a deployment to a version that it served before, and the draft to what that version holds.

This is the command `rollback`. What an apply undoes after a failure (`--on-error rollback`) is another thing.
"""

from cesplan.domain.address import Address
from cesplan.domain.features.serving import Share
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionTitle:
    """A version: its full name, its id, what people call it, and when it was made (RFC 3339)."""

    name: str
    id: str
    title: str
    create_time: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """
    Where a deployment goes back to, and how that is known.

    `is_back` says that its newest change went back already: the version is the one that it serves now.
    """

    version: VersionTitle
    why: str
    is_back: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveResult:
    """What became of a deployment: what it serves after all, read again."""

    serves: tuple[Share, ...]
    is_verified: bool
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreResult:
    """
    What became of the draft. `remaining` are the resources that still differ from the version: none proves
    that it was restored. `backups` are the versions that the service made of the draft before.
    """

    remaining: tuple[Address, ...] = ()
    backups: tuple[VersionTitle, ...] = ()
    restored: bool = False
    """False if there was nothing to restore."""

    @property
    def is_proven(self) -> bool:
        return not self.remaining
