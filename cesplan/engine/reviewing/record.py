"""
Recording: what a plan file must store about live so that the plan can be rechecked later.

Raw responses are not stored: they may contain secrets, and a plan file never does.
"""

from collections.abc import Sequence

from cesplan.domain.address import Address
from cesplan.domain.field_path import MaskPath
from cesplan.domain.plan import Action, Operation, Plan
from cesplan.domain.reviewed import Reviewed, Seen
from cesplan.domain.value import Body
from cesplan.engine.comparing.bodies import siblings
from cesplan.engine.comparing.copies import address_of, copied_of
from cesplan.engine.comparing.normalize import Normalized, normalize
from cesplan.engine.comparing.resource_names import Target, target_of
from cesplan.model.spec import MessageSpec


def review(plan: Plan) -> Reviewed:
    """A plan with everything that must be stored with it."""
    return Reviewed(plan=plan, seen=seen_of(plan), copied=copied_of(plan), versions=versions_of(plan))


def versions_of(plan: Plan) -> dict[Address, str]:
    """The create times of the versions that a plan refers to."""
    return {
        address_of(item, app, plan.namings[app]): str(item.body.get("createTime") or "")
        for app, versions in plan.named_versions.items()
        for item in versions
    }


def seen_of(plan: Plan) -> dict[Address, Seen]:
    """The planning-time state of each resource to be written, if there is any to remember."""
    found: dict[Address, Seen] = {}
    for operation in plan.operations:
        if operation.seen is not None and operation.address not in found:
            found[operation.address] = _seen(operation.seen, operation, target_of(plan, operation))
    return {address: seen for address, seen in found.items() if seen != Seen()}


def strangers(target: Target, operation: Operation, body: Normalized) -> tuple[str, ...]:
    """The places that the models do not know and the writes of an operation replace, sorted."""
    touched = touched_by(operation, target.kind.spec)
    expensive = target.kind.expensive_fields
    places = (path for path, _ in body.unknown if path.segments[0] not in expensive)
    return tuple(sorted(str(path) for path in places if is_touched(path.mask, touched)))


def touched_by(operation: Operation, spec: MessageSpec) -> tuple[MaskPath, ...]:
    """
    Everything that the writes of an operation may change; empty for a delete, which means all.

    Setting a oneof member removes the others, although no mask names them.
    """
    if operation.action is Action.DELETE:
        return ()
    named = {path for path in operation.mask for path in (path, *siblings(spec, path))}
    return tuple(sorted(named))


def is_touched(path: MaskPath, touched: Sequence[MaskPath]) -> bool:
    """True if one of these paths contains this one, or is inside it."""
    return not touched or any(item.covers(path) or path.covers(item) for item in touched)


def _seen(body: Body, operation: Operation, target: Target) -> Seen:
    found = normalize(target.kind.spec, body, target.naming)
    return Seen(updated=str(body.get("updateTime") or ""), strangers=strangers(target, operation, found))
