"""
For every operation of a reviewed plan and every kind of foreign edit: either the approved change happens
exactly, or nothing at all; and never is a foreign edit lost.

Judged by three states of the server: before, after the foreign edit, and after the plan on a quiet day. What
a plan and an edit make together is the merge of the two, leaf by leaf.
"""

from typing import Any

import pytest

from cesplan.domain.errors import CesplanError, Unavailable
from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import Applied, Failed
from cesplan.domain.plan import Action, Reason
from cesplan.domain.reviewed import Movement
from cesplan.engine.applying.run import apply
from cesplan.engine.reviewing.recheck import recheck
from tests.faults import scenes
from tests.properties.world import World, insist
from tests.reviewed.conftest import Worlds
from tests.reviewed.edits import (
    EDITS,
    GOES_THROUGH,
    delete,
    is_kept,
    planned,
    quiet_day,
    stops_no_more_and_no_less,
)
from tests.reviewed.filing import again, carried_out, filed, merged, state

SWITCHES = [
    pytest.param({"etag_on_update": "enforce"}, id="etags-enforced"),
    pytest.param({"etag_on_update": "ignore", "deployment_etags": False}, id="etags-ignored"),
]


@pytest.mark.parametrize("switches", SWITCHES)
@pytest.mark.parametrize("what", EDITS)
def test_between_plan_and_apply(worlds: Worlds, switches: dict[str, Any], what: str) -> None:
    """The approved change exactly, with the foreign edit beside it; or nothing, and the plan is stale."""
    base, ours = quiet_day(worlds, **switches)
    world = worlds(**switches)
    reviewed = filed(planned(world))
    EDITS[what](world)
    theirs = state(world)
    found = again(world, reviewed)
    if found.moved:
        assert what not in GOES_THROUGH
        assert state(world) == theirs
        return
    assert what in GOES_THROUGH
    insist(carried_out(world, found.plan))
    assert state(world) == merged(base, theirs, ours)


def test_every_operation_meets_every_kind_of_edit(worlds: Worlds) -> None:
    """The table forgets none: each resource that the plan writes is edited in each way that it can be."""
    kinds: dict[str, set[str]] = {}
    for what in EDITS:
        address, _, kind = what.partition(": ")
        kinds.setdefault(address, set()).add(kind)
    needed = {
        Action.CREATE: {"created"},
        Action.UPDATE: {"same field", "other field", "deleted"},
        Action.DELETE: {"a field of what goes", "deleted"},
    }
    for operation in planned(worlds()).operations:
        wanted = {"a stamp"} if operation.reason is Reason.STAMP else needed[operation.action]
        assert wanted <= kinds["app" if operation.address.kind == "apps" else operation.address.within_app], (
            operation.address
        )


@pytest.mark.parametrize("switches", SWITCHES)
@pytest.mark.parametrize("what", EDITS)
def test_between_the_check_and_the_write(worlds: Worlds, switches: dict[str, Any], what: str) -> None:
    """A conflict that comes up during the apply stops its resource and what depends on it; nothing is lost."""
    base, ours = quiet_day(worlds, **switches)
    world = worlds(**switches)
    found = again(world, filed(planned(world)))
    assert not found.moved
    EDITS[what](world)
    theirs = state(world)
    outcomes = carried_out(world, found.plan)
    after = state(world)
    stops_no_more_and_no_less(found.plan, outcomes)
    assert any(isinstance(item, Applied) for item in outcomes) or what == "app: deleted"
    if not any(isinstance(item, Failed) for item in outcomes):
        assert after == merged(base, theirs, ours)
        return
    for name in sorted({*base, *theirs, *ours}):
        if theirs.get(name) != base.get(name):
            is_kept(base.get(name), theirs.get(name), ours.get(name), after.get(name))


def test_a_stale_plan_says_what_moved_and_how(worlds: Worlds) -> None:
    """The movement and the leaves, from what the plan saw to what is live."""
    world = worlds()
    reviewed = filed(planned(world))
    EDITS["agents/front-desk: same field"](world)
    EDITS["guardrails/no-attack: deleted"](world)
    EDITS["tools/new-lookup: created"](world)
    moved = {item.operation.address.within_app: item for item in again(world, reviewed).moved}
    assert {name: item.movement for name, item in moved.items()} == {
        "agents/front-desk": Movement.CHANGED,
        "guardrails/no-attack": Movement.DELETED,
        "tools/new-lookup": Movement.CREATED,
    }
    (change,) = moved["agents/front-desk"].changes
    assert (str(change.path), change.before, change.after) == ("instruction", "Be kind.", "Foreign.")


def test_a_plan_that_has_come_true_has_nothing_left_to_do(worlds: Worlds) -> None:
    """Applying the same file again is not an error: nothing is written, and nothing is stale."""
    world = worlds()
    reviewed = filed(planned(world))
    insist(carried_out(world, again(world, reviewed).plan))
    found = again(world, reviewed)
    assert (found.moved, found.plan.operations) == ((), ())


@pytest.mark.parametrize("writes", range(1, 11))
def test_what_is_left_of_a_broken_apply_is_done_by_the_same_file(worlds: Worlds, writes: int) -> None:
    """What was applied has come true; the rest is still what was reviewed. No new plan is needed."""
    base, ours = quiet_day(worlds)
    world = worlds()
    reviewed = filed(planned(world))
    service = _Failing(world, writes)
    for _ in apply(again(world, reviewed).plan, service, ApplyOptions(workers=1, on_error="stop")):
        pass
    assert state(world) not in (base, ours)
    found = again(world, reviewed)
    assert not found.moved
    insist(carried_out(world, found.plan))
    assert state(world) == ours


class _Failing:
    """The client, until so many writes have been made."""

    def __init__(self, world: World, writes: int) -> None:
        self._client = world.client(scenes.new().settings, read_only=False)
        self._left = writes

    def __getattr__(self, name: str) -> Any:
        if name in ("create", "update", "delete"):
            self._left -= 1
            if self._left < 0:
                return _fail
        return getattr(self._client, name)


def _fail(*_: Any) -> Any:
    raise Unavailable(summary="gone for now", status="UNAVAILABLE")


def test_a_reference_that_went_away_makes_the_plan_stale(worlds: Worlds) -> None:
    """What the plan refers to and does not create must exist."""
    world = worlds()
    scenes.at_first(world)
    tree = scenes.desired(
        {
            **scenes.BEFORE,
            "agents/old-expert": {**scenes.BEFORE["agents/old-expert"], "tools": ["tools/old-lookup"]},
        },
        scenes.APP,
    )
    reviewed = filed(world.plan(tree, adopt=True))
    delete(world, "tools/old-lookup")
    (gone,) = [item for item in again(world, reviewed).moved if item.movement is Movement.REFERENCE_GONE]
    assert (gone.operation.address.within_app, gone.names) == ("agents/old-expert", ("tools/old-lookup",))


def test_an_app_that_went_away_makes_the_plan_stale(worlds: Worlds) -> None:
    world = worlds()
    reviewed = filed(planned(world))
    world.fresh()
    assert {item.movement for item in again(world, reviewed).moved} == {
        Movement.DELETED,
        Movement.REFERENCE_GONE,
    }


def test_an_unreadable_live_state_is_an_error(worlds: Worlds, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be read is neither moved nor unmoved."""
    world = worlds()
    reviewed = filed(planned(world))

    class Broken:
        def get(self, kind: Any, name: str) -> Any:
            raise CesplanError(summary="no answer")

        def interrupt(self) -> None:
            pass

    with pytest.raises(CesplanError, match="no answer"):
        recheck(reviewed, Broken())
