"""
The laws that one run of plan and apply shows, each as a function that fails if it is broken.

`lawful` tries all of them on one tree against what is live, and returns the plan.
"""

from collections import Counter
from typing import Any

from cesplan.domain.desired import Desired
from cesplan.domain.plan import Action, Operation, Plan, Reason, Step, steps_of
from cesplan.domain.value import Body, mask_secrets
from cesplan.model.kinds import Parent, kind_of
from cesplan.model.marks import OwnedByKey
from cesplan.model.scalars import Scalar
from cesplan.model.spec import MessageSpec
from tests.properties.trees import APP_NAME, WHERE
from tests.properties.walking import items
from tests.properties.world import Sent, World, insist

HTTP = {Action.CREATE: "POST", Action.UPDATE: "PATCH", Action.DELETE: "DELETE"}


def lawful(world: World, desired: Desired, **options: Any) -> Plan:
    """Plan, apply, plan again, and hold every law on the way."""
    before = world.bodies()
    world.forget()
    plan = world.plan(desired, **options)
    assert world.methods() <= {"GET"}, "law 2: plan never writes"
    assert world.bodies() == before
    assert not plan.refusals, plan.refusals
    outcomes = world.apply(plan)
    insist(outcomes)
    sent_is_planned(plan, world.sent())
    nothing_else_changed(plan, desired, before, world.bodies())
    again = world.plan(desired, **options)
    assert again.operations == (), f"law 1: apply, then plan is empty; planned {told(again)}"
    return plan


def sent_is_planned(plan: Plan, sent: list[Sent]) -> None:
    """Law 3: apply does exactly the plan's writes, each after those it waits for."""
    took = [item for item in sent if item.status == 200]
    refused = {item.status for item in sent if item.status != 200}
    assert refused <= {409}, "only a stale etag of our own making may be refused and sent again"
    expected = {step.id: expected_write(plan, operation, step) for operation, step in _steps(plan)}
    assert Counter(map(str, took)) == Counter(expected.values()), "law 3"
    texts = [str(item) for item in took]
    for step in steps_of(plan):
        for other in filter(expected.__contains__, step.after):  # a lock takes the place of a main step
            first, last = texts.index(expected[other]), len(texts) - 1 - texts[::-1].index(expected[step.id])
            assert first < last, f"{step.id} was sent before {other}"


def expected_write(plan: Plan, operation: Operation, step: Step) -> str:
    """The write that a step means, as the server should see it."""
    mask = ",".join(sorted(map(str, step.mask)))
    return str(Sent(method=HTTP[step.action], resource=name_of(operation), mask=mask))


def name_of(operation: Operation) -> str:
    """The resource name that an operation is about."""
    kind = kind_of(operation.address.kind)
    if kind.is_singleton:
        return f"{WHERE.name}/{kind.name}"
    parent = WHERE.name if kind.parent is Parent.LOCATION else APP_NAME
    return f"{parent}/{kind.name}/{operation.resource_id}"


def nothing_else_changed(plan: Plan, desired: Desired, before: dict[str, Body], after: dict[str, Body]) -> None:
    """Law 5: what is not managed never changes: other resources, other fields, other people's metadata."""
    gone = {name_of(item) for item in plan.operations if item.action is Action.DELETE}
    new = {name_of(item) for item in plan.operations if item.action is Action.CREATE}
    assert set(before) - set(after) == gone
    assert set(after) - set(before) - _settings_of_the_location(plan) == new
    masks: dict[str, set[tuple[str, ...]]] = {}
    for item in plan.operations:
        masks.setdefault(name_of(item), set()).update(path.fields for path in item.mask)
    for name in sorted(set(before) & set(after)):
        kind = kind_of(before[name].get("@kind") or kind_in(name))
        old, now = settled(kind.spec, before[name]), settled(kind.spec, after[name])
        for mask in sorted(masks.get(name, ())):
            old, now = _lacking(kind.spec, old, mask), _lacking(kind.spec, now, mask)
        assert now == old, f"law 5: {name} changed outside {sorted(masks.get(name, ()))}"
    _metadata_of_others_stay(desired, before, after)
    _what_files_do_not_declare_stays(plan, desired, before, after)


