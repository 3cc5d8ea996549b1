"""Two environments side by side, and the plan for the second, for machines."""

from typing import Literal, Self

from pydantic import ConfigDict, Field

from cesplan.domain.features.promotion import Difference, Promotion, WhichSide
from cesplan.domain.plan import Plan
from cesplan.domain.settings import Settings
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import redactor_over
from cesplan.render.machine.formats.base import AddressText, Document, Format, Located
from cesplan.render.machine.formats.plan import FieldChangeJson, PlanJson


class SideJson(Located):
    """One of the two environments."""

    environment: str
    """The environment of `cesplan.yaml`."""
    endpoint: str
    """The endpoint of the API: empty for the default, `regional`, or a URL."""
    emulated: bool
    """Whether the service is an emulator."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        return cls.from_value(settings, settings.place)


class DifferenceJson(Format):
    """One resource that differs between the environments."""

    address: AddressText
    """The resource."""
    only_in: Literal["from", "to", ""]
    """The only environment that has it; empty if both do."""
    field_changes: tuple[FieldChangeJson, ...]
    """The fields that differ."""

    @classmethod
    def of(cls, item: Difference) -> Self:
        redactor = redactor_over(kind_of(item.address.kind).spec, item.secrets)
        return cls(
            address=item.address,
            only_in=_SIDES[item.presence],
            field_changes=tuple(FieldChangeJson.of(change, redactor) for change in item.changes),
        )


_SIDES: dict[WhichSide, Literal["from", "to", ""]] = {
    WhichSide.SOURCE: "from",
    WhichSide.TARGET: "to",
    WhichSide.BOTH: "",
}


class PromotionReport(Document):
    """`cesplan promote --format json`."""

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    source: SideJson = Field(alias="from")
    """The source environment."""
    to: SideJson
    """The target environment."""
    compared: Literal["live", "tree"]
    """Whether the live resources of both were compared, or the tree of both."""
    differences: tuple[DifferenceJson, ...]
    """The resources that differ."""
    equal: int
    """How many resources are equal."""
    plan: PlanJson
    """The plan for the second environment."""

    @classmethod
    def of(cls, promotion: Promotion, plan: Plan) -> Self:
        compared = "live" if promotion.is_live else "tree"
        return cls.from_value(promotion, to=promotion.target, compared=compared, plan=plan)
