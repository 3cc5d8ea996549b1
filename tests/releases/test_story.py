"""The whole story: a good version is released; bad ones are stopped by the gate, and by the canary."""

from datetime import timedelta

import pytest

from cesplan.emulator import Switches
from tests.evaluation.conftest import PASS

YES = "--auto-approve"


@pytest.fixture(
    params=[
        pytest.param(Switches(), id="as-documented"),
        pytest.param(
            Switches(
                served_version="app_version",
                session_version="moves",
                empty_shares="refuse",
                etag_on_update="ignore",
                deployment_etags=False,
                app_version_spelling="project_number",
            ),
            id="otherwise",
        ),
    ]
)
def switches(request: pytest.FixtureRequest) -> Switches:
    """What is not known of deployments, either way."""
    found: Switches = request.param
    return found


def test_a_good_prompt_is_released_step_by_step(desk):
    """Evaluated, released to 5%, held, to 25%, held, to all; every move is one update of the deployment."""
    desk.candidate()
    assert desk.traffic == {"release-1": 100}  # an apply leaves what is served to the release
    planned = desk.release("plan", "--format", "json")
    assert (planned.code, planned.json["plan"]["sessions"]) == (0, 3 * 1 + 3 * 2)

    gated = desk.release("gate", YES, "--format", "json")
    assert (gated.code, gated.json["gate"]["verdict"], gated.json["position"]["stage"]) == (
        *(0, "passed"),
        "not started",
    )
    started = desk.release("start", YES, "--format", "markdown")
    assert started.code == 0
    assert "✅ **Now versions/release-2 has 5%, versions/release-1 the rest.**" in started.out
    assert "suites.regression" in started.out
    assert desk.traffic == {"release-1": 95, "release-2": 5}
    assert desk.web["appVersion"].endswith("/release-1")  # whichever the service obeys, the old version is safe
    assert len(desk.runs) == 1  # the run of the gate was judged again, not repeated

    desk.talk("release-1", 60, errors=3, escalated=6)
    desk.talk("release-2", 20, errors=1, escalated=2)
    held = desk.release("step", YES)
    assert (held.code, desk.traffic) == (8, {"release-1": 95, "release-2": 5})
    assert "The step lasts until" in held.out
    desk.clock.ahead = timedelta(hours=1, seconds=5)
    assert desk.release("status").code == 0
    stepped = desk.release("step", YES)
    assert (stepped.code, desk.traffic) == (0, {"release-1": 75, "release-2": 25})
    assert desk.release("step", YES).code == 8

    desk.clock.ahead = timedelta(hours=4)
    desk.talk("release-2", 30, escalated=2)
    desk.talk("release-1", 30, escalated=2)
    last = desk.release("step", YES, "--format", "json")
    assert (last.code, desk.traffic) == (0, {"release-2": 100})
    assert "experimentConfig" not in desk.web
    assert len(desk.writes_to("deployments/web-chat")) == 3
    assert [(item["action"], item["percent"]) for item in desk.evidence["moves"]] == [
        ("start", 5),
        ("step", 25),
        ("step", 100),
    ]
    assert desk.release("step", YES).code == 0  # nothing is due any more
    assert desk.typed("plan", "--detailed-exitcode").code == 0
    assert desk.typed("drift").code == 0


def test_a_bad_prompt_is_caught_by_the_gate(desk):
    """No traffic is moved, the comment says what failed, and running it again does not help."""
    desk.candidate()
    desk.emulator.play({"evaluation": "Late*", "outcome": ["PASS", "FAIL", "FAIL"]}, PASS)
    ran = desk.release("start", YES, "--format", "markdown", "--report", "html=gate.html")
    assert (ran.code, desk.traffic) == (5, {"release-1": 100})
    page = (desk.root / "gate.html").read_text()
    assert "<title>The gate failed. No traffic was moved · Release web, start" in page
    assert page.index("1 of 3 repeats passed; 2 are required.") < page.index("<h2>The gate</h2>")
    assert "❌ **The gate failed. No traffic was moved.**" in ran.out
    assert "1 of 3 repeats passed; 2 are required. The service says FAIL." in ran.out
    desk.emulator.play(PASS)
    again = desk.release("start", YES)
    assert (again.code, desk.traffic, len(desk.runs)) == (5, {"release-1": 100}, 1)
    assert desk.writes_to("deployments/web-chat") == []
    desk.candidate("release-3", "Help well.")  # what failed is mended, as a new version
    assert desk.release("start", YES).code == 0
    assert desk.traffic == {"release-1": 95, "release-3": 5}


