"""`--on-error rollback`: what was acknowledged is taken back, newest first, and read again to prove it."""

from collections.abc import Sequence
from typing import Any

import pytest

from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import Applied, NotRolledBack, Outcome, RolledBack, Skipped, Undone
from cesplan.engine.applying.run import apply
from tests.faults.desk import Worlds, acknowledged, desk, roll_over, settled, state
from tests.faults.scenes import AFTER, at_first, new
from tests.faults.wire import Script, at, cut_before, lost_after, refusal, wired
from tests.properties.trees import APP_NAME, desired
from tests.properties.world import World

NO = refusal(400, "INVALID_ARGUMENT")
STEPS, STEPS_IF_LOCKED = 12, 14


def rolled_back(
    world: World, script: Script, *, locked: bool = False, **options: Any
) -> tuple[Sequence[Outcome], Sequence[Undone]]:
    """The old scene, and an apply of the new one that ends in a rollback."""
    world.fresh()
    at_first(world, locked=locked)
    made = world.plan(new(locked=locked))
    world.forget()
    outcomes, undone, _ = roll_over(world, made, script, on_error="rollback", **options)
    return outcomes, undone


def of(undone: Sequence[Undone], address: str) -> Undone:
    return next(item for item in undone if str(item.operation.address) == address)


@pytest.mark.parametrize("locked", [False, True])
@pytest.mark.parametrize("workers", [1, 8])
def test_after_a_failure_at_any_write_the_state_before_is_back(
    worlds: Worlds, locked: bool, workers: int
) -> None:
    """Creates, updates, deletes, a switched oneof, a version, a lock: nothing of it is left."""
    world = worlds()
    at_first(world, locked=locked)
    before = state(world)
    for number in range(1, (STEPS_IF_LOCKED if locked else STEPS) + 1):
        outcomes, undone = rolled_back(world, at(number, NO), locked=locked, workers=workers)
        assert {type(item) for item in undone} <= {RolledBack}, (number, undone)
        assert state(world) == before, number
        told = sum(item.writes for item in (*outcomes, *undone))
        assert told == acknowledged(world), number


@pytest.mark.parametrize("number", [1, 2, 40, 71, 72])
def test_an_app_that_was_new_is_gone_again(worlds: Worlds, number: int) -> None:
    world = worlds()
    before = state(world)
    _, undone, _ = roll_over(world, world.plan(desk()), at(number, NO), on_error="rollback")
    assert {type(item) for item in undone} <= {RolledBack}
    assert state(world) == before


def test_the_newest_write_is_taken_back_first(worlds: Worlds) -> None:
    """The order is the reverse of that of the writes, so nothing is deleted that something still names."""
    world = worlds()
    rolled_back(world, at(STEPS, NO), workers=1)
    done = [item for item in world.sent() if item.status == 200]
    there, back = done[: STEPS - 1], done[STEPS - 1 :]
    assert [item.resource for item in back] == [item.resource for item in reversed(there)]
    inverse = {"POST": "DELETE", "DELETE": "POST", "PATCH": "PATCH"}
    assert [item.method for item in back] == [inverse[item.method] for item in reversed(there)]


def test_what_somebody_changed_since_is_left_as_it_is(worlds: Worlds) -> None:
    world = worlds()

    def edit_and_refuse(send: Any) -> Any:
        body = {"name": f"{APP_NAME}/agents/front-desk", "displayName": "Front", "instruction": "Mine."}
        world.emulator.seed(body)
        return NO(send)

    _, undone = rolled_back(world, at(STEPS, edit_and_refuse), workers=1)
    left = of(undone, "shop-desk/agents/front-desk")
    assert isinstance(left, NotRolledBack)
    assert left.because == (
        "agents/front-desk changed in childAgents, instruction, modelSettings.model, "
        "modelSettings.temperature, tools after this plan was made."
    )
    assert world.bodies()[f"{APP_NAME}/agents/front-desk"]["instruction"] == "Mine."
    assert [item for item in undone if isinstance(item, NotRolledBack)] == [left]


