"""Archives in tests: packing, unpacking, asking for them."""

import base64
import io
import json
import zipfile

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"
CALLBACK = "def before_agent_callback(callback_context):\n    return None\n"
CODE = "def look_up(order: str):\n    return order\n"
SCHEMA = """openapi: 3.0.0
info: {title: Orders, version: "1"}
servers:
- url: https://orders.acme.example
paths:
  /orders: {get: {operationId: listOrders}}
"""


def zipped(files, root="Desk"):
    """Return base64 of a ZIP; values that are not text are written as JSON."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, value in files.items():
            name = f"{root}/{path}" if root else path
            archive.writestr(name, value if isinstance(value, str) else json.dumps(value))
    return base64.b64encode(out.getvalue()).decode()


def unzipped(content):
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(content))) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def exported(server, form="JSON", **request):
    answer = server.send("POST", f"{APP}:exportApp", {"exportFormat": form, **request})
    assert answer.status == 200, answer.body
    return unzipped(answer.body["response"]["appContent"])


def imported(server, files, **request):
    """Import files and return the response of the operation, or the error of the request."""
    body = {"appContent": zipped(files), **request}
    answer = server.send("POST", f"{LOCATION}/apps:importApp", body)
    return answer.body["response"] if answer.status == 200 else answer


def replacing(strategy, **more):
    return {"appId": "desk1", "importOptions": {"conflictResolutionStrategy": strategy, **more}}


def names(server, kind):
    found = server.get(f"{APP}/{kind}").body.get(kind, [])
    return {one["displayName"]: one["name"].rpartition("/")[2] for one in found}


APP_FILE = {"app.json": {"displayName": "Desk"}}


def agent_files(stem, **body):
    return {f"agents/{stem}/{stem}.json": {"displayName": stem, "llmAgent": {}, **body}}


def full_desk(server):
    """An app with one of everything that an export holds."""
    server.app(globalInstruction="Be kind.\n")
    tool = server.made("tools", {"pythonFunction": {"name": "look_up", "pythonCode": CODE}}, toolId="lookup")
    toolset = {"displayName": "Orders", "openApiToolset": {"openApiSchema": SCHEMA}}
    orders = server.made("toolsets", toolset, toolsetId="orders")
    rail = server.made(
        "guardrails", {"displayName": "No 'foul' <talk>", "codeCallback": {}}, guardrailId="rail1"
    )
    front = server.agent(
        "front",
        displayName="Front desk",
        instruction="Help.",
        tools=[tool["name"], f"{APP}/tools/end_session"],
        toolsets=[{"toolset": orders["name"], "toolIds": ["listOrders"]}],
        guardrails=[rail["name"]],
        beforeAgentCallbacks=[{"pythonCode": CALLBACK, "description": "one"}, {"pythonCode": CALLBACK}],
    )
    server.update(APP, {"rootAgent": front["name"]}, updateMask="rootAgent")
    expectation = server.made(
        "evaluationExpectations", {"displayName": "Polite", "llmCriteria": {"prompt": "?"}}
    )
    call = {"expectation": {"toolCall": {"tool": tool["name"], "args": {"order": "7"}}}}
    golden = {"turns": [{"steps": [call]}], "evaluationExpectations": [expectation["name"]]}
    evaluation = server.made("evaluations", {"displayName": "Gold", "golden": golden})
    server.made("evaluationDatasets", {"displayName": "All", "evaluations": [evaluation["name"]]})
    example = {
        "displayName": "Ex",
        "entryAgent": front["name"],
        "messages": [{"role": "user", "chunks": [{"text": "hi"}]}],
    }
    server.made("examples", example)
    return server
