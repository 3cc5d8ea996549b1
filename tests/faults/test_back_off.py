"""
While a write waits for its next try, someone edits its resource: the edit stays, etags enforced or not.

The service says that it is busy (429, 503) or is not reached at all; before the write is sent again its
resource is read again.
"""

from collections.abc import Callable
from typing import Any

import pytest

from cesplan.domain.field_path import mask_path
from cesplan.domain.plan import Action
from cesplan.domain.settings import Settings
from cesplan.model.kinds import kind_of
from cesplan.remote.calls import Call
from cesplan.remote.transport import Answer, NotSent
from tests.faults.desk import Worlds, apply_over, settled, state
from tests.faults.scenes import APP, BEFORE, at_first, new
from tests.faults.wire import Fault, Script, refusal
from tests.properties.trees import APP_NAME, desired
from tests.properties.world import World

CARELESS = {"etag_on_update": "ignore", "deployment_etags": False}


def not_reached(send: Callable[[], Answer]) -> Answer:
    raise NotSent("connection refused")


BUSY: dict[str, Fault] = {
    "429": refusal(429, "RESOURCE_EXHAUSTED"),
    "503": refusal(503, "UNAVAILABLE"),
    "could not be reached": not_reached,
}


def edit(world: World, text: str, body: dict[str, Any]) -> None:
    """Someone else sets some fields of a resource, without an etag."""
    name = f"{APP_NAME}/{text}"
    client = world.client(Settings(place=new().settings.place), read_only=False)
    mask = tuple(mask_path(key) for key in body)
    client.update(kind_of(text.partition("/")[0]), name, {**body, "name": name}, mask)


def busy_once(resource: str, fault: Fault, meanwhile: Callable[[], None]) -> tuple[Script, list[int]]:
    """The first write of a resource meets a fault, and `meanwhile` happens before it is tried again."""
    met: list[int] = []

    def script(number: int, call: Call) -> Fault | None:
        if call.reads or not call.resource.endswith(resource) or met:
            return None
        met.append(number)

        def act(send: Callable[[], Answer]) -> Answer:
            meanwhile()
            return fault(send)

        return act

    return script, met


@pytest.mark.parametrize("switches", [{}, CARELESS], ids=["etags enforced", "etags ignored"])
@pytest.mark.parametrize("fault", BUSY)
@pytest.mark.parametrize(
    ("resource", "theirs"),
    [
        ("agents/front-desk", {"instruction": "Theirs."}),  # updated by the plan, in the field that it writes
        ("agents/front-desk", {"description": "Theirs."}),
        ("deployments/web-chat", {"displayName": "Theirs"}),
        ("evaluations/greeting", {"description": "Theirs"}),  # deleted by the plan
    ],
)
def test_an_edit_during_the_wait_stays(
    worlds: Worlds, switches: dict[str, Any], fault: str, resource: str, theirs: dict[str, Any]
) -> None:
    world = worlds(**switches)
    at_first(world)
    made = world.plan(new())
    script, met = busy_once(resource, BUSY[fault], lambda: edit(world, resource, theirs))
    outcomes, _ = apply_over(world, made, script)
    assert len(met) == 1
    assert settled(outcomes)[f"shop-desk/{resource}"] == "failed"
    there = state(world)[f"{APP_NAME}/{resource}"]
    assert {name: there[name] for name in theirs} == theirs


@pytest.mark.parametrize("fault", BUSY)
def test_a_wait_in_which_nothing_happens_costs_nothing(worlds: Worlds, fault: str) -> None:
    world = worlds(**CARELESS)
    at_first(world)
    made = world.plan(new())
    for resource in ("agents/front-desk", "evaluations/greeting"):
        script, met = busy_once(resource, BUSY[fault], lambda: None)
        outcomes, _ = apply_over(world, made, script)
        assert len(met) == 1
        assert set(settled(outcomes).values()) == {"applied"}
        at_first(world)
        made = world.plan(new())


def test_who_came_to_refer_during_the_wait_is_not_changed_by_force(worlds: Worlds) -> None:
    """A delete by force drops references; who began to refer while it waited was not in the plan."""
    world = worlds(**CARELESS)
    left = {text: body for text, body in BEFORE.items() if text != "guardrails/no-attack"}
    at_first(world)
    made = world.plan(desired(left, APP), force=frozenset({"shop-desk/guardrails/no-attack"}))
    assert [item.address.key for item in made.shown if item.action is Action.DELETE] == ["no-attack"]
    attack = f"{APP_NAME}/guardrails/no-attack"
    script, met = busy_once(
        "guardrails/no-attack",
        BUSY["429"],
        lambda: edit(world, "agents/old-expert", {"guardrails": [attack]}),
    )
    outcomes, _ = apply_over(world, made, script)
    assert met
    assert settled(outcomes)["shop-desk/guardrails/no-attack"] == "failed"
    assert state(world)[f"{APP_NAME}/agents/old-expert"]["guardrails"] == [attack]
