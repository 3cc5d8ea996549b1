"""The names that the instructions of an app may mention."""

from collections.abc import Mapping
from typing import NamedTuple

from cesplan.config.checks.open_api_reading import tool_id_of
from cesplan.config.checks.tool_names import display_name, is_open, offered_names
from cesplan.config.checks.variables import declared_variables
from cesplan.config.checks.walking import messages_at, text_at, texts_at
from cesplan.config.manifest import AppTree, ResourceFile
from cesplan.model.system_tools import SYSTEM_TOOLS


class KnownNames(NamedTuple):
    """
    The names of one app.

    `agents` and `tools` map display names to references. `agents_by_key` and `tools_by_key` map keys to display
    names, for suggestions when a text uses a key. `offered` maps the names of toolset tools to their toolsets
    and ids. `open_toolsets` have tools that only their server knows.
    """

    agents: Mapping[str, str]
    tools: Mapping[str, str]
    agents_by_key: Mapping[str, str]
    tools_by_key: Mapping[str, str]
    offered: Mapping[str, tuple[tuple[str, str], ...]]
    open_toolsets: frozenset[str]
    variables: frozenset[str]

    def has_tool(self, name: str) -> bool:
        """Whether a tool has this name."""
        return name in self.tools or name in self.offered or name in SYSTEM_TOOLS

    @property
    def all_tools(self) -> frozenset[str]:
        return frozenset((*self.tools, *self.offered, *SYSTEM_TOOLS))


def known_names(tree: AppTree) -> KnownNames:
    """Collect the names of an app."""
    offered: dict[str, tuple[tuple[str, str], ...]] = {}
    for toolset in tree.of("toolsets"):
        for name, tool_id in offered_names(toolset):
            offered[name] = (*offered.get(name, ()), (toolset.address.within_app, tool_id))
    return KnownNames(
        agents=_by_display_name(tree.of("agents")),
        tools=_by_display_name(tree.of("tools")),
        agents_by_key=_by_key(tree.of("agents")),
        tools_by_key=_by_key(tree.of("tools")),
        offered=offered,
        open_toolsets=frozenset(item.address.within_app for item in tree.of("toolsets") if is_open(item)),
        variables=declared_variables(tree),
    )


def _by_display_name(files: tuple[ResourceFile, ...]) -> dict[str, str]:
    return {name: file.address.within_app for file in files if (name := display_name(file))}


def _by_key(files: tuple[ResourceFile, ...]) -> dict[str, str]:
    return {file.address.key: name for file in files if (name := display_name(file))}


class Attached(NamedTuple):
    """The tools of one agent: references, and toolsets with the selected ids (none: all)."""

    tools: frozenset[str]
    toolsets: Mapping[str, frozenset[str]]

    def has(self, name: str, known: KnownNames) -> bool:
        """True if the agent has, or may have, a tool with this name."""
        if (
            known.tools.get(name) in self.tools
            or f"tools/{name}" in self.tools
            or f"tools/@{name}" in self.tools
        ):
            return True
        return any(
            toolset in self.toolsets and (not self.toolsets[toolset] or tool_id in self.toolsets[toolset])
            for toolset, tool_id in known.offered.get(name, ())
        )


def attached_to(agent: ResourceFile) -> Attached:
    """The tools that an agent's file attaches."""
    return Attached(
        tools=frozenset(text for _, text in texts_at(agent.body, "tools")),
        toolsets={
            text_at(row, "toolset"): frozenset(tool_id_of(text) for _, text in texts_at(row, "toolIds"))
            for _, row in messages_at(agent.body, "toolsets")
        },
    )
