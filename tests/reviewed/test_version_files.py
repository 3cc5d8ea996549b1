"""
A version file makes a version in the first complete apply that has it, or never.

It means the live version of its id, else of its display name. Where there is neither and nothing else changes,
the newest version satisfies it; from then on it has to name one before the app changes.
"""

from typing import Any

from cesplan.domain.desired import Desired
from cesplan.domain.plan import Action, Plan
from cesplan.domain.value import Body
from tests.properties.trees import APP_NAME, desired
from tests.properties.world import World
from tests.reviewed.conftest import Worlds
from tests.reviewed.edits import create, delete
from tests.reviewed.filing import state

_APP = {"displayName": "Shop desk"}
AS_BEFORE = {"resource_id": "as-before"}
_WEB = {"displayName": "Web", "channelProfile": {"channelType": "WEB_UI"}}


def tree(instruction: str, *versions: str, serves: str = "", **more: dict[str, Any]) -> Desired:
    """A tree of one agent; `serves` is the version file that the deployment names."""
    bodies: dict[str, Body] = {"agents/front-desk": {"displayName": "Front", "instruction": instruction}}
    bodies |= {f"versions/{key}": {"displayName": key.title()} for key in versions}
    if more:
        bodies["versions/release-2"] = {"displayName": "As before"}
    if serves:
        bodies["deployments/web-chat"] = {**_WEB, "appVersion": f"versions/{serves}"}
    return desired(bodies, _APP, {f"versions/{key}": value for key, value in more.items()})


def made_versions(plan: Plan) -> list[str]:
    return [
        item.address.key
        for item in plan.shown
        if item.address.kind == "versions" and item.action is Action.CREATE
    ]


def serves(world: World) -> str:
    return str(state(world)[f"{APP_NAME}/deployments/web-chat"]["appVersion"]).rpartition("/")[2]


def test_a_file_that_is_new_makes_a_version_of_the_change_beside_it(worlds: Worlds) -> None:
    world = worlds()
    world.carry_out(tree("Be kind.", "release-1", serves="release-1"))
    made = world.carry_out(tree("Be brief.", "release-1", "release-2", serves="release-2"))
    assert made_versions(made) == ["release-2"]
    assert serves(world) == "release-2"


def test_one_that_the_newest_version_satisfied_moves_no_deployment_later(worlds: Worlds) -> None:
    """It stayed armed, and went off with the next change of anything."""
    world = worlds()
    world.carry_out(tree("Be kind.", "release-1", serves="release-1"))
    create(world, "agents/theirs", {"displayName": "Theirs"})
    create(world, "versions/from-console", {"displayName": "Console"})
    delete(world, "agents/theirs")
    create(world, "versions/as-before", {"displayName": "As before"})
    satisfied = world.plan(tree("Be kind.", "release-1", "release-2", serves="release-2"))
    (notice,) = [text for text in satisfied.notices if "none is created" in text]
    assert notice == (
        "shop-desk/versions/release-2 would repeat versions/as-before, the newest version, so none is created; "
        "before the app changes again, write its `$id: as-before` and display name to "
        "versions/release-2.yaml"
    )
    world.apply(satisfied)
    assert serves(world) == "as-before"

    later = world.plan(tree("Be brief.", "release-1", "release-2", serves="release-2"))
    (refusal,) = later.refusals
    assert refusal == (
        "shop-desk/versions/release-2 is not new: an earlier apply included it, but no live version has its id "
        "or display name: if it means the newest version, write `$id: as-before` and its display name; "
        "otherwise remove versions/release-2.yaml, and give a new version a file with a new name"
    )
    named = tree("Be brief.", "release-1", "release-2", serves="release-2", **{"release-2": AS_BEFORE})
    assert (made_versions(world.plan(named)), world.plan(named).refusals) == ([], ())


def test_a_version_that_was_deleted_is_not_made_again_of_todays_app(worlds: Worlds) -> None:
    """An old name over a new content would be a lie, and its file asks for nothing new."""
    world = worlds()
    world.carry_out(tree("Be kind.", "release-1"))
    delete(world, "versions/release-1")
    (refusal,) = world.plan(tree("Be brief.", "release-1")).refusals
    assert refusal.startswith("shop-desk/versions/release-1 is not new: ")


def test_two_new_files_are_refused_with_what_to_do(worlds: Worlds) -> None:
    world = worlds()
    (refusal,) = world.plan(tree("Be kind.", "release-1", "release-2")).refusals
    assert refusal == (
        "shop-desk/versions/release-1, shop-desk/versions/release-2: no live version has the id or display "
        "name of these files, and one apply creates at most one version because all would have the same "
        "contents: keep the file of the version you want now, and exclude older ones from environments that do "
        "not have them (`$exclude: true` in environments/<name>/)"
    )


def test_a_file_is_known_by_the_display_name_of_a_version(worlds: Worlds) -> None:
    """An id that the console made is as good as one that the tree says."""
    world = worlds()
    world.carry_out(tree("Be kind."))
    create(world, "versions/from-console", {"displayName": "Release-1"})
    assert made_versions(world.plan(tree("Be brief.", "release-1"))) == []
