"""What a plan contains, and what it leaves alone."""

from dataclasses import replace
from typing import Any

from cesplan.domain.live import Live
from cesplan.domain.plan import Action, Reason
from cesplan.domain.settings import Ownership
from cesplan.engine.planning.versions.repeated import wants_newest
from tests.unit.engine.builders import APP, NOTHING, actions, desired, live, live_resource, name, planned


def test_equal_states_need_nothing() -> None:
    body = {"displayName": "f", "tools": ["tools/a-tool"]}
    state = live(
        {"agents/front-desk": {"displayName": "f", "tools": [name("tools/a-tool")]}, "tools/a-tool": {}}
    )
    plan = planned(desired({"agents/front-desk": body, "tools/a-tool": {}}), state)
    assert (plan.shown, plan.unchanged) == ((), 3)


def test_only_kinds_with_a_folder_are_pruned() -> None:
    state = live({"guardrails/theirs": {"displayName": "t"}, "tools/theirs": {}})
    plan = planned(desired({}, folders=("tools",)), state)
    assert actions(plan) == ["- tools/theirs"]
    assert [(str(item.address), item.why) for item in plan.unmanaged] == [
        ("shop-desk/guardrails/theirs", "the tree has no folder guardrails/")
    ]


def test_pruning_can_be_off() -> None:
    plan = planned(desired({}), live({"tools/theirs": {}}), prune=False)
    assert plan.shown == ()
    assert [item.why for item in plan.unmanaged] == ["pruning is off"]


def test_versions_and_what_the_service_makes_are_never_pruned() -> None:
    state = live({"versions/v1-first": {}, "tools/end_session": {"systemTool": {"name": "end_session"}}})
    plan = planned(desired({}, folders=("versions", "tools")), state)
    assert (plan.shown, plan.unmanaged) == ((), ())


def test_first_contact_removes_nothing_and_says_what_it_would() -> None:
    tree = desired({"agents/front-desk": {"displayName": "f"}})
    state = live(
        {"agents/front-desk": {"displayName": "old", "instruction": "theirs"}, "tools/theirs": {}},
        stamped=False,
    )
    plan = planned(tree, state)
    assert actions(plan) == ["~ agents/front-desk displayName"]
    assert plan.would_remove == ("shop-desk/agents/front-desk  instruction", "shop-desk/tools/theirs")
    assert [item.reason for item in plan.operations] == [Reason.FIELD_CHANGED]


def test_first_contact_clears_what_the_file_names() -> None:
    tree = desired({"agents/front-desk": {"displayName": "f", "instruction": None}})
    state = live({"agents/front-desk": {"displayName": "f", "instruction": "theirs"}}, stamped=False)
    assert actions(planned(tree, state)) == ["~ agents/front-desk instruction"]


def test_adopt_takes_the_app_over() -> None:
    tree = desired({"agents/front-desk": {"displayName": "f"}})
    state = live({"agents/front-desk": {"displayName": "f"}, "tools/theirs": {}}, stamped=False)
    plan = planned(tree, state, adopt=True)
    assert actions(plan) == ["- tools/theirs"]
    assert plan.operations[-1].reason is Reason.STAMP


def test_adopt_stamps_an_equal_app_too() -> None:
    plan = planned(desired({}), live({}, stamped=False), adopt=True)
    assert ([item.reason for item in plan.operations], plan.is_empty) == ([Reason.STAMP], True)


def test_the_stamp_keeps_the_metadata_of_others() -> None:
    tree = desired({"agents/front-desk": {"displayName": "new"}})
    app = {"displayName": "Shop", "metadata": {"theirs": "x"}}
    state = live({"agents/front-desk": {"displayName": "old"}}, app, stamped=False)
    stamp = planned(tree, state).operations[-1]
    assert stamp.reason is Reason.STAMP
    assert stamp.steps[0].body["metadata"]["theirs"] == "x"
    keys = {"theirs", "cesplan-format", "cesplan-app", "cesplan-digest", "cesplan-kinds", "cesplan-wrote"}
    assert set(stamp.steps[0].body["metadata"]) == keys


def test_the_stamp_can_be_off() -> None:
    plan = planned(desired({"tools/a-tool": {}}, stamp=False), NOTHING)
    assert Reason.STAMP not in {item.reason for item in plan.operations}


def test_a_resource_is_found_by_its_display_name() -> None:
    """A renamed key with the same display name is not a change, and the plan says how to fix the identity."""
    tree = desired({"agents/reception": {"displayName": "Front desk"}})
    state = live({"agents/9c1e-77aa": {"displayName": "Front desk"}})
    plan = planned(tree, state)
    assert plan.shown == ()
    assert plan.notices == (
        (
            "shop-desk/agents/reception was matched by its display name; to fix its identity, "
            "add to agents/reception.yaml: $id: 9c1e-77aa"
        ),
    )


