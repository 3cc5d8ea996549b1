"""A released deployment: plans show its traffic and leave it alone, and drift tells who else moved it."""

from tests.releases.conftest import APP, DEPLOYMENT, WEB

YES = "--auto-approve"
BOB = "bob@acme.example"


def edited(desk, **fields):
    """Bob changes the deployment in the console."""
    desk.emulator.break_with({"method": "GetApp", "edit": {"name": WEB, "body": fields, "author": BOB}})
    desk.typed("release", "status")  # any request on which the edit happens


def test_a_plan_says_who_holds_the_traffic_and_does_not_write_it(desk):
    """The file names release-2, live serves release-1: that is the release's business."""
    desk.candidate()
    ran = desk.typed("plan", "--format", "json")
    assert ran.json["resource_changes"] == [] or not [
        item for item in ran.json["resource_changes"] if item["type"] == "deployments"
    ]
    (said,) = [text for text in ran.json["notices"] if "held by release" in text]
    where = "help-desk/deployments/web-chat"
    assert said == f"{where} is held by release web: versions/release-1 serves all traffic"
    assert desk.typed("plan", "--detailed-exitcode").code == 0
    assert desk.typed("drift").code == 0


def test_other_fields_of_the_deployment_are_planned(desk):
    desk.candidate()
    desk.write(
        "apps/help-desk/deployments/web-chat.yaml", DEPLOYMENT.format("release-2").replace("Web chat", "Chat")
    )
    assert desk.typed("apply", YES).code == 0
    assert (desk.web["displayName"], desk.traffic) == ("Chat", {"release-1": 100})


def test_a_move_of_a_release_is_no_drift(desk):
    """At 5%, and after all of it: plans are empty, drift is 0."""
    desk.candidate()
    desk.release("start", YES)
    assert desk.traffic == {"release-1": 95, "release-2": 5}
    ran = desk.typed("drift")
    assert ran.code == 0, ran.out
    assert "step 1 of 3: versions/release-2 has 5%" in " ".join((ran.out + ran.err).split())
    assert desk.typed("plan", "--detailed-exitcode").code == 0
    desk.release("abort", YES)
    assert desk.typed("drift").code == 0


def test_a_merge_leaves_the_traffic_to_the_release(desk):
    """The split stays out of the file, the file keeps its candidate, and the base is what was applied."""
    desk.candidate()
    desk.release("start", YES)
    assert desk.traffic == {"release-1": 95, "release-2": 5}
    ran = desk.typed("pull", "--merge", "--check")
    assert ran.code == 0, ran.out
    assert "Nothing to merge. The tree already matches live." in ran.out
    assert "variables had other values" not in " ".join(ran.out.split())


def test_a_move_that_no_release_made_is_a_live_edit(desk):
    """Drift names the field and the author, and ends with 2; a plan says it and leaves it alone."""
    desk.candidate()
    edited(desk, appVersion=f"{APP}/versions/release-2")
    assert desk.traffic == {"release-2": 100}
    ran = desk.typed("drift", "--format", "json")
    assert ran.code == 2
    text = desk.typed("drift").out
    assert "appVersion" in text
    assert BOB in text
    assert text.endswith(
        "  To move back the traffic of deployments/web-chat:  "
        "cesplan rollback --app help-desk --deployment web-chat\n"
    )
    assert "--merge" not in text
    assert "--allow-revert" not in text
    plan = desk.typed("plan", "--detailed-exitcode")
    assert plan.code == 0
    assert f"its traffic was edited live, by {BOB}" in " ".join((plan.out + plan.err).split())


def test_an_edit_beside_a_move_is_told_apart(desk):
    """A release moved the traffic, then Bob edited another field: the traffic is no drift, the field is."""
    desk.candidate()
    desk.release("start", YES)
    edited(desk, displayName="Bob's chat")
    ran = desk.typed("drift")
    assert (ran.code, "displayName" in ran.out) == (2, True)
    assert "appVersion" not in ran.out
    assert "experimentConfig" not in ran.out


def test_the_first_version_is_served_at_once(desk):
    """A deployment that does not exist yet serves nobody: it is created as its file says, and that is said."""
    desk.write("apps/help-desk/deployments/kiosk-chat.yaml", DEPLOYMENT.format("release-1"))
    release = (desk.root / "apps/help-desk/releases/web.yaml").read_text()
    desk.write("apps/help-desk/releases/kiosk.yaml", release.replace("web-chat", "kiosk-chat"))
    ran = desk.typed("plan")
    assert "serves its first version immediately" in " ".join(ran.out.split())
    assert desk.typed("apply", YES).code == 0
    assert desk.typed("plan", "--detailed-exitcode").code == 0
    two = desk.release("status")
    assert (two.code, "help-desk/kiosk" in two.err) == (64, True)
    assert desk.release("status", "kiosk").code == 0


def test_pull_leaves_release_files_alone(desk):
    before = (desk.root / "apps/help-desk/releases/web.yaml").read_text()
    desk.candidate()
    ran = desk.typed("pull", "--merge")
    assert ran.code == 0, ran.err
    assert (desk.root / "apps/help-desk/releases/web.yaml").read_text() == before
    assert desk.typed("validate").code == 0
