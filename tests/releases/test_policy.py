"""Rules of the policy read what a release has shown: `release.verdict`, `.version`, `.age`, `.action`."""

from datetime import timedelta

import pytest

from cesplan.domain.features.release import Release, ReleaseLimits
from cesplan.features.releases.policy_facts import release_facts
from tests.releases.conftest import DEPLOYMENT, RELEASE

YES = "--auto-approve"
WEB_FILE = "apps/help-desk/deployments/web-chat.yaml"


def ruled(desk, condition, when='kind == "deployments" && action == "update"'):
    """The tree with one rule."""
    text = (desk.root / "cesplan.yaml").read_text().partition("policy:")[0]
    rule = f"policy:\n- name: gated\n  when: {when}\n  assert: {condition}\n"
    desk.write("cesplan.yaml", text + rule)


def renamed(desk, name):
    """A difference of the deployment that is not the release's."""
    desk.write(WEB_FILE, DEPLOYMENT.format("release-2").replace("Web chat", name))
    return desk.typed("apply", YES)


def test_a_plan_knows_the_evidence_of_a_deployment(desk):
    """None before the gate, its verdict after it, void once the release file is another."""
    desk.candidate()
    ruled(desk, 'release.verdict == "passed" && release.version == "versions/release-2" && release.age < 600')
    assert renamed(desk, "Chat").code == 5
    assert desk.release("gate", YES).code == 0
    assert renamed(desk, "Chat").code == 0
    desk.write("apps/help-desk/releases/web.yaml", RELEASE.replace("2 of 3", "1 of 3"))
    assert renamed(desk, "Chats").code == 5
    ruled(desk, 'release.verdict == "void"')
    assert renamed(desk, "Chats").code == 0


def test_a_move_is_held_against_what_its_own_gate_has_found(desk):
    """Also where the file of the evidence said something else before."""
    desk.candidate()
    ruled(desk, 'release.action != "start" || release.verdict == "passed"')
    assert desk.release("start", YES).code == 0
    ruled(desk, 'release.action == "abort"')
    desk.clock.ahead = timedelta(hours=2)
    desk.talk("release-1", 20)
    desk.talk("release-2", 20)
    assert desk.release("step", YES).code == 5
    assert desk.release("abort", YES).code == 0


def test_what_no_release_names_has_none(desk):
    """Rules that read it are defined for every operation."""
    (desk.root / "apps/help-desk/releases/web.yaml").unlink()
    ruled(desk, 'release.verdict == "none" && release.age == -1 && release.name == ""')
    desk.write(WEB_FILE, DEPLOYMENT.format("release-1").replace("Web chat", "Chat"))
    assert desk.typed("apply", YES).code == 0


@pytest.mark.parametrize("hours", [25, -1])
def test_evidence_is_void_beside_its_age(desk, hours):
    """After the age limit, and from the future."""
    from datetime import UTC, datetime

    from cesplan.workflow.evidence.evidence_file import read_file

    desk.candidate()
    assert desk.release("gate", YES).code == 0
    (path,) = (desk.root / ".cesplan/releases").glob("*.json")
    evidence = read_file(path)
    release = Release(
        name="web",
        app="help-desk",
        file="",
        deployment="web-chat",
        candidate="versions/release-2",
        limits=ReleaseLimits(sessions=1),
        digest=evidence.release.digest,
    )
    now = datetime.now(UTC)
    assert release_facts(release, evidence, now)["verdict"] == "passed"
    assert release_facts(release, evidence, now + timedelta(hours=hours))["verdict"] == "void"
