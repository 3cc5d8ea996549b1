"""Two applies of one tree whose plans were made at the same moment: the second has nothing in its way."""

from collections.abc import Callable

import pytest

from cesplan.domain.outcome import Applied, Failed
from tests.properties.trees import desired
from tests.properties.world import World

Worlds = Callable[..., World]
SHOP = {"displayName": "Shop"}


@pytest.mark.parametrize("etags", ["enforce", "ignore"])
def test_the_second_finds_everything_as_planned(worlds: Worlds, etags: str) -> None:
    """Live is as wanted: that is not a conflict, and nothing is written again."""
    world = worlds(etag_on_update=etags)
    world.carry_out(desired({"agents/one-desk": {"displayName": "One"}}, SHOP))
    tree = desired({"agents/one-desk": {"displayName": "1"}, "agents/two-desk": {"displayName": "2"}}, SHOP)
    first, second = world.plan(tree), world.plan(tree)
    world.apply(first)
    before = world.bodies()
    outcomes = world.apply(second)
    assert [(type(item), getattr(item, "note", "")) for item in outcomes] == [
        (Applied, "already as planned")
    ] * 3
    assert world.bodies() == before
    assert world.plan(tree).is_empty


@pytest.mark.parametrize("etags", ["enforce", "ignore"])
def test_more_than_what_was_planned_is_a_conflict(worlds: Worlds, etags: str) -> None:
    """What the tree asks for is there, and something beside it that a plan would take away."""
    world = worlds(etag_on_update=etags)
    world.carry_out(desired({"agents/one-desk": {"displayName": "One"}}, SHOP))
    tree = desired({"agents/one-desk": {"displayName": "1"}, "agents/two-desk": {"displayName": "2"}}, SHOP)
    plan = world.plan(tree)
    more = {"description": "Theirs."}
    theirs = {
        "agents/one-desk": {"displayName": "1", **more},
        "agents/two-desk": {"displayName": "2", **more},
    }
    world.carry_out(desired(theirs, SHOP))
    failed = {item.operation.address.within_app for item in world.apply(plan) if isinstance(item, Failed)}
    assert failed == {"agents/one-desk", "agents/two-desk"}
