"""A plan of every sort of operation, each kind of foreign edit of it, and what a quiet day brings."""

from collections.abc import Callable, Iterable
from typing import Any

from cesplan.domain.field_path import mask_path
from cesplan.domain.outcome import Failed, Outcome, Skipped
from cesplan.domain.plan import Plan
from cesplan.model.kinds import kind_of
from tests.faults import scenes
from tests.properties.trees import APP_NAME
from tests.properties.world import World, insist
from tests.reviewed.conftest import Worlds
from tests.reviewed.filing import Conflict, again, carried_out, filed, merged, state

ENFORCED = {"etag_on_update": "enforce"}
_POLICY = {"prompt": "Somebody else's", "policyScope": "USER_QUERY"}

UPDATED: dict[str, dict[str, dict[str, Any]]] = {
    "": {
        "same field": {"displayName": "Foreign"},
        "a list of the mask": {"metadata": {"owner": "somebody"}},
        "other field": {"description": "Foreign"},
        "a stamp": {"metadata": {"cesplan-commit": "f" * 40}},
    },
    "agents/front-desk": {
        "same field": {"instruction": "Foreign."},
        "inside a message of the mask": {"modelSettings": {"temperature": 0.9}},
        "a set of the mask": {"tools": ["tools/old-lookup"]},
        "other field": {"description": "Foreign"},
    },
    "guardrails/no-attack": {
        "same field": {"llmPromptSecurity": {"customPolicy": _POLICY}},
        "other field": {"displayName": "Foreign"},
    },
    "deployments/web-chat": {
        "same field": {"appVersion": f"{APP_NAME}/versions/release-1"},
        "other field": {"displayName": "Foreign"},
    },
}
DELETED = {
    "agents/old-expert": {"displayName": "Foreign"},
    "tools/old-lookup": {
        "pythonFunction": {"name": "old_lookup", "pythonCode": "def old_lookup():\n  return 1\n"}
    },
    "guardrails/old-words": {"enabled": True},
    "evaluations/greeting": {"description": "Foreign"},
}
CREATED: dict[str, dict[str, Any]] = {
    "agents/new-expert": {"displayName": "Foreign"},
    "tools/new-lookup": {"clientFunction": {"name": "foreign"}},
    "versions/release-2": {"displayName": "Release 2"},
}


def _delete_the_app(world: World) -> None:
    client = world.client(scenes.new().settings, read_only=False)
    client.delete(kind_of("apps"), APP_NAME, "", False, lambda seconds: None)


def planned(world: World) -> Plan:
    return world.once("planned", lambda: _planned(world))


def _planned(world: World) -> Plan:
    world.carry_out(scenes.old())
    create(world, "versions/release-1", {"displayName": "Release 1"})
    update(world, "agents/old-expert", {"description": "Later than the release."})
    made = world.plan(scenes.new(), adopt=True)
    assert not [text for text in made.refusals if "would be deleted" not in text]
    return made


def update(world: World, text: str, body: dict[str, Any]) -> None:
    client = world.client(scenes.new().settings, read_only=False)
    kind = kind_of(text.partition("/")[0] or "apps")
    name = f"{APP_NAME}/{text}" if text else APP_NAME
    sent = {key: named(value) for key, value in body.items()}
    client.update(kind, name, {**sent, "name": name}, tuple(map(mask_path, sent)))


def named(value: Any) -> Any:
    if isinstance(value, list):
        return [f"{APP_NAME}/{item}" if isinstance(item, str) and "/" in item else item for item in value]
    return value


def delete(world: World, text: str) -> None:
    kind = kind_of(text.partition("/")[0])
    client = world.client(scenes.new().settings, read_only=False)
    client.delete(kind, f"{APP_NAME}/{text}", "", kind.forceable, lambda seconds: None)


def create(world: World, text: str, body: dict[str, Any]) -> None:
    kind, _, key = text.partition("/")
    client = world.client(scenes.new().settings, read_only=False)
    client.create(kind_of(kind), APP_NAME, key, body, lambda seconds: None)


EDITS: dict[str, Callable[[World], None]] = {
    **{
        f"{address or 'app'}: {what}": lambda world, address=address, body=body: update(world, address, body)
        for address, edits in UPDATED.items()
        for what, body in edits.items()
    },
    **{
        f"{address}: a field of what goes": lambda world, address=address, body=body: update(
            world, address, body
        )
        for address, body in DELETED.items()
    },
    **{
        f"{address}: deleted": lambda world, address=address: delete(world, address)
        for address in (*(text for text in UPDATED if text), *DELETED)
    },
    **{
        f"{address}: created": lambda world, address=address, body=body: create(world, address, body)
        for address, body in CREATED.items()
    },
    "app: deleted": _delete_the_app,
    "guardrails/no-attack: just so": lambda world: update(
        world,
        "guardrails/no-attack",
        {
            "enabled": False,
            "llmPromptSecurity": {"customPolicy": {"prompt": "p", "policyScope": "USER_QUERY"}},
        },
    ),
    "tools/new-lookup: created just so": lambda world: create(
        world, "tools/new-lookup", {"clientFunction": {"name": "new_lookup"}}
    ),
}
GOES_THROUGH = {
    "deployments/web-chat: other field",
    "evaluations/greeting: deleted",
    "guardrails/no-attack: just so",
    "tools/new-lookup: created just so",
}
"""
Edits beside which the approved change still is what was approved.

The plan makes a version, which copies the app and what is in it; deployments and evaluations are not in it.
"""


_QUIET: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}


def quiet_day(worlds: Worlds, **switches: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Before and after the plan when nobody interferes; lived once for each position of the switches."""
    key = str(sorted(switches.items()))
    if key not in _QUIET:
        world = worlds(**switches)
        made = planned(world)
        before = state(world)
        insist(carried_out(world, again(world, filed(made)).plan))
        _QUIET[key] = before, state(world)
    return _QUIET[key]


def is_kept(base: Any, theirs: Any, ours: Any, after: Any) -> None:
    """What someone edited is as they left it, or with the approved change made beside."""
    try:
        both = merged(base, theirs, ours)
    except Conflict:
        both = theirs
    assert after in (theirs, both)


def stops_no_more_and_no_less(plan: Plan, outcomes: Iterable[Outcome]) -> None:
    """What failed has held up just those operations that wait for it, straight or by way of others."""
    held = {id(item.operation) for item in outcomes if isinstance(item, Failed)}
    failed = set(held)
    for _ in plan.operations:
        steps = {step.id for item in plan.operations if id(item) in held for step in item.steps}
        held |= {id(item) for item in plan.operations if any(steps & {*step.after} for step in item.steps)}
    skipped = {id(item.operation) for item in outcomes if isinstance(item, Skipped)}
    assert skipped == held - failed
