"""Rechecking many resources of a collection reads its list: fewer requests, and the same judgment."""

import pytest

from cesplan.domain.errors import NotFound
from cesplan.domain.live import LiveResource
from cesplan.engine.reviewing import recheck
from cesplan.engine.reviewing.recheck import Rechecked
from cesplan.model.kinds import kind_of
from tests.reviewed.conftest import Worlds
from tests.reviewed.edits import EDITS, planned
from tests.reviewed.filing import again, filed


def test_lists_say_the_same_as_single_reads(worlds: Worlds, monkeypatch: pytest.MonkeyPatch) -> None:
    """After every kind of foreign edit: what moved, what is done, and the plan that is left."""
    different = []
    for what, edit in EDITS.items():
        world = worlds()
        reviewed = filed(planned(world))
        edit(world)
        found: list[Rechecked] = []
        for many in (1, 10_000):
            monkeypatch.setattr(recheck, "_MANY", many)
            found.append(again(world, reviewed))
        if found[0] != found[1]:
            different.append(what)
    assert not different


class _Counting:
    """A reader of 300 tools of one app that counts requests, and has all but the last."""

    def __init__(self) -> None:
        self.gets = self.lists = 0

    def get(self, kind, name):
        self.gets += 1
        if name.endswith("tools/tool-299"):
            raise NotFound(summary="none")
        return {"name": name}

    def list_children(self, app_name, kinds):
        self.lists += 1
        found = [f"{app_name}/tools/tool-{number}" for number in range(299)]
        return {kind.name: tuple(_live(kind, name) for name in found) for kind in kinds}

    def interrupt(self):
        pass


def _live(kind, name):
    return LiveResource(kind=kind.name, body={"name": name})


@pytest.mark.parametrize(("wanted", "requests"), [(9, (10, 0)), (10, (1, 1)), (300, (1, 1))])
def test_few_are_read_by_name_and_many_by_their_list(wanted: int, requests: tuple[int, int]) -> None:
    """One request for the app, and one for each resource or for the list; what is in neither is not there."""
    app = "projects/p/locations/us/apps/desk"
    names = {f"{app}/tools/tool-{number}": kind_of("tools") for number in range(300 - wanted, 300)}
    reader = _Counting()
    found = recheck._read({app: kind_of("apps"), **names}, reader)
    assert (reader.gets, reader.lists) == requests
    assert found == {name: {"name": name} for name in (app, *names)} | {f"{app}/tools/tool-299": None}
