"""
Verification: is a resource still as it was seen before?

Output-only fields, the etag, the order of sets, and other noise do not count. Fields that the models do not
know cannot be distinguished from noise. They count only if this write would replace them and the etag has
changed.

A resource may have changed to exactly the planned state, usually because two pipelines apply the same commit at
the same time. Then nothing is left to do, and there is no conflict.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from cesplan.domain.app_metadata.lease import without_lease
from cesplan.domain.field_path import FieldPath, MaskPath
from cesplan.domain.plan import Action, Operation, Purpose, Step
from cesplan.domain.value import Body, comparable
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.dropped_references import without_references
from cesplan.engine.comparing.normalize import Normalized, normalize
from cesplan.engine.comparing.resource_names import Target
from cesplan.engine.comparing.scalars import canonical_free_form
from cesplan.engine.comparing.snapshot import makes_version
from cesplan.engine.comparing.stamp import without_stamp


def changed_since(
    target: Target,
    seen: Body,
    live: Body,
    mask: Sequence[MaskPath] = (),
    deleted: frozenset[str] = frozenset(),
) -> tuple[str, ...]:
    """
    The fields in which a resource differs from what was seen, as sorted path texts.

    `mask` is what the next update replaces; empty for a delete, which replaces everything. References to
    `deleted`, which this run deletes by force, do not count: the service removes them from other resources.
    """
    spec = target.kind.spec
    seen, live = _unleased(target, seen), _unleased(target, live)
    before, now = (_without(normalize(spec, body, target.naming), target, deleted) for body in (seen, live))
    # In both directions, because a walk ignores values that only its live side has and the server may have set.
    changes = (*diff(spec, before.body, now.body, Scope()), *diff(spec, now.body, before.body, Scope()))
    paths = {str(change.path) for change in changes}
    if not _is_vouched_for(seen, live):
        paths |= _strange_changes(target, before, now, mask)
    return tuple(sorted(paths))


def _unleased(target: Target, body: Body) -> Body:
    """The body without the lease, which does not count as part of the app."""
    name = target.kind.stamp_field
    return without_lease(body, name) if name else body


def _without(body: Normalized, target: Target, deleted: frozenset[str]) -> Normalized:
    return replace(body, body=without_references(target.kind.spec, body.body, deleted)) if deleted else body


def _is_vouched_for(seen: Body, live: Body) -> bool:
    return bool(seen.get("etag")) and seen.get("etag") == live.get("etag")


def _strange_changes(target: Target, before: Normalized, now: Normalized, mask: Sequence[MaskPath]) -> set[str]:
    one, other = dict(_unknown_values(target, before, mask)), dict(_unknown_values(target, now, mask))
    return {str(path) for path in {*one, *other} if one.get(path) != other.get(path)}


def _unknown_values(
    target: Target, body: Normalized, mask: Sequence[MaskPath]
) -> Iterator[tuple[FieldPath, str]]:
    """The fields that a write replaces and the models do not know, each with its value as text."""
    for path, value in body.unknown:
        replaced = not mask or any(item.covers(path.mask) for item in mask)
        if replaced and path.segments[0] not in target.kind.expensive_fields:
            yield path, _text(value)


def _text(value: Any) -> str:
    return comparable(canonical_free_form(value))


def is_as_planned(target: Target, operation: Operation, step: Step, live: Body) -> bool:
    """
    True if a resource already is exactly as planned, because someone else changed it.

    False if this cannot be decided: a version may be a copy of anything, and credentials are never returned.
    """
    if makes_version(operation) or step.action is Action.DELETE:
        return False
    if step.id.purpose is Purpose.STAMP:
        return _stamp(target, step.body) == _stamp(target, live)
    if step.id.purpose in (Purpose.LOCK, Purpose.UNLOCK):
        return False
    sent = normalize(target.kind.spec, step.body, target.naming)
    if sent.input_only or sent.unknown or operation.after is None:
        return False
    expected = [operation.after]
    if step.action is Action.CREATE:  # references that must wait are set in a later step
        expected.append(sent.body)
    return any(_is_equal(target, body, live, step) for body in expected)


def _is_equal(target: Target, planned: Body, live: Body, step: Step) -> bool:
    spec, now = target.kind.spec, normalize(target.kind.spec, live, target.naming).body
    if target.kind.stamp_field:
        planned, now = without_stamp(planned), without_stamp(now)
    if diff(spec, planned, now, Scope()):
        return False
    # The other direction shows what only live has. In a new resource, the service sets some fields itself.
    return step.action is Action.CREATE or not diff(spec, now, planned, Scope())


def _stamp(target: Target, body: Body) -> str:
    """The metadata of an app without what may differ between two applies of one tree: lease and sequence."""
    name = target.kind.stamp_field
    kept: Any = without_lease({name: body.get(name) or {}}, name).get(name) or {}
    return comparable({key: value for key, value in kept.items() if not key.endswith("-sequence")})
