"""What an apply wrote that was not complete is known again: the stamp keeps digests of these bodies."""

import re
from typing import Any

from cesplan.domain.app_metadata.stamp import Stamp, read_stamp
from cesplan.domain.resource_name import Place
from cesplan.engine.applying.partial import body_digest, was_written, with_partial
from cesplan.engine.comparing.value_redactor import NOTHING_SECRET
from cesplan.model.kinds import kind_of
from tests.identity.conftest import APPS, Scene

PLACE = Place(project="acme-dev", location="us")
APP = f"{APPS}/help-desk"
PROMPT = "apps/help-desk/agents/front-desk.md"


def stamp(scene: Scene) -> Stamp:
    return read_stamp(scene.live("apps")["help-desk"].get("metadata"), APP)


def is_known(scene: Scene, kind: str, name: str) -> bool:
    body = {**scene.live(kind)[name], "name": f"{APP}/{kind}/{name}"}
    return was_written(stamp(scene), body_digest(kind_of(kind), body, PLACE, "help-desk", NOTHING_SECRET))


def test_a_targeted_apply_leaves_digests_and_not_its_commit(scene: Scene) -> None:
    scene.apply()
    before = stamp(scene)
    scene.tree.replace(PROMPT, "Greet", "Welcome")
    scene.apply("--target", "agents/front-desk")
    assert stamp(scene).digest == before.digest
    assert is_known(scene, "agents", "front-desk")
    scene.edit("help-desk/agents/front-desk", instruction="By hand.")
    assert not is_known(scene, "agents", "front-desk")


def test_a_complete_apply_needs_none(scene: Scene) -> None:
    scene.apply()
    scene.tree.replace(PROMPT, "Greet", "Welcome")
    scene.apply("--target", "agents/front-desk")
    scene.apply()
    assert stamp(scene).partial == ()
    assert scene.run("plan").out.startswith("No changes. Live matches the tree.")


def test_one_that_failed_in_part_leaves_them(scene: Scene) -> None:
    scene.apply()
    scene.tree.replace(PROMPT, "Greet", "Welcome")
    scene.tree.replace("apps/help-desk/tools/lookup-order.py", "Find an order.", "Find any order.")
    scene.service.break_with({"method": "UpdateTool", "status": {"code": "INVALID_ARGUMENT"}, "times": 9})
    assert scene.run("apply", "--auto-approve").code == 3
    assert is_known(scene, "agents", "front-desk")
    assert not is_known(scene, "tools", "lookup-order")


def test_first_contact_that_held_something_back_is_still_one(scene: Scene) -> None:
    """The digests do not make an app ours."""
    scene.seed("help-desk", displayName="Help desk", description="Theirs.")
    scene.apply()
    assert is_known(scene, "agents", "front-desk")
    assert not stamp(scene).is_complete
    assert "help-desk description" in scene.run("plan").out


def test_the_stamp_of_a_copy_does_not_become_ours() -> None:
    """Beside a digest of the original, our name would make its stamp count for the copy."""
    original: dict[str, Any] = {"team": "x", "cesplan-app": APP + "-old", "cesplan-digest": "theirs"}
    made = with_partial(original, APP, ["0" * 32])
    assert made == {"team": "x", "cesplan-format": "1", "cesplan-app": APP, "cesplan-partial": "0" * 32}
    assert not read_stamp(made, APP).is_complete


def test_no_digest_is_derived_from_a_secret() -> None:
    """A token in a header may be live in clear: bodies that differ in nothing else have one digest."""
    kind = kind_of("toolsets")

    def digest(token: str) -> str:
        body = {
            "name": f"{APP}/toolsets/crm",
            "mcpToolset": {"serverAddress": "x", "customHeaders": {"k": token}},
        }
        return body_digest(kind, body, PLACE, "help-desk", NOTHING_SECRET)

    assert digest("one-token") == digest("another-token")
    assert re.fullmatch("[0-9a-f]{32}", digest("one-token"))
