"""A plan says of each operation what it reaches, and says it in one line."""

from dataclasses import replace

from cesplan.domain.address import Address, parse_address
from cesplan.domain.features.impact import Impact, Served
from cesplan.domain.plan import Operation, Plan, Reason
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import Settings
from cesplan.features.impact.plan import with_impact
from cesplan.features.impact.reaching import Refers
from cesplan.render.impact import impact_of, serving_of
from tests.unit.engine.builders import APP
from tests.unit.engine.plans import create, delete, stamp, update

SETTINGS = Settings(place=Place(project="acme", location="us"), api_version="v1beta")


def refers(text: str) -> Refers:
    """An app of lines `agents/orders: tools/lookup tools/refund`; `app` is the app itself."""

    def at(name: str) -> Address:
        return parse_address(APP if name == "app" else f"{APP}/{name}")

    rows = (line.partition(":") for line in text.strip().splitlines())
    return {at(who.strip()): frozenset(map(at, names.split())) for who, _, names in rows}


LIVE = refers("""
    app: agents/desk guardrails/pii
    agents/desk: agents/orders tools/hours
    agents/orders: tools/lookup
    agents/lonely: tools/lookup
    tools/hours:
    tools/lookup:
    guardrails/pii:
    evaluations/where: tools/lookup
    evaluations/hello:
    versions/v1:
    deployments/web: versions/v1
    deployments/draft: versions/-
""")


def planned(*operations: Operation, after: Refers = LIVE, version: str = "v1beta") -> Plan:
    plan = Plan(
        settings=replace(SETTINGS, api_version=version),
        operations=operations,
        refers_before=LIVE,
        refers_after=after,
    )
    return with_impact(plan)


def impact(plan: Plan, number: int = 0) -> Impact:
    found = plan.operations[number].impact
    assert found is not None
    return found


def changed(text: str) -> Operation:
    return update(text, {}, {"description": "x"}, "description")


def test_a_tool_is_reached_by_its_agents_and_covered_by_what_expects_it_to_be_called() -> None:
    plan = planned(replace(changed("tools/lookup"), used_by=(parse_address(f"{APP}/agents/orders"),)))
    found = impact(plan)
    assert [item.within_app for item in found.way] == ["agents/desk", "agents/orders", "tools/lookup"]
    assert {item.within_app for item in found.agents} == {"agents/desk", "agents/orders", "agents/lonely"}
    assert [item.within_app for item in found.evaluations or ()] == ["evaluations/where"]
    assert impact_of(plan.operations[0]) == "used by agents/orders; 1 evaluation of 2 runs through it"


def test_what_agents_are_called_in_a_line() -> None:
    """The root, an agent below it, and one that no conversation reaches."""
    plan = planned(*map(changed, ("agents/desk", "agents/orders", "agents/lonely", "guardrails/pii", "")))
    assert [impact_of(item) for item in plan.operations] == [
        "conversations begin here; all 2 evaluations run through it",
        "reached by desk → orders; no evaluation runs through it",
        "no conversation reaches it; no evaluation runs through it",
        "applies to all 3 agents; all 2 evaluations run through it",
        "all 2 evaluations run through it",
    ]


def test_in_an_app_with_one_agent_nothing_is_said_that_goes_without_saying() -> None:
    after = refers(
        "app: agents/desk guardrails/pii\n agents/desk: tools/hours\n tools/hours:\n guardrails/pii:"
    )
    plan = planned(*map(changed, ("agents/desk", "guardrails/pii", "")), after=after)
    assert [impact_of(item) for item in plan.operations] == ["", "", ""]


def test_a_deployment_of_a_version_does_not_serve_a_change_of_the_draft() -> None:
    found = {item.deployment.key: item.served for item in impact(planned(changed("tools/lookup"))).deployments}
    assert found == {"web": Served.NO, "draft": Served.AT_ONCE}


def test_a_deployment_of_a_version_of_this_plan_serves_its_changes() -> None:
    after = {**LIVE, **refers("versions/v2:\n deployments/web: versions/v2")}
    plan = planned(changed("tools/lookup"), create("versions/v2"), after=after)
    assert serving_of(plan) == (
        "draft serves the draft, so the changes take effect at once",
        "web serves a version of this plan, which holds the changes",
    )


def test_a_delete_reaches_what_it_reached_before() -> None:
    """Afterwards nothing names it."""
    after = {who: names for who, names in LIVE.items() if who.key != "lookup"}
    after |= refers("agents/orders:\n agents/lonely:\n evaluations/where:")
    plan = planned(delete("tools/lookup", {}), changed("agents/orders"), after=after)
    assert impact(plan).agent_count == 3
    assert impact(plan).evaluation_count == 1


def test_a_new_resource_says_only_that_nothing_leads_to_it() -> None:
    after = {**LIVE, **refers("tools/new:\n agents/desk: agents/orders tools/hours tools/other\n tools/other:")}
    plan = planned(create("tools/new"), create("tools/other"), after=after)
    assert [impact_of(item) for item in plan.operations] == ["no conversation reaches it", ""]


def test_without_evaluations_in_the_api_their_reach_is_unknown() -> None:
    """v1 has none: that is not the same as an agent that no evaluation runs through."""
    plan = planned(changed("agents/orders"), version="v1")
    assert impact(plan).evaluations is None
    assert impact_of(plan.operations[0]) == "reached by desk → orders"


def test_what_takes_no_part_in_conversations_reaches_nothing() -> None:
    """Evaluations, deployments and stamps."""
    plan = planned(changed("evaluations/where"), changed("deployments/web"), stamp())
    assert [item.impact for item in plan.operations] == [None, None, None]
    assert plan.operations[2].reason is Reason.STAMP


def test_of_a_new_app_nobody_is_served_yet() -> None:
    assert serving_of(planned(create(""), create("tools/lookup"))) == ()


def test_long_ways_show_their_ends() -> None:
    rows = "\n".join(f"agents/a{number}: agents/a{number + 1}" for number in range(8))
    after = refers(f"app: agents/a0\n{rows}\n agents/a8:")
    plan = planned(changed("agents/a8"), after=after)
    assert impact_of(plan.operations[0]) == "reached by a0 → … → a7 → a8"
