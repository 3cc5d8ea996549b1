"""Strictness of the front end, operations, and the switches around them."""

import json

import pytest
import urllib3

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"
TOOL = {"clientFunction": {"name": "beep"}}


def raw(server, verb, path, body=b"", **headers):
    url = f"http://{server.emulator.address}/v1beta/{path}"
    return urllib3.request(verb, url, body=body, headers=headers)


@pytest.mark.parametrize(("verb", "path"), [("GET", APP), ("DELETE", f"{APP}/agents/front")])
def test_a_body_where_none_belongs_is_refused(server, verb, path):
    """A GET or DELETE with a body is an error; nothing is deleted."""
    server.app()
    server.agent("front")
    answer = raw(server, verb, path, b"{}")
    assert (answer.status, answer.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")
    assert server.get(f"{APP}/agents/front").status == 200


def test_the_front_end_can_write_html(serving):
    """Unknown routes and a GET with a body as the front end of all of Google's services has them."""
    server = serving(front_end_errors="html")
    for verb, path, body, status in (("GET", f"{LOCATION}/gadgets", b"", 404), ("GET", APP, b"{}", 400)):
        answer = raw(server, verb, path, body)
        assert (answer.status, answer.headers["Content-Type"]) == (status, "text/html; charset=UTF-8")
        assert f"Error {status}" in answer.data.decode()
    assert server.get(APP).code == "NOT_FOUND"


@pytest.mark.parametrize(("switch", "status"), [("accept", 200), ("refuse", 400)])
def test_names_of_the_protos_in_a_body(serving, switch, status):
    """ProtoJSON takes display_name for displayName, at any depth; both at once are one field set twice."""
    server = serving(proto_names=switch)
    server.app()
    body = {"display_name": "A", "model_settings": {"temperature": 1}}
    sent = server.create(f"{APP}/agents", body, agentId="front")
    assert sent.status == status
    if status == 200:
        shown = server.get(f"{APP}/agents/front").body
        assert (shown["displayName"], shown["modelSettings"]) == ("A", {"temperature": 1})
        assert (
            server.create(f"{APP}/agents", {"display_name": "A", "displayName": "B"}).code == "INVALID_ARGUMENT"
        )


@pytest.mark.parametrize(("switch", "status"), [("accept", 200), ("refuse", 400)])
@pytest.mark.parametrize("mask", ["display_name,model_settings.temperature", "displayName,model_settings"])
def test_names_of_the_protos_in_a_mask(serving, switch, status, mask):
    """A path may be in snake_case where a body may; what it names is written, however the body spells it."""
    server = serving(proto_names=switch)
    server.app()
    server.agent("front")
    body = {"displayName": "B", "modelSettings": {"temperature": 0.5}}
    assert server.update(f"{APP}/agents/front", body, updateMask=mask).status == status
    if status == 200:
        shown = server.get(f"{APP}/agents/front").body
        assert (shown["displayName"], shown["modelSettings"]) == ("B", {"temperature": 0.5})


@pytest.mark.parametrize(
    "mask", ["displayname", "llmAgent.x", "nothing", "modelSettings.temp", "tools.name", ","]
)
def test_masks_name_fields_that_exist(server, mask):
    """Unknown paths and paths below lists: INVALID_ARGUMENT, and nothing changes."""
    server.app()
    before = server.agent("front")
    sent = server.update(f"{APP}/agents/front", {"displayName": "B"}, updateMask=mask)
    assert (sent.code, sent.fields) == ("INVALID_ARGUMENT", ["updateMask"])
    assert server.get(f"{APP}/agents/front").body == before


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("pageSize=1&pageSize=2", 400),
        ("page_size=1", 400),
        ("alt=xml", 400),
        ("alt=json", 200),
        ("$alt=json;enum-encoding=int&prettyPrint=false&key=k&quotaUser=q", 200),
        ("pageSize=", 200),
    ],
)
def test_query_parameters(server, query, status):
    """In camelCase, each once, those that every method has beside its own; answers are JSON."""
    server.app()
    assert raw(server, "GET", f"{APP}/agents?{query}").status == status