def test_a_write_whose_answer_was_lost_stays_and_is_listed(worlds: Worlds) -> None:
    """That it looks as asked does not say who wrote it."""
    world = worlds()

    def script(number: int, call: Any) -> Any:
        if number == STEPS:
            return NO
        return lost_after if call.query.get("toolId") == "new-lookup" else None

    _, undone = rolled_back(world, script, workers=1)
    left = of(undone, "shop-desk/tools/new-lookup")
    assert isinstance(left, NotRolledBack)
    assert left.because == (
        "it is still there; the response to one of its writes was lost, so the change may not be ours"
    )
    assert f"{APP_NAME}/tools/new-lookup" in world.bodies()


def test_an_app_in_which_somebody_else_made_something_stays(worlds: Worlds) -> None:
    world = worlds()

    def create_and_refuse(send: Any) -> Any:
        world.emulator.seed({"name": f"{APP_NAME}/tools/theirs", "clientFunction": {"name": "theirs"}})
        return NO(send)

    made = world.plan(desired({"tools/ours-1": AFTER["tools/new-lookup"]}, {"displayName": "Shop desk"}))
    _, undone, _ = roll_over(world, made, at(2, create_and_refuse), on_error="rollback", workers=1)
    assert [(type(item), getattr(item, "because", "")) for item in undone] == [
        (NotRolledBack, "It contains resources that this run did not create: tools/theirs")
    ]
    assert set(world.bodies()) >= {APP_NAME, f"{APP_NAME}/tools/theirs"}


def test_what_only_the_service_could_make_again_is_named(worlds: Worlds) -> None:
    """A deployment is made again under its id; its credentials never came back, so nobody has them."""
    world = worlds()
    at_first(world)
    tree = desired({}, {"displayName": "Shop desk"})
    made = world.plan(tree)
    count = len(made.operations)
    before = state(world)
    _, undone, _ = roll_over(world, made, at(count, NO), on_error="rollback")
    lost = {str(item.operation.address): item.lost for item in undone if item.lost}
    assert lost["shop-desk/deployments/web-chat"] == (
        "`whatsappCredentials` is never returned by the service: set it again if it was set",
        "`instagramCredentials` is never returned by the service: set it again if it was set",
    )
    assert state(world) == before


def test_when_the_service_is_gone_too_nothing_is_claimed(worlds: Worlds) -> None:
    """The connection breaks for good: what was done is still there, and the report says so."""
    world = worlds()
    outcomes, undone = rolled_back(world, at(6, cut_before), workers=1)
    assert len(undone) == 5
    assert {type(item) for item in undone} == {NotRolledBack}
    assert "failed" in settled(outcomes).values()


def test_stop_leaves_what_was_done(worlds: Worlds) -> None:
    world = worlds()
    at_first(world)
    made = world.plan(new())
    outcomes, undone, wire = roll_over(world, made, at(3, NO), on_error="stop", workers=1)
    assert (undone, len(wire.writes)) == ([], 3)
    assert [type(item) for item in outcomes].count(Applied) == 2
    assert [type(item) for item in outcomes].count(Skipped) == STEPS - 3


def test_a_stop_that_somebody_asks_for_rolls_nothing_back(worlds: Worlds) -> None:
    """Ctrl-C means that nothing more is begun."""
    world = worlds()
    at_first(world)
    made = world.plan(new())

    def stop_and_refuse(send: Any) -> Any:
        running.stop()
        return NO(send)

    with wired(world.emulator, made.settings, at(3, stop_and_refuse)) as (client, wire):
        running = apply(made, client, ApplyOptions(on_error="rollback", workers=1))
        assert not any(isinstance(event, RolledBack | NotRolledBack) for event in running)
    assert len(wire.writes) == 3


def test_an_interrupted_rollback_lists_what_it_did_not_get_to(worlds: Worlds) -> None:
    world = worlds()
    at_first(world)
    made = world.plan(new())

    def stop(send: Any) -> Any:
        running.stop()
        return send()

    def script(number: int, call: Any) -> Any:
        return {6: NO, 7: stop}.get(number)

    with wired(world.emulator, made.settings, script) as (client, wire):
        running = apply(made, client, ApplyOptions(on_error="rollback", workers=1))
        undone = [event for event in running if isinstance(event, RolledBack | NotRolledBack)]
    assert [type(item) for item in undone] == [RolledBack] + [NotRolledBack] * 4
    assert {item.because for item in undone[1:] if isinstance(item, NotRolledBack)} == {
        "interrupted before it could be undone"
    }
    assert len(wire.writes) == 7
