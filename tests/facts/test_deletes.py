"""The etag and force of deletes."""

import pytest

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"

BODIES = {
    "agents": {"displayName": "A"},
    "tools": {"clientFunction": {"name": "beep"}},
    "toolsets": {"displayName": "S", "openApiToolset": {"openApiSchema": "openapi: 3.0.0"}},
    "guardrails": {"displayName": "G", "codeCallback": {}},
    "examples": {"displayName": "E"},
    "deployments": {"displayName": "D", "channelProfile": {"channelType": "API"}},
    "versions": {},
    "evaluations": {"displayName": "V", "scenario": {"task": "t"}},
    "evaluationDatasets": {"displayName": "DS"},
    "evaluationExpectations": {"displayName": "X", "llmCriteria": {"prompt": "p"}},
    "scheduledEvaluationRuns": {
        "displayName": "R",
        "request": {"app": APP},
        "schedulingConfig": {"frequency": "NONE", "startTime": "2027-01-01T00:00:00Z"},
    },
}


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_a_stale_etag_aborts_a_delete(server, kind):
    """`?etag=` of another state: ABORTED (409), nothing deleted; the current one, or none, deletes."""
    server.app()
    made = server.made(kind, BODIES[kind])
    stale = server.delete(made["name"], etag="c3RhbGU=")
    assert (stale.status, stale.code) == (409, "ABORTED")
    current = server.get(made["name"]).body["etag"]
    gone = server.delete(made["name"], etag=current)
    assert (gone.status, gone.body) == (200, {})
    assert server.get(made["name"]).code == "NOT_FOUND"


def test_a_stale_etag_aborts_the_delete_of_an_app(server):
    """Apps too; and with the app everything below it goes."""
    etag = server.app()["etag"]
    front = server.agent("front")["name"]
    assert server.delete(APP, etag="c3RhbGU=").code == "ABORTED"
    assert server.delete(APP, etag=etag).status == 200
    server.app()
    assert server.get(front).code == "NOT_FOUND"


@pytest.mark.parametrize(
    "kind", sorted(set(BODIES) - {"agents", "tools", "toolsets", "guardrails", "evaluations"})
)
def test_force_is_for_five_kinds_only(server, kind):
    """`force` exists for agent, tool, toolset, guardrail and evaluation; elsewhere it is unknown."""
    server.app()
    made = server.made(kind, BODIES[kind])
    assert server.delete(made["name"], force="true").code == "INVALID_ARGUMENT"


def referrer(server, kind, target):
    """Create a resource that refers to the target; return its name and the field that does."""
    if kind == "tools":
        return server.agent("user1", tools=[target])["name"], "tools"
    if kind == "toolsets":
        return server.agent("user1", toolsets=[{"toolset": target, "toolIds": ["a"]}])["name"], "toolsets"
    if kind == "guardrails":
        return server.agent("user1", guardrails=[target])["name"], "guardrails"
    if kind == "agents":
        return server.agent("user1", childAgents=[target])["name"], "childAgents"
    made = server.made("evaluationDatasets", {"displayName": "DS", "evaluations": [target]})
    return made["name"], "evaluations"


@pytest.mark.parametrize("kind", ["agents", "tools", "toolsets", "guardrails", "evaluations"])
def test_without_force_a_delete_fails_while_there_are_referrers(server, kind):
    """force=false fails with FAILED_PRECONDITION, and names the referrer."""
    server.app()
    made = server.made(kind, BODIES[kind])
    user, field = referrer(server, kind, made["name"])
    for query in ({}, {"force": "false"}):
        refused = server.delete(made["name"], **query)
        assert refused.code == "FAILED_PRECONDITION"
        assert user in refused.body["error"]["message"]
    assert server.get(made["name"]).status == 200
    assert server.get(user).body[field]


@pytest.mark.parametrize("kind", ["agents", "tools", "toolsets", "guardrails", "evaluations"])
def test_with_force_the_references_are_removed(server, kind):
    """force=true removes the references and moves the referrers' etags."""
    server.app()
    made = server.made(kind, BODIES[kind])
    user, field = referrer(server, kind, made["name"])
    before = server.get(user).body
    assert server.delete(made["name"], force="true").status == 200
    after = server.get(user).body
    assert field not in after
    assert after["etag"] != before["etag"]
    assert server.get(made["name"]).code == "NOT_FOUND"


def test_force_on_an_agent_reaches_app_agents_and_examples(server):
    """For an agent the references go from the app, from agents and from examples."""
    server.app()
    back = server.agent("back1")["name"]
    rule = {"childAgent": back, "direction": "PARENT_TO_CHILD", "deterministicTransfer": {}}
    front = server.agent("front", childAgents=[back], transferRules=[rule])["name"]
    server.update(APP, {"rootAgent": back}, updateMask="rootAgent")
    example = server.made("examples", {"displayName": "E", "entryAgent": back})["name"]
    refused = server.delete(back)
    assert all(user in refused.body["error"]["message"] for user in (front, example))
    server.delete(back, force="true")
    assert "rootAgent" not in server.get(APP).body
    assert not {"childAgents", "transferRules"} & set(server.get(front).body)
    assert "entryAgent" not in server.get(example).body


def test_force_on_a_guardrail_reaches_the_app(server):
    """For a guardrail they go from apps and agents; the others in a list stay."""
    server.app()
    old, kept = (server.made("guardrails", BODIES["guardrails"])["name"] for _ in range(2))
    server.update(APP, {"guardrails": [old, kept]}, updateMask="guardrails")
    assert server.delete(old).code == "FAILED_PRECONDITION"
    server.delete(old, force="true")
    assert server.get(APP).body["guardrails"] == [kept]


def test_referrers_that_force_does_not_name_stand_in_no_way(server):
    """An agent tool that names the agent is not a referrer in this sense: it keeps a dangling name."""
    server.app()
    front = server.agent("front")["name"]
    tool = server.made("tools", {"agentTool": {"name": "ask", "agent": front}})["name"]
    assert server.delete(front).status == 200
    assert server.get(tool).body["agentTool"]["agent"] == front


def test_an_example_becomes_invalid_when_its_target_goes(server):
    """Examples have an output-only `invalid` for targets that are gone."""
    server.app()
    tool = server.tool("lookup")["name"]
    call = {"role": "agent", "chunks": [{"toolCall": {"tool": tool}}]}
    example = server.made("examples", {"displayName": "E", "messages": [call]})
    assert "invalid" not in example
    assert server.delete(tool).status == 200
    assert server.get(example["name"]).body["invalid"] is True


@pytest.mark.parametrize(("switch", "status"), [("refuse", 400), ("accept", 200)])
def test_a_version_that_is_deployed(serving, switch, status):
    """Whether a deployed version can be deleted is not documented."""
    server = serving(used_version_delete=switch)
    server.app()
    version = server.made("versions", {}, appVersionId="v0001")["name"]
    server.made("deployments", BODIES["deployments"] | {"appVersion": version})
    assert server.delete(version).status == status


@pytest.mark.parametrize("project", ["acme", "123456789012"])
def test_a_reference_counts_in_either_spelling_of_the_project(server, project):
    """A reference may name the project by number: it is in the way, and goes with force."""
    server.app()
    tool = server.tool("lookup")["name"]
    spelled = tool.replace("projects/acme/", f"projects/{project}/")
    agent = server.agent("front", tools=[spelled])
    assert agent["tools"] == [spelled]
    assert server.delete(tool).code == "FAILED_PRECONDITION"
    assert server.delete(tool, force="true").status == 200
    assert "tools" not in server.get(agent["name"]).body
