"""
The law of a review, on generated trees: what a plan does not name does not change, and nothing is served that
was not in what was reviewed.

Each run goes from one tree to another, makes a version and serves it, and someone edits the app at a moment of
their own: after the review, after the last check, right before or right after any write, or while a write waits
for its next try. Their work is marked, so that it is found again wherever it went.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import event

from cesplan.domain.address import Address, Key, KindName
from cesplan.domain.desired import Desired, DesiredResource
from cesplan.domain.errors import CesplanError
from cesplan.domain.field_path import mask_path
from cesplan.domain.plan import Action, Plan, steps_of
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body
from cesplan.model.kinds import kind_of
from cesplan.remote.calls import Call
from cesplan.remote.transport import Answer
from tests.faults.desk import apply_over, state, unlike
from tests.faults.wire import Fault, refusal
from tests.properties.dice import Dice
from tests.properties.edits import edited
from tests.properties.laws import kind_in, name_of, settled
from tests.properties.steadily import steadily
from tests.properties.trees import APP, APP_NAME, WHERE, tree
from tests.properties.values import SECRETS
from tests.properties.world import World, insist
from tests.reviewed.conftest import Worlds
from tests.reviewed.filing import again, filed

MARK = "Theirs, and not reviewed"
SWITCHES: dict[str, dict[str, Any]] = {
    "enforced": {},
    "ignored": {"etag_on_update": "ignore", "deployment_etags": False},
}
_NAMED = ("apps", "agents", "guardrails", "toolsets", "examples", "evaluations", "deployments")
"""Kinds whose display name the service takes as it is sent."""
_BUSY = (refusal(429, "RESOURCE_EXHAUSTED"), refusal(503, "UNAVAILABLE"))


_VARIABLES = {secret.variables[0]: secret.text for secret in SECRETS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What someone does: `name` gets the mark, is made with it, or goes."""

    how: str
    name: str

    def make(self, world: World) -> None:
        """Under no etag, as a person with curl does."""
        client = world.client(Settings(place=WHERE), read_only=False)
        kind = kind_of(self.name.split("/")[-2])
        match self.how:
            case "update":
                body = {"name": self.name, "displayName": MARK}
                client.update(kind, self.name, body, (mask_path("displayName"),))
            case "create":
                client.create(kind, APP_NAME, "theirs", {"displayName": MARK}, lambda seconds: None)
            case "delete":
                client.delete(kind, self.name, "", False, lambda seconds: None)


class Somebody:
    """Edits once, at one moment; `came` where the service took it, and `window` where nothing could see it."""

    def __init__(self, world: World, edit: Edit, moment: str, number: int, busy: Fault) -> None:
        self._world, self._edit = world, edit
        self._moment, self._number, self._busy = moment, number, busy
        self.came = False
        self.window = False

    def at(self, moment: str) -> None:
        if moment == self._moment:
            self._act()

    def script(self, number: int, call: Call) -> Fault | None:
        if number != self._number or self._moment not in ("sent", "acted", "busy"):
            return None
        self.window = self._moment == "sent" and call.resource == self._edit.name

        def fault(send: Callable[[], Answer]) -> Answer:
            if self._moment == "acted":
                answer = send()
                self._act()
                return answer
            self._act()
            return self._busy(send) if self._moment == "busy" else send()

        return fault

    def _act(self) -> None:
        try:
            self._edit.make(self._world)
        except CesplanError:
            return  # the app is locked, or what was to be edited is gone
        self.came = True


def released(desired: Desired, version: str, title: str) -> Desired:
    """A tree with a deployment that serves one more version."""
    (app,) = desired.apps
    web: Body = {
        "displayName": "Served",
        "channelProfile": {"channelType": "WEB_UI"},
        "appVersion": f"versions/{version}",
    }
    more = {"versions": (version, {"displayName": title}), "deployments": ("served-here", web)}
    files = [
        DesiredResource(
            address=Address(app=APP, kind=KindName(kind), key=Key(key)), body=body, file=f"{kind}/{key}.yaml"
        )
        for kind, (key, body) in more.items()
    ]
    kept = [item for item in app.resources if item.address not in {file.address for file in files}]
    return replace(desired, apps=(replace(app, resources=tuple(sorted([*kept, *files], key=_address))),))


def _address(item: DesiredResource) -> Address:
    return item.address


