"""
Display names that must be unique in an app, and changes that pass them on.

The service refuses a second resource of the same name, so a name has to be free before it is given again.
"""

from collections.abc import Callable

from cesplan.domain.desired import Desired
from cesplan.domain.outcome import Failed
from tests.properties.trees import desired
from tests.properties.world import World, insist

Worlds = Callable[..., World]


def toolsets(**names: str) -> Desired:
    """A tree of toolsets: key (with `_` for `-`) and display name."""
    schema = {"openApiToolset": {"openApiSchema": "openapi: 3.0.3"}}
    bodies = {
        f"toolsets/{key.replace('_', '-')}": {"displayName": name, **schema} for key, name in names.items()
    }
    return desired(bodies, {"displayName": "Shop"})


def one_by_one(world: World, tree: Desired) -> None:
    """Plan and apply with one worker, so that no lucky order of answers helps."""
    insist(world.apply(world.plan(tree), workers=1))
    assert world.plan(tree).operations == ()


def test_a_name_that_is_taken_is_told_as_such(worlds: Worlds) -> None:
    """ALREADY_EXISTS about a display name does not mean that someone else created the id."""
    world = worlds()
    world.carry_out(toolsets(three_set="Parcels"))
    plan = world.plan(toolsets(two_set="Orders", three_set="Parcels"))
    world.carry_out(toolsets(one_set="Orders", three_set="Parcels"))
    outcomes = world.apply(plan)
    failed = [item.error for item in outcomes if isinstance(item, Failed)]
    assert failed
    for error in failed:
        assert "is called" in str(error)
        assert "somebody else" not in str(error)


def test_two_resources_change_names(worlds: Worlds) -> None:
    world = worlds()
    world.carry_out(toolsets(one_set="Orders", two_set="Parcels"))
    one_by_one(world, toolsets(one_set="Parcels", two_set="Orders"))


def test_a_resource_takes_the_name_of_one_that_goes(worlds: Worlds) -> None:
    world = worlds()
    world.carry_out(toolsets(one_set="Orders", two_set="Parcels"))
    one_by_one(world, toolsets(two_set="Orders"))


def test_a_changed_id_under_the_same_name(worlds: Worlds) -> None:
    """A changed `$id` is a delete and a create."""
    world = worlds()
    world.carry_out(toolsets(one_set="Orders"))
    body = toolsets(one_set="Orders").apps[0].resources[0].body
    one_by_one(
        world,
        desired(
            {"toolsets/one-set": body},
            {"displayName": "Shop"},
            more={"toolsets/one-set": {"resource_id": "another-id"}},
        ),
    )