def test_a_prompt_that_the_gate_missed_is_caught_by_the_canary(desk):
    """Escalations of the candidate are significantly more: all traffic goes back, by one update."""
    desk.candidate()
    assert desk.release("start", YES).code == 0
    desk.talk("release-1", 60, escalated=3)
    desk.talk("release-2", 20, escalated=9)
    assert desk.release("status").code == 5
    ran = desk.release("step", YES, "--format", "markdown")
    assert (ran.code, desk.traffic) == (5, {"release-1": 100})
    assert "❌ **The canary failed. Now versions/release-1 serves all traffic again.**" in ran.out
    assert "9 of 20 conversations of the candidate, 3 of 60 of the old version: more than allowed" in ran.out
    assert "experimentConfig" not in desk.web
    assert len(desk.writes_to("deployments/web-chat")) == 2
    assert desk.release("step", YES).code == 0
    assert desk.traffic == {"release-1": 100}


def test_a_person_aborts(desk):
    """What was recorded is put back; the draft and the versions are not touched."""
    desk.candidate()
    desk.release("start", YES)
    ran = desk.release("abort", YES)
    assert (ran.code, desk.traffic) == (0, {"release-1": 100})
    assert desk.release("abort", YES).code == 0  # nothing is left to put back
    assert len(desk.writes_to("deployments/web-chat")) == 2
    assert not any(":restore" in item["path"] for item in desk.emulator.journal.summary()["requests"])


def test_a_finished_release_is_put_back_by_its_record(desk):
    """After the last step the record says what was served before, and the change log has to agree."""
    desk.write("apps/help-desk/releases/web.yaml", "\n".join(RELEASE_AT_ONCE))
    desk.candidate()
    assert desk.release("start", YES).code == 0
    assert desk.traffic == {"release-2": 100}
    (path,) = (desk.root / ".cesplan/releases").glob("*.json")
    text = path.read_text()
    path.unlink()
    lost = desk.release("abort", YES)
    assert (lost.code, desk.traffic) == (1, {"release-2": 100})
    assert "cesplan rollback --to VERSION" in lost.err
    for forged in ("versions/release-9", "versions/release-2", "projects/evil/locations/us/apps/a/versions/b"):
        path.write_text(text.replace('"versions/release-1"', f'"{forged}"'))
        assert (desk.release("abort", YES).code, desk.traffic) == (1, {"release-2": 100}), forged
    path.write_text(text)
    assert desk.release("abort", YES).code == 0
    assert desk.traffic == {"release-1": 100}


RELEASE_AT_ONCE = (
    "deployment: web-chat",
    "suites: {regression: {evaluations: {all: true}}}",
    "limits: {sessions: 100}",
)


def test_a_regression_against_what_is_served(desk):
    """The version that is served is run once, within the limits; what passed there must pass."""
    text = "\n".join(RELEASE_AT_ONCE).replace("{all: true}}", "{all: true}, require: {rate: 0.4}}")
    desk.write("apps/help-desk/releases/web.yaml", f"{text}\nbaseline: deployed\n")
    desk.candidate()
    desk.emulator.play(PASS)
    ran = desk.release("gate", YES)
    assert ran.code == 0
    assert "Sessions: 6 of 100." in ran.out  # of both runs
    assert len(desk.runs) == 2
    desk.candidate("release-3", "Help.")
    desk.emulator.play({"evaluation": "Angry*", "outcome": "FAIL"}, PASS)
    ran = desk.release("gate", YES)
    assert "Sessions: 3 of 100." in ran.out
    assert ran.code == 5
    assert "It passed in version Release 1, which is served, and no longer passes." in " ".join(ran.out.split())
    assert len(desk.runs) == 3  # that of the served version was found again


def test_a_rollback_ends_a_canary(desk):
    """`cesplan rollback` is for emergencies: it needs no release file, and the release sees where it is."""
    desk.candidate()
    assert desk.release("start", YES).code == 0
    ran = desk.typed("rollback", "--to", "release-1", YES)
    assert ran.code == 0, ran.out + ran.err
    assert desk.traffic == {"release-1": 100}
    assert desk.release("step", YES).code == 0
    assert desk.traffic == {"release-1": 100}
