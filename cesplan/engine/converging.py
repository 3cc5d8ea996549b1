"""
Converging: did the server take what was asked?

Its answer to a write is the full resource (AIP-133, 134), so what did not take can be named at once. What
was not asked is no shortfall: servers fill in defaults, and other fields belong to others.
"""

from collections.abc import Iterator, Sequence

from cesplan.domain.field_path import FieldPath, MaskPath
from cesplan.domain.plan import Action, Operation
from cesplan.domain.settings import Ownership
from cesplan.domain.value import Body
from cesplan.engine.canonical_scalars import canonical_free_form
from cesplan.engine.composing import take
from cesplan.engine.diffing import Scope, diff
from cesplan.engine.normalizing import Normalized, normalize
from cesplan.engine.pairing import comparable
from cesplan.engine.targeting import Target


def not_converged(target: Target, operation: Operation, answer: Body) -> tuple[str, ...]:
    """The fields that an operation asked for and its last answer does not have, as paths in text, sorted."""
    if operation.after is None:
        return ()
    mask = operation.mask if operation.action is Action.UPDATE else ()
    found = set(shortfalls(target, operation.after, answer, mask))
    for step in operation.steps:
        found.update(_untaken_extras(target, step.body, answer))
    return tuple(sorted(found))


def shortfalls(
    target: Target,
    asked: Body,
    answer: Body,
    mask: Sequence[MaskPath] = (),
    ignored: frozenset[str] = frozenset(),
) -> tuple[str, ...]:
    """
    Where an answer is not what was asked: paths in text, sorted.

    Fields that are absent from `asked` were not asked for, unless the mask names them: they are cleared. With
    a mask nothing outside it counts.
    """
    want = normalize(target.kind.spec, asked, target.naming)
    got = normalize(target.kind.spec, answer, target.naming)
    changes = diff(target.kind.spec, want.body, got.body, _scope(want, got, mask, ignored))
    found = {str(change.path) for change in changes if _is_asked(change.path.mask, mask)}
    return tuple(sorted(found | set(_untaken_extras(target, asked, answer))))


def _scope(want: Normalized, got: Normalized, mask: Sequence[MaskPath], ignored: frozenset[str]) -> Scope:
    cleared = (path for path in mask if take(want.body, path.fields) is None)
    return Scope(
        ownership=Ownership.DECLARED,
        named=frozenset(FieldPath(path.fields) for path in cleared),
        ignored=ignored,
        unknown=frozenset(path for path, _ in got.unknown),
    )


def _is_asked(path: MaskPath, mask: Sequence[MaskPath]) -> bool:
    return not mask or any(asked.covers(path) or path.covers(asked) for asked in mask)


def _untaken_extras(target: Target, asked: Body, answer: Body) -> Iterator[str]:
    """Fields newer than the models, outside lists and maps, that the answer has otherwise or not at all."""
    for path, value in normalize(target.kind.spec, asked, target.naming).unknown:
        if len(path.fields) != len(path.segments):
            continue
        got = take(answer, path.fields)
        if comparable(canonical_free_form(value)) != comparable(canonical_free_form(got)):
            yield str(path)
