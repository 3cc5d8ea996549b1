"""The stamp is not the tree's to write, though an export of an app brings the one that the app had."""

from tests.identity.conftest import Scene

APP = "apps/help-desk/app.yaml"


def test_keys_of_the_stamp_are_left_out_and_told(scene: Scene) -> None:
    """As part of the tree they would differ from live after every apply, and a lease would never end."""
    scene.apply()
    scene.tree.replace(
        APP,
        "displayName: Help desk",
        "displayName: Help desk\nmetadata: {team: web, cesplan-digest: fake, cesplan-lease: x}",
    )
    scene.apply()
    metadata = scene.live("apps")["help-desk"]["metadata"]
    assert (metadata["team"], "cesplan-lease" in metadata) == ("web", False)
    assert metadata["cesplan-digest"] != "fake"
    done = scene.run("plan")
    assert done.out.startswith("No changes. Live matches the tree.")
    assert "`metadata` has cesplan-digest, cesplan-lease, which cesplan writes itself: ignored" in done.out
