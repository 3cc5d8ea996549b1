"""Sessions and executed tools answer as the API shapes it; what they answer is scripted."""

import pytest

APP = "projects/acme/locations/us/apps/desk1"
OPENING = {
    "input": "where is *",
    "steps": [
        {
            "call": {
                "tool": "lookup",
                "args": {"order": "7"},
                "response": {"state": "sent"},
                "fake": {"state": "f"},
            }
        },
        {"transfer": "orders"},
        {"variables": {"order": "7"}},
        {"say": "On its way."},
    ],
}
CLOSING = {"agent": "orders", "input": "bye", "steps": [{"say": "Bye."}, {"end": {"reason": "done"}}]}
ASKING = {
    "input": "paint",
    "steps": [{"say": "Which?"}, {"ask": {"tool": "color", "args": {"n": 1}}}, {"say": "Thanks."}],
}
HELLO = {"event": "welcome", "steps": [{"payload": {"card": 1}}]}


@pytest.fixture
def desk(server):
    return filled(server)


def filled(server):
    """An app with two agents and two tools, a root agent, and a script."""
    server.app()
    front, _ = server.agent("front"), server.agent("orders")
    server.tool("lookup")
    server.tool("color")
    server.update(APP, {"rootAgent": front["name"]}, updateMask="rootAgent")
    server.emulator.converse(OPENING, CLOSING, ASKING, HELLO)
    return server


def say(server, text, session="s1", verb="runSession", version="v1beta", **config):
    body = {"config": config, "inputs": [{"text": text}]}
    return server.send("POST", f"{APP}/sessions/{session}:{verb}", body, version=version)


def chunks(answer):
    """The chunks of the diagnostics, each with who says it."""
    info = answer.body["outputs"][-1]["diagnosticInfo"]
    return [(message["role"], chunk) for message in info["messages"] for chunk in message["chunks"]]


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_a_turn_has_outputs_and_diagnostics_at_its_end(desk, version):
    """Texts are outputs; calls, responses, transfers and variables are chunks of the last diagnostics."""
    answer = say(desk, "Where is order 7?", version=version)
    (output,) = answer.body["outputs"]
    assert (output["text"], output["turnIndex"], output["turnCompleted"]) == ("On its way.", 1, True)
    roles, found = zip(*chunks(answer), strict=True)
    assert [next(iter(chunk)) for chunk in found] == [
        *("text", "toolCall", "toolResponse", "agentTransfer", "updatedVariables", "text"),
    ]
    assert roles == ("user", "front", "front", "front", "orders", "orders")
    assert found[1]["toolCall"]["tool"] == f"{APP}/tools/lookup"
    assert found[1]["toolCall"]["args"] == {"order": "7"}
    assert found[2]["toolResponse"]["response"] == {"state": "sent"}
    assert found[1]["toolCall"]["id"] == found[2]["toolResponse"]["id"]
    assert found[3]["agentTransfer"]["targetAgent"] == f"{APP}/agents/orders"
    span = output["diagnosticInfo"]["rootSpan"]
    assert [child["attributes"] for child in span["childSpans"]] == [{"name": "lookup"}]


def test_diagnostics_can_be_left_out(desk):
    """`excludeDiagnosticInfo` leaves them out; the text stays."""
    (output,) = say(desk, "where is it", excludeDiagnosticInfo=True).body["outputs"]
    assert output == {"text": "On its way.", "turnIndex": 1, "turnCompleted": True}


def test_fakes_answer_instead_of_tools(desk):
    """With `useToolFakes` a call has the answer of its fake."""
    found = [chunk for _, chunk in chunks(say(desk, "where is it", useToolFakes=True))]
    assert found[2]["toolResponse"]["response"] == {"state": "f"}


def test_a_session_goes_on_until_it_ends(desk):
    """The agent that it was transferred to has it; after the end nothing is taken any more."""
    assert say(desk, "bye", entryAgent=f"{APP}/agents/orders", session="s2").status == 200
    say(desk, "where is it")
    outputs = say(desk, "BYE").body["outputs"]
    assert [output["turnIndex"] for output in outputs] == [2, 2]
    assert outputs[1]["endSession"] == {"metadata": {"reason": "done"}}
    assert say(desk, "bye").code == "FAILED_PRECONDITION"


def test_the_client_runs_a_tool_in_between(desk):
    """A turn that asks for a tool is not completed before its response came, by the id of the call."""
    outputs = say(desk, "paint").body["outputs"]
    (call,) = outputs[1]["toolCalls"]["toolCalls"]
    assert "turnCompleted" not in outputs[1]
    assert call["args"] == {"n": 1}
    assert say(desk, "and now").code == "INVALID_ARGUMENT"
    given = {"toolResponses": {"toolResponses": [{"id": call["id"], "response": {"color": "red"}}]}}
    body = {"config": {}, "inputs": [given]}
    (output,) = desk.send("POST", f"{APP}/sessions/s1:runSession", body).body["outputs"]
    assert (output["text"], output["turnCompleted"]) == ("Thanks.", True)


