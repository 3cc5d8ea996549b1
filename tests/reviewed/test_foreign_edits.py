"""
For every operation of a reviewed plan and every kind of foreign edit: either the approved change happens
exactly, or nothing at all; and never is a foreign edit lost.

Judged by three states of the server: before, after the foreign edit, and after the plan on a quiet day. What
a plan and an edit make together is the merge of the two, leaf by leaf.
"""

from collections.abc import Callable
from typing import Any

import pytest

from cesplan.domain.errors import CesplanError, Unavailable
from cesplan.domain.field_path import mask_path
from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import Applied, Failed
from cesplan.domain.plan import Plan
from cesplan.domain.reviewed import Movement
from cesplan.engine.applying import apply
from cesplan.engine.rechecking import recheck
from cesplan.model.kinds import kind_of
from tests.faults import scenes
from tests.properties.trees import APP_NAME
from tests.properties.world import World, insist
from tests.reviewed.conftest import Worlds
from tests.reviewed.filing import Conflict, again, carried_out, filed, merged, state

SWITCHES = [
    pytest.param({"etag_on_update": "enforce"}, id="etags-enforced"),
    pytest.param({"etag_on_update": "ignore", "deployment_etags": False}, id="etags-ignored"),
]
_POLICY = {"prompt": "Somebody else's", "policyScope": "USER_QUERY"}

