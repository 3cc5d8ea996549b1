"""A plan for machines."""

from typing import Any

from cesplan.domain.change import FieldChange
from cesplan.domain.features.policy import Verdict
from cesplan.domain.plan import Plan
from cesplan.render.field_redactor import FieldRedactor
from cesplan.render.machine.formats.plan import FieldChangeJson, PlanJson, PlanReport, VerdictJson


def plan_json(plan: Plan) -> str:
    """The JSON text of a plan, ended by a line feed."""
    return PlanReport.of(plan).text()


def plan_document(plan: Plan) -> dict[str, Any]:
    """The members that describe a plan."""
    return PlanJson.of(plan).document()


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """What a rule of the project's policy says of one operation."""
    return VerdictJson.of(verdict).document()


def field_change(change: FieldChange, redactor: FieldRedactor) -> dict[str, Any]:
    """One leaf that differs, fit to be shown. The order of members is that of the body."""
    return FieldChangeJson.of(change, redactor).document()
