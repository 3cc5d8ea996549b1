"""
Inverses: the write that undoes another one.

A delete undoes a create, a create with the same id undoes a delete, and an update undoes an update, for the
fields that its response changed. Bodies are earlier responses of the service, without the fields that it sets
itself. Everything that a write cannot restore is listed.
"""

from collections.abc import Iterator
from typing import Any

from cesplan.domain.field_path import MaskPath, canonical_cover
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Action, Purpose, Step, StepId
from cesplan.domain.settings import MaskDepth
from cesplan.domain.value import ABSENT, Body, comparable
from cesplan.engine.comparing.bodies import put, replaced, take
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.normalize import Normalized, normalize
from cesplan.engine.comparing.resource_names import Target
from cesplan.model.kinds import Kind
from cesplan.model.spec import FieldSpec, MessageSpec
from cesplan.model.walk import Rewriting, Trail

_TIMES = frozenset({"createTime", "updateTime", "etag", "name"})
"""Fields that are generated for each resource, whose loss does not matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged:
    """A successful write, with the resource before and after it; None if there was none."""

    target: Target
    step: Step
    before: Body | None
    answer: Body | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inverse:
    """
    How to undo a write.

    `step` is None if nothing has to be sent, or nothing can be; then `impossible` says why. `lost` lists what
    stays different, one line each.
    """

    step: Step | None = None
    impossible: str = ""
    lost: tuple[str, ...] = ()


def inverse_of(done: Acknowledged, depth: MaskDepth) -> Inverse:
    """The inverse of a write. `depth` is how deep the paths of a mask may go."""
    match done.step.action:
        case Action.CREATE:
            return Inverse(step=_step(done, Action.DELETE))
        case Action.UPDATE:
            return _of_update(done, depth)
        case Action.DELETE:
            return _of_delete(done)


def settable(spec: MessageSpec, body: Body) -> Body:
    """A body from the service without the fields that only the service can set. Unknown fields stay."""
    result: Body = _Settable().message(spec, body)
    return result


class _Settable(Rewriting):
    def field(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        return ABSENT if known.is_output or known.is_transport else super().field(known, value, at)


def made_otherwise(done: Acknowledged, answer: Body) -> tuple[str, ...]:
    """The fields that the service set differently in a re-created resource, as lines. Times do not count."""
    spec, before = done.target.kind.spec, done.before or {}
    names = (name for name, known in spec.fields.items() if known.is_output and name not in _TIMES)
    other = sorted(name for name in names if comparable(before.get(name)) != comparable(answer.get(name)))
    if not other or done.step.action is not Action.DELETE:
        return ()
    return (f"{', '.join(f'`{name}`' for name in other)}: set by the service, now with a different value",)


def _of_update(done: Acknowledged, depth: MaskDepth) -> Inverse:
    if done.before is None or done.answer is None:
        return Inverse(impossible="the previous state is unknown")
    spec = done.target.kind.spec
    mask = _changed(done, done.before, done.answer)
    if depth is MaskDepth.TOP:
        mask = canonical_cover(MaskPath(path.fields[:1]) for path in mask)
    lost = tuple(
        f"`{name}` is never returned by the service, so its previous value is unknown"
        for name in _input_only(spec)
        if name in done.step.body
    )
    if not mask:
        return Inverse(lost=lost)
    body: Body = {}
    before = settable(spec, done.before)
    for path in mask:
        value = take(before, path.fields, ABSENT)
        if value is not ABSENT:
            put(body, path.fields, value)
    return Inverse(step=_step(done, Action.UPDATE, body, mask), lost=lost)


def _changed(done: Acknowledged, before: Body, answer: Body) -> tuple[MaskPath, ...]:
    """The mask of an update from the current state to the previous one."""
    spec, naming = done.target.kind.spec, done.target.naming
    was, now = normalize(spec, before, naming), normalize(spec, answer, naming)
    mask = {change.mask for change in diff(spec, was.body, now.body, Scope())}
    reached = now.body
    for path in sorted(mask):
        reached = replaced(spec, reached, path, take(was.body, path.fields, ABSENT))
    # The walk ignores values that the server may have set, and does not see fields that the models do not know.
    newer = _unknown(was), _unknown(now)
    left = (
        path
        for path in done.step.mask
        if comparable(take(was.body, path.fields)) != comparable(take(reached, path.fields))
        or newer[0].get(path) != newer[1].get(path)
    )
    return canonical_cover([*mask, *left])


def _unknown(body: Normalized) -> dict[MaskPath, str]:
    """The fields that the models do not know and a mask can name, each with its value as text."""
    return {
        path.mask: comparable(value) for path, value in body.unknown if len(path.fields) == len(path.segments)
    }


def _of_delete(done: Acknowledged) -> Inverse:
    kind = done.target.kind
    if done.before is None:
        return Inverse(impossible="the previous state is unknown")
    if not kind.id_parameter or not kind.updatable:
        return Inverse(
            impossible=f"{kind.name} are created only by the service, so this one cannot be restored"
        )
    if kind.container:
        return Inverse(impossible="all its contents were deleted with it")
    lost = tuple(_never_comes_back(kind))
    return Inverse(step=_step(done, Action.CREATE, settable(kind.spec, done.before)), lost=lost)


def _never_comes_back(kind: Kind) -> Iterator[str]:
    for name in _input_only(kind.spec):
        yield f"`{name}` is never returned by the service: set it again if it was set"


def _input_only(spec: MessageSpec) -> Iterator[str]:
    """The fields that are sent but never returned."""
    return (name for name, known in spec.fields.items() if known.is_input_only)


def _step(
    done: Acknowledged, action: Action, body: Body | None = None, mask: tuple[MaskPath, ...] = ()
) -> Step:
    own = StepId(address=done.step.id.address, purpose=Purpose.UNDO)
    return Step(id=own, action=action, body=body or {}, mask=mask)
