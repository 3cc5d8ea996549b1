"""
How each method is driven through Google's client: one function for each, which also looks at what
comes back.
"""

import io
import uuid
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from google.api_core import exceptions

from tests.conformance.emulator import talking
from tests.conformance.emulator.cases import EVALUATIONS, SHARED, Case
from tests.conformance.emulator.conftest import LOCATION, PATIENCE, Google, fresh
from tests.conformance.emulator.making import app_of_its_own, drop, made, mask, service, touch

Drive = Callable[[Google], None]
OPENAPI = """openapi: 3.0.0
info: {title: Orders, version: "1"}
servers: [{url: "https://orders.acme.example"}]
paths:
  /orders/{id}:
    get:
      operationId: getOrder
      description: Read an order.
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200": {content: {application/json: {schema: {type: object, properties: {state: {type: string}}}}}}
"""


def _create(case: Case) -> Drive:
    def drive(google: Google) -> None:
        assert made(google, case).name.startswith(f"{google.app}/{case.collection}/it-")

    return drive


def _get(case: Case) -> Drive:
    def drive(google: Google) -> None:
        one = made(google, case)
        assert getattr(service(google, case), f"get_{case.word}")(name=one.name) == one

    return drive


def _list(case: Case) -> Drive:
    def drive(google: Google) -> None:
        names = {made(google, case).name, made(google, case).name}
        request = {"parent": google.app, "page_size": 1}
        found = list(getattr(service(google, case), f"list_{case.plural}")(request=request))
        assert names <= {item.name for item in found}

    return drive


def _update(case: Case) -> Drive:
    def drive(google: Google) -> None:
        one = made(google, case)
        change = case.changed_for(one.name)
        changed = type(one)(change | {"name": one.name, "etag": one.etag})
        request = {case.word: changed, "update_mask": mask(*change)}
        now = getattr(service(google, case), f"update_{case.word}")(request=request)
        for name, value in change.items():
            assert getattr(now, name) == getattr(type(one)({name: value}), name)
        assert now.etag != one.etag

    return drive


def _delete(case: Case) -> Drive:
    def drive(google: Google) -> None:
        one = made(google, case)
        client = service(google, case)
        with pytest.raises(exceptions.Conflict):
            getattr(client, f"delete_{case.word}")(request={"name": one.name, "etag": "c3RhbGU="})
        getattr(client, f"delete_{case.word}")(request={"name": one.name, "etag": one.etag})
        with pytest.raises(exceptions.NotFound):
            getattr(client, f"get_{case.word}")(name=one.name)

    return drive


def create_and_delete_app(google: Google) -> None:
    app = app_of_its_own(google, tool_execution_mode="SEQUENTIAL")
    assert app.tool_execution_mode == google.ces.App.ToolExecutionMode.SEQUENTIAL
    with pytest.raises(exceptions.Conflict):
        google.agents.delete_app(request={"name": app.name, "etag": "c3RhbGU="})
    drop(google, app.name)
    with pytest.raises(exceptions.NotFound):
        google.agents.get_app(name=app.name)


def get_app(google: Google) -> None:
    assert google.agents.get_app(name=google.app).name == google.app


def list_apps(google: Google) -> None:
    assert google.app in [app.name for app in google.agents.list_apps(parent=LOCATION)]


def update_app(google: Google) -> None:
    text = uuid.uuid4().hex
    app = google.ces.App(name=google.app, description=text, etag=google.agents.get_app(name=google.app).etag)
    assert google.agents.update_app(app=app, update_mask=mask("description")).description == text


def restore_version(google: Google) -> None:
    version = made(google, next(case for case in SHARED if case.collection == "versions"))
    was = google.agents.get_app(name=google.app).description
    touch(google)
    google.agents.restore_app_version(name=version.name).result(timeout=PATIENCE)
    assert google.agents.get_app(name=google.app).description == was


def exported(google: Google) -> bytes:
    request = {"name": google.app, "export_format": "JSON"}
    content: bytes = google.agents.export_app(request=request).result(timeout=PATIENCE).app_content
    return content


def export_app(google: Google) -> None:
    with zipfile.ZipFile(io.BytesIO(exported(google))) as archive:
        assert any(name.endswith("/app.json") and name.count("/") == 1 for name in archive.namelist())


def import_app(google: Google) -> None:
    request = {"parent": LOCATION, "app_content": exported(google), "app_id": fresh("conformance")}
    answer = google.agents.import_app(request=request | {"display_name": fresh("conformance")})
    name = answer.result(timeout=PATIENCE).name
    try:
        assert name == f"{LOCATION}/apps/{request['app_id']}"
        here = {agent.display_name for agent in google.agents.list_agents(parent=google.app)}
        assert {agent.display_name for agent in google.agents.list_agents(parent=name)} == here
    finally:
        drop(google, name)


