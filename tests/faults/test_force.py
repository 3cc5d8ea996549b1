"""A delete by force takes references out of others; that is not a conflict for later writes of this run."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cesplan.domain.address import KindName
from cesplan.domain.desired import Desired
from cesplan.domain.outcome import Failed, NotRolledBack, RolledBack, Undone
from cesplan.domain.plan import Plan
from cesplan.domain.reviewed import Movement
from cesplan.domain.settings import Ownership
from cesplan.model.kinds import KINDS
from cesplan.render.text.plan import plan_text
from tests.faults.desk import Worlds, acknowledged, apply_over, roll_over, state
from tests.faults.wire import at, lost_after, nothing, refusal
from tests.properties.trees import APP_NAME, desired
from tests.properties.world import World, insist
from tests.reviewed.filing import again, filed

WORDS = {
    "displayName": "Words",
    "contentFilter": {"bannedContents": ["bad"], "matchType": "SIMPLE_STRING_MATCH"},
}
FRONT = {"displayName": "Front", "guardrails": ["guardrails/old-words"]}
DECLARED = {name: {"ownership": Ownership.DECLARED} for name in ("", "agents/front-desk")}
THEIRS = f"{APP_NAME}/agents/theirs"
GUARDRAILS = frozenset({KindName("guardrails")})
ALL_FOLDERS = frozenset(map(KindName, KINDS))
FORCED = frozenset({"shop-desk/guardrails/old-words"})


def tree(**edits: Any) -> Any:
    """The guardrail is out of the tree; app and agent say nothing of theirs, so they go on naming it."""
    agent = {"displayName": "Front", "instruction": "Be brief.", **edits}
    return desired({"agents/front-desk": agent}, {"displayName": "Shop desk"}, DECLARED)


def at_first(world: World, folders: frozenset[KindName] = ALL_FOLDERS) -> None:
    app = {"displayName": "Shop desk", "guardrails": ["guardrails/old-words"]}
    wanted = desired({"agents/front-desk": FRONT, "guardrails/old-words": WORDS}, app)
    world.carry_out(with_folders(wanted, folders))


def with_folders(wanted: Desired, folders: frozenset[KindName]) -> Desired:
    """The same with these folders only: of other kinds, nothing is pruned."""
    (app,) = wanted.apps
    return replace(wanted, apps=(replace(app, folders=app.folders & folders),))


def test_what_is_written_after_a_delete_by_force_is_no_conflict(worlds: Worlds) -> None:
    """The app and the agent lose their reference; the agent's update and the stamp go through anyway."""
    for workers in (1, 8):
        world = worlds()
        at_first(world)
        made = world.plan(tree(), force=FORCED)
        assert made.refusals == ()
        insist(apply_over(world, made, nothing, workers=workers)[0])
        bodies = world.bodies()
        assert "guardrails" not in bodies[APP_NAME]
        assert "guardrails" not in bodies[f"{APP_NAME}/agents/front-desk"]
        assert world.plan(tree()).is_empty


def test_neither_is_it_when_the_answer_to_the_delete_is_lost(worlds: Worlds) -> None:
    world = worlds()
    at_first(world)
    made = world.plan(tree(), force=FORCED)
    script = lambda number, call: lost_after if call.method == "DELETE" else None  # noqa: E731
    insist(apply_over(world, made, script, workers=1)[0])
    assert world.plan(tree()).is_empty


def test_any_other_edit_in_the_meantime_is_still_a_conflict(worlds: Worlds) -> None:
    """Anyone who renames the app meanwhile keeps the name."""
    world = worlds()
    at_first(world)
    made = world.plan(tree(), force=FORCED)

    def rename(send: Any) -> Any:
        answer = send()
        world.emulator.seed({"name": APP_NAME, "displayName": "Theirs"})
        return answer

    script = lambda number, call: rename if call.method == "DELETE" else None  # noqa: E731
    outcomes, _ = apply_over(world, made, script, workers=1)
    failed = [item for item in outcomes if isinstance(item, Failed)]
    assert [str(item.operation.reason) for item in failed] == ["stamp"]
    assert failed[0].error.summary.startswith("apps/shop-desk changed in displayName, ")
    assert world.bodies()[APP_NAME]["displayName"] == "Theirs"


