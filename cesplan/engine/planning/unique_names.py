"""
Unique names: display names that must be unique in an app, and that move to another resource.

The service refuses a second resource with the same name, so the new owner waits until the old one gives up the
name. If the old owner in turn waits for the new one (two resources that swap names; a delete that waits for an
update that waits for the create), the old owner first gets a temporary name, in a separate step.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import replace

from cesplan.domain.address import Address
from cesplan.domain.field_path import mask_path
from cesplan.domain.plan import Action, Purpose, Step, StepId
from cesplan.domain.value import Body
from cesplan.engine.comparing.bodies import put, take
from cesplan.engine.planning.draft import Draft
from cesplan.model.reachable import reachable

Steps = dict[Purpose, Step]


def hand_names_on(drafts: Mapping[Address, Draft], steps: MutableMapping[Address, Steps]) -> None:
    """Let each step that takes a name wait until the name is free."""
    for taker, giver in handovers(drafts):
        main = steps[taker][Purpose.MAIN]
        freeing = steps[giver][Purpose.MAIN]
        if Purpose.RENAME in steps[giver]:
            freeing = steps[giver][Purpose.RENAME]
        elif _waits_for(steps, freeing.id, main.id):
            freeing = _rename(drafts[giver], steps[giver])
        steps[taker][Purpose.MAIN] = replace(main, after=tuple(sorted({*main.after, freeing.id})))


def handovers(drafts: Mapping[Address, Draft]) -> Iterator[tuple[Address, Address]]:
    """The pairs of new and old owner of each unique name that moves, sorted by address."""
    named = [draft for _, draft in sorted(drafts.items()) if draft.kind.unique_display_name]
    givers = {
        _claim(draft, before): draft.address
        for draft in named
        if (before := _name(draft, draft.before)) != _name(draft, draft.after)
    }
    for draft in named:
        giver = givers.get(_claim(draft, _name(draft, draft.after)))
        if giver is not None and giver != draft.address and draft.action is not Action.DELETE:
            yield draft.address, giver


def name_of_the_moment(name: str, resource_id: str) -> str:
    """The temporary name of a resource while another one takes its name."""
    return f"{name} ({resource_id})"


def _claim(draft: Draft, name: str) -> tuple[str, str, str]:
    return (draft.address.app, draft.address.kind, name)


def _name(draft: Draft, body: Body | None) -> str:
    found = take(body or {}, _path(draft))
    return found if isinstance(found, str) else ""


def _path(draft: Draft) -> tuple[str, ...]:
    return tuple(draft.kind.display_name_at[0].split("."))


def _rename(draft: Draft, own: Steps) -> Step:
    """A step that frees the name of a resource before its other steps."""
    body: Body = {}
    put(body, _path(draft), name_of_the_moment(_name(draft, draft.before), draft.resource_id))
    step = Step(
        id=StepId(address=draft.address, purpose=Purpose.RENAME),
        action=Action.UPDATE,
        body=body,
        mask=(mask_path(draft.kind.display_name_at[0]),),
    )
    main = own[Purpose.MAIN]
    own[Purpose.RENAME] = step
    own[Purpose.MAIN] = replace(main, after=tuple(sorted({*main.after, step.id})))
    return step


def _waits_for(steps: Mapping[Address, Steps], who: StepId, whom: StepId) -> bool:
    """True if a step waits for another, directly or through others."""
    after = {step.id: step.after for own in steps.values() for step in own.values()}
    return whom in reachable([who], lambda step: after.get(step, ()))
