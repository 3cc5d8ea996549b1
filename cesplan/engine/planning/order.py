"""
Ordering: turns drafts into operations whose steps know what they wait for.

References decide the order, and the rank of a kind only breaks ties. A create comes after everything that it
refers to, a delete after all steps that drop a reference to it, a version after all other writes of its app,
and the stamp and the lock last.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from cesplan.domain.address import Address, app_address
from cesplan.domain.field_path import FieldPath, MaskPath, mask_path
from cesplan.domain.plan import Action, Operation, Purpose, Step, StepId
from cesplan.domain.settings import MaskDepth
from cesplan.domain.value import ABSENT, Body
from cesplan.engine.comparing.bodies import replaced, take
from cesplan.engine.planning.cycles import cut_body, cut_cycles, cut_values, drop_references
from cesplan.engine.planning.draft import Draft
from cesplan.engine.planning.graph import topological
from cesplan.engine.planning.unique_names import hand_names_on
from cesplan.model.kinds import KINDS
from cesplan.model.spec import MessageSpec


def order(
    drafts: Sequence[Draft], force: frozenset[str] = frozenset(), depth: MaskDepth = MaskDepth.NESTED
) -> tuple[Operation, ...]:
    """
    The operations for these drafts, in an order in which their main steps could run one by one.

    `force` holds addresses that are deleted although others refer to them. `depth` is how deep masks may go.
    """
    by_address = {draft.address: draft for draft in drafts}
    steps = {draft.address: _steps(draft, force) for draft in drafts}
    _link_creates(by_address, steps, depth)
    _unlink_deletes(by_address, steps, depth)
    _wait_for_references(by_address, steps)
    _wait_for_app(by_address, steps)
    _wait_for_dropped_references(by_address, steps)
    _let_force_come_last(by_address, steps)
    hand_names_on(by_address, steps)
    _wait_for_writes(by_address, steps)
    return tuple(_operation(by_address[address], steps[address]) for address in _sequence(by_address, steps))


_Steps = dict[Purpose, Step]
_SEQUENCE = (Purpose.RENAME, Purpose.UNLINK, Purpose.MAIN, Purpose.LINK)


def _steps(draft: Draft, force: frozenset[str]) -> _Steps:
    main = Step(
        id=StepId(address=draft.address, purpose=Purpose.MAIN),
        action=draft.action,
        body=draft.body,
        mask=draft.mask,
        force=draft.action is Action.DELETE and str(draft.address) in force,
    )
    return {Purpose.MAIN: main}


def _link_creates(drafts: Mapping[Address, Draft], steps: Mapping[Address, _Steps], depth: MaskDepth) -> None:
    """Defer references: of creates in a cycle, and of an app, which must exist before its contents."""
    creates = {address: draft for address, draft in drafts.items() if draft.action is Action.CREATE}
    bodies = {address: draft.body for address, draft in creates.items()}
    cuts = {**cut_cycles(creates, bodies), **_parent_cuts(creates)}
    for address, paths in cuts.items():
        main = steps[address][Purpose.MAIN]
        mask = _as_deep_as(depth, paths)
        steps[address][Purpose.MAIN] = replace(main, body=cut_body(main.body, paths))
        steps[address][Purpose.LINK] = Step(
            id=StepId(address=address, purpose=Purpose.LINK),
            action=Action.UPDATE,
            body=cut_values(main.body, mask),
            mask=mask,
            after=(main.id,),
        )


def _as_deep_as(depth: MaskDepth, paths: Iterable[MaskPath]) -> tuple[MaskPath, ...]:
    """The mask paths for these fields: the fields themselves, or the top-level fields that contain them."""
    if depth is MaskDepth.NESTED:
        return tuple(paths)
    return tuple(sorted({MaskPath(path.fields[:1]) for path in paths}))


def _parent_cuts(creates: Mapping[Address, Draft]) -> dict[Address, tuple[MaskPath, ...]]:
    """All references of a new app, which are set later because it is created before its contents."""
    return {
        address: tuple(sorted({_cut_of(draft, path) for path, _ in draft.references_in(draft.body)}))
        for address, draft in creates.items()
        if draft.kind.container and draft.references_in(draft.body)
    }


def _cut_of(draft: Draft, path: FieldPath) -> MaskPath:
    cuts = map(mask_path, draft.kind.cuts)
    return next((cut for cut in cuts if cut.covers(path.mask)), path.mask)


def _unlink_deletes(drafts: Mapping[Address, Draft], steps: Mapping[Address, _Steps], depth: MaskDepth) -> None:
    """For deletes in a cycle, let one of them drop its reference first."""
    going = {address: draft for address, draft in drafts.items() if draft.action is Action.DELETE}
    bodies = {address: draft.before or {} for address, draft in going.items()}
    names = frozenset(address.within_app for address in going)
    for address, paths in cut_cycles(going, bodies).items():
        main = steps[address][Purpose.MAIN]
        mask = _as_deep_as(depth, paths)
        unlink = Step(
            id=StepId(address=address, purpose=Purpose.UNLINK),
            action=Action.UPDATE,
            body=_unlinked(going[address].kind.spec, bodies[address], mask, paths, names),
            mask=mask,
        )
        steps[address][Purpose.UNLINK] = unlink
        steps[address][Purpose.MAIN] = replace(main, after=(*main.after, unlink.id))


def _unlinked(
    spec: MessageSpec,
    body: Body,
    mask: Iterable[MaskPath],
    cuts: Iterable[MaskPath],
    going: frozenset[str],
) -> Body:
    """The part of a body in a mask, without references to deleted resources (`going`) in the cut fields."""
    left = drop_references(spec, body, cuts, going)
    values = cut_values(body, mask)
    for path in cuts:
        values = replaced(spec, values, path, take(left, path.fields, ABSENT))
    return values


def _wait_for_references(drafts: Mapping[Address, Draft], steps: Mapping[Address, _Steps]) -> None:
    """
    Let each create and update wait for the creates that it refers to, and the contents of an app for the app.
    """
    written = {a for a, draft in drafts.items() if draft.action is not Action.DELETE}
    created = {a for a in written if drafts[a].action is Action.CREATE or drafts[a].kind.container}
    for address, own in steps.items():
        for purpose, step in own.items():
            if step.action is Action.DELETE:
                continue
            named = _named(drafts[address], step.body)
            own[purpose] = _after(step, (_main(target) for target in named & created if target != address))


def _wait_for_app(drafts: Mapping[Address, Draft], steps: Mapping[Address, _Steps]) -> None:
    """Let the contents of an app wait for the create of the app."""
    for address, own in steps.items():
        app = drafts.get(app_address(address.app))
        if app is None or app.address == address or app.action is not Action.CREATE:
            continue
        for purpose, step in own.items():
            own[purpose] = _after(step, [_main(app.address)])


def _wait_for_dropped_references(drafts: Mapping[Address, Draft], steps: Mapping[Address, _Steps]) -> None:
    """Let each delete wait for all steps that drop a reference to it."""
    going = {address for address, draft in drafts.items() if draft.action is Action.DELETE}
    snapshots = {address for address, draft in drafts.items() if _is_new_snapshot(draft)}
    droppers: dict[Address, list[StepId]] = defaultdict(list)
    for address, draft in drafts.items():
        if draft.references_after & snapshots and draft.action is not Action.DELETE:
            # A schedule for the new version is written after the version, which waits for all deletes. It is
            # not documented that a schedule blocks a delete.
            continue
        for target in sorted((draft.references_before - draft.references_after) & going):
            if target != address:
                droppers[target].append(_dropping_step(draft, steps[address], target))
    for target, waits in droppers.items():
        main = steps[target][Purpose.MAIN]
        steps[target][Purpose.MAIN] = _after(main, waits)


def _let_force_come_last(drafts: Mapping[Address, Draft], steps: Mapping[Address, _Steps]) -> None:
    """
    Let each forced delete wait for the writes of the resources that it changes, so that none happens meanwhile.
    """
    for address, own in steps.items():
        if not own[Purpose.MAIN].force:
            continue
        users = [
            item
            for item in drafts[address].remaining_referrers
            if item in drafts and not drafts[item].kind.is_late
        ]
        own[Purpose.MAIN] = _after(
            own[Purpose.MAIN], [step.id for item in users for step in steps[item].values()]
        )


def _dropping_step(draft: Draft, own: _Steps, target: Address) -> StepId:
    unlink = own.get(Purpose.UNLINK)
    if unlink is None:
        return own[Purpose.MAIN].id
    left = draft.references_in(draft.before or {})
    still = {named for path, named in left if not any(cut.covers(path.mask) for cut in unlink.mask)}
    return own[Purpose.MAIN].id if target in still else unlink.id


def _wait_for_writes(drafts: Mapping[Address, Draft], steps: Mapping[Address, _Steps]) -> None:
    """Let each version wait for all other writes of its app, except those that need versions."""
    for address, draft in drafts.items():
        if not _is_new_snapshot(draft):
            continue
        waits = [
            step.id
            for other, own in steps.items()
            if other.app == address.app and not drafts[other].kind.is_late
            for step in own.values()
        ]
        steps[address][Purpose.MAIN] = _after(steps[address][Purpose.MAIN], waits)


def _is_new_snapshot(draft: Draft) -> bool:
    return draft.kind.is_snapshot and draft.action is Action.CREATE


def _sequence(drafts: Mapping[Address, Draft], steps: Mapping[Address, _Steps]) -> list[Address]:
    """The addresses in the order of their main steps."""
    after = {step.id: step.after for own in steps.values() for step in own.values()}

    def key(step: StepId) -> tuple[str, bool, int, Address]:
        draft = drafts[step.address]
        return (step.address.app, draft.action is Action.DELETE, draft.kind.rank, step.address)

    ordered = topological(after, key)
    return [step.address for step in ordered if step.purpose is Purpose.MAIN]


def _named(draft: Draft, body: Body) -> set[Address]:
    """The resources that a body refers to. A name declared inside the app's body counts as the app."""
    targets = {target for _, target in draft.references_in(body)}
    return {item if item.kind in KINDS else app_address(item.app) for item in targets}


def _main(address: Address) -> StepId:
    return StepId(address=address, purpose=Purpose.MAIN)


def _after(step: Step, more: Iterable[StepId]) -> Step:
    return replace(step, after=tuple(sorted({*step.after, *more})))


def _operation(draft: Draft, own: _Steps) -> Operation:
    return Operation(
        **draft.of_resource,
        steps=tuple(own[purpose] for purpose in _SEQUENCE if purpose in own),
        seen=draft.live.body if draft.live else None,
        etag=draft.live.etag if draft.live else "",
        used_by=draft.users,
        still_used_by=draft.remaining_referrers,
    )
