"""A delete by force takes references out of others; that is no conflict for later writes of this run."""

from typing import Any

from cesplan.domain.outcome import Failed
from cesplan.domain.settings import Ownership
from tests.faults.desk import Worlds, apply_over, roll_over, state
from tests.faults.wire import at, lost_after, nothing, refusal
from tests.properties.trees import APP_NAME, desired
from tests.properties.world import World, insist

WORDS = {
    "displayName": "Words",
    "contentFilter": {"bannedContents": ["bad"], "matchType": "SIMPLE_STRING_MATCH"},
}
FRONT = {"displayName": "Front", "guardrails": ["guardrails/old-words"]}
DECLARED = {name: {"ownership": Ownership.DECLARED} for name in ("", "agents/front-desk")}
FORCED = frozenset({"shop-desk/guardrails/old-words"})


def tree(**edits: Any) -> Any:
    """The guardrail is out of the tree; app and agent say nothing of theirs, so they go on naming it."""
    agent = {"displayName": "Front", "instruction": "Be brief.", **edits}
    return desired({"agents/front-desk": agent}, {"displayName": "Shop desk"}, DECLARED)


def at_first(world: World) -> None:
    app = {"displayName": "Shop desk", "guardrails": ["guardrails/old-words"]}
    world.carry_out(desired({"agents/front-desk": FRONT, "guardrails/old-words": WORDS}, app))


def test_what_is_written_after_a_delete_by_force_is_no_conflict(worlds: Worlds) -> None:
    """The app and the agent lose their reference; the agent's update and the stamp go through all the same."""
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
    """Whoever renames the app meanwhile keeps the name."""
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


def test_a_rollback_says_which_references_stay_out(worlds: Worlds) -> None:
    world = worlds()
    at_first(world)
    made = world.plan(tree(), force=FORCED)
    refuse = at(len(made.operations), refusal(400, "INVALID_ARGUMENT"))
    _, undone, _ = roll_over(world, made, refuse, on_error="rollback", workers=1)
    lost = {str(item.operation.address): item.lost for item in undone if item.lost}
    assert lost == {
        "shop-desk/guardrails/old-words": (
            "the delete by force took references to it out of other resources: they stay out",
        )
    }
    assert f"{APP_NAME}/guardrails/old-words" in state(world)