def told(plan: Plan) -> str:
    """A plan in a few words, for messages of failed tests."""
    return "; ".join(
        f"{item.action} {item.address} "
        + ", ".join(
            f"{change.path}: {mask_secrets(change.before)!r} → {mask_secrets(change.after)!r}"
            for change in item.changes
        )
        for item in plan.operations
    )


def _steps(plan: Plan) -> list[tuple[Operation, Step]]:
    return [(operation, step) for operation in plan.operations for step in operation.steps]


def _settings_of_the_location(plan: Plan) -> set[str]:
    """Resources that are there before anyone has written them."""
    return {name_of(item) for item in plan.operations if kind_of(item.address.kind).is_singleton}


def kind_in(name: str) -> str:
    parts = name.split("/")
    return parts[-1] if len(parts) % 2 else parts[-2]


def settled(spec: MessageSpec, body: Body) -> Body:
    """A body without what the service derives by itself from other resources."""
    made: Body = {}
    for name, value in body.items():
        known = spec.fields.get(name)
        if name.startswith("@") or (known is not None and known.is_output):
            continue
        if known is not None and known.scalar is Scalar.MESSAGE and items(known, value) == value:
            made[name] = [settled(known.message, item) for item in value]
        elif known is not None and known.scalar is Scalar.MESSAGE and items(known, value) == [value]:
            made[name] = settled(known.message, value)
        else:
            made[name] = value
    return made


def _lacking(spec: MessageSpec, body: Body, path: tuple[str, ...]) -> Body:
    """A body without the field at a path, without the other members of its oneof, and without empty parents."""
    head, *rest = path
    known = spec.fields.get(head)
    group = spec.oneofs.get(known.oneof, ()) if known else ()
    copy = {name: value for name, value in body.items() if name == head or name not in group}
    if not rest:
        copy.pop(head, None)
    elif known is not None and isinstance(copy.get(head), dict):
        copy[head] = _lacking(known.message, copy[head], tuple(rest))
        if not copy[head]:
            del copy[head]
    return copy


def _metadata_of_others_stay(desired: Desired, before: dict[str, Body], after: dict[str, Body]) -> None:
    shared = [known.name for known in kind_of("apps").spec.fields.values() if known.mark(OwnedByKey)]
    for name in shared:
        ours = desired.apps[0].app.body.get(name) or {}
        theirs = before.get(APP_NAME, {}).get(name, {})
        now = after.get(APP_NAME, {}).get(name, {})
        for key, value in theirs.items():
            if key not in ours and not key.startswith("cesplan-"):
                assert now.get(key) == value, f"law 5: the {name} of others: {key}"


def _what_files_do_not_declare_stays(
    plan: Plan, desired: Desired, before: dict[str, Body], after: dict[str, Body]
) -> None:
    """With declared ownership an absent field is someone else's, and an ignored one always is."""
    written = {item.address: item for item in plan.operations if item.reason is not Reason.STAMP}
    for item in desired.apps[0].all():
        operation = written.get(item.address)
        if operation is None or operation.action is not Action.UPDATE:
            continue
        spec, name = kind_of(item.address.kind).spec, name_of(operation)
        old, now = settled(spec, before[name]), settled(spec, after[name])
        left = {known.name for known in spec.settable if known.name not in item.body and not known.oneof}
        for field in sorted(left if item.ownership == "declared" else ()):
            if field not in (kind_of("apps").stamp_field, kind_of("apps").lock_field):
                assert now.get(field) == old.get(field), f"law 5: {item.address} does not declare {field}"
        for path in item.ignore:
            assert path.get(now) == path.get(old), f"law 5: {item.address} ignores {path}"
