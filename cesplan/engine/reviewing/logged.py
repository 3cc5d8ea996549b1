"""
Logged: what the change log says of a reviewed plan that was applied before, or whose resources others wrote.

A plan that was applied and then reverted looks as if it had never been applied: live is what the plan saw. Only
the log, or the stamp of the apply, tells. So what is left to do of a plan must not have been written since the
plan was made, but for its own earlier steps: an apply that broke off between two writes of a resource goes on.
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


def takes_contents(operation: Operation) -> bool:
    """True for the deletion of an app, which takes along everything in it."""
    return operation.action is Action.DELETE and kind_of(operation.address.kind).container is not None


def undoes(operation: Operation, target: Target, entry: Mapping[str, Any]) -> bool:
    """
    Whether an operation that is still to be done would take back what an entry of the log wrote.

    `entry` is whole, with the resource before and after. One that says neither is taken for such a write.
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
    # Both directions: a walk leaves alone what only its live side has and the server may have filled in.
    return (*diff(spec, new, old, Scope()), *diff(spec, old, new, Scope()))


def _unlocked(target: Target, body: Body) -> Body:
    """A canonical body without what other applies leave on an app: a stamp, and an open or closed lock."""
    return {name: value for name, value in without_stamp(body).items() if name != target.kind.lock_field}


def _is_step(
    step: Step, target: Target, before: Body | None, after: Body | None, changes: tuple[FieldChange, ...]
) -> bool:
    """Whether an entry is what one of the earlier steps of an operation writes."""
    if after is None or shortfalls(target, step.body, after, step.mask):
        return False
    if step.action is Action.CREATE:
        return before is None
    return all(is_touched(item.mask, step.mask) for item in changes) if step.mask else False
