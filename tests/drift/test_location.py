"""What a location has once has no stamp; what was applied to it is known by the stamps of the tree's apps."""

import pytest

from tests.drift.conftest import Scene, Stage

FILE = "securitySettings.yaml"
LAX = {"endpointControlPolicy": {"enforcementScope": "VPCSC_ONLY", "allowedOrigins": ["https://api.example"]}}
STRICT = {"endpointControlPolicy": {**LAX["endpointControlPolicy"], "enforcementScope": "ALWAYS"}}
MASK = "endpointControlPolicy"
NOTE = "  to keep it, edit the file: pull --merge does not write it"


@pytest.fixture
def scene(stage: Stage) -> Scene:
    """A tree that enforces its origins everywhere, applied."""
    text = "endpointControlPolicy:\n  enforcementScope: ALWAYS\n  allowedOrigins: [https://api.example]\n"
    made = stage(more=((FILE, text),))
    assert made.drift().lines() == ""
    return made


def _change_tree(scene: Scene) -> None:
    path = scene.root / FILE
    path.write_text(path.read_text().replace("https://api.example", "https://new.example"))
    scene.commit()


def test_an_edit_of_it_is_drift_and_is_not_reverted_unseen(scene: Scene) -> None:
    """Nobody can say who did it."""
    scene.edit(1, {"by": "eve", "patch": "securitySettings", "mask": MASK, "body": LAX})
    found = scene.drift()
    assert found.lines() == (
        f"drift      @us/securitySettings  endpointControlPolicy.enforcementScope  unattributed #-{NOTE}\n"
    )
    assert found.code == 2
    text = scene.say("drift")[1]
    assert ("pull --merge --target" in text, "apply --target @us/securitySettings" in text) == (False, True)
    code, _, err = scene.say("apply", "--auto-approve")
    said = " ".join(err.split())
    assert (code, "@us/securitySettings reverts a live edit (unattributed)" in said) == (5, True)
    assert "pull --merge" not in said
    assert scene.call("GET", "securitySettings")["endpointControlPolicy"]["enforcementScope"] == "VPCSC_ONLY"
    scene.apply("--allow-revert", "@us/securitySettings")
    assert scene.drift().lines() == ""


def test_a_change_of_the_tree_is_pending_beside_it(scene: Scene) -> None:
    _change_tree(scene)
    assert scene.drift().lines() == "pending    @us/securitySettings  endpointControlPolicy.allowedOrigins\n"
    scene.edit(1, {"by": "eve", "patch": "securitySettings", "mask": MASK, "body": LAX})
    found = scene.drift()
    assert found.lines() == (
        f"drift      @us/securitySettings  endpointControlPolicy.enforcementScope  unattributed #-{NOTE}\n"
        "pending    @us/securitySettings  endpointControlPolicy.allowedOrigins\n"
    )
    both = {MASK: {**LAX[MASK], "allowedOrigins": ["https://theirs.example"]}}
    scene.edit(2, {"by": "eve", "patch": "securitySettings", "mask": MASK, "body": both})
    assert "conflict   @us/securitySettings  endpointControlPolicy.allowedOrigins" in scene.drift().lines()


def test_what_an_apply_could_not_write_is_pending(scene: Scene) -> None:
    """The stamp of the app names the commit all the same: live is older than that."""
    _change_tree(scene)
    denied = {"method": "UpdateSecuritySettings", "times": 9, "status": {"code": "PERMISSION_DENIED"}}
    scene.service.break_with(denied)
    assert scene.say("apply", "--auto-approve")[0] != 0
    scene.service.faults.clear()
    assert scene.drift().lines() == "pending    @us/securitySettings  endpointControlPolicy.allowedOrigins\n"
    scene.apply()


def test_without_the_commit_it_is_pending_and_said(scene: Scene) -> None:
    scene.edit(1, {"by": "eve", "patch": "securitySettings", "mask": MASK, "body": LAX})
    path = scene.root / FILE
    path.write_text(f"# A note.\n{path.read_text()}")
    scene.forget_history()
    found = scene.drift()
    assert found.lines() == "pending    @us/securitySettings  endpointControlPolicy.enforcementScope\n"
    (notices,) = [app["notices"] for app in found.document["apps"] if app["app"] == "@us"]
    assert any("no app's stamp names a commit with its last applied state" in text for text in notices)
