"""Going back (`cesplan rollback`), for machines."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Self

from pydantic import Field

from cesplan.domain.features.going_back import MoveResult, RestoreResult, RollbackTarget, VersionTitle
from cesplan.domain.features.serving import Share
from cesplan.domain.outcome import Outcome
from cesplan.domain.plan import Plan
from cesplan.render.machine.formats.base import AddressText, Document, Format, optional
from cesplan.render.machine.formats.outcomes import OutcomeJson, outcome_json
from cesplan.render.machine.formats.plan import PlanJson


class ShareJson(Format):
    """A version that a deployment serves."""

    version: str
    """The id of the version."""
    display_name: str
    """The display name; the id if it no longer exists."""
    percent: int | None
    """Its share of new sessions; null if unknown."""

    @classmethod
    def of(cls, share: Share, titles: Mapping[str, str]) -> Self:
        return cls.from_value(share, display_name=titles.get(share.version, share.version))


class VersionJson(Format):
    """A version of an app."""

    id: str
    """Its id."""
    display_name: str
    """The display name."""
    create_time: str
    """When it was created (RFC 3339)."""

    @classmethod
    def of(cls, version: VersionTitle) -> Self:
        return cls.from_value(version, display_name=version.title)


class MovedDeploymentJson(Format):
    """A deployment that goes back."""

    address: AddressText
    """The deployment."""
    before: tuple[ShareJson, ...]
    """The traffic when the command began."""
    to: VersionJson
    """The version that it goes back to."""
    why: str
    """How that version was chosen."""
    plan: PlanJson
    """The new traffic; empty if the deployment already serves the version."""
    outcomes: tuple[Annotated[OutcomeJson, Field(discriminator="outcome")], ...]
    """The outcome; empty if nothing was written."""
    after: tuple[ShareJson, ...]
    """The traffic now, read again; empty if it was not read again."""
    verified: bool
    """Whether it was read again and serves only that version."""

    @classmethod
    def of(
        cls,
        address: object,
        before: Sequence[Share],
        target: RollbackTarget,
        plan: Plan,
        outcomes: Sequence[Outcome],
        result: MoveResult | None,
        titles: Mapping[str, str],
    ) -> Self:
        return cls.from_value(
            address=address,
            before=tuple(ShareJson.of(item, titles) for item in before),
            to=target.version,
            why=target.why,
            plan=plan,
            outcomes=tuple(map(outcome_json, outcomes)),
            after=tuple(ShareJson.of(item, titles) for item in result.serves) if result else (),
            verified=bool(result and result.is_verified),
        )


class RestoredDraftJson(Format):
    """The draft that is restored from a version."""

    version: VersionJson
    """The version."""
    plan: PlanJson
    """The changes that the restore makes. The service makes them; the plan is not sent."""
    restored: bool
    """Whether the service restored it in this run."""
    backups: tuple[VersionJson, ...]
    """The versions in which the service saved the previous draft."""
    remaining: tuple[AddressText, ...]
    """The resources that differ from the version afterwards."""
    proven: bool
    """Whether the draft was compared with the version afterwards and was equal."""

    @classmethod
    def of(cls, version: VersionTitle, plan: Plan, result: RestoreResult | None) -> Self:
        proven = bool(result and result.is_proven)
        return cls.from_value(result or RestoreResult(), version=version, plan=plan, proven=proven)


class RollbackReportJson(Document):
    """`cesplan rollback --format json`."""

    app: str
    """The resource name of the app."""
    exit_code: int
    """The exit code of the command."""
    deployment: MovedDeploymentJson | None = optional()
    """The deployment; absent if only the draft was requested."""
    draft: RestoredDraftJson | None = optional()
    """The draft; absent if it was not requested."""
