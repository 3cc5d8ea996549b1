"""What differences mean: verdicts on texts and schemas, weakened protection, and impact."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from cesplan.domain.address import Address
from cesplan.domain.change import Weakening
from cesplan.domain.features.drift import AppDrift, DriftClass, DriftItem, DriftKind
from cesplan.domain.field_path import FieldPath
from cesplan.domain.plan import Action, Operation, Plan
from cesplan.domain.value import Body, mask_secrets
from cesplan.features.impact.plan import with_impact
from cesplan.features.typed_diffs.verdicts import DiffReader
from cesplan.features.weakening.weakening import weakened_between, weakened_by_loss
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import redactor_of, redactor_over


def with_meaning(drift: AppDrift, plan: Plan) -> AppDrift:
    """
    The drift of an app with what its differences mean; `plan` is the plan that they come from. A difference
    from a live edit is described from the last applied state to live, and protection that it weakens is already
    weakened; a pending one is described as in the plan.
    """
    if not drift.items:
        return drift
    reading = DiffReader()
    operations = {item.address: item for item in with_impact(plan).shown}
    by_resource: dict[Address, list[DriftItem]] = defaultdict(list)
    for item in drift.items:
        by_resource[item.address].append(item)
    read = {
        id(item): made_
        for address, items in by_resource.items()
        for item, made_ in zip(items, _read(items, operations.get(address), reading), strict=True)
    }
    return replace(drift, items=tuple(read[id(item)] for item in drift.items))


def _read(items: list[DriftItem], operation: Operation | None, reading: DiffReader) -> Iterable[DriftItem]:
    """The differences of one resource."""
    bodies = _bodies(operation)
    found: dict[int, DriftItem] = {}
    for is_forward in (True, False):
        group = [item for item in items if _is_forward(item) is is_forward]
        sides = bodies if is_forward else bodies[::-1]
        for item, done in zip(group, _typed(group, sides, reading), strict=True):
            found[id(item)] = replace(
                done,
                weakens=_weakens(item, bodies),
                impact=operation.impact if operation else None,
            )
    return [found[id(item)] for item in items]


def _is_forward(item: DriftItem) -> bool:
    """Whether a difference is described from live to the tree."""
    return item.as_read is item.change


def _bodies(operation: Operation | None) -> tuple[Body, Body]:
    """The bodies of live and the tree, without secrets; empty if there is no update."""
    if operation is None or operation.action is not Action.UPDATE:
        return {}, {}
    redactor = redactor_of(operation)
    before, after = (mask_secrets(redactor.body(body or {})) for body in (operation.before, operation.after))
    return before or {}, after or {}


def _typed(items: list[DriftItem], sides: tuple[Body, Body], reading: DiffReader) -> list[DriftItem]:
    """The differences with their verdicts."""
    changes = tuple(item.as_read for item in items if item.as_read is not None)
    if not changes:
        return items
    kind = items[0].address.kind
    read = iter(reading.read_all(changes, kind, *sides, redactor_over(kind_of(kind).spec, ())))
    return [
        replace(item, change=replace(item.change, typed=next(read).typed)) if item.change else item
        for item in items
    ]


def _weakens(item: DriftItem, bodies: tuple[Body, Body]) -> tuple[Weakening, ...]:
    if item.drift_class is DriftClass.CONVERGED:
        return ()
    if item.change is None:
        return weakened_by_loss(item.address.kind) if item.kind is DriftKind.DELETED else ()
    live, tree = bodies
    sides = (live, tree) if item.drift_class is DriftClass.PENDING else (tree, live)
    path = item.change.path
    return tuple(
        found
        for found in weakened_between(item.address.kind, *sides)
        if _meet(FieldPath.parse(found.path), path)
    )


def _meet(one: FieldPath, other: FieldPath) -> bool:
    return one.is_inside(other) or other.is_inside(one)