def with_theirs(world: World) -> World:
    """An app and two agents name the guardrail; of one of them no tree has ever known anything."""
    at_first(world, GUARDRAILS)
    theirs = {"displayName": "Theirs", "guardrails": [f"{APP_NAME}/guardrails/old-words"]}
    world.emulator.seed({"name": THEIRS, **theirs})
    return world


def planned(world: World) -> Plan:
    """Agents that are not in the tree are left alone."""
    made = world.plan(with_folders(tree(), GUARDRAILS), force=FORCED)
    assert made.refusals == ()
    return made


class TestRollback:
    """References that a delete by force took out are put back, in the tree or not; reading proves it."""

    @pytest.fixture
    def world(self, worlds: Worlds) -> World:
        return with_theirs(worlds())

    def rolled_back(
        self, world: World, made: Plan, *, then: Callable[[], None] = lambda: None, **options: Any
    ) -> list[Undone]:
        """Everything is applied but the stamp, which is refused."""

        def refuse(send: Any) -> Any:
            then()
            return refusal(400, "INVALID_ARGUMENT")(send)

        script = lambda number, call: refuse if call.query.get("updateMask") == "metadata" else None  # noqa: E731
        return roll_over(world, made, script, on_error="rollback", **options)[1]

    @pytest.mark.parametrize("workers", [1, 8])
    @pytest.mark.parametrize("switches", [{}, {"force_removes": "all"}, {"etag_on_update": "ignore"}])
    def test_everything_is_as_it_was(self, worlds: Worlds, workers: int, switches: dict[str, Any]) -> None:
        world = with_theirs(worlds(**switches))
        before = state(world)
        undone = self.rolled_back(world, planned(world), workers=workers)
        assert undone
        assert {type(item) for item in undone} == {RolledBack}
        assert [item.lost for item in undone if item.lost] == []
        assert state(world) == before

    def test_what_somebody_changed_since_is_left_and_listed(self, world: World) -> None:
        """And only that: the references in the others are back."""
        before = state(world)

        def rename() -> None:
            world.emulator.seed({"name": THEIRS, "displayName": "Edited"})

        undone = self.rolled_back(world, planned(world), then=rename, workers=1)
        (left,) = (item for item in undone if isinstance(item, NotRolledBack))
        assert str(left.operation.address) == "shop-desk/guardrails/old-words"
        assert left.because == (
            "the reference to it was not restored in agents/theirs: agents/theirs changed in displayName "
            "after this plan was made."
        )
        assert {name for name, body in state(world).items() if body != before[name]} == {THEIRS}

    def test_the_writes_are_counted(self, world: World) -> None:
        world.forget()
        outcomes, undone, _ = roll_over(
            world, planned(world), at(3, refusal(400, "INVALID_ARGUMENT")), on_error="rollback"
        )
        assert sum(item.writes for item in (*outcomes, *undone)) == acknowledged(world) == 7

    def test_each_that_stays_out_is_listed(self, world: World) -> None:
        made = planned(world)
        refused = {"code": "FAILED_PRECONDITION", "message": "No."}
        for fault in ({"method": "UpdateAgent", "resource": "agents/theirs"}, {"method": "UpdateApp"}):
            world.emulator.break_with({**fault, "status": refused})
        left = {
            str(item.operation.address): item.because
            for item in self.rolled_back(world, made)
            if isinstance(item, NotRolledBack)
        }
        assert left["shop-desk/guardrails/old-words"].count("was not restored in ") == 2

    def test_where_it_cannot_be_created_again_its_references_are_listed_too(self, world: World) -> None:
        made = planned(world)
        refused = {"code": "FAILED_PRECONDITION", "message": "No."}
        world.emulator.break_with({"method": "CreateGuardrail", "status": refused})
        left = {
            str(item.operation.address): item.because
            for item in self.rolled_back(world, made)
            if isinstance(item, NotRolledBack)
        }
        told = left["shop-desk/guardrails/old-words"]
        assert told.startswith("Could not create guardrails/old-words: No. (FAILED_PRECONDITION); ")
        assert (
            "; the reference to it was not restored in agents/theirs: it still differs in guardrails[0]" in told
        )
        assert left["shop-desk/agents/front-desk"] == "it still differs in guardrails[0]"

    def test_what_is_refused_is_listed(self, world: World) -> None:
        made = planned(world)
        fault = {"method": "UpdateAgent", "resource": "agents/theirs"}
        world.emulator.break_with({**fault, "status": {"code": "PERMISSION_DENIED", "message": "No."}})
        (left,) = (item for item in self.rolled_back(world, made) if isinstance(item, NotRolledBack))
        assert left.because.startswith("the reference to it was not restored in agents/theirs: Not permitted")

    def test_what_could_not_be_read_is_listed(self, world: World) -> None:
        """The delete is done by then, so that it cannot be read is reported when it matters."""
        made = planned(world)
        fault = {"method": "GetAgent", "resource": "agents/theirs"}
        world.emulator.break_with({**fault, "status": {"code": "PERMISSION_DENIED", "message": "No."}})
        (left,) = (item for item in self.rolled_back(world, made) if isinstance(item, NotRolledBack))
        assert left.because.startswith(
            "the reference to it was not restored in agents/theirs: it could not be read: "
        )

    def test_a_lost_answer_to_the_restoring_write_is_resolved(self, world: World) -> None:
        before = state(world)
        made = planned(world)
        world.emulator.break_with(
            {"method": "UpdateAgent", "resource": "agents/theirs", "reset": {"after": True}}
        )
        undone = self.rolled_back(world, made)
        assert {type(item) for item in undone} == {RolledBack}
        assert state(world) == before

    def test_two_that_the_same_agent_names(self, worlds: Worlds) -> None:
        world = worlds()
        names = [f"guardrails/words-{number}" for number in range(3)]
        everything = {name: WORDS | {"displayName": name[-1]} for name in names}
        world.carry_out(
            desired(
                {"agents/front-desk": {**FRONT, "guardrails": names}, **everything},
                {"displayName": "Shop desk"},
            )
        )
        before = state(world)
        made = world.plan(tree(), force=frozenset(f"shop-desk/{name}" for name in names))
        assert {type(item) for item in self.rolled_back(world, made)} == {RolledBack}
        assert state(world) == before

    def test_without_a_rollback_nobody_is_read_afterwards(self, world: World) -> None:
        made = planned(world)
        world.forget()
        insist(apply_over(world, made, nothing)[0])
        assert not any(entry.path.endswith("agents/theirs") for entry in world.emulator.journal.entries)


