"""
The script of sessions: what the agent does when a person says something, and what tools answer.

    sessions:
    - input: "Where is order *"     # what the person says; * and ? represent any text, case is ignored
      event: welcome                # or the event of this name; the first entry that fits counts
      agent: "Front *"              # only while this agent has the conversation, by display name or id
      version: "v4*"                # only on these versions, by display name or id; `draft` is the draft
      deployment: "web-*"           # only on these deployments, by display name or id
      fakes: true                   # only with tool fakes; false: only without
      steps:                        # what the agent does, in order
      - call: {tool: lookup-order, args: {order: A-1}, response: {state: sent}, fake: {state: faked}}
      - transfer: Orders            # to this agent, by display name or id
      - variables: {order: A-1}     # these are updated
      - say: Your order is on its way.
      - payload: {card: 7}
      - ask: {tool: pick-color, args: {}}   # the client runs this tool and sends its response
      - end: {reason: done}
      - error: {code: RESOURCE_EXHAUSTED, message: The quota is used up.}
    tools:                          # optional: what `:executeTool` answers
    - tool: lookup-order            # display name or id; * and ? represent any text
      args: {order: A-1}            # only with these arguments, whatever others there are
      response: {state: sent}
      variables: {order: A-1}       # as they are at the end
      calls:                        # the tools that this one calls; a mockConfig may answer them
      - {tool: fetch, args: {id: 7}}
      error: {code: INTERNAL, message: The tool is down.}
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Self

from cesplan.emulator import documents
from cesplan.emulator.documents import check_keys
from cesplan.emulator.errors import HTTP_STATUS, Refused, invalid
from cesplan.emulator.schema.messages import Body

_ENTRY_KEYS = {"input", "event", "agent", "version", "deployment", "fakes", "steps"}
_STEP_KEYS = {"call", "transfer", "variables", "say", "payload", "ask", "end", "error"}
_CALL_KEYS = {"tool", "args", "response", "fake"}
_TOOL_KEYS = {"tool", "args", "response", "variables", "calls", "error"}
_ERROR_KEYS = {"code", "message"}
_TEXTS, _OBJECTS = frozenset({"transfer", "say"}), frozenset({"variables", "payload", "end"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedCall:
    """A tool call. `tool` is a display name, an id, or a resource name."""

    tool: str
    args: Body = field(default_factory=dict)
    response: Body = field(default_factory=dict)
    fake: Body | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One action of the agent: a key of the script and its value."""

    what: str
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The state of a session when an input arrives. The sets hold all names of a resource."""

    text: str | None
    event: str | None
    agent: Collection[str]
    version: Collection[str]
    deployment: Collection[str]
    fakes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The actions of the agent at the moments that match; None matches any moment."""

    steps: tuple[Step, ...]
    input: str | None = None
    event: str | None = None
    agent: str | None = None
    version: str | None = None
    deployment: str | None = None
    fakes: bool | None = None

    def fits(self, moment: Moment) -> bool:
        named = (
            (self.agent, moment.agent),
            (self.version, moment.version),
            (self.deployment, moment.deployment),
        )
        return (
            self._fits_input(moment)
            and all(pattern is None or _any_fits(pattern, names) for pattern, names in named)
            and self.fakes in (None, moment.fakes)
        )

    def _fits_input(self, moment: Moment) -> bool:
        if self.event is not None:
            return self.event == moment.event
        if self.input is None:
            return True
        return moment.text is not None and fnmatchcase(moment.text.casefold(), self.input.casefold())


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedTool:
    """The response of a tool when it is executed."""

    tool: str
    args: Body = field(default_factory=dict)
    response: Body = field(default_factory=dict)
    variables: Body = field(default_factory=dict)
    calls: tuple[ScriptedCall, ...] = ()
    error: Refused | None = None

    def fits(self, names: Collection[str], args: Mapping[str, Any]) -> bool:
        return _any_fits(self.tool, names) and holds(args, self.args)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionScript(documents.Script):
    """The script of sessions and tools. An empty script has no answers."""

    entries: tuple[Entry, ...] = ()
    tools: tuple[ScriptedTool, ...] = ()

    @classmethod
    def parse(cls, document: object) -> Self:
        """Return the script in a document. Raise Refused for an invalid one."""
        if not isinstance(document, dict) or not document or set(document) - {"sessions", "tools"}:
            raise invalid("sessions", "expected an object with the lists 'sessions' and 'tools'")
        for key, rows in document.items():
            if not isinstance(rows, list):
                raise invalid(key, "expected a list")
        entries = enumerate(document.get("sessions", []))
        tools = enumerate(document.get("tools", []))
        return cls(
            entries=tuple(_entry(row, f"sessions[{n}]") for n, row in entries),
            tools=tuple(_tool(row, f"tools[{n}]") for n, row in tools),
        )

    def entry_of(self, moment: Moment) -> Entry | None:
        """Return the first entry that matches."""
        return next((entry for entry in self.entries if entry.fits(moment)), None)

    def tool_of(self, names: Collection[str], args: Mapping[str, Any]) -> ScriptedTool | None:
        """Return the first tool that matches."""
        return next((tool for tool in self.tools if tool.fits(names, args)), None)


