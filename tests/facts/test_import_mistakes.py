"""An error in an archive skips that resource, or refuses the import; no resource is half imported."""

import pytest

from tests.facts.archives import APP, APP_FILE, LOCATION, agent_files, imported, names, replacing


@pytest.mark.parametrize(
    "app",
    [
        {"displayName": 1},
        {"displayName": "Desk", "metadata": []},
        {"displayName": "Desk", "languageSettings": "en"},
        {"displayName": "Desk", "guardrails": {"a": 1}},
        {"displayName": "Desk", "rootAgent": "gone1", "variableDeclarations": 1.5},
    ],
    ids=str,
)
def test_an_app_of_another_form_is_refused(server, app):
    """Without its app an archive is nothing: INVALID_ARGUMENT, and no app is made."""
    answer = imported(server, {"app.json": app, **agent_files("Front")})
    assert answer.code == "INVALID_ARGUMENT"
    assert server.get(f"{LOCATION}/apps").body == {}


@pytest.mark.parametrize(
    "body",
    [
        {"displayName": {"a": 1}},
        {"tools": "lookup"},
        {"llmAgent": []},
        {"beforeAgentCallbacks": [1]},
        {"toolsets": [{"toolset": 1}]},
        {"instruction": ["agents"]},
    ],
    ids=str,
)
def test_a_resource_of_another_form_is_left_out(server, body):
    """The others are imported; the warning names its file."""
    server.app()
    files = {**APP_FILE, **agent_files("Good"), **agent_files("Odd", **body)}
    (warning,) = imported(server, files, **replacing("REPLACE"))["warnings"]
    assert warning.startswith("agents/Odd/Odd.json: ")
    assert warning.endswith("it is skipped.")
    assert list(names(server, "agents")) == ["Good"]


@pytest.mark.parametrize("environment", [{"app": {"Desk": {"a": 1, "a.b": 2}}}, [], "x", 1])
def test_an_environment_of_another_form_is_refused(server, environment):
    """A path below a value, or no object at all."""
    answer = imported(server, {**APP_FILE, "environment.json": environment})
    assert answer.code == "INVALID_ARGUMENT"


def test_a_null_in_a_file_is_as_nothing(server):
    """Also where a reference that leads nowhere has to be taken out beside it."""
    server.app()
    files = agent_files("Front", modelSettings=None, toolsets=None, tools=["gone"], llmAgent={})
    (warning,) = imported(server, {**APP_FILE, **files}, **replacing("REPLACE"))["warnings"]
    assert warning == "agents/Front/Front.json: there is no 'gone'; the reference is dropped."
    assert list(names(server, "agents")) == ["Front"]


def test_what_overwrite_takes_away_makes_invalid_what_mentions_it(server):
    """An evaluation that no archive knows stays, and says that its tool is gone."""
    server.app()
    steps = [{"expectation": {"toolCall": {"tool": server.tool("lookup")["name"]}}}]
    golden = {"displayName": "V", "golden": {"turns": [{"steps": steps}]}}
    name = server.made("evaluations", golden)["name"]
    assert "invalid" not in server.get(name).body
    imported(server, APP_FILE, **replacing("OVERWRITE"))
    assert server.get(f"{APP}/tools").body == {}
    assert server.get(name).body["invalid"] is True
