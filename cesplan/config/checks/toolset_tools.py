"""CES057: tool ids that are not operationIds of their OpenAPI toolset."""

from collections.abc import Iterator
from typing import NamedTuple

from cesplan.config.checks.facts import Fact
from cesplan.config.checks.open_api_reading import tool_id_of
from cesplan.config.checks.placing import shown
from cesplan.config.checks.tool_names import operations_of
from cesplan.config.checks.walking import FileWalk, text_at
from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.config.suggestions import guess
from cesplan.domain.field_path import FieldPath
from cesplan.domain.text.words import some_of

_TOOL_IDS = FileWalk(
    lambda message, field: (
        (message, field.name) in {("Agent.AgentToolset", "toolIds"), ("ToolsetTool", "toolId")}
    )
)


class _Use(NamedTuple):
    """A tool id of a toolset, and its place."""

    file: ResourceFile
    path: FieldPath
    toolset: str
    tool_id: str


def _uses(file: ResourceFile) -> Iterator[_Use]:
    for visit in _TOOL_IDS.over(file):
        for path, tool_id in visit.elements():
            if isinstance(tool_id, str) and tool_id:
                yield _Use(file, path, text_at(visit.holder, "toolset"), tool_id)


_USED = Fact("toolset_tools", lambda file: sorted({(use.toolset, use.tool_id) for use in _uses(file)}))


def check_toolset_tools(tree: AppTree) -> list[Finding]:
    """The service accepts a tool id that the toolset does not offer, but the tool is never available."""
    known = {
        item.address.within_app: frozenset(ids) for item in tree.of("toolsets") if (ids := operations_of(item))
    }
    offered = {toolset: frozenset(map(tool_id_of, ids)) for toolset, ids in known.items()}

    def is_missing(toolset: str, tool_id: str) -> bool:
        return toolset in known and tool_id_of(tool_id) not in offered[toolset]

    return [
        _finding(use.file, use.path, use.tool_id, use.toolset, known[use.toolset])
        for file in tree.all()
        if any(is_missing(*row) for row in _USED.of(file))
        for use in _uses(file)
        if is_missing(use.toolset, use.tool_id)
    ]


def _finding(file: ResourceFile, path: FieldPath, tool_id: str, toolset: str, known: frozenset[str]) -> Finding:
    return Finding(
        code="CES057",
        file=file,
        path=path,
        summary=f"{toolset} has no operation `{shown(tool_id)}`",
        detail=f"Its operations are: {some_of([f'`{name}`' for name in sorted(known)], 8)}.",
        correction=guess(tool_id, known),
    )