def test_the_plan_says_what_it_will_change(worlds: Worlds) -> None:
    """Before the apply, the agent outside the tree too."""
    text = " ".join(plan_text(planned(with_theirs(worlds()))).split())
    assert (
        "by force: the service removes the reference from agents/front-desk, agents/theirs, and the app" in text
    )


def late(world: World, name: str = "agents/late") -> None:
    """Someone else's agent, which came after the plan."""
    body = {"displayName": "Late", "guardrails": [f"{APP_NAME}/guardrails/old-words"]}
    world.emulator.seed({"name": f"{APP_NAME}/{name}", **body})


@pytest.mark.parametrize("on_error", ["continue", "rollback"])
def test_who_came_to_refer_to_it_after_the_plan_is_not_changed(worlds: Worlds, on_error: str) -> None:
    """The plan has not told of them, so nobody has agreed to it: the delete is a conflict."""
    world = with_theirs(worlds())
    made = planned(world)
    late(world)
    outcomes, _, _ = roll_over(world, made, nothing, on_error=on_error)
    (failed,) = (item for item in outcomes if isinstance(item, Failed))
    assert failed.error.summary == (
        "shop-desk/agents/late got a reference to guardrails/old-words after this plan was made."
    )
    bodies = world.bodies()
    assert f"{APP_NAME}/guardrails/old-words" in bodies
    assert {name for name, body in bodies.items() if "guardrails" in body} >= {
        f"{APP_NAME}/agents/late",
        THEIRS,
    }


def test_a_reviewed_plan_is_stale_where_a_delete_by_force_would_change_more(worlds: Worlds) -> None:
    """Nothing at all is written; who is named, and the new plan tells of them."""
    world = with_theirs(worlds())
    reviewed = filed(planned(world))
    assert again(world, reviewed).moved == ()
    late(world)
    (moved,) = again(world, reviewed).moved
    assert (moved.movement, moved.names) == (Movement.REFERRED, ("shop-desk/agents/late",))
    assert moved.resource == f"{APP_NAME}/agents/late"
    assert again(world, filed(planned(world))).moved == ()
