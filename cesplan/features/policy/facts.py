"""What rules of the policy may know of a plan: its operations as plain values, with secrets masked."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from cesplan.domain.plan import Action, Operation, Plan
from cesplan.model.kinds import KINDS
from cesplan.render.field_redactor import redactor_of, shown
from cesplan.render.machine.plan import field_change


def policy_facts(plan: Plan) -> Iterator[dict[str, Any]]:
    """One entry for each operation that counts as a change, without the numbers of the plan."""
    return (_facts(operation, plan) for operation in plan.shown)


def plan_numbers(plan: Plan) -> dict[str, Any]:
    """How many resources are created, updated and deleted; all in all and by kind."""
    counts = Counter((item.address.kind, item.action) for item in plan.shown)
    kinds = {kind: {str(action): counts[kind, action] for action in Action} for kind in KINDS}
    return {**{str(action): plan.count(action) for action in Action}, "kinds": kinds}


def _facts(operation: Operation, plan: Plan) -> dict[str, Any]:
    redactor = redactor_of(operation)
    settings, address = plan.settings, operation.address
    changes = (field_change(item, redactor) for item in operation.changes)
    return {
        "address": str(address),
        "app": str(address.app),
        "kind": str(address.kind),
        "key": str(address.key),
        "action": str(operation.action),
        "reason": str(operation.reason),
        "environment": settings.environment,
        "project": settings.place.project,
        "location": settings.place.location,
        "display_name": operation.display_name,
        "file": operation.file,
        "mask": [str(path) for path in operation.mask],
        "before": shown(redactor.body(operation.before)),
        "after": shown(redactor.body(operation.after)),
        "changes": [{**item, "action": str(item["action"]), "mask": item["update_mask"]} for item in changes],
    }
