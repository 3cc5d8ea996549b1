"""`cesplan smoke` on the emulator: what is run, what is seen, and what it comes to."""

from xml.etree import ElementTree

import pytest

from tests.smoke.conftest import APP

WHERE = {
    "say": "Where is it?",
    "expect": {
        "tools": ["lookup-order"],
        "transfers": ["orders"],
        "agent": "orders",
        "says": "order 7 is on its",
    },
}
BYE = {"say": "bye", "expect": {"ends": True, "tools": [], "neverSays": ["order"]}}
WEB = ("--deployment", "web-chat")


def test_everything_that_is_expected_ends_with_0(desk):
    """On the deployment: its version answers, in one session, which leaves one conversation."""
    tool = {"tool": "lookup-order", "response": {"state": "sent"}}
    shop = {"toolset": "shop", "toolIds": ["get_orders"]}
    ran = desk.smoke([WHERE, BYE, tool, shop], *WEB, "--version", "First", "--format", "json")
    assert (ran.code, ran.json["verdict"], ran.json["version"]) == (0, "passed", "First")
    assert (ran.json["summary"]["passed"], ran.json["sessions"], ran.json["tools"]) == (4, 1, "real")
    (talk,) = desk.talks
    assert (talk["turnCount"], talk["appVersion"]) == (2, f"{APP}/versions/version-one")
    assert talk["deployment"] == f"{APP}/deployments/web-chat"
    assert ran.json["steps"][0]["session"] == talk["name"].rpartition("/")[2]
    assert ran.json["steps"][0]["reply"]["calls"][0]["args"] == {"order": 7.0}


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"say": "where", "expect": {"tools": []}}, "Expected no tool to be called; called: lookup-order."),
        (
            {"say": "bye", "expect": {"tools": ["lookup-order"]}},
            "Expected lookup-order to be called; called: none.",
        ),
        ({"say": "bye", "expect": {"agent": "orders"}}, "Expected the agent orders; found: front-desk."),
        ({"say": "bye", "expect": {"says": "hello"}}, "Expected the answer to say “hello”; it says “Bye.”."),
        ({"say": "bye", "expect": {"ends": False}}, "Expected the session to go on; it ended."),
        ({"tool": "lookup-order", "response": {"state": "lost"}}, 'Expected a response with {"state": "lost"}'),
        ({"toolset": "web-shop", "toolIds": ["gone"]}, "The toolset does not have gone. It has get_orders."),
    ],
)
def test_what_is_seen_otherwise_fails(desk, step, said):
    """Exit code 5, and what was expected and found."""
    ran = desk.smoke([step])
    assert ran.code == 5
    assert said in " ".join(ran.out.split())
    assert "The smoke test has failed." in ran.out


def test_a_report_for_services_that_show_tests(desk):
    """A failure and an error are apart: what is inconclusive says nothing about the agent."""
    ran = desk.smoke([WHERE, {"say": "paint"}, {"say": "bye"}], "--format", "junit")
    cases = ElementTree.fromstring(ran.out).iter("testcase")
    found = [[item.tag for item in case if item.tag in ("failure", "error")] for case in cases]
    assert (ran.code, found) == (8, [[], ["error"], ["error"]])


def test_a_deployment_that_serves_something_else_shows_nothing(desk):
    """Nothing is said to it: it would be another version that answers."""
    (desk.root / "apps/help-desk/versions/v2.yaml").write_text("displayName: Second\n$id: version-two\n")
    (desk.root / "apps/help-desk/agents/orders.yaml").write_text("displayName: Orders\n")
    assert desk.typed("apply", "--auto-approve").code == 0
    ran = desk.smoke([WHERE], *WEB, "--version", "v2")
    assert ran.code == 8
    assert "must serve version-two and nothing else; it serves version-one (100%)" in " ".join(ran.out.split())
    assert desk.talks == []
    share = [
        {"id": n, "trafficPercentage": 50, "appVersion": f"{APP}/versions/{n}"}
        for n in ("version-one", "version-two")
    ]
    split(desk, share)
    ran = desk.smoke([WHERE], *WEB)
    assert "serves version-one (50%), version-two (50%)" in " ".join(ran.out.split())
    assert (ran.code, desk.talks) == (8, [])


def split(desk, shares):
    body = {"appVersion": None, "experimentConfig": {"versionRelease": {"trafficAllocations": shares}}}
    row = desk.emulator.store.get(f"{APP}/deployments/web-chat")
    found = {"name": row.name, "displayName": row.display_name, **row.body, **body}
    found.pop("appVersion")
    desk.emulator.seed(found)