def test_events_variables_and_payloads(desk):
    """An event has its entry; variables alone are taken without an answer."""
    path = f"{APP}/sessions/s1:runSession"
    body = {"config": {}, "inputs": [{"variables": {"vip": True}}, {"event": {"event": "welcome"}}]}
    assert desk.send("POST", path, body).body["outputs"][0]["payload"] == {"card": 1}
    quiet = desk.send("POST", path, {"config": {}, "inputs": [{"variables": {"vip": True}}]}).body["outputs"]
    assert [(output["turnIndex"], output["turnCompleted"]) for output in quiet] == [(2, True)]


@pytest.mark.parametrize(("streaming", "texts"), [(False, ["On its way."]), (True, ["On ", "its ", "way."])])
def test_a_stream_is_a_list_of_responses(desk, streaming, texts):
    """REST streams a JSON array; with text streaming a text comes in parts."""
    body = {"config": {"enableTextStreaming": streaming}, "inputs": [{"text": "where is it"}]}
    answer = desk.send("POST", f"{APP}/sessions/s1:streamRunSession", body)
    outputs = [one["outputs"][0] for one in answer.body]
    assert [output["text"] for output in outputs] == texts
    assert [output.get("turnCompleted", False) for output in outputs] == [False] * (len(texts) - 1) + [True]


def test_each_session_leaves_a_conversation(desk):
    """It says version, deployment and source; its turns are those of the diagnostics."""
    version = desk.made("versions", {"displayName": "v1"}, appVersionId="version1")
    body = {"displayName": "Web", "appVersion": version["name"], "channelProfile": {"channelType": "API"}}
    deployment = desk.made("deployments", body, deploymentId="web-chat")
    say(desk, "where is it", deployment=deployment["name"])
    say(desk, "bye", deployment=deployment["name"])
    say(desk, "where is it", session="s2")
    found = {one["name"]: one for one in desk.get(f"{APP}/conversations").body["conversations"]}
    talk, other = found[f"{APP}/conversations/s1"], found[f"{APP}/conversations/s2"]
    assert (talk["appVersion"], talk["deployment"]) == (version["name"], deployment["name"])
    assert (talk["source"], talk["turnCount"], talk["inputTypes"]) == ("LIVE", 2, ["INPUT_TYPE_TEXT"])
    assert len(talk["turns"][0]["messages"]) == 6
    assert talk["startTime"] < talk["endTime"]
    assert other["source"] == "SIMULATOR"
    assert not {"appVersion", "deployment", "endTime"} & other.keys()


def split(server, **more):
    """Two versions, a deployment that splits half and half, and entries that say the version."""
    filled(server)
    first = server.made("versions", {"displayName": "v1"}, appVersionId="version1")["name"]
    server.agent("other")
    second = server.made("versions", {"displayName": "v2"}, appVersionId="version2")["name"]
    shares = [{"id": "a", "trafficPercentage": 50, "appVersion": first}]
    shares += [{"id": "b", "trafficPercentage": 50, "appVersion": second}]
    release = {"versionRelease": {"state": "RUNNING", "trafficAllocations": shares}}
    body = {"displayName": "Web", "channelProfile": {"channelType": "API"}, "experimentConfig": release} | more
    deployment = server.made("deployments", body, deploymentId="web-chat")
    server.emulator.converse(*({"version": name, "steps": [{"say": name}]} for name in ("v1", "v2", "draft")))
    return deployment["name"], first


def texts(server, deployment, count):
    answers = [say(server, "hi", session=f"s{n}", deployment=deployment) for n in range(count)]
    return [answer.body["outputs"][0]["text"] for answer in answers]


def test_a_split_gives_a_session_always_the_same_version(server):
    """Over many sessions both versions answer; each session has its own."""
    deployment, _ = split(server)
    first, again = texts(server, deployment, 40), texts(server, deployment, 40)
    assert first == again
    assert 8 < first.count("v1") < 32


@pytest.mark.parametrize(("switch", "versions"), [("split", {"v1", "v2"}), ("app_version", {"v1"})])
def test_a_split_beside_an_app_version(serving, switch, versions):
    """Which of them counts is the switch `served_version`."""
    server = serving(served_version=switch)
    deployment, _ = split(server, appVersion=f"{APP}/versions/version1")
    assert set(texts(server, deployment, 20)) == versions


@pytest.mark.parametrize(("switch", "version"), [("stays", "v1"), ("moves", "v2")])
def test_a_deployment_gets_another_version_meanwhile(serving, switch, version):
    """Whether a session that has begun moves is the switch `session_version`."""
    server = serving(session_version=switch)
    deployment, first = split(server)
    server.update(deployment, {"appVersion": first}, updateMask="appVersion,experimentConfig")
    assert texts(server, deployment, 1) == ["v1"]
    server.update(deployment, {"appVersion": f"{APP}/versions/version2"}, updateMask="appVersion")
    assert texts(server, deployment, 1) == [version]