def test_output_only_fields_in_a_body_are_ignored(server):
    """They are taken and change nothing, in a mask as well."""
    server.app()
    body = {"displayName": "A", "createTime": "2001-01-01T00:00:00Z", "generatedSummary": "mine"}
    made = server.create(f"{APP}/agents", body, agentId="front").body
    assert ("generatedSummary" in made, made["createTime"] > "2020") == (False, True)
    now = server.update(f"{APP}/agents/front", {"generatedSummary": "x"}, updateMask="generatedSummary")
    assert (now.status, "generatedSummary" in now.body) == (200, False)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        (f"{LOCATION}/agents", "NOT_FOUND"),
        (f"{LOCATION}/apps/desk1/agents/front/agents", "NOT_FOUND"),
        (f"{LOCATION}/apps/nobody/agents", "NOT_FOUND"),
        ("projects/acme/locations/mars/apps", "INVALID_ARGUMENT"),
    ],
)
def test_wrong_parents(server, path, code):
    """A parent of another kind has no route, one that is gone is not found, a place must exist."""
    server.app()
    assert server.create(path, {"displayName": "A"}).code == code


@pytest.mark.parametrize("body", ["[]", '"x"', "1", "true", '{"tools": {"a": 1}}', '{"displayName": null}'])
def test_a_body_must_be_an_object_with_what_is_required(server, body):
    """Other JSON values, other types and nulls for required fields: INVALID_ARGUMENT."""
    server.app()
    answer = raw(server, "POST", f"{APP}/agents", body.encode())
    error = answer.json()["error"]
    assert (answer.status, error["code"], error["status"]) == (400, 400, "INVALID_ARGUMENT")
    (detail,) = error["details"]
    assert detail["@type"] == "type.googleapis.com/google.rpc.BadRequest"
    assert detail["fieldViolations"]


@pytest.mark.parametrize(("switch", "code"), [("FAILED_PRECONDITION",) * 2, ("INVALID_ARGUMENT",) * 2])
def test_the_code_of_a_delete_that_is_in_the_way(serving, switch, code):
    """Presumably FAILED_PRECONDITION: a switch."""
    server = serving(referred_code=switch)
    server.app()
    server.agent("front", tools=[server.tool("lookup")["name"]])
    assert server.delete(f"{APP}/tools/lookup").code == code


@pytest.mark.parametrize(("switch", "left"), [("documented", True), ("all", False)])
def test_force_and_referrers_that_the_reference_does_not_name(serving, switch, left):
    """What force does to an evaluation's or a guardrail's reference is undocumented: a switch."""
    server = serving(force_removes=switch)
    server.app()
    front = server.agent("front")["name"]
    rail = server.made(
        "guardrails",
        {"displayName": "G", "codeCallback": {}, "action": {"transferAgent": {"agent": front}}},
    )["name"]
    assert server.delete(front, force="true").status == 200
    assert ("action" in server.get(rail).body) == left
    (entry,) = server.get(f"{APP}/changelogs", filter="action:delete").body["changelogs"]
    assert [one["name"] for one in entry.get("dependentResources", [])] == ([] if left else [rail])


@pytest.mark.parametrize(("switch", "status"), [("all", 200), ("refuse", 400)])
def test_a_deployment_without_a_mask(serving, switch, status):
    """That no mask means all fields is not said of deployments: a switch."""
    server = serving(deployment_without_mask=switch)
    server.app()
    body = {"displayName": "D", "channelProfile": {"channelType": "API"}}
    name = server.made("deployments", body)["name"]
    assert server.update(name, body).status == status
    assert server.update(name, body, updateMask="displayName").status == 200


def test_the_default_retention_came_in_may(serving):
    """retentionWindow is filled in since 2026-05."""
    for month, filled in (("2026-04", False), ("2026-05", True)):
        settings = serving(as_of=month).app()["loggingSettings"]
        assert ("conversationLoggingSettings" in settings) == filled


def test_what_the_change_log_covers_is_open(serving):
    """Coverage, delay and retention are switches."""
    server = serving(change_log_kinds=("agents",), change_log_lag=1, change_log_kept=2)
    server.app()
    for key in ("alpha", "bravo", "charl"):
        server.agent(key)
    listed = server.get(f"{APP}/changelogs").body["changelogs"]
    assert [one["displayName"] for one in listed] == ["bravo"]


@pytest.mark.parametrize(("switch", "status"), [("any", 200), ("documented", 400)])
def test_fields_of_filters_that_the_reference_does_not_name(serving, switch, status):
    """Where the reference names no field a filter is refused, or takes any at the top: a switch."""
    server = serving(filter_fields=switch)
    server.app()
    for key in ("alpha", "bravo"):
        server.agent(key, displayName=key.title())
    answer = server.get(f"{APP}/agents", filter='display_name:alp OR display_name="Bravo"')
    assert answer.status == status
    if status == 200:
        assert len(answer.body["agents"]) == 2
        one = server.get(f"{APP}/agents", filter="NOT display_name=Alpha").body["agents"]
        assert [found["displayName"] for found in one] == ["Bravo"]


