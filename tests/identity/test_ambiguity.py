"""What a file means is certain, or the plan is refused: nothing is created beside it, and nothing deleted."""

import pytest

from tests.identity.conftest import Scene

AGENT = "apps/help-desk/agents/front-desk.yaml"
TOOL = {"pythonFunction": {"name": "lookup_order", "pythonCode": "def lookup_order():\n    '''Find.'''\n"}}


def uuid_tree(scene: Scene) -> None:
    """An applied tree whose agent has an id of the server's, as one that was pulled, without its `$id`."""
    scene.seed("help-desk", displayName="Help desk")
    scene.seed("help-desk/agents/6f1c2d3e", displayName="Front desk")


def test_a_second_app_of_that_name_is_no_reason_for_a_third(scene: Scene) -> None:
    for name in ("a1b2c3", "d4e5f6"):
        scene.seed(name, displayName="Help desk")
    done = scene.run("apply", "--auto-approve")
    assert done.code == 5
    assert "2 of them are named `Help desk` (apps/a1b2c3, apps/d4e5f6)" in done.err
    assert "add its id to apps/help-desk/app.yaml: `$id: a1b2c3` or `$id: d4e5f6`" in done.err
    assert set(scene.live("apps")) == {"a1b2c3", "d4e5f6"}


def test_the_line_names_the_environment(scene: Scene) -> None:
    scene.tree.replace("cesplan.yaml", "project: acme-prod", "project: acme-dev")
    for name in ("a1b2c3", "d4e5f6"):
        scene.seed(name, displayName="Help desk")
    done = scene.run("plan", "-e", "prod")
    assert "`$id: {prod: a1b2c3}` or `$id: {prod: d4e5f6}`" in done.out


def test_an_app_that_was_found_by_its_display_name_is_told(scene: Scene) -> None:
    scene.seed("a1b2c3", displayName="Help desk")
    done = scene.run("plan")
    assert "help-desk was matched by its display name" in done.out
    assert "add to apps/help-desk/app.yaml: $id: a1b2c3" in done.out


@pytest.mark.parametrize("words", [("--adopt",), ("--adopt", "--allow-mass-delete", "--allow-empty")])
def test_two_live_resources_of_one_name(scene: Scene, words: tuple[str, ...]) -> None:
    """The plan created one and deleted both. Now it refuses, says both, and no flag lifts that."""
    uuid_tree(scene)
    scene.seed("help-desk/agents/9a8b7c6d", displayName="Front desk")
    done = scene.run("apply", "--auto-approve", *words)
    assert done.code == 5
    assert "2 of them are named `Front desk` (agents/6f1c2d3e, agents/9a8b7c6d)" in done.err
    assert f"add its id to {AGENT}: `$id: 6f1c2d3e` or `$id: 9a8b7c6d`" in done.err
    assert set(scene.live("agents")) == {"6f1c2d3e", "9a8b7c6d"}


def test_an_id_settles_it(scene: Scene) -> None:
    """The other one is then what it is: live, and not in the tree."""
    uuid_tree(scene)
    scene.seed("help-desk/agents/9a8b7c6d", displayName="Front desk")
    text = scene.tree.root.joinpath(AGENT).read_text()
    scene.tree.write(AGENT, f"$id: 6f1c2d3e\n{text}")
    scene.apply()
    assert set(scene.live("agents")) == {"6f1c2d3e", "9a8b7c6d"}  # first contact deletes nothing


def test_two_files_of_one_name_and_one_live(scene: Scene) -> None:
    uuid_tree(scene)
    scene.tree.write(
        "apps/help-desk/agents/desk-two.yaml", "displayName: Front desk\n$silence: {CES045: twins}\n"
    )
    done = scene.run("apply", "--auto-approve")
    assert done.code == 5
    assert "help-desk/agents/desk-two and help-desk/agents/front-desk" in done.err
    assert set(scene.live("agents")) == {"6f1c2d3e"}


def test_derived_display_names_too(scene: Scene) -> None:
    """A tool is called by the name of its function."""
    scene.seed("help-desk", displayName="Help desk")
    for name in ("6f1c2d3e", "9a8b7c6d"):
        scene.seed(f"help-desk/tools/{name}", **TOOL)
    done = scene.run("apply", "--auto-approve")
    assert done.code == 5
    assert "2 of them are named `lookup_order`" in done.err
    assert set(scene.live("tools")) == {"6f1c2d3e", "9a8b7c6d"}
