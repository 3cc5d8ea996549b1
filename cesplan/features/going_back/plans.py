"""The changes of going back, as plans."""

from collections.abc import Mapping

from cesplan.domain.address import Address
from cesplan.domain.features.going_back import RollbackTarget, VersionTitle
from cesplan.domain.features.serving import Share
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class DeploymentMove:
    """A deployment that goes back. The plan is one update, or empty if it already serves the version."""

    address: Address
    name: str
    now: tuple[Share, ...]
    target: RollbackTarget
    plan: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRestore:
    """The draft to restore from a version; the plan shows the changes, but is not applied itself."""

    version: VersionTitle
    plan: Plan
    is_unfinished: bool = False
    """True if an earlier run restored the draft but ended before it restored the app's stamp."""

    @property
    def is_done(self) -> bool:
        return self.plan.is_empty and not self.is_unfinished


@dataclass(frozen=True, slots=True, kw_only=True)
class GoingBack:
    """The planned steps; None for those not requested. `titles` are the versions by their ids."""

    app_key: str
    app: str
    titles: Mapping[str, str]
    deployment: DeploymentMove | None = None
    draft: DraftRestore | None = None

    @property
    def plans(self) -> tuple[Plan, ...]:
        found = (self.deployment.plan if self.deployment else None, self.draft.plan if self.draft else None)
        return tuple(plan for plan in found if plan is not None)

    @property
    def is_empty(self) -> bool:
        """True if nothing is left to do."""
        is_moved = self.deployment is None or self.deployment.plan.is_empty
        return is_moved and (self.draft is None or self.draft.is_done)