@pytest.mark.parametrize("changed", [{"orderBy": "name"}, {"filter": "include_system_tools=true"}])
def test_a_page_token_belongs_to_one_query(server, changed):
    """With another order, filter or parent the token is refused; another page size is fine."""
    server.app()
    for n in range(3):
        server.made("tools", {"clientFunction": {"name": f"tool{n}"}})
    token = server.get(f"{APP}/tools", pageSize=1).body["nextPageToken"]
    assert server.get(f"{APP}/tools", pageSize=2, pageToken=token).status == 200
    assert server.get(f"{APP}/tools", pageToken=token, **changed).code == "INVALID_ARGUMENT"
    assert server.get(f"{APP}/agents", pageToken=token).code == "INVALID_ARGUMENT"


def test_operations_are_listed_in_pages_and_by_state(serving):
    """Pages, done=true and done=false; what is unfinished stays so by listing."""
    server = serving(operation_polls=1)
    made = [server.create(f"{LOCATION}/apps", {"displayName": f"D{n}"}).body["name"] for n in range(3)]
    server.get(made[0])
    first = server.get(f"{LOCATION}/operations", pageSize=2).body
    rest = server.get(f"{LOCATION}/operations", pageSize=2, pageToken=first["nextPageToken"]).body
    found = [one["name"] for one in first["operations"] + rest["operations"]]
    assert (found, "nextPageToken" in rest) == (sorted(made), False)
    done = server.get(f"{LOCATION}/operations", filter="done=true").body["operations"]
    assert [one["name"] for one in done] == [made[0]]
    assert len(server.get(f"{LOCATION}/operations", filter="done=false").body["operations"]) == 2
    assert server.get(f"{LOCATION}/operations", filter="metadata.x=1").code == "INVALID_ARGUMENT"
    assert server.get(f"{LOCATION}/operations", returnPartialSuccess="true").code == "UNIMPLEMENTED"
    token = first["nextPageToken"]
    other = server.get("projects/acme/locations/eu/operations", pageToken=token)
    assert other.code == "INVALID_ARGUMENT"


def test_cancelling_is_noted_and_deleting_forgets(serving):
    """An unfinished operation says that cancellation was asked for; its work is done anyway."""
    server = serving(operation_polls=2)
    name = server.create(f"{LOCATION}/apps", {"displayName": "D"}, appId="desk1").body["name"]
    assert server.send("POST", f"{name}:cancel", {}).body == {}
    assert server.get(name).body["metadata"]["requestedCancellation"] is True
    assert server.delete(name).body == {}
    assert server.get(name).code == "NOT_FOUND"
    assert server.send("POST", f"{name}:cancel", {}).code == "NOT_FOUND"
    assert server.get(APP).status == 200


def test_operations_of_v1beta_are_unknown_to_v1(server):
    """A version shows only operations whose types it has."""
    server.app()
    server.made("evaluations", {"displayName": "V", "scenario": {"task": "t"}}, evaluationId="eval1")
    run = server.send("POST", f"{APP}:runEvaluation", {"evaluations": [f"{APP}/evaluations/eval1"]}).body
    assert server.get(run["name"], version="v1").code == "NOT_FOUND"
    listed = server.get(f"{LOCATION}/operations", version="v1").body["operations"]
    assert run["name"] not in [one["name"] for one in listed]


def test_there_is_no_wait(server):
    """operations.wait is in neither description of the API."""
    name = server.create(f"{LOCATION}/apps", {"displayName": "D"}).body["name"]
    assert server.send("POST", f"{name}:wait", {}).code == "NOT_FOUND"


def test_every_error_of_a_method_is_json(server):
    """The type of an error's body is that of every answer."""
    answer = raw(server, "POST", f"{LOCATION}/apps", b"{")
    assert answer.headers["Content-Type"] == "application/json; charset=UTF-8"
    assert set(json.loads(answer.data)["error"]) == {"code", "message", "status"}


@pytest.mark.parametrize(("switch", "status"), [((), 403), (("ces.internal",), 200)])
def test_names_by_which_the_emulator_is_called(serving, switch, status):
    """Loopback names and addresses, and those of a switch, whatever the port."""
    server = serving(allowed_hosts=switch)
    server.app()
    assert server.get(APP, headers={"Host": "ces.internal:8080"}).status == status
    assert server.get(APP, headers={"Host": "localhost:1"}).status == 200


@pytest.mark.parametrize(("switch", "status"), [(32, 200), (1, 400)])
def test_the_size_of_a_body_has_a_limit(serving, switch, status):
    """In MiB."""
    server = serving(largest_body=switch)
    server.app()
    assert (
        server.update(APP, {"globalInstruction": "x" * 2**20}, updateMask="globalInstruction").status == status
    )