UPDATED: dict[str, dict[str, dict[str, Any]]] = {
    "": {
        "same field": {"displayName": "Foreign"},
        "a list of the mask": {"metadata": {"owner": "somebody"}},
        "other field": {"description": "Foreign"},
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
    "deployments/web-chat": {"other field": {"displayName": "Foreign"}},
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


def _planned(world: World) -> Plan:
    scenes.at_first(world)
    made = world.plan(scenes.new(), adopt=True)
    assert not [text for text in made.refusals if "would be deleted" not in text]
    return made


def _update(world: World, text: str, body: dict[str, Any]) -> None:
    client = world.client(scenes.new().settings, read_only=False)
    kind = kind_of(text.partition("/")[0] or "apps")
    name = f"{APP_NAME}/{text}" if text else APP_NAME
    sent = {key: _named(value) for key, value in body.items()}
    client.update(kind, name, {**sent, "name": name}, tuple(map(mask_path, sent)))


def _named(value: Any) -> Any:
    if isinstance(value, list):
        return [f"{APP_NAME}/{item}" if isinstance(item, str) and "/" in item else item for item in value]
    return value


def _delete(world: World, text: str) -> None:
    kind = kind_of(text.partition("/")[0])
    client = world.client(scenes.new().settings, read_only=False)
    client.delete(kind, f"{APP_NAME}/{text}", "", kind.forceable, lambda seconds: None)


def _create(world: World, text: str, body: dict[str, Any]) -> None:
    kind, _, key = text.partition("/")
    client = world.client(scenes.new().settings, read_only=False)
    client.create(kind_of(kind), APP_NAME, key, body, lambda seconds: None)


EDITS: dict[str, Callable[[World], None]] = {
    **{
        f"{address or 'app'}: {what}": lambda world, address=address, body=body: _update(world, address, body)
        for address, edits in UPDATED.items()
        for what, body in edits.items()
    },
    **{
        f"{address}: a field of what goes": lambda world, address=address, body=body: _update(
            world, address, body
        )
        for address, body in DELETED.items()
    },
    **{
        f"{address}: deleted": lambda world, address=address: _delete(world, address)
        for address in (*(text for text in UPDATED if text), *DELETED)
    },
    **{
        f"{address}: created": lambda world, address=address, body=body: _create(world, address, body)
        for address, body in CREATED.items()
    },
}
GOES_THROUGH = {
    "app: other field",
    "agents/front-desk: other field",
    "guardrails/no-attack: other field",
    "deployments/web-chat: other field",
    "evaluations/greeting: deleted",
}
"""Edits beside which the approved change still is what was approved."""


_QUIET: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}


def _quiet_day(worlds: Worlds, **switches: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Before and after the plan when nobody interferes; lived once for each position of the switches."""
    key = str(sorted(switches.items()))
    if key not in _QUIET:
        world = worlds(**switches)
        made = _planned(world)
        before = state(world)
        insist(carried_out(world, again(world, filed(made)).plan))
        _QUIET[key] = before, state(world)
    return _QUIET[key]


@pytest.mark.parametrize("switches", SWITCHES)
@pytest.mark.parametrize("what", EDITS)
def test_between_plan_and_apply(worlds: Worlds, switches: dict[str, Any], what: str) -> None:
    """The approved change exactly, with the foreign edit beside it; or nothing, and the plan is stale."""
    base, ours = _quiet_day(worlds, **switches)
    world = worlds(**switches)
    reviewed = filed(_planned(world))
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


@pytest.mark.parametrize("switches", SWITCHES)
@pytest.mark.parametrize("what", EDITS)
def test_between_the_check_and_the_write(worlds: Worlds, switches: dict[str, Any], what: str) -> None:
    """A conflict that comes up during the apply stops its resource and what depends on it; nothing is lost."""
    base, ours = _quiet_day(worlds, **switches)
    world = worlds(**switches)
    found = again(world, filed(_planned(world)))
    assert not found.moved
    EDITS[what](world)
    theirs = state(world)
    outcomes = carried_out(world, found.plan)
    after = state(world)
    assert any(isinstance(item, Applied) for item in outcomes)
    if not any(isinstance(item, Failed) for item in outcomes):
        assert after == merged(base, theirs, ours)
        return
    for name in sorted({*base, *theirs, *ours}):
        if theirs.get(name) != base.get(name):
            _is_kept(base.get(name), theirs.get(name), ours.get(name), after.get(name))


def _is_kept(base: Any, theirs: Any, ours: Any, after: Any) -> None:
    """What somebody edited is as they left it, or with the approved change made beside."""
    try:
        both = merged(base, theirs, ours)
    except Conflict:
        both = theirs
    assert after in (theirs, both)


def test_a_stale_plan_says_what_moved_and_how(worlds: Worlds) -> None:
    """The movement and the leaves, from what the plan saw to what is live."""
    world = worlds()
    reviewed = filed(_planned(world))
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
    """Applying the same file again is no error: nothing is written, and nothing is stale."""
    world = worlds()
    reviewed = filed(_planned(world))
    insist(carried_out(world, again(world, reviewed).plan))
    found = again(world, reviewed)
    assert (found.moved, found.plan.operations) == ((), ())


@pytest.mark.parametrize("writes", range(1, 11))
def test_what_is_left_of_a_broken_apply_is_done_by_the_same_file(worlds: Worlds, writes: int) -> None:
    """What was applied has come true; the rest is still what was reviewed. No new plan is needed."""
    base, ours = _quiet_day(worlds)
    world = worlds()
    reviewed = filed(_planned(world))
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
    _delete(world, "tools/old-lookup")
    (gone,) = [item for item in again(world, reviewed).moved if item.movement is Movement.REFERENCE_GONE]
    assert (gone.operation.address.within_app, gone.names) == ("agents/old-expert", ("tools/old-lookup",))


def test_an_app_that_went_away_makes_the_plan_stale(worlds: Worlds) -> None:
    world = worlds()
    reviewed = filed(_planned(world))
    world.fresh()
    assert {item.movement for item in again(world, reviewed).moved} == {
        Movement.DELETED,
        Movement.REFERENCE_GONE,
    }


def test_an_unreadable_live_state_is_an_error(worlds: Worlds, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be read is neither moved nor unmoved."""
    world = worlds()
    reviewed = filed(_planned(world))

    class Broken:
        def get(self, kind: Any, name: str) -> Any:
            raise CesplanError(summary="no answer")

    with pytest.raises(CesplanError, match="no answer"):
        recheck(reviewed, Broken())
