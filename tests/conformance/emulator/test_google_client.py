"""Google's client and the emulator understand each other, for every kind and both versions."""

import pytest
from google.api_core import exceptions
from google.protobuf import field_mask_pb2

from tests.conformance.emulator.cases import EVALUATIONS, SHARED

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"


def create(client, google, case, key):
    """Create a resource under the app and return what the client gives back."""
    message = getattr(google.ces, case.message)(case.body)
    words = {"parent": APP, case.word: message, f"{case.word}_id": key}
    return getattr(client, f"create_{case.word}")(**words)


def make_app(google, **fields):
    app = google.ces.App(display_name="Desk", **fields)
    return google.agents.create_app(parent=LOCATION, app=app, app_id="desk1").result(timeout=10)


def walk_through(client, google, case):
    """Create, get, list, update with a mask, conflict, delete."""
    make_app(google)
    made = create(client, google, case, "first1")
    assert made.name == f"{APP}/{case.collection}/first1"
    message = type(made)
    sent = message(case.body)
    for field in case.body:
        if field != "python_function":
            assert getattr(made, field) == getattr(sent, field), field
    get = getattr(client, f"get_{case.word}")
    assert get(name=made.name) == made
    assert list(getattr(client, f"list_{case.plural}")(parent=APP)) == [made]
    if case.change is not None:
        made = update(client, case, made)
    delete = getattr(client, f"delete_{case.word}")
    request = {"name": made.name, "etag": "c3RhbGU="}
    with pytest.raises(exceptions.Conflict) as caught:
        delete(request=request)
    assert caught.value.code == 409
    delete(request=request | {"etag": made.etag})
    with pytest.raises(exceptions.NotFound):
        get(name=made.name)


def update(client, case, made):
    """Change by mask; then show that the etag from before is refused. Return the newest state."""
    message = type(made)
    stale = made.etag
    mask = field_mask_pb2.FieldMask(paths=list(case.change))
    change = message(case.change | {"name": made.name, "etag": stale})
    call = getattr(client, f"update_{case.word}")
    now = call(request={case.word: change, "update_mask": mask})
    for field, value in case.change.items():
        assert getattr(now, field) == getattr(message({field: value}), field)
    assert now.display_name == case.change.get("display_name", made.display_name)
    with pytest.raises(exceptions.Conflict):
        call(request={case.word: change, "update_mask": mask})
    return now


@pytest.mark.parametrize("case", SHARED, ids=str)
def test_the_life_of_a_resource(google, case):
    """Create, get, list, update, conflict and delete, through both versions' clients."""
    walk_through(google.agents, google, case)


@pytest.mark.parametrize("case", EVALUATIONS, ids=str)
def test_the_life_of_an_evaluation_resource(beta, case):
    """The same for the kinds of v1beta's evaluation service."""
    walk_through(beta.evaluations, beta, case)


def test_the_life_of_an_app(google):
    """Create and delete are futures that give the app and nothing; the rest is as everywhere."""
    app = make_app(google, tool_execution_mode="SEQUENTIAL", metadata={"team": "desk"})
    ces = google.ces
    assert app.tool_execution_mode == ces.App.ToolExecutionMode.SEQUENTIAL
    assert google.agents.get_app(name=APP) == app
    assert list(google.agents.list_apps(parent=LOCATION)) == [app]
    mask = field_mask_pb2.FieldMask(paths=["logging_settings.conversation_logging_settings", "pinned"])
    window = {"conversation_logging_settings": {"retention_window": "86400s"}}
    change = ces.App(name=APP, pinned=True, etag=app.etag, logging_settings=window)
    now = google.agents.update_app(app=change, update_mask=mask)
    assert (now.pinned, now.display_name) == (True, "Desk")
    assert now.logging_settings.conversation_logging_settings.retention_window.days == 1
    with pytest.raises(exceptions.Conflict):
        google.agents.delete_app(request={"name": APP, "etag": app.etag})
    google.agents.delete_app(request={"name": APP, "etag": now.etag}).result(timeout=10)
    with pytest.raises(exceptions.NotFound):
        google.agents.get_app(name=APP)


