"""A rotation marker that moved sends a secret again, once: no field comes back that could be compared."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ran, cesplan, service, tree
from tests.identity.conftest import Scene, scene

__all__ = ["cesplan", "scene", "service", "tree"]

DEPLOYMENT = "apps/help-desk/deployments/insta.yaml"
ADDRESS = "help-desk/deployments/insta"
CREDENTIALS = """\
displayName: Insta
channelProfile: {channelType: INSTAGRAM}
instagramCredentials: {authCode: '${crmKey}'}
"""
OLD, NEW = "Old-Key-93751842", "New-Key-62840571"


def project(marker: str, more: str = "") -> str:
    secret = f"{{rotation: '{marker}'}}" if marker else "true"
    return f"""\
cesplan: 1
project: acme-dev
location: us
apiVersion: v1beta
{more}
variables: {{crmKey: {{secret: {secret}}}}}
environments:
  dev: {{project: acme-dev, location: us}}
  prod: {{project: acme-prod, location: us}}
"""


@pytest.fixture
def desk(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """A deployment with a credential that never comes back; its secret has the marker 2026-10."""
    monkeypatch.setenv("CESPLAN_SECRET_crmKey", OLD)
    scene.tree.write("cesplan.yaml", project("2026-10"))
    scene.tree.write(DEPLOYMENT, CREDENTIALS)
    return scene


def rotate(desk: Scene, monkeypatch: pytest.MonkeyPatch, marker: str = "2026-11", more: str = "") -> None:
    monkeypatch.setenv("CESPLAN_SECRET_crmKey", NEW)
    desk.tree.write("cesplan.yaml", project(marker, more))
    desk.service.journal.clear()


def sent(desk: Scene) -> list[Any]:
    """What updates sent as the credential since the rotation."""
    bodies = [entry.body for entry in desk.service.journal.entries if entry.method == "PATCH"]
    return [body["instagramCredentials"] for body in bodies if "instagramCredentials" in body]


def is_quiet(done: Ran) -> bool:
    return done.code == 0 and done.out.startswith("No changes.")


def test_a_marker_that_moved_sends_the_secret_again_once(desk: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.apply()
    assert is_quiet(desk.run("plan"))
    rotate(desk, monkeypatch)
    shown = desk.run("plan")
    assert "rotation of crmKey: 2026-10 → 2026-11" in shown.out
    desk.apply()
    assert sent(desk) == [{"authCode": NEW}]
    assert is_quiet(desk.run("plan"))
    desk.service.journal.clear()
    desk.apply()
    assert sent(desk) == []


def test_a_secret_that_is_new_without_a_new_marker_is_not_seen(
    desk: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.apply()
    monkeypatch.setenv("CESPLAN_SECRET_crmKey", NEW)
    assert is_quiet(desk.run("plan"))


def test_the_report_says_that_nothing_live_differs(
    desk: Scene, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    desk.apply()
    rotate(desk, monkeypatch)
    document = desk.run("plan", "--format", "json", "--out", "plan.json").out
    (change,) = (one for one in json.loads(document)["resource_changes"] if one["address"] == ADDRESS)
    assert change["action_reason"] == "resent"
    assert change["notes"] == ["rotation of crmKey: 2026-10 → 2026-11"]
    assert [step["update_mask"] for step in change["steps"]] == [["instagramCredentials"]]
    for text in (document, (desk.tree.root / "plan.json").read_text(encoding="utf-8")):
        assert NEW not in text
        assert OLD not in text


def test_a_plan_file_carries_the_marker(desk: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not the secret, which the apply takes from its own environment."""
    desk.apply()
    rotate(desk, monkeypatch)
    assert desk.run("plan", "--out", "plan.json").code == 0
    done = desk.run("apply", "plan.json", "--auto-approve")
    assert done.code == 0, done.err
    assert sent(desk) == [{"authCode": NEW}]
    assert desk.live("apps")["help-desk"]["metadata"]["cesplan-rotations"] == "crmKey=2026-11"
    assert is_quiet(desk.run("plan"))


@pytest.mark.parametrize("words", [("--target", "agents/front-desk"), ("--exclude", "deployments/insta")])
def test_what_an_apply_left_out_is_still_to_be_sent(
    desk: Scene, monkeypatch: pytest.MonkeyPatch, words: tuple[str, str]
) -> None:
    desk.apply()
    rotate(desk, monkeypatch)
    desk.tree.replace("apps/help-desk/agents/front-desk.md", "Greet", "Welcome")
    desk.apply(*words)
    assert sent(desk) == []
    desk.apply()
    assert sent(desk) == [{"authCode": NEW}]


