"""
Going back: a deployment to a version that it served before, and the draft to the content of that version.

This is the command `rollback`, not `apply --on-error rollback`, which undoes an apply after a failure.
"""

from cesplan.domain.address import Address
from cesplan.domain.features.serving import Share
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionTitle:
    """A version: its resource name, its id, its display name, and when it was created (RFC 3339)."""

    name: str
    id: str
    title: str
    create_time: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollbackTarget:
    """
    The version that a deployment goes back to, and how it was found.

    `is_back` is true if the newest change of the deployment already went back: it serves this version now.
    """

    version: VersionTitle
    why: str
    is_back: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveResult:
    """The result for a deployment: what a re-read shows that it serves."""

    serves: tuple[Share, ...]
    is_verified: bool
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreResult:
    """
    The result for the draft. `remaining` are the resources that still differ from the version; an empty list
    proves that the draft was restored. `backups` are the versions that the service made of the draft first.
    """

    remaining: tuple[Address, ...] = ()
    backups: tuple[VersionTitle, ...] = ()
    restored: bool = False
    """False if there was nothing to restore."""

    @property
    def is_proven(self) -> bool:
        return not self.remaining
