"""
A plan for machines: `resource_changes[]` in the shape that policy tools know from Terraform, and our own.

Nothing is shortened here. A sensitive leaf is `{"$var": name}`, or `"(sensitive)"` where live holds it, and
is marked in `before_sensitive` and `after_sensitive`.
"""

from typing import Any

from cesplan.domain.change import FieldChange
from cesplan.domain.features.policy import Verdict
from cesplan.domain.plan import Action, Operation, Plan, Step, summary_counts
from cesplan.render.documents import opening, sorted_members, text_of
from cesplan.render.field_redactor import FieldRedactor, redactor_of, sensitive_parts, shown
from cesplan.render.machine.digests import change_digest, plan_digest


def plan_json(plan: Plan) -> str:
    """The JSON text of a plan (DESIGN §7), ended by a line feed."""
    return text_of({**opening(), **plan_document(plan)})


def plan_document(plan: Plan) -> dict[str, Any]:
    """The members that describe a plan."""
    settings = plan.settings
    return {
        "environment": settings.environment,
        "project": settings.place.project,
        "location": settings.place.location,
        "api_version": settings.api_version,
        "endpoint": settings.endpoint,
        "emulated": settings.emulated,
        "mask_depth": settings.mask_depth,
        "resource_changes": [_resource_change(item) for item in plan.operations],
        "summary": summary_counts(plan),
        "would_remove": list(plan.would_remove),
        "unmanaged": [
            {"address": str(item.address), "display_name": item.display_name, "why": item.why}
            for item in plan.unmanaged
        ],
        "notices": list(plan.notices),
        "refusals": list(plan.refusals),
        "policy": [verdict_document(item) for item in plan.verdicts],
        "targets": list(plan.choice.only),
        "excludes": list(plan.choice.exclude),
        "left_out": [str(item) for item in plan.left_out],
        "requests": plan.requests,
        "plan_digest": plan_digest(plan),
    }


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """What a rule of the project's policy says of one operation."""
    return {
        "rule": verdict.rule,
        "severity": verdict.severity,
        "address": str(verdict.address),
        "message": verdict.message,
        "approved": verdict.approved,
    }


def _resource_change(operation: Operation) -> dict[str, Any]:
    redactor = redactor_of(operation)
    before, after = redactor.body(operation.before), redactor.body(operation.after)
    return {
        "address": str(operation.address),
        "type": operation.address.kind,
        "name": operation.address.key,
        "change": {
            "actions": [operation.action],
            "before": sorted_members(shown(before)),
            "after": sorted_members(shown(after)),
            "before_sensitive": sorted_members(sensitive_parts(before)),
            "after_sensitive": sorted_members(sensitive_parts(after)),
        },
        "action_reason": operation.reason,
        "resource_id": operation.resource_id,
        "display_name": operation.display_name,
        "file": operation.file,
        "update_mask": [str(path) for path in operation.mask],
        "etag": operation.etag,
        "json_patch": _json_patch(operation, redactor),
        "field_changes": [field_change(item, redactor) for item in operation.changes],
        "steps": [_step(item) for item in operation.steps],
        "used_by": [str(item) for item in operation.used_by],
        "still_used_by": [str(item) for item in operation.still_used_by],
        "notes": list(operation.notes),
        "change_digest": change_digest(operation),
    }


def _json_patch(operation: Operation, redactor: FieldRedactor) -> list[dict[str, Any]]:
    """RFC 6902: what leads from before to after. A secret that changes shows only that it does."""
    if operation.action is not Action.UPDATE or operation.before is None:
        return []
    import jsonpatch  # lazily: only machines read patches

    before, after = redactor.body(operation.before), redactor.body(operation.after)
    patch = jsonpatch.make_patch(sorted_members(shown(before)), sorted_members(shown(after)))
    return list(patch.patch)


def field_change(change: FieldChange, redactor: FieldRedactor) -> dict[str, Any]:
    """One leaf that differs, fit to be shown. The order of members is that of the body."""
    before, after = redactor.sides(change)
    return {
        "path": str(change.path),
        "action": change.action,
        "before": shown(before),
        "after": shown(after),
        "sensitive": bool(sensitive_parts(before) or sensitive_parts(after)),
        "update_mask": str(change.mask),
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "id": str(step.id),
        "purpose": step.id.purpose,
        "write": step.action,
        "update_mask": [str(path) for path in step.mask],
        "after": [str(item) for item in step.after],
        "force": step.force,
    }
