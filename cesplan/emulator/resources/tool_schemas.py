"""`:retrieveTools` and `:retrieveToolSchema`."""

from cesplan.emulator.errors import Refused, invalid, not_found
from cesplan.emulator.http.calls import Call
from cesplan.emulator.http.encoding import encode
from cesplan.emulator.openapi.arguments import input_of, output_of
from cesplan.emulator.openapi.functions import input_of_python, output_of_python
from cesplan.emulator.openapi.operations import Operation, one_underscore, operations_in
from cesplan.emulator.openapi.shapes import wrong
from cesplan.emulator.resources.core import Methods
from cesplan.emulator.rules.derived_fields import first_function
from cesplan.emulator.schema.bodies import check_depth
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.storage.store import Row

# Each tool repeats the components of the whole document, so a small document can cause a very large response.
_MOST_TEXT = 64 * 2**20
# The fields that a toolset's tool inherits from the toolset.
_INHERITED = ("apiAuthentication", "tlsConfig", "serviceDirectoryConfig", "ignoreUnknownFields")


class Retrieving(Methods):
    """Returns the tools of a toolset, and the schemas of a tool."""

    def tools(self, call: Call) -> str:
        """Return all tools of an OpenAPI toolset, or the requested ones."""
        toolset = self._core.lookup.resource(call.target.name)
        request = self._core.request_body(call)
        found = {one.tool_id: one for one in self._operations(toolset)}
        tool_ids = [one_underscore(tool_id) for tool_id in request.get("toolIds", [])] or list(found)
        for tool_id in tool_ids:
            if tool_id not in found:
                raise invalid("toolIds", f"the toolset has no tool '{tool_id}'")
        tools, size = [], 0
        for tool_id in tool_ids:
            tools.append(self._tool(toolset, found[tool_id]))
            size += len(tools[-1]["openApiTool"]["openApiSchema"])
            if size > _MOST_TEXT:
                raise invalid(
                    "toolIds", f"the response would have more than {_MOST_TEXT} bytes; ask for fewer tools"
                )
        answer: Body = {"tools": tools} if tools else {}
        return encode(self._core.answers.message(call.rpc.response, answer, call.form))

    def schema(self, call: Call) -> str:
        """Return the schema of a tool, or of a tool of a toolset."""
        self._core.lookup.resource(call.target.name)
        request = self._core.request_body(call)
        if "tool" in request:
            row = self._in_app(request["tool"], call)
            answer = {"tool": row.name, **self._of_tool(row)}
        elif "toolsetTool" in request:
            named = request["toolsetTool"]
            operation = self._one(self._in_app(named["toolset"], call), named.get("toolId", ""))
            who = {"toolset": named["toolset"], "toolId": operation.tool_id}
            answer = {"toolsetTool": who, **self._of_operation(operation)}
        else:
            raise invalid("tool_identifier", "a tool or a tool of a toolset is required")
        return encode(self._core.answers.message(call.rpc.response, answer, call.form))

    def _in_app(self, name: str, call: Call) -> Row:
        row = self._core.lookup.resource(self._core.lookup.canonical(name, call.target.name))
        if row.parent != call.target.name:
            raise not_found(name)
        return row

    def _operations(self, toolset: Row) -> list[Operation]:
        found = toolset.body.get("openApiToolset")
        if found is None:
            text = f"'{toolset.name}' is not an OpenAPI toolset: its tools are defined by a server that"
            raise Refused("UNIMPLEMENTED", f"{text} the emulator does not contact.")
        return operations_in(found.get("openApiSchema", ""))

    def _one(self, toolset: Row, tool_id: str) -> Operation:
        found = [one for one in self._operations(toolset) if one_underscore(tool_id) in ("", one.tool_id)]
        if len(found) != 1:
            raise invalid("toolsetTool", f"{len(found)} tools of the toolset match; exactly one must")
        return found[0]

    def _tool(self, toolset: Row, operation: Operation) -> Body:
        whole = toolset.body["openApiToolset"]
        inner: Body = {
            "openApiSchema": operation.alone(whole["openApiSchema"]),
            "name": operation.tool_id,
        }
        inner |= {"description": operation.description} if operation.description else {}
        inner |= {key: whole[key] for key in _INHERITED if key in whole}
        tool: Body = {
            "openApiTool": inner,
            "name": f"{toolset.name}/tools/{operation.tool_id}",
            "displayName": operation.tool_id,
        }
        kept = {key: toolset.body[key] for key in ("executionType", "timeout") if key in toolset.body}
        return tool | kept | {"createTime": toolset.create_time, "updateTime": toolset.update_time}

    def _of_tool(self, row: Row) -> Body:
        body = row.body
        if "clientFunction" in body:
            function = body["clientFunction"]
            empty = {"type": "OBJECT"}
            return {
                "inputSchema": function.get("parameters", empty),
                "outputSchema": function.get("response", empty),
            }
        if "openApiTool" in body:
            operations = operations_in(body["openApiTool"].get("openApiSchema", ""))
            if len(operations) == 1:
                return self._of_operation(operations[0])
        code = first_function(body.get("pythonFunction", {}).get("pythonCode", ""))
        if code is not None:
            return {"inputSchema": input_of_python(code), "outputSchema": output_of_python(code)}
        text = f"'{row.name}' has a type whose schema only the service knows."
        raise Refused("UNIMPLEMENTED", text)

    def _of_operation(self, operation: Operation) -> Body:
        """Return both schemas. Raise Refused if the API's `Schema` cannot represent the document's."""
        try:
            found = {"inputSchema": input_of(operation), "outputSchema": output_of(operation)}
            check_depth(found)
        except (RecursionError, ValueError) as error:
            raise wrong(f"{operation.path}.{operation.verb}", "its schemas are nested too deeply") from error
        return {key: self._core.checker.check("Schema", schema) for key, schema in found.items()}
