"""The policy of the example on the real plan: what production serves has passed its release."""

import json

import pytest

from tests.environments.conftest import Desk

DEPLOYMENT = "apps/parcel-desk/deployments/web-chat.yaml"


@pytest.fixture
def released(desk: Desk) -> Desk:
    """Production serves release-1; release-2 is live and not served."""
    desk.apply("prod")
    desk.replace("apps/parcel-desk/agents/front-desk.md", "Never promise a day.", "Promise nothing.")
    desk.write("apps/parcel-desk/versions/release-2.yaml", "displayName: Release 2\n")
    done = desk.type("prod", "apply", "-e", "prod", "--auto-approve")
    assert done.code == 0, done.text
    desk.replace(DEPLOYMENT, "appVersion: release-1", "appVersion: release-2")
    return desk


def test_a_version_is_served_once_it_has_passed(released: Desk) -> None:
    """An apply leaves the traffic alone; the release moves it once its evaluations have passed, not before."""
    assert released.type("prod", "apply", "-e", "prod", "--auto-approve").code == 0
    assert released.live("prod")["deployments/web-chat appVersion"] == "…/versions/release-1"
    released.emulator.play({"evaluation": "*", "outcome": "FAIL"})
    failed = released.type("prod", "release", "start", "-e", "prod", "--auto-approve")
    assert failed.code == 5, failed.text
    assert released.live("prod")["deployments/web-chat appVersion"] == "…/versions/release-1"
    released.replace("apps/parcel-desk/agents/front-desk.md", "Promise nothing.", "Promise nothing at all.")
    released.write("apps/parcel-desk/versions/release-3.yaml", "displayName: Release 3\n")
    released.replace(DEPLOYMENT, "appVersion: release-2", "appVersion: release-3")
    assert released.type("prod", "apply", "-e", "prod", "--auto-approve").code == 0
    released.emulator.play({"evaluation": "*", "outcome": "PASS"})
    done = released.type("prod", "release", "start", "-e", "prod", "--auto-approve")
    assert done.code == 0, done.text
    assert released.live("prod")["deployments/web-chat appVersion"] == "…/versions/release-3"


def test_without_the_release_a_person_has_to_approve(released: Desk) -> None:
    """The rule still stands where the release file is gone: the plan says with which flag."""
    (released.root / "environments/prod/apps/parcel-desk/releases/web.yaml").unlink()
    ran = released.type("prod", "apply", "-e", "prod", "--auto-approve")
    told = " ".join(ran.err.split())
    assert (ran.code, "would serve a version that has not passed its release" in told) == (5, True)
    planned = released.type("prod", "plan", "-e", "prod", "--format", "json")
    (verdict,) = json.loads(planned.out)["policy"]
    assert (verdict["rule"], verdict["severity"]) == ("evaluated", "needs-approval")
    words = ("apply", "-e", "prod", "--auto-approve", "--allow-policy", "evaluated")
    assert released.type("prod", *words).code == 0


def test_runs_are_read_only_for_what_is_asked(released: Desk) -> None:
    """One request more for an app that changes; none where nothing changes, and none without such a rule."""
    (released.root / "environments/prod/apps/parcel-desk/releases/web.yaml").unlink()
    assert _lists_of_runs(released, "prod") == 0
    text = (released.root / "cesplan.yaml").read_text()
    rule = '  - {name: ran, when: "true", assert: "runs.exists(r, r.passed > 0)", severity: warn}\n'
    released.write("cesplan.yaml", text + rule)
    assert _lists_of_runs(released, "prod") == 1
    released.replace(DEPLOYMENT, "appVersion: release-2", "appVersion: release-1")
    assert _lists_of_runs(released, "prod") == 0


@pytest.mark.parametrize(
    ("path", "old", "new", "rule"),
    [
        (
            "apps/parcel-desk/guardrails/card-numbers.yaml",
            "enabled: true",
            "enabled: false",
            "guardrails-stay-on",
        ),
        ("environments/prod/apps/parcel-desk/app.yaml", "temperature: 0.2", "temperature: 1.2", "calm"),
        (
            "environments/prod/apps/parcel-desk/agents/claims.yaml",
            "gemini-2.5-pro",
            "gemini-9-dream",
            "known-models",
        ),
    ],
)
def test_what_is_denied_is_denied(desk: Desk, path: str, old: str, new: str, rule: str) -> None:
    """Whichever layer of the tree says it."""
    desk.apply("prod")
    desk.replace(path, old, new)
    ran = desk.type("prod", "apply", "-e", "prod", "--auto-approve", "--allow-policy", rule)
    assert ran.code == 5
    assert f"policy `{rule}`" in ran.err


def _lists_of_runs(desk: Desk, environment: str) -> int:
    before = len(desk.emulator.journal.entries)
    assert desk.type(environment, "plan", "-e", environment).code == 0
    entries = desk.emulator.journal.entries[before:]
    return sum(entry.path.endswith("/evaluationRuns") for entry in entries)
