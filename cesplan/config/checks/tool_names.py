"""The names of tools: in mentions of instructions, in names of fakes, and as offered by toolsets."""

from collections.abc import Iterator
from typing import Any

from cesplan.config.checks.facts import Fact
from cesplan.config.checks.open_api_reading import operation_ids, tool_id_of
from cesplan.config.checks.python_code import parse
from cesplan.config.checks.walking import inside, messages_at, text_at
from cesplan.config.manifest import ResourceFile
from cesplan.model.kinds import kind_of


def display_name(file: ResourceFile) -> str:
    """The display name of a resource; empty if unknown."""
    return next(iter(_NAME.of(file)), "")


def _name(file: ResourceFile) -> str:
    return kind_of(file.address.kind).display_name_in(file.body) or _derived_name(file.body)


_NAME = Fact("name", lambda file: [name] if (name := _name(file)) else [])


def _derived_name(body: dict[str, Any]) -> str:
    """The name that the service derives for a tool without one: the first function, or the operation."""
    functions = parse(text_at(body, "pythonFunction", "pythonCode")).functions
    operations = operation_ids(text_at(body, "openApiTool", "openApiSchema"))
    return next(iter((*(item.name for item in functions[:1]), *operations[:1])), "")


def is_open(toolset: ResourceFile) -> bool:
    """True for toolsets whose tools only a server knows: all but those with an OpenAPI document."""
    return inside(toolset.body, "openApiToolset") is None


def operations_of(toolset: ResourceFile) -> tuple[str, ...]:
    """The operationIds of the document of a toolset."""
    return _OPERATIONS.of(toolset)


_OPERATIONS = Fact(
    "operations", lambda file: operation_ids(text_at(file.body, "openApiToolset", "openApiSchema"))
)


def offered_ids(toolset: ResourceFile) -> tuple[str, ...]:
    """The tool ids that a toolset is known to offer: its operations, and the overridden names of MCP tools."""
    given = (
        text_at(override, "nameOverride") or text_at(override, "tool")
        for _, override in messages_at(toolset.body, "mcpToolset", "toolOverrides")
    )
    return (*operations_of(toolset), *(name for name in given if name))


def offered_names(toolset: ResourceFile) -> Iterator[tuple[str, str]]:
    """
    All possible names of a toolset's tools, each with the tool's id.

    The service may prefix the id with the toolset's display name: `orders_api_findOrder`.
    """
    prefix = text_at(toolset.body, "displayName")
    for offered in offered_ids(toolset):
        tool_id = tool_id_of(offered)
        for name in {offered: None, tool_id: None}:
            yield name, tool_id
            if prefix:
                yield f"{prefix}_{name}", tool_id
