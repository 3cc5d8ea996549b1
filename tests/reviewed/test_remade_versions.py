"""A recorded version that is deleted and made again under its id, with other content, is another one."""

import pytest

from cesplan.domain.errors import Conflict
from cesplan.domain.reviewed import Movement
from tests.properties.trees import APP_NAME
from tests.properties.world import World, insist
from tests.reviewed.conftest import Worlds
from tests.reviewed.edits import create, delete, update
from tests.reviewed.filing import again, filed
from tests.reviewed.test_killed_with_a_version import MARK, served, theirs, tree

ONE = tree("Be kind.", "release-1")
TWO = tree("Be brief.", "release-2", "release-1")
BACK = tree("Be brief.", "release-1", "release-2")


def _make_again(world: World, version: str) -> None:
    theirs(world)
    delete(world, f"versions/{version}")
    create(world, f"versions/{version}", {"displayName": version.title()})
    update(world, "agents/back-office", {"description": ""})


@pytest.fixture
def world(worlds: Worlds) -> World:
    """Two versions, both made by applies; the second is served."""
    made = worlds()
    made.carry_out(ONE)
    made.carry_out(TWO)
    return made


def test_going_back_to_it_is_refused(world: World) -> None:
    """It was there when the last stamp was written, which has the mark of when it was made."""
    _make_again(world, "release-1")
    made = world.plan(BACK)
    (refusal,) = made.refusals
    assert "shop-desk/versions/release-1 would be served, and it differs from what this plan leaves" in refusal
    assert "it was deleted and re-created since an apply recorded it" in refusal
    assert MARK not in served(world)[1]


def test_so_it_is_for_a_version_that_the_last_apply_made(worlds: Worlds) -> None:
    """No stamp has its mark yet: it is younger than that stamp."""
    world = worlds()
    world.carry_out(ONE)
    parked = tree("Be brief.", "release-1", "release-2")
    world.carry_out(parked)
    assert served(world)[0] == "release-1"
    _make_again(world, "release-2")
    assert any("re-created since" in text for text in world.plan(TWO).refusals)


def test_no_later_apply_makes_it_a_recorded_one(world: World) -> None:
    """A plan that does not serve it says what happened, and the next that would is refused all the same."""
    _make_again(world, "release-1")
    made = world.plan(tree("Be loud.", "release-2", "release-1"))
    assert any(
        "release-1 was deleted and re-created since an apply recorded it" in text for text in made.notices
    )
    insist(world.apply(made))
    assert len(world.plan(tree("Be loud.", "release-1", "release-2")).refusals) == 1


def test_who_adopts_it_records_it(world: World) -> None:
    _make_again(world, "release-1")
    insist(world.apply(world.plan(BACK, adopt=True)))
    world.carry_out(tree("Be brief.", "release-2", "release-1"))
    made = world.plan(BACK)
    assert (made.refusals, [text for text in made.notices if "re-created" in text]) == ((), [])


def test_a_reviewed_plan_is_stale_once_it_is_made_again(world: World) -> None:
    reviewed = filed(world.plan(BACK))
    _make_again(world, "release-1")
    (moved,) = again(world, reviewed).moved
    assert (moved.movement, moved.names) == (Movement.REMADE, ("versions/release-1",))


def test_it_is_looked_at_right_before_it_is_served(world: World) -> None:
    """Between the question and the write a version can be made again too."""
    made = world.plan(BACK)
    assert made.refusals == ()
    _make_again(world, "release-1")
    outcomes = world.apply(made)
    errors = [error for item in outcomes if isinstance(error := getattr(item, "error", None), Conflict)]
    assert [error.summary for error in errors] == [
        "versions/release-1 was deleted and re-created after this plan was made."
    ]
    assert served(world)[0] == "release-2"
    assert APP_NAME in errors[0].resource
