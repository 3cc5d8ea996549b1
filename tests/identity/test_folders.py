"""A kind belongs to the tree by its folder, and git keeps no folder without a file: the stamp knows."""

import shutil

from tests.identity.conftest import Scene

GUARDRAIL = "apps/help-desk/guardrails"


def without_guardrails(scene: Scene) -> None:
    """The last file of a kind goes, and in a checkout of git the folder goes with it."""
    scene.tree.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    shutil.rmtree(scene.tree.root / GUARDRAIL)


def test_the_last_file_of_a_kind_is_a_deletion(scene: Scene) -> None:
    scene.apply()
    without_guardrails(scene)
    done = scene.run("plan")
    assert "- guardrails/no-cards" in done.out
    assert "1 to delete" in done.out
    scene.apply("--allow-mass-delete")
    assert scene.live("guardrails") == {}


def test_a_kind_is_given_up_without_pruning(scene: Scene) -> None:
    """An apply with --no-prune leaves a stamp without the kind: from then on others own it."""
    scene.apply()
    without_guardrails(scene)
    scene.apply("--no-prune")
    done = scene.run("plan")
    assert "0 to delete" in done.out or "No changes." in done.out
    assert set(scene.live("guardrails")) == {"no-cards"}


def test_a_kind_that_the_tree_never_had_stays(scene: Scene) -> None:
    without_guardrails(scene)
    scene.apply()
    scene.seed("help-desk/guardrails/theirs", displayName="Theirs", enabled=True)
    assert "No changes." in scene.run("plan").out


def test_an_empty_folder_is_told(scene: Scene) -> None:
    """Here it makes live resources go, in another checkout it would not: the plan says so and is refused."""
    without_guardrails(scene)
    scene.apply()
    scene.seed("help-desk/guardrails/theirs", displayName="Theirs", enabled=True)
    (scene.tree.root / GUARDRAIL).mkdir()
    done = scene.run("plan")
    assert "the folder guardrails/ is empty, so live guardrails count as removed" in done.out
    assert scene.run("apply", "--auto-approve").code == 5
    assert set(scene.live("guardrails")) == {"theirs"}


def test_a_file_that_keeps_a_folder_is_no_mistake(scene: Scene) -> None:
    """`.gitkeep` is how an empty folder is kept in git."""
    without_guardrails(scene)
    scene.tree.write(f"{GUARDRAIL}/.gitkeep", "")
    assert scene.run("validate").code == 0