def test_references_follow_a_resource_found_by_its_display_name() -> None:
    tree = desired(
        {
            "agents/reception": {"displayName": "Front desk", "tools": ["tools/lookup"]},
            "tools/lookup": {"pythonFunction": {"name": "lookup_order"}},
        }
    )
    state = live(
        {
            "agents/9c1e-77aa": {"displayName": "Front desk", "tools": [name("tools/77aa-9c1e")]},
            "tools/77aa-9c1e": {"displayName": "lookup_order", "pythonFunction": {"name": "lookup_order"}},
        }
    )
    assert planned(tree, state).shown == ()


def test_a_display_name_that_is_not_unique_is_no_identity() -> None:
    """Nothing is created beside the two, neither is deleted, and the plan is refused."""
    tree = desired({"agents/reception": {"displayName": "Front desk"}})
    twins = {key: {"displayName": "Front desk"} for key in ("agents/twin-one", "agents/twin-two")}
    made = planned(tree, live(twins))
    assert (actions(made), len(made.refusals)) == ([], 1)


def test_a_changed_id_is_a_delete_and_a_create() -> None:
    tree = desired(
        {"tools/lookup": {"pythonFunction": {"name": "x"}}}, more={"tools/lookup": {"resource_id": "new-id"}}
    )
    state = live({"tools/lookup": {"pythonFunction": {"name": "x"}}})
    plan = planned(tree, state)
    assert actions(plan) == ["+ tools/lookup", "- tools/@lookup"]
    assert plan.shown[1].reason is Reason.ID_CHANGED


def test_a_version_cannot_be_changed() -> None:
    tree = desired({"versions/v1-first": {"displayName": "new"}}, folders=("versions",))
    plan = planned(tree, live({"versions/v1-first": {"displayName": "old"}}))
    assert len(plan.refusals) == 1
    assert "add a new file" in plan.refusals[0]


def test_one_run_makes_one_version() -> None:
    tree = desired({"versions/v1-first": {}, "versions/v2-second": {}}, folders=("versions",))
    assert "at most one version" in planned(tree, NOTHING).refusals[0]


def test_a_delete_of_what_others_still_use_is_refused() -> None:
    """An agent outside the tree's folders goes on naming the tool, so the service would refuse."""
    state = live({"agents/theirs": {"tools": [name("tools/old-tool")]}, "tools/old-tool": {}})
    plan = planned(desired({}, folders=("tools",)), state)
    assert plan.refusals == (
        (
            "shop-desk/tools/old-tool cannot be deleted while shop-desk/agents/theirs refers to it: drop that "
            "reference, or delete it anyway with --force shop-desk/tools/old-tool"
        ),
    )
    forced = planned(desired({}, folders=("tools",)), state, force=frozenset({"shop-desk/tools/old-tool"}))
    assert forced.refusals == ()
    assert forced.operations[0].steps[0].force


def test_a_delete_knows_all_who_refer_to_it_and_who_still_will() -> None:
    """In the tree and changed, unchanged, or not in the tree at all; who drops the reference will not."""
    used = {"guardrails": [name("guardrails/old-words")]}
    state = live(
        {
            "guardrails/old-words": {},
            "agents/theirs": used,
            "agents/drops-it": used,
            "agents/says-nothing": used,
        },
        {"displayName": "Shop", **used},
    )
    tree = desired(
        {"agents/drops-it": {}, "agents/says-nothing": {"displayName": "New"}},
        folders=("guardrails",),
        more={at: {"ownership": Ownership.DECLARED} for at in ("", "agents/says-nothing")},
    )
    made = planned(tree, state, force=frozenset({"shop-desk/guardrails/old-words"}))
    (deleted,) = (item for item in made.operations if item.action is Action.DELETE)
    still = ["shop-desk", "shop-desk/agents/says-nothing", "shop-desk/agents/theirs"]
    assert sorted(map(str, deleted.still_used_by)) == still
    assert sorted(map(str, deleted.used_by)) == sorted([*still, "shop-desk/agents/drops-it"])


def test_an_unknown_oneof_member_blocks_the_update_of_its_oneof() -> None:
    state = live({"agents/front-desk": {"brandNewAgent": {"a2aConfig": {}}}})
    plan = planned(desired({"agents/front-desk": {"llmAgent": {}}}), state)
    assert "`brandNewAgent`" in plan.refusals[0]


def test_unknown_live_fields_are_reported_and_left_alone() -> None:
    state = live({"agents/front-desk": {"displayName": "f", "novelty": 1}})
    plan = planned(desired({"agents/front-desk": {"displayName": "f"}}), state)
    assert plan.shown == ()
    assert "`novelty`" in plan.notices[0]


