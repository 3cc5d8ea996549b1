"""An app is of one tree in one environment: no other apply takes it for its own by its name."""

from tests.identity.conftest import Scene

TWO = """\
cesplan: 1
project: acme-dev
location: us
environments: {dev: {}, prod: {}}
"""
APP = "apps/help-desk/app.yaml"


def in_one_project(scene: Scene) -> None:
    """Two environments of one project, and dev applied."""
    scene.tree.write("cesplan.yaml", TWO)
    scene.apply("-e", "dev")
    scene.service.journal.clear()


def test_another_environment_does_not_take_the_app_of_dev(scene: Scene) -> None:
    """`-e prod` overwrote the app of dev, for its id was the key. Now it is refused before the first write."""
    in_one_project(scene)
    scene.tree.replace("apps/help-desk/agents/front-desk.md", "Greet", "Welcome")
    done = scene.run("apply", "-e", "prod", "--auto-approve")
    assert done.code == 5
    assert "applied from the environment `dev` (this is `prod`)" in done.err
    assert "--adopt" in done.err
    assert scene.writes() == []


def test_adopt_takes_it_over(scene: Scene) -> None:
    in_one_project(scene)
    scene.apply("-e", "prod", "--adopt")
    assert scene.live("apps")["help-desk"]["metadata"]["cesplan-environment"] == "prod"
    assert scene.run("apply", "-e", "dev", "--auto-approve").code == 5


def test_a_setting_does_not_take_it_over(scene: Scene) -> None:
    """`adopt: true` is for apps that nothing was applied to; it is in the file for every environment."""
    in_one_project(scene)
    scene.tree.write("cesplan.yaml", TWO + "adopt: true\n")
    assert scene.run("apply", "-e", "prod", "--auto-approve").code == 5


def test_an_id_of_another_environment_is_never_claimed(scene: Scene) -> None:
    """The `$id` map gives the only live app of that name to dev: prod asks for its own, and creates it."""
    in_one_project(scene)
    text = scene.tree.root.joinpath(APP).read_text()
    for ids in ("{dev: help-desk}", "{dev: help-desk, prod: help-desk-prod}"):
        scene.tree.write(APP, f"$id: {ids}\n{text}")
        done = scene.run("apply", "-e", "prod", "--auto-approve")
        if "prod" not in ids:
            assert done.code == 5
            assert "assigns that id to another environment (this is the environment `prod`)" in done.err
            assert "`prod: …`" in done.err
            assert scene.writes() == []
    assert done.code == 0
    assert set(scene.live("apps")) == {"help-desk", "help-desk-prod"}


def test_by_display_name_an_id_of_another_environment_is_not_claimed_either(scene: Scene) -> None:
    scene.seed("0d9f2c1a", displayName="Help desk")
    text = scene.tree.root.joinpath(APP).read_text()
    scene.tree.write("cesplan.yaml", TWO)
    scene.tree.write(APP, f"$id: {{dev: 0d9f2c1a}}\n{text}")
    done = scene.run("apply", "-e", "prod", "--auto-approve")
    assert done.code == 5
    assert "live is apps/0d9f2c1a" in done.err
    assert set(scene.live("apps")) == {"0d9f2c1a"}


def test_another_tree_does_not_take_it_over(scene: Scene) -> None:
    scene.tree.replace("cesplan.yaml", "location: us", "location: us\ntree: desk-team/main")
    scene.apply()
    scene.service.journal.clear()
    scene.tree.replace("cesplan.yaml", "desk-team/main", "other-team/fork")
    done = scene.run("apply", "--auto-approve")
    assert done.code == 5
    assert "applied from the tree `desk-team/main` (this is `other-team/fork`)" in done.err
    assert scene.writes() == []


def test_a_copy_is_a_first_contact(scene: Scene) -> None:
    """The stamp came with the copy: nothing that the tree does not name is deleted there."""
    scene.apply()
    stamp = scene.live("apps")["help-desk"]["metadata"]
    scene.seed("copy-of-it", displayName="Help desk", metadata=stamp)
    scene.seed("copy-of-it/tools/by-hand", pythonFunction={"name": "by_hand"})
    text = scene.tree.root.joinpath(APP).read_text()
    scene.tree.write(APP, f"$id: copy-of-it\n{text}")
    done = scene.run("plan")
    assert "help-desk/tools/by-hand" in done.out
    assert "0 to delete" in done.out
