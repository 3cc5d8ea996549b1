"""
`/mcp`: the methods of the API as tools of the Model Context Protocol, over streamable HTTP.

JSON-RPC 2.0, stateless, with one JSON document per response (docs/api-facts.md). The tools call the same
service code as the REST routes, in v1beta. Their input schemas show only the first level.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cesplan.emulator.contract import Rpc, load
from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.faults.failures import as_refusals
from cesplan.emulator.http.calls import Call
from cesplan.emulator.http.encoding import encode
from cesplan.emulator.http.replies import Reply, json_reply
from cesplan.emulator.http.routing import route
from cesplan.emulator.schema.bodies import loads
from cesplan.emulator.service import Service

PROTOCOLS = ("2025-06-18", "2025-03-26", "2024-11-05")
_VERSION = "v1beta"
_ACCEPTED = ("application/json", "text/event-stream")
_KINDS = (
    *("App", "Agent", "Tool", "Toolset", "Guardrail", "Example", "Deployment", "AppVersion"),
    *("Evaluation", "EvaluationDataset"),
)
_METHODS = {
    *(f"{verb}{kind}" for kind in _KINDS for verb in ("Get", "Create", "Update", "Delete")),
    *(f"List{kind}s" for kind in _KINDS),
    *("ListChangelogs", "GetChangelog", "RunEvaluation", "ImportApp", "ExportApp"),
    *(f"{verb}Evaluation{what}" for verb in ("Get", "Delete") for what in ("Run", "Result")),
    *("ListEvaluationRuns", "ListEvaluationResults", "projects.locations.operations.get"),
}
_RENAMED = {
    "ImportApp": "start_import_app",
    "ExportApp": "start_export_app",
    "projects.locations.operations.get": "get_operation",
}
_TYPES = {"pageSize": "integer", "force": "boolean", "lastTenResults": "boolean"}
_PARSE, _INVALID, _NO_METHOD, _BAD_PARAMS = -32700, -32600, -32601, -32602


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tool:
    name: str
    rpc: Rpc
    arguments: Mapping[str, Any]
    required: Sequence[str]

    def described(self) -> dict[str, Any]:
        reads = self.rpc.verb == "GET"
        schema = {"type": "object", "properties": self.arguments, "required": list(self.required)}
        return {
            "name": self.name,
            "description": f"{self.rpc.name} of {_VERSION}: {self.rpc.verb} {self.rpc.path}",
            "inputSchema": schema,
            "annotations": {"readOnlyHint": reads},
        }


class _Wrong(Exception):
    """A request that is a JSON-RPC error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Mcp:
    """Answers requests to `/mcp`."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._tools = _tools()

    def answer(self, verb: str, accept: str, raw: bytes, author: str) -> tuple[Reply, str]:
        """Return the response, and the name of the API method that was called, if any."""
        if verb != "POST":
            return Reply(status=405, data=b"", headers=((b"allow", b"POST"),)), ""
        if not all(kind in accept for kind in _ACCEPTED) and "*/*" not in accept:
            return _error(406, None, _INVALID, f"Accept must name {' and '.join(_ACCEPTED)}."), ""
        request: Any = None
        try:
            request = _request(raw)
            if "id" not in request:
                return Reply(status=202, data=b""), ""
            result, called = self._result(request["method"], request.get("params", {}), author)
        except _Wrong as wrong:
            asker = request.get("id") if isinstance(request, dict) else None
            status = 200 if wrong.code in (_NO_METHOD, _BAD_PARAMS) else 400
            return _error(status, asker, wrong.code, str(wrong)), ""
        body = {"jsonrpc": "2.0", "id": request["id"], "result": result}
        return json_reply(200, encode(body)), called

    def _result(self, method: str, params: Any, author: str) -> tuple[dict[str, Any], str]:
        if not isinstance(params, dict):
            raise _Wrong(_BAD_PARAMS, "params must be an object")
        match method:
            case "initialize":
                return _greeting(params), ""
            case "ping":
                return {}, ""
            case "tools/list":
                return {"tools": [tool.described() for tool in self._tools.values()]}, ""
            case "tools/call":
                return self._called(params, author)
        raise _Wrong(_NO_METHOD, f"There is no method '{method}'.")

    def _called(self, params: dict[str, Any], author: str) -> tuple[dict[str, Any], str]:
        tool = self._tools.get(str(params.get("name")))
        arguments = params.get("arguments", {})
        if tool is None or not isinstance(arguments, dict):
            raise _Wrong(_BAD_PARAMS, f"There is no tool '{params.get('name')}' with such arguments.")
        try:
            with as_refusals(tool.rpc.name, str(arguments.get(tool.rpc.bound or "name", ""))):
                text, failed = self._service.answer(_call(tool, arguments, author)), False
        except Refused as refused:
            text, failed = encode(refused.body()), True
        return {"content": [{"type": "text", "text": text}], "isError": failed}, tool.rpc.name


def _greeting(params: dict[str, Any]) -> dict[str, Any]:
    version = params.get("protocolVersion")
    return {
        "protocolVersion": version if version in PROTOCOLS else PROTOCOLS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "cesplan emulator", "version": _VERSION},
    }


def _request(raw: bytes) -> dict[str, Any]:
    try:
        found = loads(raw)
    except ValueError as error:
        raise _Wrong(_PARSE, f"The body is not JSON: {error}.") from error
    if not isinstance(found, dict) or found.get("jsonrpc") != "2.0" or not isinstance(found.get("method"), str):
        raise _Wrong(_INVALID, "One JSON-RPC 2.0 request is expected.")
    return found


def _error(status: int, asker: Any, code: int, message: str) -> Reply:
    body = {"jsonrpc": "2.0", "id": asker, "error": {"code": code, "message": message}}
    return json_reply(status, encode(body))


def _call(tool: _Tool, arguments: dict[str, Any], author: str) -> Call:
    """Return the call for the equivalent REST request. Raise Refused for invalid arguments."""
    rpc, left = tool.rpc, dict(arguments)
    for name in left:
        if name not in tool.arguments and rpc.body != "*":
            raise invalid(name, f"the tool {tool.name} has no such argument")
    name = _bound(rpc, left)
    template, _, custom = rpc.path.partition(":")
    rest = template.split("/")[len(name.split("/")) :]
    if "*" in rest:
        raise invalid(rpc.bound or "name", f"'{name}' is not a valid name for the tool {tool.name}")
    path = "/".join([name, *rest]) + (f":{custom}" if custom else "")
    found, target = route(rpc.verb, f"/{_VERSION}/{path}")
    if found.name != rpc.name:
        raise invalid(rpc.bound or "name", f"'{name}' is not a valid name for the tool {tool.name}")
    body = left if rpc.body == "*" else left.pop(rpc.body, None) if rpc.body else None
    query = {} if rpc.body == "*" else {key: _text(value) for key, value in left.items()}
    pairs = tuple(query.items())
    return Call(rpc=found, target=target, author=author, query=query, pairs=pairs, body=body)


def _bound(rpc: Rpc, left: dict[str, Any]) -> str:
    """Return the path variable, taken from the arguments or from the resource in them."""
    head, _, inner = (rpc.bound or "name").partition(".")
    value = left.get(head) if inner else left.pop(head, None)
    if inner:
        value = value.get(inner) if isinstance(value, dict) else None
    if not isinstance(value, str) or not value:
        raise invalid(rpc.bound or "name", "it is required")
    return value


def _text(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _tools() -> dict[str, _Tool]:
    found = {}
    for rpc in load().rpcs[_VERSION]:
        if rpc.name in _METHODS:
            name = _RENAMED.get(rpc.name) or re.sub(r"(?<!^)([A-Z])", r"_\1", rpc.name).lower()
            found[name] = _Tool(name=name, rpc=rpc, **_arguments(rpc))
    return found


def _arguments(rpc: Rpc) -> dict[str, Any]:
    bound = (rpc.bound or "name").partition(".")[0]
    kind = load().kinds.get(rpc.kind)
    query = kind.query.get(rpc.action, frozenset()) if kind else frozenset()
    properties: dict[str, Any] = {bound: {"type": "string"}}
    properties |= {name: {"type": _TYPES.get(name, "string")} for name in sorted(query)}
    if rpc.body == "*":
        specs = load().messages[rpc.request]
        properties |= {name: {} for name in specs if name != bound}
    elif rpc.body:
        properties[rpc.body] = {"type": "object"}
    required = [bound] if not rpc.body or rpc.body == "*" else sorted({bound, rpc.body})
    return {"arguments": properties, "required": required}