def security_settings(google: Google) -> None:
    name = f"{LOCATION}/securitySettings"
    before = google.agents.get_security_settings(name=name)
    origins = {"allowed_origins": ["https://acme.example"]}
    changed = google.ces.SecuritySettings(name=name, endpoint_control_policy=origins)
    now = google.agents.update_security_settings(
        security_settings=changed, update_mask=mask("endpoint_control_policy.allowed_origins")
    )
    assert list(now.endpoint_control_policy.allowed_origins) == ["https://acme.example"]
    before.etag = now.etag
    google.agents.update_security_settings(
        security_settings=before, update_mask=mask("endpoint_control_policy")
    )


def changelogs(google: Google) -> None:
    touch(google)
    request = {"parent": google.app, "filter": 'resource_type="App"'}
    entries = list(google.agents.list_changelogs(request=request))
    assert {entry.resource for entry in entries} == {google.app}
    newest = max(entries, key=lambda entry: entry.sequence_number)
    assert google.agents.get_changelog(name=newest.name) == newest


def toolset(google: Google) -> Any:
    body = {"display_name": fresh("orders"), "open_api_toolset": {"open_api_schema": OPENAPI}}
    return google.agents.create_toolset(parent=google.app, toolset=google.ces.Toolset(body))


def retrieve_tools(google: Google) -> None:
    one = toolset(google)
    tools = google.tools.retrieve_tools(request={"toolset": one.name}).tools
    assert [tool.open_api_tool.name for tool in tools] == ["getOrder"]


def retrieve_tool_schema(google: Google) -> None:
    tool = {"toolset": toolset(google).name, "tool_id": "getOrder"}
    answer = google.tools.retrieve_tool_schema(request={"parent": google.app, "toolset_tool": tool})
    assert list(answer.input_schema.properties) == ["id"]
    assert list(answer.input_schema.required) == ["id"]
    assert answer.output_schema.properties["state"].type_ == google.ces.Schema.Type.STRING


def operations(google: Google) -> None:
    request = {"name": google.app, "export_format": "JSON"}
    future = google.agents.export_app(request=request)
    future.result(timeout=PATIENCE)
    name = future.operation.name
    assert google.agents.get_operation(request={"name": name}).done
    listed = google.agents.list_operations(request={"name": LOCATION})
    assert listed.operations
    google.agents.cancel_operation(request={"name": name})
    google.agents.delete_operation(request={"name": name})
    with pytest.raises(exceptions.NotFound):
        google.agents.get_operation(request={"name": name})


def locations(google: Google) -> None:
    listed = google.agents.list_locations(request={"name": LOCATION.rpartition("/locations/")[0]})
    assert LOCATION in [found.name for found in listed.locations]
    assert google.agents.get_location(request={"name": LOCATION}).location_id == LOCATION.rpartition("/")[2]


def _standard() -> dict[str, Drive]:
    found: dict[str, Drive] = {}
    for case in (*SHARED, *EVALUATIONS):
        word = case.message
        found |= {f"Create{word}": _create(case), f"Get{word}": _get(case), f"List{word}s": _list(case)}
        found |= {f"Delete{word}": _delete(case)}
        found |= {f"Update{word}": _update(case)} if case.change is not None else {}
    return found


SERVED: dict[str, Drive] = {
    **_standard(),
    **dict.fromkeys(("CreateApp", "DeleteApp"), create_and_delete_app),
    "GetApp": get_app,
    "ListApps": list_apps,
    "UpdateApp": update_app,
    "RestoreAppVersion": restore_version,
    "ExportApp": export_app,
    "ImportApp": import_app,
    **dict.fromkeys(("GetSecuritySettings", "UpdateSecuritySettings"), security_settings),
    **dict.fromkeys(("ListChangelogs", "GetChangelog"), changelogs),
    "ListConversations": talking.list_conversations,
    "GetConversation": talking.get_conversation,
    "DeleteConversation": talking.delete_conversation,
    "BatchDeleteConversations": talking.batch_delete_conversations,
    "RunSession": talking.run_session,
    "StreamRunSession": talking.stream_run_session,
    "ExecuteTool": talking.execute_tool,
    "RetrieveTools": retrieve_tools,
    "RetrieveToolSchema": retrieve_tool_schema,
    **dict.fromkeys(("RunEvaluation", "GetEvaluationRun"), talking.run_evaluation),
    "ListEvaluationRuns": talking.list_runs,
    "DeleteEvaluationRun": talking.delete_run,
    **dict.fromkeys(
        ("ListEvaluationResults", "GetEvaluationResult", "DeleteEvaluationResult"), talking.results
    ),
    **dict.fromkeys(
        ("ExportEvaluations", "ExportEvaluationRuns", "ExportEvaluationResults"), talking.exports_of_evaluations
    ),
    "ImportEvaluations": talking.import_evaluations,
    **dict.fromkeys(
        (f"projects.locations.operations.{w}" for w in ("get", "list", "delete", "cancel")), operations
    ),
    **dict.fromkeys((f"projects.locations.{word}" for word in ("get", "list")), locations),
}