def holds(value: Any, pattern: Any) -> bool:
    """Say whether a value matches a pattern. Only objects may have additional members."""
    if isinstance(pattern, dict):
        return isinstance(value, dict) and all(
            key in value and holds(value[key], item) for key, item in pattern.items()
        )
    if isinstance(value, bool) is not isinstance(pattern, bool):
        return False
    return bool(value == pattern)


def _any_fits(pattern: str, names: Collection[str]) -> bool:
    return any(fnmatchcase(name, pattern) for name in names)


def _entry(row: Any, where: str) -> Entry:
    check_keys(row, _ENTRY_KEYS, where)
    for key in _ENTRY_KEYS - {"fakes", "steps"}:
        if not isinstance(row.get(key, ""), str):
            raise invalid(f"{where}.{key}", "expected a text")
    if not isinstance(row.get("fakes", True), bool):
        raise invalid(f"{where}.fakes", "expected true or false")
    if "input" in row and "event" in row:
        raise invalid(where, "'input' and 'event' exclude each other")
    steps = row.get("steps")
    if not isinstance(steps, list):
        raise invalid(where, "a list, 'steps', is required")
    found = tuple(_step(step, f"{where}.steps[{n}]") for n, step in enumerate(steps))
    return Entry(**{**row, "steps": found})


def _step(row: Any, where: str) -> Step:
    check_keys(row, _STEP_KEYS, where)
    if len(row) != 1:
        raise invalid(where, f"exactly one of {', '.join(sorted(_STEP_KEYS))} is expected")
    ((what, value),) = row.items()
    if what in _TEXTS and not isinstance(value, str):
        raise invalid(f"{where}.{what}", "expected a text")
    if what in _OBJECTS and not isinstance(value, dict):
        raise invalid(f"{where}.{what}", "expected an object")
    if what in ("call", "ask"):
        value = _call(value, f"{where}.{what}")
    if what == "error":
        value = _error(value, f"{where}.error")
    return Step(what=what, value=value)


def _tool(row: Any, where: str) -> ScriptedTool:
    check_keys(row, _TOOL_KEYS, where)
    _check_objects(row, ("args", "response", "variables"), where)
    if not isinstance(row.get("tool"), str) or not isinstance(row.get("calls", []), list):
        raise invalid(where, "'tool' must be a string, and 'calls' a list")
    calls = tuple(_call(call, f"{where}.calls[{n}]") for n, call in enumerate(row.get("calls", [])))
    error = _error(row["error"], f"{where}.error") if "error" in row else None
    return ScriptedTool(**{**row, "calls": calls, "error": error})


def _call(row: Any, where: str) -> ScriptedCall:
    check_keys(row, _CALL_KEYS, where)
    _check_objects(row, ("args", "response", "fake"), where)
    if not isinstance(row.get("tool"), str):
        raise invalid(where, "'tool' must be a string")
    return ScriptedCall(**row)


def _error(row: Any, where: str) -> Refused:
    check_keys(row, _ERROR_KEYS, where)
    if row.get("code") not in HTTP_STATUS:
        raise invalid(f"{where}.code", f"one of {', '.join(HTTP_STATUS)} is expected")
    return Refused(row["code"], str(row.get("message", "The script specifies this error.")))


def _check_objects(row: Body, keys: Collection[str], where: str) -> None:
    for key in keys:
        if not isinstance(row.get(key, {}), dict):
            raise invalid(f"{where}.{key}", "expected an object")
