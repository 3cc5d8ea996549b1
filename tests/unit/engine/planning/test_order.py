"""References decide the order; cycles are cut where it hurts least."""

import random
from typing import Any

from cesplan.domain.plan import Plan, Step, steps_of
from cesplan.domain.settings import Ownership
from tests.unit.engine.builders import NOTHING, actions, desired, live, name, planned


def told(plan: Plan) -> list[str]:
    """`create agents/a-agent`, `link app rootAgent`, …: every step, as the plan lists them."""
    return [
        " ".join(
            filter(
                None,
                (
                    step.action if step.id.purpose == "main" else step.id.purpose,
                    "app" if step.id.address.kind == "apps" else step.id.address.within_app,
                    ",".join(map(str, step.mask)) if step.id.purpose != "stamp" else "",
                ),
            )
        )
        for step in steps_of(plan)
    ]


def run_in_order(plan: Plan, seed: int) -> list[Step]:
    """One possible run: at each moment any step whose predecessors are done may go."""
    chance, done, left = random.Random(seed), [], [*steps_of(plan)]
    while left:
        finished = {step.id for step in done}
        ready = [step for step in left if set(step.after) <= finished]
        assert ready, "no step can go: the plan waits for itself"
        step = chance.choice(ready)
        left.remove(step)
        done.append(step)
    return done


def test_creates_come_after_what_they_refer_to() -> None:
    tree = desired(
        {
            "agents/front-desk": {"tools": ["tools/lookup"], "guardrails": ["guardrails/words"]},
            "tools/lookup": {"pythonFunction": {"name": "lookup"}},
            "guardrails/words": {"displayName": "w"},
            "examples/hello-you": {"entryAgent": "agents/front-desk"},
        }
    )
    assert told(planned(tree, NOTHING)) == [
        "create app",
        "create tools/lookup",
        "create guardrails/words",
        "create agents/front-desk",
        "create examples/hello-you",
        "stamp app",
    ]


def test_an_app_names_its_resources_in_a_later_step() -> None:
    tree = desired(
        {"agents/front-desk": {"displayName": "f"}, "guardrails/words": {"displayName": "w"}},
        {"displayName": "Shop", "rootAgent": "agents/front-desk", "guardrails": ["guardrails/words"]},
    )
    assert told(planned(tree, NOTHING)) == [
        "create app",
        "link app guardrails,rootAgent",
        "create guardrails/words",
        "create agents/front-desk",
        "stamp app",
    ]


def test_a_ring_of_agents_is_cut_at_transfer_rules_first() -> None:
    rule = {"direction": "CHILD_TO_PARENT", "childAgent": "agents/child-one"}
    tree = desired(
        {
            "agents/parent": {"childAgents": ["agents/child-one"]},
            "agents/child-one": {"transferRules": [{**rule, "childAgent": "agents/parent"}]},
        }
    )
    assert told(planned(tree, NOTHING)) == [
        "create app",
        "create agents/child-one",
        "link agents/child-one transferRules",
        "create agents/parent",
        "stamp app",
    ]


def test_a_guardrail_is_never_created_without_its_action() -> None:
    """A ring through a guardrail is cut at the agent, for a guardrail must not be weakened."""
    tree = desired(
        {
            "agents/care-team": {"guardrails": ["guardrails/distress"]},
            "guardrails/distress": {"action": {"transferAgent": {"agent": "agents/care-team"}}},
        }
    )
    plan = planned(tree, NOTHING)
    assert "link agents/care-team guardrails" in told(plan)
    create = next(s for s in steps_of(plan) if s.id.address.kind == "guardrails")
    assert create.body == {"action": {"transferAgent": {"agent": "agents/care-team"}}}


def test_an_agent_tool_that_calls_its_own_agent_is_cut_at_the_agent() -> None:
    tree = desired(
        {
            "agents/orders": {"tools": ["tools/ask-orders"]},
            "tools/ask-orders": {"agentTool": {"name": "ask", "agent": "agents/orders"}},
        }
    )
    assert "link agents/orders tools" in told(planned(tree, NOTHING))


def test_rings_of_tools_are_cut_inside_the_tool() -> None:
    def widget(source: str) -> dict[str, Any]:
        return {"widgetTool": {"name": "w", "dataMapping": {"sourceToolName": source, "mode": "FIELD_MAPPING"}}}

    tree = desired({"tools/a-tool": widget("tools/b-tool"), "tools/b-tool": widget("tools/a-tool")})
    plan = planned(tree, NOTHING)
    link = next(step for step in steps_of(plan) if step.id.purpose == "link")
    assert [str(path) for path in link.mask] == ["widgetTool.dataMapping.sourceToolName"]
    create = next(s for s in steps_of(plan) if s.id.address == link.id.address and s.id.purpose == "main")
    assert create.body == {"widgetTool": {"name": "w", "dataMapping": {"mode": "FIELD_MAPPING"}}}


def test_a_delete_comes_after_the_update_that_drops_the_reference() -> None:
    tree = desired({"agents/front-desk": {"tools": ["tools/new-tool"]}, "tools/new-tool": {}})
    state = live({"agents/front-desk": {"tools": [name("tools/old-tool")]}, "tools/old-tool": {}})
    assert actions(planned(tree, state)) == [
        "+ tools/new-tool",
        "~ agents/front-desk tools",
        "- tools/old-tool",
    ]


def test_among_deletes_users_go_first() -> None:
    state = live({"agents/old-agent": {"tools": [name("tools/old-tool")]}, "tools/old-tool": {}})
    plan = planned(desired({}), state)
    assert actions(plan) == ["- agents/old-agent", "- tools/old-tool"]
    assert [item.used_by for item in plan.shown][1][0].within_app == "agents/old-agent"


