"""The policy of the example on the real plan: what production serves has passed its evaluations."""

import json
import urllib.request
from typing import Any

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.environments.conftest import APPS, Desk

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
    """Refused without a run, with one of another version, with one that failed; done with one that passed."""
    assert _refused(released)
    _evaluate(released.emulator, "release-1", "PASS")
    assert _refused(released)
    _evaluate(released.emulator, "release-2", "FAIL")
    assert _refused(released)
    _evaluate(released.emulator, "release-2", "PASS")
    done = released.type("prod", "apply", "-e", "prod", "--auto-approve")
    assert (done.code, "appVersion" in done.out) == (0, True)
    assert released.live("prod")["deployments/web-chat appVersion"] == "…/versions/release-2"


def test_a_person_can_know_better(released: Desk) -> None:
    """The rule wants approval, and the plan says with which flag."""
    planned = released.type("prod", "plan", "-e", "prod", "--format", "json")
    (verdict,) = json.loads(planned.out)["policy"]
    assert (verdict["rule"], verdict["severity"]) == ("evaluated", "needs-approval")
    words = ("apply", "-e", "prod", "--auto-approve", "--allow-policy", "evaluated")
    assert released.type("prod", *words).code == 0


def test_runs_are_read_only_for_what_is_asked(released: Desk) -> None:
    """One request more for an app that changes; none where nothing changes, and none without such a rule."""
    assert _lists_of_runs(released, "prod") == 1
    released.replace(DEPLOYMENT, "appVersion: release-2", "appVersion: release-1")
    assert _lists_of_runs(released, "prod") == 0
    released.replace(DEPLOYMENT, "appVersion: release-1", "appVersion: release-2")
    text = (released.root / "cesplan.yaml").read_text()
    released.write("cesplan.yaml", text[: text.index("  - name: evaluated")])
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


def _refused(desk: Desk) -> bool:
    ran = desk.type("prod", "apply", "-e", "prod", "--auto-approve")
    assert ran.code in (0, 5), ran.text
    told = " ".join(ran.err.split())
    return ran.code == 5 and "would serve a version that has not passed its evaluations" in told


def _evaluate(emulator: EmbeddedEmulator, version: str, outcome: str) -> None:
    """What `:runEvaluation` of the service does, by a script."""
    emulator.play({"evaluation": "*", "outcome": outcome})
    app = APPS["prod"]
    request: dict[str, Any] = {
        "appVersion": f"{app}/versions/{version}",
        "evaluations": [f"{app}/evaluations/parcel-on-its-way"],
    }
    url = f"http://{emulator.address}/v1beta/{app}:runEvaluation"
    data, headers = json.dumps(request).encode(), {"content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as answer:
        assert answer.status == 200


def _lists_of_runs(desk: Desk, environment: str) -> int:
    before = len(desk.emulator.journal.entries)
    assert desk.type(environment, "plan", "-e", environment).code == 0
    entries = desk.emulator.journal.entries[before:]
    return sum(entry.path.endswith("/evaluationRuns") for entry in entries)
