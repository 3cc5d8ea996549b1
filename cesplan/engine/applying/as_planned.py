"""
Already as planned: what moved since the plan was made may have moved to exactly what the plan says.

Two pipelines that apply one commit at the same time are the usual case: the second has nothing left to do, and
nothing of anybody is in its way.
"""

from typing import Any

from cesplan.domain.lease import without_lease
from cesplan.domain.plan import Operation, Purpose, Step, Write
from cesplan.domain.value import Body
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.pairs import comparable
from cesplan.engine.comparing.resource_names import Target
from cesplan.engine.comparing.snapshot import makes_version
from cesplan.engine.comparing.stamp import without_stamp


def is_as_planned(target: Target, operation: Operation, step: Step, found: Body) -> bool:
    """
    True where a resource is whole what a plan makes of it, though another did it.

    Never where nobody can tell: a version may hold a copy of anything, and credentials do not come back.
    """
    if makes_version(operation) or step.write is Write.DELETE:
        return False
    if step.id.purpose is Purpose.STAMP:
        return _stamp(target, step.body) == _stamp(target, found)
    if step.id.purpose in (Purpose.LOCK, Purpose.UNLOCK):
        return False
    sent = normalize(target.kind.spec, step.body, target.naming)
    if sent.input_only or sent.unknown or operation.after is None:
        return False
    wanted = [operation.after]
    if step.write is Write.CREATE:  # what has to wait for others comes in a later step
        wanted.append(sent.body)
    return any(_is_equal(target, body, found, step) for body in wanted)


def _is_equal(target: Target, wanted: Body, found: Body, step: Step) -> bool:
    spec, now = target.kind.spec, normalize(target.kind.spec, found, target.naming).body
    if target.kind.stamp_field:
        wanted, now = without_stamp(wanted), without_stamp(now)
    if diff(spec, wanted, now, Scope()):
        return False
    # The other direction shows what only live has; of what was just made the service fills in some itself.
    return step.write is Write.CREATE or not diff(spec, now, wanted, Scope())


def _stamp(target: Target, body: Body) -> str:
    """The metadata of an app without what two applies of one tree may have apart: lease and sequence."""
    name = target.kind.stamp_field
    kept: Any = without_lease({name: body.get(name) or {}}, name).get(name) or {}
    return comparable({key: value for key, value in kept.items() if not key.endswith("-sequence")})
