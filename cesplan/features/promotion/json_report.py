"""Two environments side by side, and the plan for the second, for machines."""

from typing import Any

from cesplan.domain.features.promotion import Difference, Presence, Promotion
from cesplan.domain.plan import Plan
from cesplan.domain.settings import Settings
from cesplan.model.kinds import kind_of
from cesplan.render.documents import opening, text_of
from cesplan.render.field_redactor import redactor_over
from cesplan.render.machine.plan import field_change, plan_document


def promotion_json(promotion: Promotion, plan: Plan) -> str:
    """The JSON text, ended by a line feed."""
    return text_of(
        {
            **opening(),
            "from": _side(promotion.source),
            "to": _side(promotion.target),
            "compared": "live" if promotion.is_live else "tree",
            "differences": [_difference(item) for item in promotion.differences],
            "equal": promotion.equal,
            "plan": plan_document(plan),
        }
    )


def _side(settings: Settings) -> dict[str, Any]:
    place = settings.place
    return {
        "environment": settings.environment,
        "project": place.project,
        "location": place.location,
        "endpoint": settings.endpoint,
        "emulated": settings.emulated,
    }


def _difference(item: Difference) -> dict[str, Any]:
    redactor = redactor_over(kind_of(item.address.kind).spec, item.secrets)
    sides = {Presence.SOURCE: "from", Presence.TARGET: "to", Presence.BOTH: ""}
    return {
        "address": str(item.address),
        "only_in": sides[item.presence],
        "field_changes": [field_change(change, redactor) for change in item.changes],
    }
