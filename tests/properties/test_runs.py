"""
Laws 1, 2, 3 and 5 on whole runs: plan never writes, apply sends exactly the plan, nothing else changes, and
the next plan is empty. `laws` says what each means; the tests differ in what they are tried on.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import event

from cesplan.domain.desired import Desired
from cesplan.domain.field_path import FieldPath
from cesplan.domain.settings import MaskDepth, Ownership
from tests.properties.dice import Dice
from tests.properties.edits import edited
from tests.properties.hostility import hostile
from tests.properties.laws import lawful, told
from tests.properties.steadily import steadily
from tests.properties.trees import tree
from tests.properties.world import World

Worlds = Callable[..., World]


def first_apply(worlds: Worlds, throws: Dice) -> None:
    lawful(worlds(), tree(throws))


def another_tree(worlds: Worlds, throws: Dice, depth: str) -> None:
    world = worlds(mask_depth=depth)
    settings = {"mask_depth": MaskDepth(depth)}
    lawful(world, tree(throws, **settings))
    lawful(world, tree(throws, **settings))


def an_edit(worlds: Worlds, throws: Dice) -> None:
    world = worlds()
    desired = tree(throws)
    world.carry_out(desired)
    for _ in range(2):
        made = edited(throws, desired)
        event(made.what.split()[0])
        plan = lawful(world, made.desired)
        if made.expects != "anything":
            assert plan.is_empty == (made.expects == "nothing"), f"{made.what}: {told(plan)}"
        desired = made.desired


def a_hostile_live_state(worlds: Worlds, throws: Dice) -> None:
    world = worlds()
    desired = tree(throws)
    world.emulator.seed(*hostile(throws, desired))
    for _ in range(throws.below(4)):
        desired = edited(throws, desired).desired
    desired = _modest(throws, desired)
    refusals = world.plan(desired, allow_drop_unknown=True).refusals
    if refusals:  # someone goes whom a field refers to that a file leaves alone
        assert all("cannot be deleted while" in reason for reason in refusals), refusals
        event("refused")
        return
    plan = lawful(world, desired, allow_drop_unknown=True)
    event(f"{min(len(plan.operations), 9)} operations")


def an_old_version_of_the_api(worlds: Worlds, throws: Dice) -> None:
    world = worlds(v1_agent_tool_field="rootAgent", deployment_etags=False)
    lawful(world, tree(throws, api_version="v1"))
    lawful(world, tree(throws, api_version="v1"))


def a_careless_server(worlds: Worlds, throws: Dice) -> None:
    world = worlds(etag_on_update="ignore", app_version_spelling="project_number", references="accept")
    lawful(world, tree(throws, verify_before_write=False))
    lawful(world, tree(throws, verify_before_write=False))


@steadily(14)
def test_a_first_apply(worlds: Worlds, throws: Dice) -> None:
    first_apply(worlds, throws)


@pytest.mark.parametrize("depth", ["nested", "top"])
@steadily(8)
def test_a_tree_becomes_another(worlds: Worlds, depth: str, throws: Dice) -> None:
    """Creates, updates, deletes and switches of type, all in one run, under either depth of masks."""
    another_tree(worlds, throws, depth)


@steadily(10)
def test_an_edit(worlds: Worlds, throws: Dice) -> None:
    """What people change in files, one thing at a time; some changes of files ask for nothing."""
    an_edit(worlds, throws)


@steadily(14)
def test_a_hostile_live_state(worlds: Worlds, throws: Dice) -> None:
    a_hostile_live_state(worlds, throws)


@steadily(8)
def test_an_old_version_of_the_api(worlds: Worlds, throws: Dice) -> None:
    """v1 has fewer kinds and fields, and answers with the old name of one; deployments have no etag here."""
    an_old_version_of_the_api(worlds, throws)


@steadily(8)
def test_a_careless_server(worlds: Worlds, throws: Dice) -> None:
    """A server that takes any etag and any reference, and spells the project as a number."""
    a_careless_server(worlds, throws)


@pytest.mark.slow
@steadily(600)
def test_many_first_applies(worlds: Worlds, throws: Dice) -> None:
    first_apply(worlds, throws)


@pytest.mark.slow
@pytest.mark.parametrize("depth", ["nested", "top"])
@steadily(400)
def test_many_trees_become_others(worlds: Worlds, depth: str, throws: Dice) -> None:
    another_tree(worlds, throws, depth)


@pytest.mark.slow
@steadily(800)
def test_many_edits(worlds: Worlds, throws: Dice) -> None:
    an_edit(worlds, throws)


@pytest.mark.slow
@steadily(800)
def test_many_hostile_live_states(worlds: Worlds, throws: Dice) -> None:
    a_hostile_live_state(worlds, throws)


@pytest.mark.slow
@steadily(200)
def test_many_trees_of_an_old_version_of_the_api(worlds: Worlds, throws: Dice) -> None:
    an_old_version_of_the_api(worlds, throws)


@pytest.mark.slow
@steadily(200)
def test_many_careless_servers(worlds: Worlds, throws: Dice) -> None:
    a_careless_server(worlds, throws)


def _modest(throws: Dice, desired: Desired) -> Desired:
    """The tree with some folders missing, some files that declare only what they name, some ignored fields."""
    app = desired.apps[0]
    used = {item.address.kind for item in app.resources}
    folders = frozenset({*throws.some(sorted(app.folders)), *used})
    files = []
    for item in app.resources:
        ownership = Ownership.DECLARED if throws.chance(25) else Ownership.FULL
        plain = [
            name for name in item.body if name in ("description", "instruction", "enabled", "timeout", "tags")
        ]
        ignore = (FieldPath((throws.pick(plain),)),) if plain and throws.chance(25) else ()
        files.append(replace(item, ownership=ownership, ignore=ignore))
    return replace(desired, apps=(replace(app, resources=tuple(files), folders=folders),))
