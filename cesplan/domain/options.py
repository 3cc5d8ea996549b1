"""Command-line options that change a plan or what the guard allows."""

from dataclasses import field

from cesplan.domain.address import Address
from cesplan.domain.app_metadata.lease import HeldLeases
from cesplan.domain.choice import EVERYTHING, Choice
from cesplan.domain.frozen import dataclass

ALL = "all"
"""All addresses, in `--allow-revert`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """
    Options for one plan. Addresses are texts as people type them.

    `adopt` takes over apps without a cesplan stamp. `prune` None leaves the decision to the settings. `resend`
    names resources whose input-only fields are sent again. `force` names resources that may be deleted although
    others refer to them. `allow_drop_unknown` lets a replaced list lose fields that are newer than the models.
    `choice` is the requested part of the changes. `commit` is the commit to record in the stamp; empty for the
    one checked out.
    """

    adopt: bool = False
    prune: bool | None = None
    resend: frozenset[str] = frozenset()
    force: frozenset[str] = frozenset()
    allow_drop_unknown: bool = False
    choice: Choice = EVERYTHING
    commit: str = ""
    quick: bool = False
    """Read only the resources in the change log, if that is enough. Never for an apply."""


NO_OPTIONS = PlanOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowances:
    """
    Exceptions from the guard, each named after its flag.

    `delete` holds addresses for `--allow-delete`; `mass_delete` and `unlock` are `--allow-mass-delete` and
    `--allow-unlock`; `empty` is `--allow-empty`: an app that is empty in the tree may empty the live one.
    `policy` holds the rule names of `--allow-policy`.
    """

    delete: frozenset[str] = frozenset()
    mass_delete: bool = False
    unlock: bool = False
    empty: bool = False
    policy: frozenset[str] = frozenset()
    revert: frozenset[str] = frozenset()
    """The addresses of `--allow-revert`, or `all`: resources whose live edits may be reverted."""

    def reverts(self, address: Address) -> bool:
        """Whether reverting live edits of this resource is allowed."""
        return ALL in self.revert or str(address) in self.revert


NO_ALLOWANCES = Allowances()


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyOptions:
    """
    How to apply. `workers` is the number of concurrent writes.

    `on_error` is what to do after a failure: `continue` with the operations that do not depend on the failed
    one, `stop`, or `rollback`, which stops and undoes what was done. `held` are the leases of the run.
    """

    workers: int = 8
    on_error: str = "continue"
    held: HeldLeases = field(default_factory=HeldLeases)
