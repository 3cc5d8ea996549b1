"""What policy rules may know about a plan: its operations as plain values, with secrets masked."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from cesplan.domain.change import FieldChange
from cesplan.domain.features.impact import Impact
from cesplan.domain.plan import Action, Operation, Plan
from cesplan.model.kinds import KINDS
from cesplan.render.field_redactor import FieldRedactor, redactor_of, sensitive_parts, shown


def policy_facts(plan: Plan) -> Iterator[dict[str, Any]]:
    """One entry for each operation that counts as a change, without the numbers of the plan."""
    return (_facts(operation, plan) for operation in plan.shown)


def plan_numbers(plan: Plan) -> dict[str, Any]:
    """How many resources are created, updated, and deleted, in total and by kind."""
    counts = Counter((item.address.kind, item.action) for item in plan.shown)
    kinds = {kind: {str(action): counts[kind, action] for action in Action} for kind in KINDS}
    return {**{str(action): plan.count(action) for action in Action}, "kinds": kinds}


def _facts(operation: Operation, plan: Plan) -> dict[str, Any]:
    redactor = redactor_of(operation)
    settings, address = plan.settings, operation.address
    return {
        "address": str(address),
        "app": str(address.app),
        "kind": str(address.kind),
        "key": str(address.key),
        "action": str(operation.action),
        "reason": str(operation.reason),
        "origin": str(operation.origin),
        "author": operation.edit.author if operation.edit else "",
        "live_edit_time": operation.edit.time if operation.edit else "",
        "weakens": [{"code": item.code, "path": item.path, "text": item.text} for item in operation.weakens],
        "used_by": [str(item) for item in operation.used_by],
        "impact": impact_facts(operation.impact),
        "environment": settings.environment,
        "project": settings.place.project,
        "location": settings.place.location,
        "display_name": operation.display_name,
        "file": operation.file,
        "mask": [str(path) for path in operation.mask],
        "before": shown(redactor.body(operation.before)),
        "after": shown(redactor.body(operation.after)),
        "changes": [_change(item, redactor) for item in operation.changes],
    }


def impact_facts(impact: Impact | None) -> dict[str, Any]:
    """What an operation reaches; empty for resources outside conversations."""
    found = impact or Impact()
    return {
        "is_root": found.is_root,
        "is_reached": found.is_reached,
        "way": [str(item) for item in found.way],
        "agents": [str(item) for item in found.agents],
        "agent_count": found.agent_count,
        "app_agents": found.app_agents,
        "deployments": [
            {"deployment": str(item.deployment), "versions": [*item.versions], "served": str(item.served)}
            for item in found.deployments
        ],
        "evaluations": [str(item) for item in found.evaluations or ()],
        "evaluation_count": found.evaluation_count,
        "app_evaluations": found.app_evaluations,
    }


def _change(change: FieldChange, redactor: FieldRedactor) -> dict[str, Any]:
    before, after = redactor.sides(change)
    return {
        "path": str(change.path),
        "action": str(change.action),
        "before": shown(before),
        "after": shown(after),
        "sensitive": bool(sensitive_parts(before) or sensitive_parts(after)),
        "update_mask": str(change.mask),
        "mask": str(change.mask),
    }