def test_fields_newer_than_the_models_are_compared_and_sent_as_they_stand() -> None:
    tree = desired({"agents/front-desk": {}}, more={"agents/front-desk": {"extra": {"novelty": {"a": 1}}}})
    assert planned(tree, live({"agents/front-desk": {"novelty": {"a": 1.0}}})).shown == ()
    step = planned(tree, live({"agents/front-desk": {"novelty": {"a": 2}}})).operations[0].steps[0]
    assert (step.body, [str(path) for path in step.mask]) == ({"novelty": {"a": 1}}, ["novelty"])


def test_input_only_fields_are_sent_on_create_and_when_asked() -> None:
    body: dict[str, Any] = {"displayName": "d", "instagramCredentials": {"authCode": "x"}}
    tree = desired({"deployments/insta": body})
    assert planned(tree, live({"deployments/insta": {"displayName": "d"}})).shown == ()
    created = planned(tree, live({})).operations[0].steps[0]
    assert created.body["instagramCredentials"] == {"authCode": "x"}
    again = planned(
        tree,
        live({"deployments/insta": {"displayName": "d"}}),
        resend=frozenset({"shop-desk/deployments/insta"}),
    )
    assert actions(again) == ["~ deployments/insta instagramCredentials"]


def test_lost_parts_of_lists_need_a_word() -> None:
    tree = desired({"examples/hello-you": {"messages": [{"role": "agent"}]}})
    state = live({"examples/hello-you": {"messages": [{"role": "user", "novelty": 1}]}})
    assert "--allow-drop-unknown" in planned(tree, state).refusals[0]
    assert planned(tree, state, allow_drop_unknown=True).refusals == ()


def test_declared_ownership_is_a_choice_of_each_file() -> None:
    tree = desired(
        {"deployments/phone": {"displayName": "d"}},
        more={"deployments/phone": {"ownership": Ownership.DECLARED}},
    )
    state = live({"deployments/phone": {"displayName": "d", "appVersion": name("versions/v1-first")}})
    assert planned(tree, state).shown == ()


def test_same_inputs_make_the_same_plan() -> None:
    """Law 7: the order of files and of live answers changes nothing."""
    bodies = {
        f"agents/agent-{n}": {"displayName": str(n), "childAgents": [f"agents/agent-{(n + 1) % 5}"]}
        for n in range(5)
    }
    one = planned(desired(bodies), NOTHING)
    other = planned(desired(dict(reversed(bodies.items()))), NOTHING)
    assert one == other


def with_newest(state: Live, version: str, snapshot: dict[str, Any]) -> Live:
    body = {"createTime": "2026-01-01T00:00:00Z", "snapshot": snapshot}
    return replace(state, newest_versions={APP: live_resource(f"versions/{version}", body)})


def test_a_version_that_would_repeat_the_newest_one_is_satisfied_by_it() -> None:
    """The deployment that names the file means the version that is there."""
    agent = {"displayName": "f", "instruction": "i"}
    tree = desired(
        {
            "agents/front-desk": agent,
            "versions/v2-second": {},
            "deployments/web-chat": {"displayName": "d", "appVersion": "versions/v2-second"},
        },
        folders=("agents", "versions", "deployments"),
    )
    state = live(
        {
            "agents/front-desk": agent,
            "versions/v1-first": {"createTime": "2026-01-01T00:00:00Z"},
            "deployments/web-chat": {"displayName": "d", "appVersion": name("versions/v1-first")},
        }
    )
    first = planned(tree, state)
    assert actions(first) == ["+ versions/v2-second", "~ deployments/web-chat appVersion"]
    assert wants_newest(first) == (APP,)
    snapshot = {
        "app": {"name": name(), "displayName": "Shop"},
        "agents": [{**agent, "name": name("agents/front-desk")}],
    }
    again = planned(tree, with_newest(state, "v1-first", snapshot))
    assert again.shown == ()
    assert "none is created" in again.notices[0]
    snapshot["agents"][0]["instruction"] = "older"
    assert actions(planned(tree, with_newest(state, "v1-first", snapshot)))[0] == "+ versions/v2-second"


def test_other_writes_make_a_version_worth_while() -> None:
    tree = desired(
        {"agents/front-desk": {"instruction": "new"}, "versions/v2-second": {}}, folders=("agents", "versions")
    )
    assert wants_newest(planned(tree, live({"agents/front-desk": {"instruction": "old"}}))) == ()


def test_the_delete_behind_a_changed_id_remembers_protection() -> None:
    more = {"tools/lookup": {"resource_id": "new-id", "protect": True}}
    tree = desired({"tools/lookup": {"pythonFunction": {"name": "x"}}}, more=more)
    plan = planned(tree, live({"tools/lookup": {"pythonFunction": {"name": "x"}}}))
    assert [item.notes for item in plan.shown] == [(), ("protected",)]
