"""Versions."""

import pytest

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"
API = {"displayName": "D", "channelProfile": {"channelType": "API"}}


def test_a_version_is_a_snapshot(server):
    """It holds app, agents, tools, examples, guardrails, toolsets; not evaluations or deployments."""
    server.app()
    tool = server.tool("lookup")["name"]
    server.agent("front", tools=[tool])
    server.made("examples", {"displayName": "E"})
    server.made("guardrails", {"displayName": "G", "codeCallback": {}})
    server.made("toolsets", {"displayName": "S", "mcpToolset": {"serverAddress": "https://a.example"}})
    server.made("evaluations", {"displayName": "V", "scenario": {"task": "t"}})
    server.made("deployments", API)
    snapshot = server.made("versions", {"displayName": "one"})["snapshot"]
    assert set(snapshot) == {"app", "agents", "tools", "examples", "guardrails", "toolsets"}
    assert snapshot["app"]["displayName"] == "Desk"
    assert [agent["name"] for agent in snapshot["agents"]] == [f"{APP}/agents/front"]
    assert snapshot["agents"][0]["tools"] == [tool]


def test_a_version_never_changes(server):
    """A later edit of the draft leaves the snapshot as it was."""
    server.app()
    server.agent("front", description="old")
    version = server.made("versions", {})
    server.update(f"{APP}/agents/front", {"description": "new"}, updateMask="description")
    assert server.get(version["name"]).body == version


@pytest.mark.parametrize(
    ("switch", "status", "count"), [("refuse", 400, 1), ("return_newest", 200, 1), ("create", 200, 2)]
)
def test_a_version_of_an_unchanged_draft(serving, switch, status, count):
    """A new version is made only if something changed; what create answers then is a switch."""
    server = serving(unchanged_version=switch)
    server.app()
    first = server.made("versions", {}, appVersionId="v0001")
    again = server.create(f"{APP}/versions", {}, appVersionId="v0002")
    assert again.status == status
    assert len(server.get(f"{APP}/versions").body["appVersions"]) == count
    if switch == "return_newest":
        assert again.body == first


@pytest.mark.parametrize("switch", ["refuse", "return_newest"])
def test_a_changed_draft_makes_a_version(serving, switch):
    """After a change of the draft the next version is made; a deployment is no such change."""
    server = serving(unchanged_version=switch)
    server.app()
    server.made("versions", {}, appVersionId="v0001")
    server.made("deployments", API)
    unchanged = server.create(f"{APP}/versions", {}, appVersionId="v0002")
    assert unchanged.body.get("name") != f"{APP}/versions/v0002"
    server.agent("front")
    assert server.made("versions", {}, appVersionId="v0002")["name"] == f"{APP}/versions/v0002"


def test_restore_saves_the_draft_and_overwrites_it(server):
    """:restore first keeps the draft as a new version, then makes the draft what the version holds."""
    server.app(description="old")
    server.agent("front", description="old")
    server.agent("gone1")
    server.made("versions", {}, appVersionId="v0001")
    server.update(APP, {"description": "new"}, updateMask="description")
    server.update(f"{APP}/agents/front", {"description": "new"}, updateMask="description")
    server.delete(f"{APP}/agents/gone1")
    server.agent("added")
    done = server.create(f"{APP}/versions/v0001:restore", {})
    assert done.body["response"] == {
        "@type": "type.googleapis.com/google.cloud.ces.v1beta.RestoreAppVersionResponse"
    }
    agents = server.get(f"{APP}/agents", orderBy="name").body["agents"]
    assert [agent["name"].rsplit("/", 1)[1] for agent in agents] == ["front", "gone1"]
    assert (server.get(APP).body["description"], agents[0]["description"]) == ("old", "old")
    saved = server.get(f"{APP}/versions", orderBy="create_time").body["appVersions"][-1]
    assert saved["snapshot"]["app"]["description"] == "new"
    assert [a["displayName"] for a in saved["snapshot"]["agents"]] == ["front", "added"]


def test_a_restore_makes_valid_again_what_mentions_what_came_back(server):
    """`invalid` of evaluations and examples follows the draft; neither is changed by anyone for it."""
    server.app()
    tool = server.tool("lookup")["name"]
    steps = [{"expectation": {"toolCall": {"tool": tool}}}]
    golden = server.made("evaluations", {"displayName": "V", "golden": {"turns": [{"steps": steps}]}})["name"]
    message = {"role": "user", "chunks": [{"toolCall": {"tool": tool}}]}
    example = server.made("examples", {"displayName": "E", "messages": [message]})["name"]
    server.made("versions", {}, appVersionId="v0001")
    server.delete(tool)
    assert [server.get(name).body.get("invalid") for name in (golden, example)] == [True, True]
    server.create(f"{APP}/versions/v0001:restore", {})
    assert [server.get(name).body.get("invalid") for name in (golden, example)] == [None, None]
    log = server.get(f"{APP}/changelogs", orderBy="create_time").body["changelogs"]
    assert [entry["resourceType"] for entry in log[-3:]] == ["AppVersion", "Tool", "App"]


def test_a_restore_takes_nothing_but_the_name(server):
    """An unknown field of the request is refused, and nothing is restored."""
    server.app()
    server.made("versions", {}, appVersionId="v0001")
    sent = server.create(f"{APP}/versions/v0001:restore", {"etag": "x"})
    assert (sent.code, sent.fields) == ("INVALID_ARGUMENT", ["etag"])
    assert len(server.get(f"{APP}/versions").body["appVersions"]) == 1


def test_restore_leaves_deployments_and_their_count(server):
    """Deployments are not in a snapshot: a restore neither removes them nor miscounts them."""
    server.app()
    server.made("versions", {}, appVersionId="v0001")
    server.made("deployments", API, deploymentId="web01")
    server.create(f"{APP}/versions/v0001:restore", {})
    assert server.get(f"{APP}/deployments/web01").status == 200
    assert server.get(APP).body["deploymentCount"] == 1