@pytest.mark.parametrize(
    ("config", "inputs", "code"),
    [
        ({"deployment": f"{APP}/deployments/nothing"}, [{"text": "hi"}], "NOT_FOUND"),
        ({"deployment": f"{APP}/agents/front"}, [{"text": "hi"}], "INVALID_ARGUMENT"),
        ({"entryAgent": f"{APP}/agents/nobody"}, [{"text": "hi"}], "INVALID_ARGUMENT"),
        ({}, [], "INVALID_ARGUMENT"),
        ({}, [{}], "INVALID_ARGUMENT"),
        ({}, [{"text": "hi", "dtmf": "1"}], "INVALID_ARGUMENT"),
        ({}, [{"audio": "AAAA"}], "INVALID_ARGUMENT"),
        ({"inputAudioConfig": {"audioEncoding": "LINEAR16", "sampleRateHertz": 8000}}, [{"text": "hi"}],
         "INVALID_ARGUMENT"),
        ({"outputAudioConfig": {"audioEncoding": "MULAW", "sampleRateHertz": 8000}}, [{"text": "hi"}],
         "INVALID_ARGUMENT"),
        ({}, [{"text": "something else"}], "UNIMPLEMENTED"),
    ],
)  # fmt: skip
def test_what_is_refused(desk, config, inputs, code):
    """Unknown deployments and agents, missing inputs, audio (HTTP 400), what the script does not say."""
    body = {"config": config, "inputs": inputs}
    assert desk.send("POST", f"{APP}/sessions/s1:runSession", body).code == code
    assert "conversations" not in desk.get(f"{APP}/conversations").body


def test_an_app_without_a_root_agent_has_no_sessions(server):
    server.app()
    server.emulator.converse(OPENING)
    assert say(server, "where is it").code == "FAILED_PRECONDITION"


def test_a_step_can_be_an_error(desk):
    """Then nothing of the turn is kept."""
    desk.emulator.converse(
        {"steps": [{"say": "no"}, {"error": {"code": "RESOURCE_EXHAUSTED", "message": "quota"}}]}
    )
    answer = say(desk, "hi")
    assert (answer.status, answer.code) == (429, "RESOURCE_EXHAUSTED")
    assert "conversations" not in desk.get(f"{APP}/conversations").body


TOOL = {
    "tool": "lookup",
    "args": {"order": "7"},
    "response": {"state": "sent"},
    "variables": {"seen": True},
    "calls": [{"tool": "color", "args": {"n": 1}}],
}


def executed(server, args, mocks=None, **more):
    body = {"tool": f"{APP}/tools/lookup", "args": args, "variables": {"vip": 1}} | more
    return server.send("POST", f"{APP}:executeTool", body | ({"mockConfig": mocks} if mocks else {}))


def test_a_tool_answers_with_response_and_variables(desk):
    """Further arguments do not matter; the variables are those at the end."""
    desk.emulator.converse(tools=[TOOL])
    found = executed(desk, {"order": "7", "more": 1}).body
    assert found == {
        "tool": f"{APP}/tools/lookup",
        "response": {"state": "sent"},
        "variables": {"vip": 1, "seen": True},
    }
    assert executed(desk, {"order": "8"}).code == "UNIMPLEMENTED"
    assert executed(desk, {}, tool=f"{APP}/tools/nothing").code == "NOT_FOUND"


@pytest.mark.parametrize(
    ("behavior", "pattern", "code"),
    [
        ("FAIL", {"n": 1}, ""),
        ("FAIL", {"n": 2}, "FAILED_PRECONDITION"),
        ("PASS_THROUGH", {"n": 2}, ""),
        (None, {"n": 1}, "INVALID_ARGUMENT"),
    ],
)
def test_mocks_answer_the_tools_that_a_tool_calls(desk, behavior, pattern, code):
    """A call that no mock matches fails or passes through; which of them is required."""
    desk.emulator.converse(tools=[TOOL])
    mock = {"toolId": f"{APP}/tools/color", "expectedArgsPattern": pattern, "mockResponse": {"c": "red"}}
    mocks = {"mockedToolCalls": [mock]} | ({"unmatchedToolCallBehavior": behavior} if behavior else {})
    assert executed(desk, {"order": "7"}, mocks).code == code


@pytest.mark.parametrize(("switch", "response"), [("inner", {"state": "sent"}), ("all", {"mock": 1})])
def test_a_mock_of_the_executed_tool_itself(serving, switch, response):
    """Whether it answers is the switch `mocked_calls`."""
    server = filled(serving(mocked_calls=switch))
    server.emulator.converse(tools=[TOOL | {"calls": []}])
    mock = {"tool": f"{APP}/tools/lookup", "expectedArgsPattern": {}, "mockResponse": {"mock": 1}}
    mocks = {"mockedToolCalls": [mock], "unmatchedToolCallBehavior": "FAIL"}
    assert executed(server, {"order": "7"}, mocks).body["response"] == response
