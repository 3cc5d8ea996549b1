"""Google's client and the emulator understand each other beyond single methods, in both versions."""

import pytest
from google.api_core import exceptions

from tests.conformance.emulator.cases import EVALUATIONS, SHARED
from tests.conformance.emulator.conftest import fresh
from tests.conformance.emulator.making import app_of_its_own, drop, made, mask, service

AGENT, TOOL, VERSION = SHARED[0], SHARED[1], SHARED[6]


def walk_through(google, case):
    """Create, get, list, update with a mask, conflict, delete."""
    one = made(google, case)
    sent = type(one)(case.body)
    for field in case.body:
        if field not in ("python_function", "display_name", "request"):
            assert getattr(one, field) == getattr(sent, field), field
    client = service(google, case)
    get = getattr(client, f"get_{case.word}")
    assert get(name=one.name) == one
    assert one in list(getattr(client, f"list_{case.plural}")(parent=google.app))
    if case.change is not None:
        one = update(google, case, one)
    delete = getattr(client, f"delete_{case.word}")
    with pytest.raises(exceptions.Conflict) as caught:
        delete(request={"name": one.name, "etag": "c3RhbGU="})
    assert caught.value.code == 409
    delete(request={"name": one.name, "etag": one.etag})
    with pytest.raises(exceptions.NotFound):
        get(name=one.name)


def update(google, case, one):
    """Change by mask; then show that the etag from before is refused. Return the newest state."""
    message = type(one)
    fields = case.changed_for(one.name)
    change = message(fields | {"name": one.name, "etag": one.etag})
    call = getattr(service(google, case), f"update_{case.word}")
    now = call(request={case.word: change, "update_mask": mask(*fields)})
    for field, value in fields.items():
        assert getattr(now, field) == getattr(message({field: value}), field)
    if "display_name" not in fields:
        assert now.display_name == one.display_name
    with pytest.raises(exceptions.Conflict):
        call(request={case.word: change, "update_mask": mask(*fields)})
    return now


@pytest.mark.parametrize("case", SHARED, ids=str)
def test_the_life_of_a_resource(google, case):
    """Create, get, list, update, conflict and delete, through both versions' clients."""
    walk_through(google, case)


@pytest.mark.parametrize("case", EVALUATIONS, ids=str)
def test_the_life_of_an_evaluation_resource(beta, case):
    """The same for the kinds of v1beta's evaluation service."""
    walk_through(beta, case)


def test_the_life_of_an_app(google):
    """Create and delete are futures that give the app and nothing; the rest is as everywhere."""
    app = app_of_its_own(google, tool_execution_mode="SEQUENTIAL", metadata={"team": "desk"})
    ces = google.ces
    assert app.tool_execution_mode == ces.App.ToolExecutionMode.SEQUENTIAL
    assert google.agents.get_app(name=app.name) == app
    window = {"conversation_logging_settings": {"retention_window": "86400s"}}
    change = ces.App(name=app.name, pinned=True, etag=app.etag, logging_settings=window)
    paths = mask("logging_settings.conversation_logging_settings", "pinned")
    now = google.agents.update_app(app=change, update_mask=paths)
    assert (now.pinned, now.display_name) == (True, app.display_name)
    assert now.logging_settings.conversation_logging_settings.retention_window.days == 1
    with pytest.raises(exceptions.Conflict):
        google.agents.delete_app(request={"name": app.name, "etag": app.etag})
    drop(google, app.name)
    with pytest.raises(exceptions.NotFound):
        google.agents.get_app(name=app.name)


def test_paging_iterators_walk_through_every_page(google):
    """The client's pager follows nextPageToken to the end and gives each item once, in order."""
    wanted = sorted(made(google, AGENT).name for _ in range(5))
    google.called.clear()
    pages = google.agents.list_agents(request={"parent": google.app, "page_size": 2, "order_by": "name"})
    found = [item.name for page in pages.pages for item in page.agents]
    assert [name for name in found if name in wanted] == wanted
    assert found == sorted(set(found))
    assert len(google.called) >= 3


def test_a_page_token_belongs_to_its_query(google):
    """The token of one list is refused by another."""
    made(google, AGENT)
    made(google, AGENT)
    first = next(google.agents.list_agents(request={"parent": google.app, "page_size": 1}).pages)
    request = {"parent": google.app, "page_token": first.next_page_token, "order_by": "create_time"}
    with pytest.raises(exceptions.BadRequest):
        google.agents.list_agents(request=request)


