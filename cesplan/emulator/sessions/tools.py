"""`:executeTool`: the scripted response of a tool, and the mocks of the tools that it calls."""

from typing import Any

from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.http.calls import Call
from cesplan.emulator.http.encoding import encode
from cesplan.emulator.resources.core import Core, Methods
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.schema.values import struct_value
from cesplan.emulator.sessions.script import ScriptedCall, ScriptedTool, SessionScript, holds
from cesplan.emulator.sessions.served import Served, names_in, of_version

_NO_SCRIPT = "The emulator does not run tools, and no script has their answers (PUT /emulator/sessions)."


class ExecutedTools(Methods):
    """Executes tools with a script."""

    def __init__(self, core: Core) -> None:
        super().__init__(core)
        self.script = SessionScript()

    def execute(self, call: Call) -> str:
        """Return the scripted response. Raise Refused if there is none."""
        app = self._core.lookup.resource(call.target.name)
        request = self._core.request_body(call)
        on = of_version(self._core, app, None, None)
        who = self._identifier(request, on)
        args = request.get("args", {})
        mocks = request.get("mockConfig", {})
        _check_mocks(mocks)
        if self._core.switches.mocked_calls == "all" and (mock := _mocked(mocks, who, args)) is not None:
            return self._answer(call, who, mock, request.get("variables", {}))
        if not self.script.tools:
            raise Refused("UNIMPLEMENTED", _NO_SCRIPT)
        found = self.script.tool_of(_names(who, on), args)
        if found is None:
            raise Refused("UNIMPLEMENTED", "The script of sessions says nothing about this call of the tool.")
        self._play(found, on, mocks)
        variables = request.get("variables", {}) | found.variables
        return self._answer(call, who, found.response, variables)

    def _identifier(self, request: Body, on: Served) -> Body:
        """Return the tool in the request. Raise Refused if the app does not have it."""
        if "tool" in request:
            name = self._core.lookup.canonical(request["tool"], on.app["name"])
            row = self._core.lookup.resource(name)
            if (row.parent, row.kind) != (on.app["name"], "tools"):
                raise invalid("tool", "this is not a tool of the app")
            return {"tool": row.name}
        if "toolsetTool" in request:
            named = request["toolsetTool"]
            toolset = self._core.lookup.resource(self._core.lookup.canonical(named["toolset"], on.app["name"]))
            if toolset.parent != on.app["name"]:
                raise invalid("toolsetTool.toolset", "this is not a toolset of the app")
            return {"toolsetTool": {"toolset": toolset.name, "toolId": named.get("toolId", "")}}
        raise invalid("tool_identifier", "a tool or a tool of a toolset is required")

    def _play(self, tool: ScriptedTool, on: Served, mocks: Body) -> None:
        """Run the tool's own calls. Raise Refused for a call without a mock, if unmatched calls should fail."""
        for inner in tool.calls:
            who = _identifier_of(inner, on)
            if mocks and _mocked(mocks, who, struct_value(inner.args)) is None:
                _refuse_unmatched(mocks, inner)
        if tool.error is not None:
            raise Refused(tool.error.code, tool.error.message)

    def _answer(self, call: Call, who: Body, response: Body, variables: Body) -> str:
        answer = who | {"response": struct_value(response), "variables": struct_value(variables)}
        stored = self._core.checker.learn("ExecuteToolResponse", answer)
        return encode(self._core.answers.message("ExecuteToolResponse", stored, call.form))


def _identifier_of(call: ScriptedCall, on: Served) -> Body:
    found = on.identified(call.tool)
    return {key: value for key, value in found.items() if key != "displayName"}


def _names(who: Body, on: Served) -> tuple[str, ...]:
    """Return the names of the tool in the script."""
    if "tool" in who:
        for row in on.tools:
            if row["name"] == who["tool"]:
                return names_in(row)
        return (who["tool"], who["tool"].rpartition("/")[2])
    named = who["toolsetTool"]
    toolset = next(row for row in on.toolsets if row["name"] == named["toolset"])
    return (named["toolId"], *(f"{name}/{named['toolId']}" for name in names_in(toolset)))


def _check_mocks(mocks: Body) -> None:
    for number, mock in enumerate(mocks.get("mockedToolCalls", [])):
        if not mock.keys() & {"tool", "toolId", "toolset"}:
            raise invalid(f"mockConfig.mockedToolCalls[{number}]", "a tool or a tool of a toolset is required")


def _mocked(mocks: Body, who: Body, args: Any) -> Body | None:
    """Return the response of the first mock that matches a call."""
    for mock in mocks.get("mockedToolCalls", []):
        named = mock.get("toolId") or mock.get("tool")
        same = who.get("tool") == named if named else who.get("toolsetTool") == mock["toolset"]
        if same and holds(args, mock.get("expectedArgsPattern", {})):
            response: Body = mock.get("mockResponse", {})
            return response
    return None


def _refuse_unmatched(mocks: Body, call: ScriptedCall) -> None:
    if mocks.get("unmatchedToolCallBehavior") != "PASS_THROUGH":
        text = f"The tool calls '{call.tool}' with arguments that no mock matches."
        raise Refused("FAILED_PRECONDITION", text)
