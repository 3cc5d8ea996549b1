"""Tests of pointing out probable renames."""

from tests.unit.engine.builders import actions, desired, live, planned

BODY = {
    "displayName": "Front desk",
    "instruction": "Greet.\nAsk what it is about.\nNever promise a date.\nHand over.",
    "description": "The first contact.",
}


def test_a_file_under_a_new_name_is_pointed_out_with_the_line_that_keeps_the_resource() -> None:
    """One delete and one create that are nearly equal are most likely a rename."""
    tree = desired({"agents/reception": {**BODY, "displayName": "Reception"}})
    made = planned(tree, live({"agents/front-desk": BODY}))
    assert sorted(actions(made)) == ["+ agents/reception", "- agents/front-desk"]
    (notice,) = made.notices
    assert notice.startswith("shop-desk/agents/reception is similar to the live shop-desk/agents/front-desk")
    assert notice.endswith("add to agents/reception.yaml: $id: front-desk")


def test_resources_that_say_different_things_are_no_rename() -> None:
    tree = desired({"agents/reception": {"displayName": "Reception", "instruction": "Sell.\nSell more."}})
    assert planned(tree, live({"agents/front-desk": BODY})).notices == ()


def test_small_resources_are_alike_by_chance_and_not_pointed_out() -> None:
    tree = desired({"agents/reception": {"displayName": "Reception"}})
    assert planned(tree, live({"agents/front-desk": {"displayName": "Desk"}})).notices == ()


def test_each_delete_is_named_for_the_most_alike_create_only() -> None:
    tree = desired(
        {
            "agents/reception": {**BODY, "displayName": "Reception"},
            "agents/lobby": {**BODY, "displayName": "Lobby", "description": "Another one."},
        }
    )
    (notice,) = planned(tree, live({"agents/front-desk": BODY})).notices
    assert notice.startswith("shop-desk/agents/reception is similar to the live")


def test_another_kind_is_never_a_rename() -> None:
    other = {"displayName": "Lobby"}
    new = {"displayName": "x", "description": "The first contact."}
    tree = desired({"guardrails/reception": new, "agents/lobby": other})
    made = planned(tree, live({"agents/front-desk": BODY, "agents/lobby": other}))
    assert sorted(actions(made)) == ["+ guardrails/reception", "- agents/front-desk"]
    assert made.notices == ()