def test_force_removes_references(google):
    """Without force a referenced tool stays, with force it goes and the agent forgets it."""
    tool = made(google, TOOL)
    agent = google.ces.Agent(display_name=fresh("A"), tools=[tool.name], llm_agent={})
    one = google.agents.create_agent(parent=google.app, agent=agent)
    with pytest.raises(exceptions.BadRequest):
        google.agents.delete_tool(name=tool.name)
    google.agents.delete_tool(request={"name": tool.name, "force": True})
    assert list(google.agents.get_agent(name=one.name).tools) == []


def test_a_taken_id_and_a_bad_body_raise_the_clients_exceptions(google):
    """ALREADY_EXISTS and INVALID_ARGUMENT arrive as the exceptions that Google's users catch."""
    one = made(google, AGENT)
    again = google.ces.Agent(display_name=fresh("A"), llm_agent={})
    with pytest.raises(exceptions.Conflict):
        google.agents.create_agent(parent=google.app, agent=again, agent_id=one.name.rpartition("/")[2])
    with pytest.raises(exceptions.BadRequest):
        google.agents.create_agent(parent=google.app, agent=google.ces.Agent())


def test_a_version_carries_its_snapshot(google):
    """The snapshot arrives as messages, and a restore brings back what was deleted since."""
    agent = made(google, AGENT)
    version = made(google, VERSION)
    assert version.snapshot.app.name == google.app
    assert agent.name in [one.name for one in version.snapshot.agents]
    google.agents.delete_agent(name=agent.name)
    google.agents.restore_app_version(name=version.name).result(timeout=60)
    assert google.agents.get_agent(name=agent.name).display_name == agent.display_name


def test_a_locked_app_refuses_changes_of_its_resources(google):
    """With `locked` set nothing below the app can be made; unlocked it can again."""
    app = app_of_its_own(google)
    google.agents.update_app(app=google.ces.App(name=app.name, locked=True), update_mask=mask("locked"))
    agent = google.ces.Agent(display_name="A", llm_agent={})
    with pytest.raises(exceptions.BadRequest):
        google.agents.create_agent(parent=app.name, agent=agent)
    google.agents.update_app(app=google.ces.App(name=app.name, locked=False), update_mask=mask("locked"))
    assert google.agents.create_agent(parent=app.name, agent=agent).display_name == "A"
    drop(google, app.name)


def test_the_agent_of_an_agent_tool(google):
    """The client's own name of the field is taken in its version and read as `agent` in v1beta."""
    front = made(google, AGENT).name
    field = "root_agent" if google.version == "v1" else "agent"
    name = fresh("ask").replace("-", "_")
    tool = google.ces.Tool({"agent_tool": {"name": name, field: front}})
    assert google.agents.create_tool(parent=google.app, tool=tool).display_name == name


def test_dataset_membership_and_force(beta):
    """A dataset's evaluations are mirrored on them, and force takes one out."""
    evaluation = made(beta, EVALUATIONS[0])
    dataset = beta.ces.EvaluationDataset(display_name=fresh("DS"), evaluations=[evaluation.name])
    one = beta.evaluations.create_evaluation_dataset(parent=beta.app, evaluation_dataset=dataset)
    seen = beta.evaluations.get_evaluation(name=evaluation.name)
    assert list(seen.evaluation_datasets) == [one.name]
    with pytest.raises(exceptions.BadRequest):
        beta.evaluations.delete_evaluation(name=evaluation.name)
    beta.evaluations.delete_evaluation(request={"name": evaluation.name, "force": True})
    assert list(beta.evaluations.get_evaluation_dataset(name=one.name).evaluations) == []


def test_what_is_no_archive_is_refused(google):
    """Bytes that are not ZIP are INVALID_ARGUMENT, at once."""
    request = {"parent": google.app.rpartition("/apps/")[0], "app_content": b"no archive"}
    with pytest.raises(exceptions.BadRequest):
        google.agents.import_app(request=request)


def test_a_run_without_a_script_fails_in_its_operation(beta):
    """Without a script there is no verdict: the future raises, and the run says why."""
    beta.played.play()
    evaluation = made(beta, EVALUATIONS[0])
    future = beta.evaluations.run_evaluation(request={"app": beta.app, "evaluations": [evaluation.name]})
    with pytest.raises(exceptions.FailedPrecondition, match="no script"):
        future.result(timeout=20)
    run = beta.evaluations.get_evaluation_run(name=future.metadata.evaluation_run)
    assert run.state == beta.ces.EvaluationRun.EvaluationRunState.ERROR
    assert "no script" in run.error_info.error_message