def test_a_deployment_that_is_moved_meanwhile_shows_nothing(desk):
    """What was seen may be of either version."""
    (desk.root / "apps/help-desk/versions/v2.yaml").write_text("displayName: Second\n$id: version-two\n")
    (desk.root / "apps/help-desk/agents/orders.yaml").write_text("displayName: Orders\n")
    assert desk.typed("apply", "--auto-approve").code == 0
    desk.emulator.break_with(
        {
            "method": "RunSession",
            "edit": {
                "name": f"{APP}/deployments/web-chat",
                "body": {"appVersion": f"{APP}/versions/version-two"},
                "after": True,
            },
        }
    )
    ran = desk.smoke([{"say": "bye"}], *WEB)
    assert ran.code == 8
    assert "The deployment was moved to another version during the test." in ran.out


def test_a_tool_of_the_draft_shows_nothing_of_another_version(desk):
    """Only the draft's tools can be executed."""
    path = desk.root / "apps/help-desk/tools/lookup-order.yaml"
    path.write_text(path.read_text().replace('{"order": order}', "{}"))
    assert desk.typed("apply", "--auto-approve").code == 0
    ran = desk.smoke([{"tool": "lookup-order"}], *WEB)
    assert ran.code == 8
    assert "it differs from that of First" in " ".join(ran.out.split())


@pytest.mark.parametrize(
    "fault", [{"status": {"code": "INTERNAL"}}, {"reset": {"after": True}}, {"status": {"code": "UNAVAILABLE"}}]
)
def test_an_error_of_the_service_is_inconclusive(desk, fault):
    """And is not tried again: the agent may have been told already."""
    desk.emulator.break_with({"method": "RunSession", **fault})
    ran = desk.smoke([WHERE, {"say": "bye", "newSession": True}], *WEB)
    assert ran.code == 8
    assert "No answer:" in ran.out
    sent = desk.emulator.journal.summary()["requests"]
    assert sum(item["path"].endswith(":runSession") for item in sent) == 2


def test_no_diagnostics_are_not_seen_calls(desk):
    """An answer without them is inconclusive where a tool is expected, even none."""
    desk.emulator.converse({"steps": [{"ask": {"tool": "lookup-order"}}]})
    ran = desk.smoke([{"say": "x", "expect": {"says": "y"}}])
    assert ran.code == 8
    assert "waits until its client has run lookup-order" in " ".join(ran.out.split())


def test_fakes_are_asked_for_and_that_is_said(desk):
    steps = [{"call": {"tool": "lookup-order", "response": {"a": 1}, "fake": {"a": 2}}}, {"say": "ok"}]
    desk.emulator.converse({"steps": steps})
    real = desk.smoke([{"say": "x"}], "--format", "json")
    fake = desk.smoke([{"say": "x"}], "--format", "json", "--fake-tools")
    found = [ran.json["steps"][0]["reply"]["calls"][0]["response"] for ran in (real, fake)]
    assert found == [{"a": 1}, {"a": 2}]
    assert "real tools: they have real effects" in real.err
    assert "fake tools" in fake.err


def test_sessions_are_limited(desk):
    fresh = {"say": "where", "newSession": True}
    ran = desk.smoke([fresh, fresh], "--max-sessions", "1")
    assert (ran.code, len(desk.talks)) == (8, 1)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([], "1 to 100 items"),
        ([{"sing": "la"}], "needs one of `say`, `tool`, `toolset`"),
        ([{"say": "x", "expect": {"tool": []}}], "unknown key `tool`"),
        ({"say": "x"}, "contains no sequence"),
    ],
)
def test_a_file_with_mistakes_is_invalid(desk, steps, said):
    """Exit code 7, with the place; nothing is sent."""
    ran = desk.smoke(steps)
    assert ran.code == 7
    assert said in ran.err
    assert desk.talks == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing",), "`nothing` is neither a file nor a release of the app"),
        (("steps.yaml", "--deployment", "web-chit"), "no deployment `web-chit`. Did you mean `web-chat`?"),
        (("steps.yaml", "--agent", "nobody"), "no agent `nobody`"),
        (("steps.yaml", "--version", "v9"), "no version `v9`"),
    ],
)
def test_what_there_is_not_is_wrong_usage(desk, words, said):
    (desk.root / "steps.yaml").write_text("- say: x\n")
    ran = desk.typed("smoke", *words)
    assert ran.code == 64
    assert said in ran.err


def test_the_steps_of_a_release(desk):
    """They run on its smoke deployment, which must serve its candidate."""
    folder = desk.root / "apps/help-desk"
    web = (folder / "deployments/web-chat.yaml").read_text()
    (folder / "deployments/staging.yaml").write_text(web.replace("Web chat", "Staging"))
    (folder / "releases").mkdir()
    release = "deployment: web-chat\nsmokeDeployment: staging\nlimits: {sessions: 5}\nsmoke: [{say: bye}]\n"
    (folder / "releases/web.yaml").write_text(release)
    assert desk.typed("apply", "--auto-approve").code == 0
    ran = desk.typed("smoke", "web", "--format", "json")
    assert (ran.code, ran.json["deployment"], ran.json["version"]) == (0, "staging", "First")
