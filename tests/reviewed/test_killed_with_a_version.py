"""
A kill while a version is made: whatever is left there, nothing is served that was not in what was reviewed.

Someone edits the app right before the version is made, so the version is wrong; the run dies at one of its
requests; someone takes the edit back, so that no plan shows it any more. What the next run finds under the
name that the tree gives the version is compared before a deployment serves it.
"""

import json
from collections.abc import Callable, Iterator

import pytest

from cesplan.domain.desired import Desired
from cesplan.domain.plan import Plan
from cesplan.remote.calls import Call
from tests.faults.desk import apply_over
from tests.faults.wire import Fault, Script, cut_after, cut_before
from tests.properties.trees import APP_NAME, desired
from tests.properties.world import World, insist
from tests.reviewed.conftest import Worlds
from tests.reviewed.edits import create, delete, update
from tests.reviewed.filing import state
from tests.reviewed.test_law import SWITCHES

MARK = "Theirs, and not reviewed"
_WEB = {"displayName": "Web", "channelProfile": {"channelType": "WEB_UI"}}
AGENTS = {"front-desk": "Front", "back-office": "Back"}


def tree(instruction: str, version: str, *more: str, stamp: bool = True) -> Desired:
    bodies = {
        f"agents/{key}": {"displayName": name, "instruction": instruction} for key, name in AGENTS.items()
    }
    bodies |= {f"versions/{key}": {"displayName": key.title()} for key in (version, *more)}
    bodies["deployments/web-chat"] = {**_WEB, "appVersion": f"versions/{version}"}
    return desired(bodies, {"displayName": "Shop desk"}, stamp=stamp)


OLD, NEW = tree("Be kind.", "release-1"), tree("Be brief.", "release-2", "release-1")


def served(world: World) -> tuple[str, str]:
    """The version that is served, and its snapshot as text."""
    found = state(world)
    name = found[f"{APP_NAME}/deployments/web-chat"]["appVersion"]
    return name.rpartition("/")[2], json.dumps(world.bodies()[name])


def theirs(world: World) -> None:
    update(world, "agents/back-office", {"description": MARK})


def _dying(world: World, dies_at: int, how: Fault) -> tuple[Script, Callable[[], int]]:
    """Someone edits before the version is made, and the run dies at one request, reads included."""
    seen: Iterator[int] = iter(range(1, 10_000))
    last = [0]

    def script(number: int, call: Call) -> Fault | None:
        last[0] = next(seen)
        if not call.reads and call.collection == "versions":
            theirs(world)
        return how if last[0] == dies_at else None

    return script, lambda: last[0]


def killed(world: World, dies_at: int, how: Fault) -> int:
    """The number of requests that the run came to."""
    made = world.plan(NEW)
    assert not made.refusals
    script, count = _dying(world, dies_at, how)
    apply_over(world, made, script, workers=1)
    return count()


def is_refused_or_right(world: World, made: Plan) -> bool:
    """The next run goes on where nothing is in its way; True if it was refused."""
    if made.refusals:
        return True
    insist(world.apply(made))
    return False


@pytest.mark.parametrize("how", [cut_before, cut_after])
@pytest.mark.parametrize("switches", SWITCHES)
def test_no_kill_leaves_a_version_that_a_later_run_serves_unseen(
    worlds: Worlds, switches: str, how: Fault
) -> None:
    """At every request of an apply that makes a version and serves it."""
    refused = set()
    world = worlds(**SWITCHES[switches])
    world.carry_out(OLD)
    requests = killed(world, 0, how)
    for dies_at in range(1, requests + 1):
        world = worlds(**SWITCHES[switches])
        world.carry_out(OLD)
        killed(world, dies_at, how)
        assert served(world)[0] == "release-1" or MARK not in served(world)[1]
        update(world, "agents/back-office", {"description": ""})
        if is_refused_or_right(world, world.plan(NEW)):
            refused.add(dies_at)
            assert served(world)[0] == "release-1"
            delete(world, "versions/release-2")
            world.carry_out(NEW)
        version, snapshot = served(world)
        assert (version, MARK in snapshot) == ("release-2", False), dies_at
    assert refused, "the run never died between making the version and taking it back"
    assert requests >= 7


def left_over(world: World) -> None:
    """A version of the tree's next name that holds what was not reviewed, and nothing else to show for it."""
    world.carry_out(OLD)
    update(world, "agents/back-office", {"description": MARK})
    create(world, "versions/release-2", {"displayName": "Release-2"})
    update(world, "agents/back-office", {"description": ""})


LEFT_OVER = (
    "shop-desk/versions/release-2 would be served, and it differs from what this plan leaves: "
    "agents/back-office description, instruction; agents/front-desk instruction"
)


def test_the_refusal_says_what_differs_and_what_to_do(worlds: Worlds) -> None:
    world = worlds()
    left_over(world)
    (refusal,) = world.plan(NEW).refusals
    assert refusal == (
        f"{LEFT_OVER}; no complete apply of this tree has recorded it, so it may be left over from an "
        "interrupted one: delete it, or give a new version a file with a new name, or serve it as it is with "
        "--adopt"
    )


def test_who_adopts_it_serves_it_as_it_is(worlds: Worlds) -> None:
    """It is said and not refused, and once a complete apply has recorded the version it is as good as ours."""
    world = worlds()
    left_over(world)
    made = world.plan(NEW, adopt=True)
    assert (made.refusals, [text for text in made.notices if "would be served" in text]) == ((), [LEFT_OVER])
    insist(world.apply(made))
    world.carry_out(tree("Be brief.", "release-1", "release-2"))
    assert world.plan(NEW).refusals == ()


def test_without_a_stamp_nothing_records_versions_and_it_is_a_notice(worlds: Worlds) -> None:
    world = worlds()
    left_over(world)
    made = world.plan(tree("Be brief.", "release-2", "release-1", stamp=False))
    assert (made.refusals, [text for text in made.notices if "would be served" in text]) == ((), [LEFT_OVER])


@pytest.mark.parametrize("version", ["release-1", "release-2"])
def test_a_recorded_version_is_not_read_again(worlds: Worlds, version: str) -> None:
    """Going back to an older version is an everyday move, and costs no request."""
    world = worlds()
    world.carry_out(OLD)
    world.carry_out(NEW)
    world.carry_out(tree("Be loud.", "release-3", "release-1", "release-2"))
    world.forget()
    made = world.plan(tree("Be loud.", version, "release-1", "release-2", "release-3"))
    assert ([item.address.key for item in made.shown], made.refusals) == (["web-chat"], ())
    paths = [entry.path for entry in world.emulator.journal.entries]
    assert not [path for path in paths if "/versions/" in path]


def test_what_an_interrupted_apply_made_of_this_tree_is_served_by_the_next(worlds: Worlds) -> None:
    """The version is right: nothing is asked."""
    world = worlds()
    world.carry_out(OLD)
    made = world.plan(NEW)
    apply_over(
        world,
        made,
        lambda number, call: (
            cut_before if call.collection == "" and "deployments" in call.resource and not call.reads else None
        ),
        workers=1,
    )
    again = world.plan(NEW)
    assert ([item.address.key for item in again.shown], again.refusals) == (["web-chat"], ())
    insist(world.apply(again))
    assert served(world)[0] == "release-2"
