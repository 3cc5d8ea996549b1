"""A plan through its file, and what three states of the service make of each other."""

from collections.abc import Mapping
from typing import Any

from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import Outcome, Started, Waiting
from cesplan.domain.plan import Plan
from cesplan.domain.reviewed import Reviewed
from cesplan.engine.applying.run import apply
from cesplan.engine.reviewing.recheck import Rechecked, recheck
from cesplan.engine.reviewing.record import review
from cesplan.render.machine.plan_file import plan_file_text, read_plan_file
from tests.properties.world import World

_OURS = ("@", "updateTime", "deploymentCount", "cesplan-", "snapshot")
"""What every write moves: times, counts, stamps, and the copies of all these in versions."""
_NOTHING: Any = object()


class Conflict(Exception):
    """Both sides changed the same place, and not in the same way."""


def filed(made: Plan, variables: Mapping[str, str] | None = None) -> Reviewed:
    """What comes out of the file that a plan is written to."""
    return read_plan_file(plan_file_text(review(made)), variables)


def again(world: World, reviewed: Reviewed) -> Rechecked:
    """The plan of a file against what is live now."""
    return recheck(reviewed, world.client(reviewed.plan.settings, read_only=True))


def carried_out(world: World, plan: Plan) -> list[Outcome]:
    """The outcomes of an apply."""
    events = apply(plan, world.client(plan.settings, read_only=False), ApplyOptions())
    return [event for event in events if not isinstance(event, Started | Waiting)]


def state(world: World) -> dict[str, Any]:
    """Everything that is there, as far as someone wrote it."""
    return {name: _without(body) for name, body in world.bodies().items()}


def merged(base: Any, theirs: Any, ours: Any) -> Any:
    """Both edits of a base, leaf by leaf. Raises Conflict if they meet."""
    if theirs in (base, ours):
        return ours
    if ours == base:
        return theirs
    if not all(isinstance(item, dict) for item in (base, theirs, ours)):
        raise Conflict
    keys = sorted({*base, *theirs, *ours})
    found = {
        key: merged(base.get(key, _NOTHING), theirs.get(key, _NOTHING), ours.get(key, _NOTHING)) for key in keys
    }
    return {key: value for key, value in found.items() if value is not _NOTHING}


def _without(body: Any) -> Any:
    if isinstance(body, dict):
        return {key: _without(value) for key, value in body.items() if not key.startswith(_OURS)}
    return [_without(item) for item in body] if isinstance(body, list) else body