def two_trees(throws: Dice) -> tuple[Desired, Desired]:
    """A tree that serves an old version, and one with a few edits that serves a new one."""
    plain = tree(throws)
    (app,) = plain.apps
    there = [item.address.key for item in app.resources if kind_of(item.address.kind).is_snapshot]
    version = there[0] if there else "release-old"
    title = next(
        (item.body["displayName"] for item in app.resources if item.address.key == version), "The old release"
    )
    first = released(plain, version, title)
    second = first
    for _ in range(1 + throws.below(4)):
        second = edited(throws, second).desired
    return first, released(second, "release-new", "The new release")


def an_edit(throws: Dice, made: Plan, before: dict[str, Body]) -> Edit:
    named = [name for name in sorted(before) if name.split("/")[-2] in _NAMED and name.startswith(APP_NAME)]
    written = {name_of(item) for item in made.operations}
    examples = [name for name in named if "/examples/" in name and name not in written]
    if examples and throws.chance(15):
        return Edit(how="delete", name=throws.pick(examples))
    if throws.chance(15):
        return Edit(how="create", name=f"{APP_NAME}/agents/theirs")
    theirs = [name for name in named if name in written]
    return Edit(how="update", name=throws.pick(theirs if theirs and throws.chance(50) else named))


def a_review(worlds: Worlds, throws: Dice, switches: str) -> None:
    world = worlds(**SWITCHES[switches])
    first, second = two_trees(throws)
    made = world.plan(first)
    if made.refusals:
        return
    world.carry_out(first)
    made = world.plan(second)
    if made.refusals:
        return
    before = state(world)
    edit = an_edit(throws, made, before)
    moment = throws.pick(("reviewed", "checked", "sent", "acted", "busy"))
    number = 1 + throws.below(len(steps_of(made)))
    somebody = Somebody(world, edit, moment, number, throws.pick(_BUSY))
    somebody.at("reviewed")
    if throws.chance(50):
        found = again(world, filed(made, _VARIABLES))
        if found.moved:
            event("stale")
            assert somebody.came, [
                (item.movement, str(item.address), item.changes, item.names) for item in found.moved
            ]
            _is_as_before(before, state(world), {edit.name})
            return
        made = found.plan
    somebody.at("checked")
    outcomes, _ = apply_over(world, made, somebody.script, workers=1)
    event(f"{moment}: {'came' if somebody.came else 'did not come'}")
    after = state(world)
    if not somebody.came:
        insist(outcomes)
    elif not (somebody.window and switches == "ignored"):
        _is_kept(edit, after)
    named = {name_of(item) for item in made.operations}
    _is_as_before(before, after, named | {edit.name})
    _serves_what_was_reviewed(before, after, made)


def _is_kept(edit: Edit, after: dict[str, Body]) -> None:
    """Nobody's work is lost, whatever becomes of the apply."""
    if edit.how == "delete":
        assert edit.name not in after
    else:
        assert after[edit.name]["displayName"] == MARK


def _is_as_before(before: dict[str, Body], after: dict[str, Body], named: set[str]) -> None:
    """What is not `named` did not change."""
    for name in sorted({*before, *after} - named):
        assert unlike(_said(name, after.get(name)), _said(name, before.get(name)), name) == []


def _said(name: str, body: Body | None) -> Body | None:
    """A resource without what the service derives by itself from other resources."""
    return body if body is None else settled(kind_of(kind_in(name)).spec, body)


def _serves_what_was_reviewed(before: dict[str, Body], after: dict[str, Body], made: Plan) -> None:
    """No new version holds the mark, nor lacks what was reviewed; old versions are what they were."""
    new = {name for name in after if "/versions/" in name and name not in before}
    for name in new:
        snapshot = after[name]["snapshot"]
        assert MARK not in json.dumps(snapshot)
        held = {item["name"] for kind, items in snapshot.items() if kind != "app" for item in items}
        gone = {name_of(item) for item in made.operations if item.action is Action.DELETE}
        created = {name_of(item) for item in made.operations if item.action is Action.CREATE}
        wanted = ({*before} | created) - gone
        assert held == {text for text in wanted if text.split("/")[-2] in snapshot}
    for name, body in after.items():
        if "/deployments/" in name and body.get("appVersion"):
            assert body["appVersion"] in {*before, *new}


@pytest.mark.parametrize("switches", SWITCHES)
@steadily(15)
def test_a_review_holds(worlds: Worlds, switches: str, throws: Dice) -> None:
    """At whatever moment someone edits the app."""
    a_review(worlds, throws, switches)


@pytest.mark.slow
@pytest.mark.parametrize("switches", SWITCHES)
@steadily(300)
def test_many_reviews_hold(worlds: Worlds, switches: str, throws: Dice) -> None:
    a_review(worlds, throws, switches)