def test_paging_iterators_walk_through_every_page(google, emulator):
    """The client's pager follows nextPageToken and asks as often as there are pages."""
    make_app(google)
    agent = google.ces.Agent(display_name="A")
    for n in range(5):
        google.agents.create_agent(parent=APP, agent=agent, agent_id=f"agent{n}")
    emulator.journal.clear()
    found = google.agents.list_agents(request={"parent": APP, "page_size": 2, "order_by": "name"})
    assert [item.name.rsplit("/", 1)[1] for item in found] == [f"agent{n}" for n in range(5)]
    assert [entry.rpc for entry in emulator.journal.entries] == ["ListAgents"] * 3


def test_force_removes_references(google):
    """Without force a referenced tool stays, with force it goes and the agent forgets it."""
    make_app(google)
    tool = create(google.agents, google, SHARED[1], "lookup")
    agent = google.ces.Agent(display_name="A", tools=[tool.name])
    made = google.agents.create_agent(parent=APP, agent=agent)
    with pytest.raises(exceptions.BadRequest, match="still referenced"):
        google.agents.delete_tool(name=tool.name)
    google.agents.delete_tool(request={"name": tool.name, "force": True})
    assert list(google.agents.get_agent(name=made.name).tools) == []


def test_a_taken_id_and_a_bad_body_raise_the_clients_exceptions(google):
    """ALREADY_EXISTS and INVALID_ARGUMENT arrive as the exceptions that Google's users catch."""
    make_app(google)
    create(google.agents, google, SHARED[0], "front")
    with pytest.raises(exceptions.Conflict, match="already exists"):
        create(google.agents, google, SHARED[0], "front")
    with pytest.raises(exceptions.BadRequest) as caught:
        google.agents.create_agent(parent=APP, agent=google.ces.Agent())
    violations = caught.value.details[0]["fieldViolations"]
    assert [violation["field"] for violation in violations] == ["displayName"]


def test_a_version_carries_its_snapshot(google):
    """The snapshot arrives as messages."""
    make_app(google)
    create(google.agents, google, SHARED[0], "front")
    version = create(google.agents, google, SHARED[6], "v0001")
    assert version.snapshot.app.display_name == "Desk"
    assert [agent.display_name for agent in version.snapshot.agents] == ["Front"]
    google.agents.restore_app_version(name=version.name).result(timeout=10)
    assert google.agents.get_agent(name=f"{APP}/agents/front").display_name == "Front"


def test_the_agent_of_an_agent_tool(google):
    """The client's own name of the field is taken in its version and read as `agent` in v1beta."""
    make_app(google)
    front = create(google.agents, google, SHARED[0], "front").name
    field = "root_agent" if google.version == "v1" else "agent"
    tool = google.ces.Tool({"agent_tool": {"name": "ask", field: front}})
    made = google.agents.create_tool(parent=APP, tool=tool)
    assert made.display_name == "ask"


def test_security_settings(beta):
    """The settings of a location are read and updated."""
    name = f"{LOCATION}/securitySettings"
    settings = beta.ces.SecuritySettings(
        name=name, endpoint_control_policy={"allowed_origins": ["acme.example"]}
    )
    beta.agents.update_security_settings(security_settings=settings)
    read = beta.agents.get_security_settings(name=name)
    assert list(read.endpoint_control_policy.allowed_origins) == ["acme.example"]


def test_dataset_membership_and_force(beta):
    """A dataset's evaluations are mirrored on them, and force takes one out."""
    make_app(beta)
    evaluation = create(beta.evaluations, beta, EVALUATIONS[0], "first1")
    dataset = beta.ces.EvaluationDataset(display_name="DS", evaluations=[evaluation.name])
    made = beta.evaluations.create_evaluation_dataset(parent=APP, evaluation_dataset=dataset)
    seen = beta.evaluations.get_evaluation(name=evaluation.name)
    assert list(seen.evaluation_datasets) == [made.name]
    with pytest.raises(exceptions.BadRequest, match="still referenced"):
        beta.evaluations.delete_evaluation(name=evaluation.name)
    beta.evaluations.delete_evaluation(request={"name": evaluation.name, "force": True})
    assert list(beta.evaluations.get_evaluation_dataset(name=made.name).evaluations) == []


def test_what_needs_a_language_model_is_unimplemented(beta):
    """Running an evaluation is refused with UNIMPLEMENTED and a reason."""
    make_app(beta)
    with pytest.raises(exceptions.MethodNotImplemented, match="language model"):
        beta.evaluations.run_evaluation(app=APP)
