"""The places where an operation weakens protection: one walk over both bodies, guided by the model's marks."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, assert_never

from cesplan.domain.address import APPS, AppKey, KindName
from cesplan.domain.app_metadata.stamp import Stamp, read_stamp
from cesplan.domain.change import Weakening
from cesplan.domain.field_path import Element, FieldPath, Index, Segment
from cesplan.domain.plan import Action, Operation, Plan, Reason
from cesplan.domain.text.words import some_of
from cesplan.domain.value import canonical_text, holds_secret, is_number, mask_secrets
from cesplan.engine.comparing.pairs import Pair, align, pair_by_keys
from cesplan.features.weakening.codes import CODE_OF, GUARDRAIL, UNPROTECTED
from cesplan.model.kinds import kind_of
from cesplan.model.marks import Falls, Protects
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec
from cesplan.render.field_redactor import redactor_of

_ROOT = FieldPath()
_MOST_NAMED = 5
_LONGEST_VALUE = 60


def with_weakening(plan: Plan) -> Plan:
    """The plan with the weakened protection of each operation."""
    return replace(plan, operations=tuple(_operation(item, plan) for item in plan.operations))


def _operation(operation: Operation, plan: Plan) -> Operation:
    found = tuple(_weakened(operation, plan))
    return replace(operation, weakens=found) if found else operation


def _weakened(operation: Operation, plan: Plan) -> Iterator[Weakening]:
    match operation.action:
        case Action.CREATE:
            return
        case Action.DELETE:
            yield from weakened_by_loss(operation.address.kind)
        case Action.UPDATE if operation.reason is Reason.STAMP:
            yield from _unprotected(operation, plan)
        case Action.UPDATE:
            redactor = redactor_of(operation)
            sides = (redactor.body(body) for body in (operation.before, operation.after))
            before, after = (mask_secrets(side) if holds_secret(side) else side for side in sides)
            yield from weakened_between(operation.address.kind, before, after)


def weakened_between(kind: KindName, before: Any, after: Any) -> tuple[Weakening, ...]:
    """The places where protection is weakened between two bodies of a resource, both without secrets."""
    return tuple(weakened(kind_of(kind).spec, before or {}, after or {}))


def weakened_by_loss(kind: KindName) -> tuple[Weakening, ...]:
    """The protection lost when a resource of this kind is deleted."""
    known = kind_of(kind)
    return (Weakening(code=GUARDRAIL, path="", text="the guardrail is deleted"),) if known.protects else ()


def weakened(spec: MessageSpec, before: Any, after: Any, path: FieldPath = _ROOT) -> Iterator[Weakening]:
    """
    The places under a path where protection is weakened; a message missing on one side is None there.
    Does not use the shared walker, because it walks two bodies at once, by the keys of the earlier one.
    """
    for known in spec.fields.values():
        if known.is_output or known.is_transport:
            continue
        pair = tuple(side.get(known.name) if isinstance(side, dict) else None for side in (before, after))
        if pair[0] == pair[1]:  # nothing is weakened here; true of most fields in an update
            continue
        here = path / known.name
        mark = known.mark(Protects)
        if mark and (text := _fall(mark, pair[0], pair[1], is_kept=after is not None)):
            yield Weakening(code=CODE_OF[mark.what], path=str(here), text=f"{here}: {text}")
        if known.scalar is Scalar.MESSAGE:
            for segment, one, other in _pairs(known, pair[0], pair[1]):
                inside = here if segment is None else here / segment
                yield from weakened(known.message, one, other, inside)


def _fall(mark: Protects, before: Any, after: Any, *, is_kept: bool) -> str:
    """The weakening as text; empty if there is none. `is_kept`: the message around the field still exists."""
    match mark.falls:
        case Falls.WHEN_FALSE:
            return "true → false" if before is True and after is not True else ""
        case Falls.WHEN_TRUE:
            return "false → true" if before is not True and after is True else ""
        case Falls.WHEN_LOWER:
            was, now = (_number(value, mark.absent) for value in (before, after))
            return f"{_value_text(before, mark)} → {_value_text(after, mark)}" if now < was else ""
        case Falls.WHEN_LAXER:
            was, now = (_rank(value, mark) for value in (before, after))
            return f"{_value_text(before, mark)} → {_value_text(after, mark)}" if now > was else ""
        case Falls.WHEN_FEWER:
            return _named("removes", _surplus(before, after))
        case Falls.WHEN_MORE:
            if mark.absent:  # an empty list means everything
                if before and not after:
                    return f"{mark.absent} instead of {_named('only', list(before))}"
                return _named("adds", _surplus(after, before)) if before else ""
            return _named("adds", _surplus(after, before))
        case Falls.WHEN_GONE:
            return "removed" if before and not after and is_kept else ""
    assert_never(mark.falls)


def _number(value: Any, absent: str) -> float:
    return float(value if is_number(value) else absent or 0)


def _rank(value: Any, mark: Protects) -> int:
    """How lax a value is; an unknown value counts as the laxest."""
    word = value or mark.absent
    return mark.order.index(word) if word in mark.order else len(mark.order)


def _value_text(value: Any, mark: Protects) -> str:
    if value is not None:
        return str(value)
    return f"not set ({mark.absent})" if mark.absent else "not set"


def _surplus(these: Any, those: Any) -> list[Any]:
    known = {canonical_text(item) for item in those or []}
    return [item for item in these or [] if canonical_text(item) not in known]


def _named(word: str, items: list[Any]) -> str:
    if not items:
        return ""
    names = [name if len(name) <= _LONGEST_VALUE else f"{name[:_LONGEST_VALUE]}…" for name in map(str, items)]
    return f"{word} {some_of(names, _MOST_NAMED)}"


def _pairs(known: FieldSpec, before: Any, after: Any) -> Iterator[tuple[Segment | None, Any, Any]]:
    """The messages in a field before the change, each with its counterpart after it, None if it is gone."""
    if known.cardinality is Cardinality.ONE:
        yield None, before, after
    elif known.cardinality is Cardinality.LIST:
        old, new = before or [], after or []
        pairs: Sequence[tuple[Element | Index, Pair]] | None = pair_by_keys(known, new, old)
        if pairs is None:
            pairs = [(Index(pair.desired), pair) for pair in align(new, old).pairs if pair.desired is not None]
        there = [(pair.live, pair.desired, segment) for segment, pair in pairs if pair.live is not None]
        for one, other, segment in sorted(there, key=lambda item: item[0]):
            yield segment, old[one], None if other is None else new[other]


def _unprotected(operation: Operation, plan: Plan) -> Iterator[Weakening]:
    """The resources that had `$protect` at the last apply and no longer do, according to the stamps."""
    old, new = (_stamp(body, operation.address.app, plan) for body in (operation.before, operation.after))
    naming = plan.namings.get(operation.address.app)
    for name in sorted(old.protected - new.protected):
        kind, _, resource_id = name.partition("/")
        key = naming.keys.get((kind, resource_id), resource_id) if naming else resource_id
        shown = str(operation.address.app) if kind == APPS else f"{kind}/{key}"
        yield Weakening(code=UNPROTECTED, path="", text=f"{shown}: $protect is removed")


def _stamp(body: Any, app: AppKey, plan: Plan) -> Stamp:
    metadata = body.get("metadata") if isinstance(body, dict) else None
    naming = plan.namings.get(app)
    return read_stamp(metadata, naming.app_name if naming else "")
