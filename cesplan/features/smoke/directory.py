"""The names of the agents and tools of an app, to match the names in a step with those in an answer."""

from collections.abc import Iterable, Mapping
from typing import Any

from cesplan.domain.features.smoke import Who
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body
from cesplan.model.system_tools import SYSTEM_TOOLS


class Directory:
    """Agents, tools, and toolsets of one state of an app: its draft, or the snapshot of a version."""

    def __init__(self, state: Mapping[str, Any], naming: Naming) -> None:
        """`state` is an AppSnapshot: `app`, and lists by kind."""
        self._naming = naming
        self._agents = self._of(state, "agents")
        self._tools = self._of(state, "tools")
        self._toolsets = self._of(state, "toolsets")
        app = state.get("app")
        self._root = str(app.get("rootAgent") or "") if isinstance(app, dict) else ""

    @property
    def root(self) -> Who | None:
        """The agent that has a conversation at its start; None for an app without one."""
        return self.agent(self._root) if self._root else None

    def agent(self, name: str, display_name: str = "") -> Who:
        """The agent with a resource name; one that is not in the state goes by the names given here."""
        return self._who(self._agents, name, display_name)

    def speaker(self, role: str) -> Who | None:
        """The agent that a message names in its role; None unless exactly one agent has that name."""
        found = [who for who in self._agents.values() if role in who.spellings]
        return found[0] if len(found) == 1 else None

    def tool(self, call: Body) -> Who:
        """The tool that a ToolCall or a ToolResponse identifies."""
        display = str(call.get("displayName") or "")
        toolset_tool = call.get("toolsetTool")
        if isinstance(toolset_tool, dict):
            return self._of_toolset(toolset_tool, display)
        return self._who(self._tools, str(call.get("tool") or ""), display)

    def _of_toolset(self, named: Body, display: str) -> Who:
        tool_id = str(named.get("toolId") or display)
        toolset = self._who(self._toolsets, str(named.get("toolset") or ""), "")
        inside = {f"{spelling}/{tool_id}" for spelling in toolset.spellings}
        return Who(
            shown=f"{toolset.shown}/{tool_id}", spellings=frozenset(filter(None, {tool_id, display, *inside}))
        )

    def _who(self, known: Mapping[str, Who], name: str, display: str) -> Who:
        reference = self._naming.to_reference(name)
        found = known.get(self._naming.to_name(reference))
        if found is not None:
            return found
        tool = last_id(name)
        key = reference.partition("/")[2] if name.startswith("projects/") else ""
        spellings = frozenset(filter(None, {key, tool, display, name}))
        return Who(
            shown=key or display or tool or "unnamed",
            spellings=spellings,
            is_system=bool({tool, display} & set(SYSTEM_TOOLS)),
        )

    def _of(self, state: Mapping[str, Any], kind: str) -> dict[str, Who]:
        listed = state.get(kind)
        bodies: Iterable[Any] = listed if isinstance(listed, list | tuple) else ()
        found: dict[str, Who] = {}
        for body in bodies:
            name = str(body.get("name") or "") if isinstance(body, dict) else ""
            if not name:
                continue
            reference = self._naming.to_reference(name)
            key = reference.partition("/")[2] or last_id(name)
            display = str(body.get("displayName") or "")
            found[self._naming.to_name(reference)] = Who(
                shown=key,
                spellings=frozenset(filter(None, {key, last_id(name), display, name})),
                is_system=last_id(name) in SYSTEM_TOOLS,
            )
        return found
