"""
Invariants 4, 9 and 10 of the design on generated trees, whatever goes wrong with their writes.

Each begins with one tree applied and goes on to another, so that a run creates, updates and deletes.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import event

from cesplan.domain.address import KindName
from cesplan.domain.desired import Desired
from cesplan.domain.outcome import NotRolledBack, Unknown
from cesplan.domain.plan import Plan
from cesplan.model.kinds import KINDS
from tests.faults.desk import Worlds, acknowledged, apply_over, roll_over, state, unlike
from tests.faults.test_crash import REFUSALS, TRANSIENT
from tests.faults.wire import Fault, Script, at, cut_after, cut_before, lost_before, nothing
from tests.properties.dice import Dice
from tests.properties.edits import edited
from tests.properties.steadily import steadily
from tests.properties.trees import tree
from tests.properties.world import World, insist

_NO_EFFECT: Mapping[str, Fault] = {**REFUSALS, "429": TRANSIENT["429"], "lost before": lost_before}
"""Faults under which the service never acts behind our back, so that it acknowledges what took effect."""

_NAMED = ("agents", "guardrails", "evaluations", "evaluationDatasets", "deployments")


def another(dice: Dice, first: Desired) -> Desired:
    """Another tree altogether, or the same with a few edits."""
    if dice.chance(50):
        return tree(dice)
    for _ in range(4):
        first = edited(dice, first).desired
    return first


def at_first(world: World, throws: Dice) -> tuple[Desired, Desired, Plan]:
    """A tree that is applied, another one, and the plan that leads there."""
    first = tree(throws)
    world.carry_out(first)
    second = another(throws, first)
    made = world.plan(second)
    event(f"{min(len(made.operations), 20)} operations")
    return first, second, made


def steps(made: Plan) -> int:
    return sum(len(operation.steps) for operation in made.operations)


def some_faults(dice: Dice, made: Plan, kinds: Mapping[str, Fault]) -> Script:
    """A few faults, anywhere among the writes of a plan."""
    chosen = {1 + dice.below(max(steps(made), 1)): kinds[dice.pick(sorted(kinds))] for _ in range(3)}
    return lambda number, call: chosen.get(number)


def a_crash(worlds: Worlds, throws: Dice) -> None:
    world = worlds()
    first, second, made = at_first(world, throws)
    if made.refusals or not made.operations:
        return
    insist(world.apply(made))
    wanted = state(world)
    world.fresh()
    world.carry_out(first)
    fault = throws.pick((cut_before, cut_after))
    apply_over(world, world.plan(second), at(1 + throws.below(steps(made)), fault))
    insist(world.apply(world.plan(second)))
    assert unlike(state(world), wanted) == []
    assert world.plan(second).is_empty


def a_foreign_edit(worlds: Worlds, throws: Dice) -> None:
    world = worlds()
    _, _, made = at_first(world, throws)
    theirs = sorted(name for name in state(world) if name.split("/")[-2] in _NAMED)
    if made.refusals or not made.operations or not theirs:
        return
    name = throws.pick(theirs)
    world.emulator.break_with(
        {
            "method": throws.pick(("*", "Update*", "Delete*", "Create*")),
            "skip": throws.below(2 * steps(made)),
            "edit": {"name": name, "body": {"displayName": "Theirs"}, "after": throws.chance(30)},
        }
    )
    apply_over(world, made, nothing, workers=throws.pick((1, 8)))
    [fault] = world.emulator.faults.report()
    event(f"edited: {fault['consumed']}")
    if fault["consumed"]:
        assert state(world)[name]["displayName"] == "Theirs"


def the_counts(worlds: Worlds, throws: Dice) -> None:
    world = worlds()
    _, _, made = at_first(world, throws)
    if made.refusals:
        return
    before, script = state(world), some_faults(throws, made, _NO_EFFECT)
    world.forget()
    how = throws.pick(("continue", "stop", "rollback"))
    outcomes, undone, _ = roll_over(world, made, script, on_error=how, workers=throws.pick((1, 8)))
    assert sum(item.writes for item in (*outcomes, *undone)) == acknowledged(world)
    if undone and not any(isinstance(item, NotRolledBack) for item in undone):
        event("rolled back")
        assert unlike(state(world), before) == []


def the_counts_after_lost_answers(worlds: Worlds, throws: Dice) -> None:
    world = worlds()
    _, _, made = at_first(world, throws)
    if made.refusals:
        return
    script = some_faults(throws, made, TRANSIENT)
    world.forget()
    outcomes, _ = apply_over(world, made, script)
    told, unknown = sum(item.writes for item in outcomes), sum(isinstance(item, Unknown) for item in outcomes)
    assert told <= acknowledged(world) <= told + unknown


def without(first: Desired, kind: KindName) -> Desired:
    """A tree that empties the folder of a kind and has no others: resources that refer to deleted ones stay."""
    (app,) = first.apps
    left = replace(app, resources=(), folders=frozenset({kind}))
    return replace(first, apps=(left,), location_resources=())


def by_force(worlds: Worlds, throws: Dice) -> None:
    world = worlds(force_removes=throws.pick(("documented", "all")))
    first = tree(throws)
    world.carry_out(first)
    kind = throws.pick([kind.name for kind in KINDS.values() if kind.forceable])
    going = frozenset(str(item.address) for item in first.apps[0].resources if item.address.kind == kind)
    made = world.plan(without(first, kind), force=going)
    if made.refusals or not made.operations:
        return
    before = state(world)
    event(f"{sum(len(item.still_used_by) for item in made.operations)} still refer to it")
    world.forget()
    script = some_faults(throws, made, _NO_EFFECT)
    workers = throws.pick((1, 8))
    outcomes, undone, _ = roll_over(world, made, script, on_error="rollback", workers=workers)
    assert sum(item.writes for item in (*outcomes, *undone)) == acknowledged(world)
    if undone and not any(isinstance(item, NotRolledBack) for item in undone):
        event("rolled back")
        assert unlike(state(world), before) == []


@steadily(8)
def test_4_a_crash_and_a_re_run_end_like_no_crash(worlds: Worlds, throws: Dice) -> None:
    a_crash(worlds, throws)


@steadily(14)
def test_9_a_foreign_edit_is_never_overwritten(worlds: Worlds, throws: Dice) -> None:
    """At any request of an apply someone renames a resource; the name stays, whatever becomes of the apply."""
    a_foreign_edit(worlds, throws)


@steadily(12)
def test_10_counts_equal_what_was_acknowledged(worlds: Worlds, throws: Dice) -> None:
    """Whatever is refused, and whether the run goes on, stops or rolls back, which ends as it began."""
    the_counts(worlds, throws)


@steadily(8)
def test_10_counts_are_true_when_answers_are_lost(worlds: Worlds, throws: Dice) -> None:
    """What took effect is counted whether its answer arrived or a look told of it; the rest is unknown."""
    the_counts_after_lost_answers(worlds, throws)


@steadily(9)
def test_10_what_a_delete_by_force_changes_is_rolled_back(worlds: Worlds, throws: Dice) -> None:
    """A kind is emptied although others refer to it; what is rolled back wholly is as it was, they too."""
    by_force(worlds, throws)


LAWS = [a_crash, a_foreign_edit, the_counts, the_counts_after_lost_answers, by_force]


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
@steadily(300)
def test_on_many_trees(worlds: Worlds, law: Callable[[Worlds, Dice], None], throws: Dice) -> None:
    law(worlds, throws)
