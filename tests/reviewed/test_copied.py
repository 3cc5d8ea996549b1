"""
A version copies the whole app, and a deployment serves it: nothing that was not reviewed may be in the copy.

Anyone who edits the app after the review, in what the plan writes or beside it, before the apply or during it:
the deployment goes on serving what it served.
"""

from collections.abc import Callable
from typing import Any

import pytest

from cesplan.domain.outcome import Applied, Failed, Outcome, Skipped
from cesplan.domain.plan import Plan
from cesplan.domain.reviewed import Movement
from cesplan.domain.value import Body
from cesplan.engine.reviewing.record import review
from cesplan.remote.calls import Call
from cesplan.render.machine.formats.plan_files.plan_file import PlanFile
from tests.faults.desk import apply_over
from tests.faults.wire import Fault, Script, nothing, refusal
from tests.properties.trees import APP_NAME, desired
from tests.properties.world import World
from tests.reviewed.conftest import Worlds
from tests.reviewed.edits import create, delete, update
from tests.reviewed.filing import again, filed, state

_OTHER_CODE = {"pythonFunction": {"name": "lookup", "pythonCode": "def lookup():\n  return 1\n"}}


def _crm(variable: str) -> Body:
    """A tool with a field that may hold a secret, and here holds a variable of the conversation."""
    token = {"bearerTokenConfig": {"token": f"$context.variables.{variable}"}}
    return {"openApiTool": {"openApiSchema": "openapi: 3.0.0\n", "name": "crm", "apiAuthentication": token}}


_APP = {"displayName": "Shop desk", "rootAgent": "agents/front-desk"}
_OLD: dict[str, Body] = {
    "agents/front-desk": {"displayName": "Front", "instruction": "Be kind.", "tools": ["tools/lookup"]},
    "agents/billing": {"displayName": "Billing", "instruction": "Bill."},
    "tools/lookup": {"pythonFunction": {"name": "lookup", "pythonCode": "def lookup():\n  pass\n"}},
    "tools/crm-tool": _crm("crm"),
    "guardrails/words": {
        "displayName": "Words",
        "contentFilter": {"bannedContents": ["bad"], "matchType": "SIMPLE_STRING_MATCH"},
    },
    "evaluations/greeting": {
        "displayName": "Greets",
        "scenario": {"task": "Say hello.", "rubrics": ["kind"], "maxTurns": 3},
    },
    "versions/release-1": {"displayName": "Release 1"},
    "deployments/web-chat": {
        "displayName": "Web",
        "channelProfile": {"channelType": "WEB_UI"},
        "appVersion": "versions/release-1",
    },
}
_NEW: dict[str, Body] = {
    **_OLD,
    "agents/front-desk": {**_OLD["agents/front-desk"], "instruction": "Be brief."},
    "versions/release-2": {"displayName": "Release 2"},
    "deployments/web-chat": {**_OLD["deployments/web-chat"], "appVersion": "versions/release-2"},
}

BESIDE: dict[str, tuple[Callable[[World], None], Movement | None]] = {
    "another agent": (
        lambda world: update(world, "agents/billing", {"instruction": "Theirs."}),
        Movement.COPIED_CHANGED,
    ),
    "a tool's code": (
        lambda world: update(
            world,
            "tools/lookup",
            {"pythonFunction": {"name": "lookup", "pythonCode": "def lookup():\n  return 1\n"}},
        ),
        Movement.COPIED_CHANGED,
    ),
    "a guardrail": (
        lambda world: update(world, "guardrails/words", {"enabled": True}),
        Movement.COPIED_CHANGED,
    ),
    "the app": (lambda world: update(world, "", {"globalInstruction": "Theirs."}), Movement.COPIED_CHANGED),
    "another field of what the plan writes": (
        lambda world: update(world, "agents/front-desk", {"description": "Theirs."}),
        Movement.CHANGED,
    ),
    "a new agent": (
        lambda world: create(world, "agents/theirs", {"displayName": "Theirs"}),
        Movement.COPIED_CREATED,
    ),
    "an agent that goes": (lambda world: delete(world, "agents/billing"), Movement.COPIED_DELETED),
}
"""Edits beside what the plan writes, each with what it makes of the plan."""

SWITCHES = [
    pytest.param({"etag_on_update": "enforce"}, id="etags enforced"),
    pytest.param({"etag_on_update": "ignore", "deployment_etags": False}, id="etags ignored"),
]


def planned(world: World) -> Plan:
    """A plan that changes an agent, makes a version and serves it."""
    world.carry_out(desired(_OLD, _APP))
    made = world.plan(desired(_NEW, _APP))
    assert [item.address.within_app for item in made.shown] == [
        "agents/front-desk",
        "versions/release-2",
        "deployments/web-chat",
    ]
    return made


def serves(world: World) -> str:
    """The version that the deployment serves."""
    return str(state(world)[f"{APP_NAME}/deployments/web-chat"]["appVersion"]).rpartition("/")[2]


def before_the_version(act: Callable[[], None]) -> Script:
    """Someone acts right before  the version, after the client has done all it can."""

    def fault(send: Callable[[], Any]) -> Any:
        act()
        return send()

    def script(number: int, call: Call) -> Fault | None:
        return fault if not call.reads and call.collection == "versions" else None

    return script


