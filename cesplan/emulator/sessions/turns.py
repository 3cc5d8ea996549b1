"""Recording a turn: the outputs for the client, the diagnostics, and the conversation."""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from cesplan.emulator.errors import Refused
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.schema.values import struct_value
from cesplan.emulator.sessions.script import ScriptedCall, Step
from cesplan.emulator.sessions.served import Served

USER = "user"
_SPAN = "Turn"


@dataclass(kw_only=True)
class Turn:
    """A running turn. `agent` is the active agent, None if the conversation has no agents."""

    app: Served
    index: int
    fakes: bool
    now: Callable[[], str]
    agent: Body | None
    started: str
    outputs: list[Body] = field(default_factory=list)
    messages: list[Body] = field(default_factory=list)
    spans: list[Body] = field(default_factory=list)
    ended: bool = False

    @property
    def role(self) -> str:
        """The role in messages: the display name of the agent (as Google's cxas expects)."""
        return str(self.agent.get("displayName", "")) if self.agent else "agent"

    def receive(self, inputs: list[Body]) -> None:
        """Record the input of the person or the client."""
        chunks = [chunk for given in inputs for chunk in _chunks(given)]
        if chunks:
            self._say(USER, chunks)

    def play(self, steps: list[Step]) -> list[Step]:
        """
        Run steps, and return those that wait for the client's tool responses.

        Raise Refused for an error step, or a step that is impossible in this app.
        """
        waiting = list(steps)
        while waiting and not self.ended:
            step = waiting.pop(0)
            self._play(step)
            if step.what == "ask" and not (waiting and waiting[0].what == "ask"):
                return waiting
        return []

    def finished(self, *, diagnostics: bool, waits: bool) -> list[Body]:
        """Return the outputs for the client. The last output of a finished turn has the diagnostics."""
        outputs = [output | {"turnIndex": self.index} for output in self.outputs]
        if waits:
            return outputs
        last = outputs.pop() if outputs else {"turnIndex": self.index}
        diagnostic_info = {"diagnosticInfo": {"messages": self.messages, "rootSpan": self.root_span()}}
        return [*outputs, last | {"turnCompleted": True} | (diagnostic_info if diagnostics else {})]

    def written(self) -> Body:
        """Return the turn in the form of the conversation."""
        return {"messages": self.messages, "rootSpan": self.root_span()}

    def root_span(self) -> Body:
        """Return the trace of the turn. Names and attributes of spans are the emulator's own."""
        end = self.now()
        span = _span(_SPAN, self.started, end, {"turnIndex": self.index})
        return span | ({"childSpans": self.spans} if self.spans else {})

    def _play(self, step: Step) -> None:
        match step.what:
            case "call":
                self._call(step.value)
            case "ask":
                self._ask(step.value)
            case "transfer":
                self._transfer(step.value)
            case "variables":
                self._say(self.role, [{"updatedVariables": struct_value(step.value)}])
            case "say":
                self.outputs.append({"text": step.value})
                self._say(self.role, [{"text": step.value}])
            case "payload":
                self.outputs.append({"payload": struct_value(step.value)})
                self._say(self.role, [{"payload": struct_value(step.value)}])
            case "end":
                metadata = {"metadata": struct_value(step.value)} if step.value else {}
                self.outputs.append({"endSession": metadata})
                self.ended = True
            case "error":
                raise Refused(step.value.code, step.value.message)

    def _call(self, call: ScriptedCall) -> None:
        begun = self.now()
        who = self.app.identified(call.tool) | {"id": f"call-{uuid.uuid4()}"}
        answer = call.fake if self.fakes and call.fake is not None else call.response
        self._say(self.role, [{"toolCall": who | _args(call)}])
        self._say(self.role, [{"toolResponse": who | {"response": struct_value(answer)}}])
        self.spans.append(_span("Tool", begun, self.now(), {"name": who["displayName"]}))

    def _ask(self, call: ScriptedCall) -> None:
        tool_call = self.app.identified(call.tool) | {"id": f"call-{uuid.uuid4()}"} | _args(call)
        if self.outputs and "toolCalls" in self.outputs[-1]:
            self.outputs[-1]["toolCalls"]["toolCalls"].append(tool_call)
        else:
            self.outputs.append({"toolCalls": {"toolCalls": [tool_call]}})
        self._say(self.role, [{"toolCall": tool_call}])

    def _transfer(self, name: str) -> None:
        agent = self.app.agent(name)
        if agent is None:
            raise Refused("INTERNAL", f"The scripted answer cannot be used: there is no agent '{name}'.")
        target = {"targetAgent": agent["name"], "displayName": agent.get("displayName", "")}
        self._say(self.role, [{"agentTransfer": target}])
        self.agent = agent

    def _say(self, role: str, chunks: list[Body]) -> None:
        self.messages.append({"role": role, "chunks": chunks, "eventTime": self.now()})


def pending_ids(outputs: list[Body]) -> set[str]:
    """Return the ids of the tool calls for the client."""
    return {call["id"] for output in outputs for call in output.get("toolCalls", {}).get("toolCalls", [])}


def _chunks(given: Body) -> Iterator[Body]:
    """Yield the chunks of an input in a message; events have none."""
    if "text" in given:
        yield {"text": given["text"]}
    if "dtmf" in given:
        yield {"text": given["dtmf"]}
    if "variables" in given:
        yield {"updatedVariables": given["variables"]}
    for key in ("image", "blob"):
        if key in given:
            yield {key: given[key]}
    for response in given.get("toolResponses", {}).get("toolResponses", []):
        yield {"toolResponse": response}


def _args(call: ScriptedCall) -> Body:
    return {"args": struct_value(call.args)} if call.args else {}


def _span(name: str, begun: str, end: str, attributes: Body) -> Body:
    seconds = (datetime.fromisoformat(end) - datetime.fromisoformat(begun)).total_seconds()
    return {
        "name": name,
        "startTime": begun,
        "endTime": end,
        "duration": f"{seconds:.6f}s",
        "attributes": struct_value(attributes),
    }
