"""Edits between two requests of an apply about one resource: where etags are enforced, none is lost."""

from collections.abc import Callable
from typing import Any

import pytest

from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import Failed, Outcome
from cesplan.engine.applying.ports import Verify
from cesplan.engine.applying.run import apply
from cesplan.model.kinds import Kind
from tests.faults import scenes
from tests.properties.trees import APP_NAME
from tests.properties.world import World
from tests.reviewed.conftest import Worlds
from tests.reviewed.edits import (
    EDITS,
    ENFORCED,
    GOES_THROUGH,
    delete,
    is_kept,
    planned,
    quiet_day,
    stops_no_more_and_no_less,
    update,
)
from tests.reviewed.filing import again, filed, state


@pytest.mark.parametrize("what", EDITS)
def test_between_the_last_read_and_the_write(worlds: Worlds, what: str) -> None:
    """Where etags are enforced nothing is lost in the window between reading a resource and writing it."""
    _, ours = quiet_day(worlds, **ENFORCED)
    world = worlds(**ENFORCED)
    found = again(world, filed(planned(world)))
    address = what.partition(": ")[0].removeprefix("app")
    service = _Meddling(world, f"{APP_NAME}/{address}".rstrip("/"), EDITS[what])
    outcomes = [
        item for item in apply(found.plan, service, ApplyOptions(workers=1)) if isinstance(item, Outcome)
    ]
    assert service.came
    stops_no_more_and_no_less(found.plan, outcomes)
    after = state(world)
    failed = any(isinstance(item, Failed) for item in outcomes)
    assert failed or what in GOES_THROUGH or what.endswith(": deleted")
    for name in sorted({*service.before, *service.theirs}):
        if service.theirs.get(name) != service.before.get(name):
            is_kept(service.before.get(name), service.theirs.get(name), ours.get(name), after.get(name))


_CYCLE = {
    "agents/one-expert": {"displayName": "One", "childAgents": ["agents/two-expert"]},
    "agents/two-expert": {
        "displayName": "Two",
        "transferRules": [
            {"childAgent": "agents/one-expert", "direction": "CHILD_TO_PARENT", "deterministicTransfer": {}}
        ],
    },
}


@pytest.mark.parametrize("other", [{"childAgents": []}, {"description": "Foreign"}, None], ids=str)
def test_between_the_two_writes_of_a_cycle(worlds: Worlds, other: dict[str, Any] | None) -> None:
    """What is created first and linked later is held to what it was created as; None is its deletion."""
    world = worlds(**ENFORCED)
    scenes.at_first(world)
    reviewed = filed(world.plan(scenes.desired({**scenes.BEFORE, **_CYCLE}, scenes.APP), adopt=True))
    (cut,) = [item for item in reviewed.plan.operations if len(item.steps) > 1]
    name = f"{APP_NAME}/{cut.address.within_app}"

    def edit(world: World) -> None:
        if other is None:
            delete(world, cut.address.within_app)
        else:
            update(world, cut.address.within_app, {"displayName": "Foreign", **other})

    service = _Meddling(world, name, edit, at=2)
    outcomes = [
        item
        for item in apply(again(world, reviewed).plan, service, ApplyOptions(workers=1))
        if isinstance(item, Outcome)
    ]
    assert service.came
    (own,) = [item for item in outcomes if item.operation.address == cut.address]
    assert isinstance(own, Failed)
    assert state(world).get(name) == service.theirs.get(name)


class _Meddling:
    """
    The client, with someone else's edit right before the first write to one resource, or the `at`-th.

    It comes after the client has verified what it is about to write, just before it is sent.
    """

    def __init__(self, world: World, name: str, edit: Callable[[World], None], at: int = 1) -> None:
        self._world = world
        self._client = world.client(scenes.new().settings, read_only=False)
        self._name, self._edit = name, edit
        self._left = at
        self.came = False
        self.before: dict[str, Any] = {}
        self.theirs: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def update(self, kind: Kind, name: str, body: Any, mask: Any, verify: Verify) -> Any:
        return self._client.update(kind, name, body, mask, self._meddling(name, verify))

    def delete(self, kind: Kind, name: str, etag: str, force: bool, waiting: Any, verify: Verify) -> Any:
        return self._client.delete(kind, name, etag, force, waiting, self._meddling(name, verify))

    def _meddling(self, name: str, verify: Verify) -> Verify:
        def verified() -> str:
            etag = verify()
            self._meddle(name)
            return etag

        return verified

    def create(self, kind: Kind, parent: str, id_: str, *given: Any) -> Any:
        self._meddle(f"{parent}/{kind.name}/{id_}")
        return self._client.create(kind, parent, id_, *given)

    def _meddle(self, name: str) -> None:
        self._left -= name == self._name
        if name == self._name and not self._left:
            self.came = True
            self.before = state(self._world)
            self._edit(self._world)
            self.theirs = state(self._world)