def test_what_an_apply_failed_to_send_is_still_to_be_sent(desk: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.apply()
    rotate(desk, monkeypatch)
    desk.tree.replace("apps/help-desk/agents/front-desk.md", "Greet", "Welcome")
    refusal = {"method": "UpdateDeployment", "status": {"code": "INVALID_ARGUMENT"}, "times": 1}
    desk.service.break_with(refusal)
    assert desk.run("apply", "--auto-approve").code == 3
    desk.service.journal.clear()
    desk.apply()
    assert sent(desk) == [{"authCode": NEW}]
    assert is_quiet(desk.run("plan"))


def test_an_app_without_a_stamp_is_sent_nothing_and_the_plan_says_how(
    desk: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether live has the new secret is not known: a one-time code that is sent twice fails."""
    desk.tree.write("cesplan.yaml", project("2026-10", "stamp: false"))
    desk.apply()
    rotate(desk, monkeypatch)
    shown = desk.run("plan", "--adopt")
    assert "rotation of crmKey" in shown.out + shown.err
    assert f"--resend {ADDRESS}" in shown.out + shown.err
    desk.apply("--adopt")
    assert sent(desk) == []
    rotate(desk, monkeypatch, "2026-12")
    desk.apply()
    assert sent(desk) == [{"authCode": NEW}]


def test_without_stamps_a_rotation_is_sent_by_hand(desk: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where an earlier apply left a stamp, which no apply would ever bring up to date."""
    desk.apply()
    rotate(desk, monkeypatch, more="stamp: false")
    shown = desk.run("plan")
    assert is_quiet(shown)
    assert "`stamp: false`" in shown.out + shown.err
    assert f"--resend {ADDRESS}" in shown.out + shown.err
    desk.apply("--resend", ADDRESS)
    assert sent(desk) == [{"authCode": NEW}]


def test_each_environment_has_its_own_marker(desk: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.apply("-e", "dev")
    desk.apply("-e", "prod")
    desk.tree.replace(
        "cesplan.yaml",
        "prod: {project: acme-prod, location: us}",
        "prod: {project: acme-prod, location: us, variables: {crmKey: {secret: {rotation: p-2}}}}",
    )
    assert is_quiet(desk.run("plan", "-e", "dev"))
    assert "rotation of crmKey: 2026-10 → p-2" in desk.run("plan", "-e", "prod").out


def test_the_first_marker_counts_as_a_new_one(desk: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.tree.write("cesplan.yaml", project(""))
    desk.apply()
    rotate(desk, monkeypatch)
    assert "rotation of crmKey: none → 2026-11" in desk.run("plan").out
    desk.apply()
    rotate(desk, monkeypatch, "")
    desk.apply()
    assert sent(desk) == []


def test_what_the_tree_ignores_is_left_alone(desk: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.apply()
    desk.tree.write(DEPLOYMENT, f"{CREDENTIALS}$ignore: [instagramCredentials]\n")
    rotate(desk, monkeypatch)
    assert is_quiet(desk.run("plan"))


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        ("{rotation: }", "the rotation marker of `crmKey` is not valid"),
        ("{rotation: [1]}", "the rotation marker of `crmKey` is not valid"),
        ("{rotation: 'two words'}", "the rotation marker of `crmKey` is not valid"),
        (f"{{rotation: '{OLD}'}}", "the rotation marker of `crmKey` contains the secret"),
        ("{rotation: '1', value: Hush-hush-1}", "unknown key in `secret` of the variable `crmKey`"),
    ],
)
def test_what_can_be_a_marker(desk: Scene, secret: str, said: str) -> None:
    """A label; the secret itself, and what is beside the marker, are not shown."""
    desk.tree.replace("cesplan.yaml", "{rotation: '2026-10'}", secret)
    done = desk.run("plan")
    assert done.code == 7
    assert said in done.out + done.err
    for text in (OLD, "Hush-hush-1"):
        assert text not in done.out + done.err


def test_a_number_is_a_marker(desk: Scene) -> None:
    desk.tree.replace("cesplan.yaml", "'2026-10'", "7")
    desk.apply()
    assert desk.live("apps")["help-desk"]["metadata"]["cesplan-rotations"] == "crmKey=7"


@pytest.mark.parametrize("after", [True, False])
def test_a_lost_answer_does_not_make_a_credential_sent(
    desk: Scene, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    """Reading cannot tell whether it arrived, so it is sent until an answer says so."""
    desk.apply()
    rotate(desk, monkeypatch)
    desk.service.break_with({"method": "UpdateDeployment", "reset": {"after": after}, "times": 1})
    desk.apply()
    seen = [entry.status for entry in desk.service.journal.entries if entry.rpc.endswith("UpdateDeployment")]
    assert seen == [0, 200]
    assert is_quiet(desk.run("plan"))
