"""
Change log: what it says about a reviewed plan that was already applied, or whose resources others wrote.

After a plan is applied and then reverted, live is as the plan saw it. Only the log, or the stamp of the apply,
shows the difference. So the resources of the remaining operations must not have been written since the plan was
made, except by the operation's own earlier steps: an apply that was interrupted between two writes of a
resource can continue.
"""

from collections.abc import Mapping
from typing import Any

from cesplan.domain.change import FieldChange
from cesplan.domain.plan import Action, Operation, Step
from cesplan.domain.value import Body
from cesplan.engine.comparing.convergence import shortfalls
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.resource_names import Target
from cesplan.engine.comparing.stamp import without_stamp
from cesplan.engine.reviewing.record import is_touched, touched_by
from cesplan.model.kinds import kind_of


def deletes_contents(operation: Operation) -> bool:
    """True for the delete of an app, which also deletes its contents."""
    return operation.action is Action.DELETE and kind_of(operation.address.kind).container is not None


def undoes(operation: Operation, target: Target, entry: Mapping[str, Any]) -> bool:
    """
    Whether a remaining operation would undo what an entry of the log wrote.

    `entry` is complete, with the resource before and after. An entry with neither counts as such a write.
    """
    before, after = _body(entry.get("originalResource")), _body(entry.get("newResource"))
    if before is None and after is None:
        return True
    changes = _changes(target, before or {}, after or {})
    if operation.action is Action.UPDATE and before is not None and after is not None:
        touched = touched_by(operation, target.kind.spec)
        if not any(is_touched(item.mask, touched) or is_touched(item.path.mask, touched) for item in changes):
            return False
    return not any(_is_step(step, target, before, after, changes) for step in operation.steps[:-1])


def _body(resource: Any) -> Body | None:
    return resource if isinstance(resource, dict) and resource else None


def _changes(target: Target, before: Body, after: Body) -> tuple[FieldChange, ...]:
    spec = target.kind.spec
    old, new = (_unlocked(target, normalize(spec, body, target.naming).body) for body in (before, after))
    # In both directions, because a walk ignores values that only its live side has and the server may have set.
    return (*diff(spec, new, old, Scope()), *diff(spec, old, new, Scope()))


def _unlocked(target: Target, body: Body) -> Body:
    """A canonical body without what other applies change in an app: the stamp and the lock."""
    return {name: value for name, value in without_stamp(body).items() if name != target.kind.lock_field}


def _is_step(
    step: Step, target: Target, before: Body | None, after: Body | None, changes: tuple[FieldChange, ...]
) -> bool:
    """Whether an entry is the write of one of the earlier steps of an operation."""
    if after is None or shortfalls(target, step.body, after, step.mask):
        return False
    if step.action is Action.CREATE:
        return before is None
    return all(is_touched(item.mask, step.mask) for item in changes) if step.mask else False