def by_address(outcomes: list[Outcome]) -> dict[str, Outcome]:
    return {item.operation.address.within_app: item for item in outcomes}


@pytest.mark.parametrize("switches", SWITCHES)
@pytest.mark.parametrize("what", BESIDE)
def test_an_edit_after_the_review_makes_the_plan_stale(
    worlds: Worlds, switches: dict[str, Any], what: str
) -> None:
    world = worlds(**switches)
    reviewed = filed(planned(world))
    edit, movement = BESIDE[what]
    edit(world)
    assert [item.movement for item in again(world, reviewed).moved] == [movement]


@pytest.mark.parametrize("switches", SWITCHES)
@pytest.mark.parametrize("through_file", [True, False], ids=["plan file", "tree"])
@pytest.mark.parametrize("what", BESIDE)
def test_an_edit_while_the_plan_is_applied_is_not_served(
    worlds: Worlds, switches: dict[str, Any], through_file: bool, what: str
) -> None:
    """The new version goes again, and the deployment serves what it served; the edit itself stays."""
    world = worlds(**switches)
    made = planned(world)
    if through_file:
        made = again(world, filed(made)).plan
    edit, _ = BESIDE[what]
    outcomes, _ = apply_over(world, made, before_the_version(lambda: edit(world)))
    found = by_address(outcomes)
    version = found["versions/release-2"]
    assert isinstance(version, Failed)
    assert version.error.summary.startswith("versions/release-2 would serve content that was not reviewed: ")
    assert version.error.detail.endswith("It was deleted again. Make a new plan to see what changed.")
    assert isinstance(found["deployments/web-chat"], Skipped)
    assert isinstance(found["agents/front-desk"], Applied)
    assert serves(world) == "release-1"
    assert f"{APP_NAME}/versions/release-2" not in state(world)


def test_the_next_plan_shows_what_would_have_been_served(worlds: Worlds) -> None:
    world = worlds()
    made = planned(world)
    apply_over(world, made, before_the_version(lambda: BESIDE["another agent"][0](world)))
    assert [item.address.within_app for item in world.plan(desired(_NEW, _APP)).shown] == [
        "agents/billing",
        "versions/release-2",
        "deployments/web-chat",
    ]


@pytest.mark.parametrize("switches", SWITCHES)
def test_what_no_version_copies_may_move(worlds: Worlds, switches: dict[str, Any]) -> None:
    """An evaluation is in no version, and neither is what another apply left as its stamp."""
    world = worlds(**switches)
    reviewed = filed(planned(world))
    update(world, "evaluations/greeting", {"description": "Theirs."})
    found = again(world, reviewed)
    assert found.moved == ()
    outcomes, _ = apply_over(
        world,
        found.plan,
        before_the_version(lambda: update(world, "evaluations/greeting", {"displayName": "Theirs"})),
    )
    assert all(isinstance(item, Applied) for item in outcomes)
    assert serves(world) == "release-2"


def test_an_apply_that_broke_off_goes_on_with_the_same_file(worlds: Worlds) -> None:
    """What it wrote itself is not a movement."""
    world = worlds()
    made = planned(world)
    reviewed = filed(made)

    def cut(number: int, call: Call) -> Fault | None:
        return refusal(400, "INVALID_ARGUMENT") if not call.reads and call.collection == "versions" else None

    outcomes, _ = apply_over(world, again(world, reviewed).plan, cut)
    assert isinstance(by_address(outcomes)["versions/release-2"], Failed)
    found = again(world, reviewed)
    assert found.moved == ()
    outcomes, _ = apply_over(world, found.plan, nothing)
    assert all(isinstance(item, Applied) for item in outcomes)
    assert serves(world) == "release-2"


def test_a_file_has_a_digest_of_everything_that_holds_no_secret(worlds: Worlds) -> None:
    """A digest of a secret could be tried out; where one may be, the etag vouches."""
    world = worlds()
    made = planned(world)
    copied = PlanFile.filed(review(made)).document()["apply"]["copied"]["shop-desk"]
    assert sorted(copied) == [
        "shop-desk",
        "shop-desk/agents/billing",
        "shop-desk/agents/front-desk",
        "shop-desk/guardrails/words",
        "shop-desk/tools/crm-tool",
        "shop-desk/tools/lookup",
    ]
    assert [text for text, item in copied.items() if not item["digest"]] == ["shop-desk/tools/crm-tool"]
    assert copied["shop-desk/tools/crm-tool"]["etag"]
    update(world, "tools/crm-tool", _crm("other"))
    (moved,) = again(world, filed(made)).moved
    assert (moved.movement, str(moved.copied)) == (Movement.COPIED_CHANGED, "shop-desk/tools/crm-tool")


def test_an_app_that_is_only_locked_again_is_compared_too(worlds: Worlds) -> None:
    """The plan writes nothing of the app but its lock, after the version: that answers for no other field."""
    world = worlds()
    world.carry_out(desired(_OLD, _APP))
    made = world.plan(desired(_NEW, {**_APP, "locked": True}))
    outcomes, _ = apply_over(world, made, before_the_version(lambda: BESIDE["the app"][0](world)))
    assert isinstance(by_address(outcomes)["versions/release-2"], Failed)
    assert serves(world) == "release-1"