def test_a_ring_of_deletes_first_drops_one_reference() -> None:
    def agent(other: str) -> dict[str, Any]:
        return {"childAgents": [name(f"agents/{other}"), name("agents/stays-here")]}

    tree = desired({"agents/stays-here": {}})
    state = live(
        {"agents/a-agent": agent("b-agent"), "agents/b-agent": agent("a-agent"), "agents/stays-here": {}}
    )
    plan = planned(tree, state)
    unlink = next(step for step in steps_of(plan) if step.id.purpose == "unlink")
    assert unlink.body == {"childAgents": ["agents/stays-here"]}
    assert told(plan)[:3] == [
        "unlink agents/a-agent childAgents",
        "delete agents/a-agent",
        "delete agents/b-agent",
    ] or told(plan)[:3] == [
        "delete agents/b-agent",
        "unlink agents/a-agent childAgents",
        "delete agents/a-agent",
    ]
    for seed in range(5):
        run_in_order(plan, seed)


def test_versions_come_after_every_other_write_and_deployments_after_them() -> None:
    tree = desired(
        {
            "agents/front-desk": {"displayName": "f"},
            "versions/v1-first": {"displayName": "first"},
            "deployments/web-chat": {"displayName": "d", "appVersion": "versions/v1-first"},
            "tools/a-tool": {},
        },
        folders=("agents", "tools", "versions", "deployments"),
    )
    told_steps = told(planned(tree, NOTHING))
    assert told_steps[-3:] == ["create versions/v1-first", "create deployments/web-chat", "stamp app"]


def test_a_locked_app_is_opened_first_and_closed_last() -> None:
    tree = desired({"agents/front-desk": {"instruction": "new"}}, {"displayName": "Shop", "locked": True})
    state = live({"agents/front-desk": {"instruction": "old"}}, {"displayName": "Shop", "locked": True})
    plan = planned(tree, state)
    for seed in range(10):
        order = [f"{step.id.purpose} {step.id.address.kind}" for step in run_in_order(plan, seed)]
        assert order == ["unlock apps", "main agents", "stamp apps", "lock apps"]


def test_a_new_app_is_locked_at_the_end() -> None:
    tree = desired({"agents/front-desk": {}}, {"displayName": "Shop", "locked": True})
    plan = planned(tree, NOTHING)
    create = steps_of(plan)[0]
    assert create.body == {"displayName": "Shop"}
    assert run_in_order(plan, 1)[-1].id.purpose == "lock"


def test_a_locked_app_without_changes_is_left_alone() -> None:
    app = {"displayName": "Shop", "locked": True}
    assert planned(desired({}, app), live({}, app)).operations == ()


def test_personas_wait_for_the_app_that_holds_them() -> None:
    run = {"request": {"personaRunConfigs": [{"persona": "evaluationPersonas/angry"}]}}
    app = {"displayName": "Shop", "evaluationPersonas": [{"name": "evaluationPersonas/angry"}]}
    tree = desired({"scheduledEvaluationRuns/nightly": run}, app, folders=("scheduledEvaluationRuns",))
    plan = planned(tree, live({}))
    for seed in range(5):
        order = [str(step.id.address.kind) for step in run_in_order(plan, seed)]
        assert order == ["apps", "scheduledEvaluationRuns", "apps"]


def test_every_order_that_a_plan_allows_keeps_references_whole() -> None:
    """Whatever the workers' timing, nothing is created before what its body names."""
    ring = {f"agents/agent-{n}": {"childAgents": [f"agents/agent-{(n + 1) % 6}"]} for n in range(6)}
    for key in ring:
        ring[key]["tools"] = ["tools/shared-tool"]
    tree = desired({**ring, "tools/shared-tool": {"agentTool": {"name": "t", "agent": "agents/agent-0"}}})
    plan = planned(tree, NOTHING)
    for seed in range(20):
        known: set[str] = set()
        for step in run_in_order(plan, seed):
            named = {*step.body.get("childAgents", []), *step.body.get("tools", [])}
            named |= {step.body.get("agentTool", {}).get("agent")} - {None}
            assert named <= known
            known.add(step.id.address.within_app)


def test_a_cut_that_is_taken_back_closes_no_wider_ring() -> None:
    """A cut inside a smaller ring also took edges that lead out of it; those count when it is taken back."""

    def rules(*agents: str) -> list[dict[str, str]]:
        return [{"childAgent": f"agents/{agent}", "direction": "PARENT_TO_CHILD"} for agent in agents]

    tree = desired(
        {
            "agents/agent-0": {"transferRules": rules("agent-1", "agent-2")},
            "agents/agent-1": {
                "childAgents": ["agents/agent-1", "agents/agent-2"],
                "transferRules": rules("agent-2", "agent-0"),
            },
            "agents/agent-2": {"childAgents": ["agents/agent-0", "agents/agent-1", "agents/agent-2"]},
        }
    )
    for seed in range(5):
        run_in_order(planned(tree, NOTHING), seed)


def test_a_delete_by_force_comes_after_the_writes_of_those_it_changes() -> None:
    """So nobody writes them while the service removes the reference from them."""
    state = live(
        {"guardrails/old-words": {}, "agents/front-desk": {"guardrails": [name("guardrails/old-words")]}}
    )
    tree = desired(
        {"agents/front-desk": {"instruction": "Be brief."}},
        more={"agents/front-desk": {"ownership": Ownership.DECLARED}},
    )
    made = planned(tree, state, force=frozenset({"shop-desk/guardrails/old-words"}))
    (deleted,) = (step for step in steps_of(made) if step.force)
    assert [str(item) for item in deleted.after] == ["shop-desk/agents/front-desk"]
