"""What a person may say on the command line that changes a plan or what the guard lets through."""

from dataclasses import field

from cesplan.domain.address import Address
from cesplan.domain.app_metadata.lease import Held
from cesplan.domain.choice import EVERYTHING, Choice
from cesplan.domain.frozen import dataclass

ALL = "all"
"""In the place of addresses, for `--allow-revert`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """
    Choices for one plan. Addresses are texts as people type them.

    `adopt` takes over apps without our stamp; `prune` None leaves the decision to the settings; `resend` names
    resources whose input-only fields are sent again; `force` names resources that may be deleted although
    others refer to them; `allow_drop_unknown` lets a replaced list lose fields newer than the models. `choice`
    is the part of the changes that is asked for. `commit` is the one that the stamp names; empty: the one that
    is checked out.
    """

    adopt: bool = False
    prune: bool | None = None
    resend: frozenset[str] = frozenset()
    force: frozenset[str] = frozenset()
    allow_drop_unknown: bool = False
    choice: Choice = EVERYTHING
    commit: str = ""
    quick: bool = False
    """Read only what the change log names, where that is enough. Never for an apply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowances:
    """
    What weakens the guard, each named by its flag.

    `delete` holds addresses for `--allow-delete`; `mass_delete` and `unlock` are `--allow-mass-delete` and
    `--allow-unlock`; `empty` is `--allow-empty`: an empty desired app over a live one that is not. `policy`
    holds names of rules for `--allow-policy`.
    """

    delete: frozenset[str] = frozenset()
    mass_delete: bool = False
    unlock: bool = False
    empty: bool = False
    policy: frozenset[str] = frozenset()
    revert: frozenset[str] = frozenset()
    """Addresses of `--allow-revert`, or `all`: live edits that may be reverted."""

    def reverts(self, address: Address) -> bool:
        """Whether reverting live edits of this resource is allowed."""
        return ALL in self.revert or str(address) in self.revert


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyOptions:
    """
    How to apply: `workers` concurrent writes.

    After a failure, `on_error` says what next: `continue` with what does not depend on it, `stop`, or
    `rollback`: stop, and take back what was done. `held` are the leases that the run has.
    """

    workers: int = 8
    on_error: str = "continue"
    held: Held = field(default_factory=Held)
