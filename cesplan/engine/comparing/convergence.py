"""
Convergence: did the server accept all requested values?

The response to a write is the full resource (AIP-133, 134), so missing values can be reported at once. Other
differences are not shortfalls: servers set defaults, and other fields belong to others.
"""

from collections.abc import Iterable, Iterator, Sequence

from cesplan.domain.change import FieldChange
from cesplan.domain.field_path import FieldPath, MaskPath
from cesplan.domain.plan import Action, Operation
from cesplan.domain.settings import Ownership
from cesplan.domain.value import Body, comparable
from cesplan.engine.comparing.bodies import take
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.ignored_fields import with_values_of
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.resource_names import Target
from cesplan.engine.comparing.scalars import canonical_free_form


def not_converged(target: Target, operation: Operation, answer: Body) -> tuple[str, ...]:
    """The requested fields of an operation that its last response does not have, as sorted path texts."""
    if operation.after is None:
        return ()
    mask = operation.mask if operation.action is Action.UPDATE else ()
    found = set(shortfalls(target, operation.after, answer, mask))
    for step in operation.steps:
        found.update(_missing_extras(target, step.body, answer))
    return tuple(sorted(found))


def shortfalls(
    target: Target,
    requested: Body,
    answer: Body,
    mask: Sequence[MaskPath] = (),
    ignored: Sequence[FieldPath] = (),
) -> tuple[str, ...]:
    """
    Where a response differs from the request, as sorted path texts.

    Fields that are absent from `requested` were not requested, unless the mask names them: then they are
    cleared. If there is a mask, nothing outside it counts.
    """
    spec = target.kind.spec
    want, got = normalize(spec, requested, target.naming), normalize(spec, answer, target.naming)
    body = with_values_of(spec, want.body, got.body, ignored)
    unknown = frozenset(path for path, _ in got.unknown)
    lenient = Scope(ownership=Ownership.DECLARED, unknown=unknown)
    found = _paths(diff(spec, body, got.body, lenient), mask)
    cleared = [path for path in mask if take(want.body, path.fields) is None]
    if cleared:
        found |= _paths(diff(spec, body, got.body, Scope(unknown=unknown)), cleared)
    return tuple(sorted(found | set(_missing_extras(target, requested, answer))))


def _paths(changes: Iterable[FieldChange], mask: Sequence[MaskPath]) -> set[str]:
    """The places that a mask covers; an empty mask covers all."""
    return {
        str(change.path)
        for change in changes
        if not mask or any(path.covers(change.path.mask) for path in mask)
    }


def _missing_extras(target: Target, requested: Body, answer: Body) -> Iterator[str]:
    """Unknown fields outside lists and maps that the response lacks or has with another value."""
    known = target.kind.spec.fields
    for path, value in normalize(target.kind.spec, requested, target.naming).unknown:
        head = known.get(path.fields[0])
        never_comes_back = head is not None and head.is_input_only
        if never_comes_back or len(path.fields) != len(path.segments):
            continue
        got = take(answer, path.fields)
        if comparable(canonical_free_form(value)) != comparable(canonical_free_form(got)):
            yield str(path)
