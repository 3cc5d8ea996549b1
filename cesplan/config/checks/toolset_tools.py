"""CES057: tools of an OpenAPI toolset are named by its operationIds."""

from cesplan.config.checks.open_api_reading import operation_ids, tool_id_of
from cesplan.config.checks.placing import shown
from cesplan.config.checks.walking import Walk, all_files, text_at
from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.config.suggestions import guess
from cesplan.domain.field_path import FieldPath
from cesplan.domain.text.words import some_of

_TOOL_IDS = Walk(
    lambda message, field: (
        (message, field.name) in {("Agent.AgentToolset", "toolIds"), ("ToolsetTool", "toolId")}
    )
)


def check_toolset_tools(tree: AppTree) -> list[Finding]:
    """A tool id that the toolset does not offer is taken by the service, and never there."""
    known = {item.address.within_app: ids for item in tree.of("toolsets") if (ids := _operations(item))}
    offered = {toolset: frozenset(map(tool_id_of, ids)) for toolset, ids in known.items()}
    return [
        _finding(visit.file, path, tool_id, toolset, known[toolset])
        for visit in _TOOL_IDS.over(*all_files(tree))
        if (toolset := text_at(visit.holder, "toolset")) in known
        for path, tool_id in visit.elements()
        if isinstance(tool_id, str) and tool_id and tool_id_of(tool_id) not in offered[toolset]
    ]


def _operations(toolset: ResourceFile) -> frozenset[str]:
    return frozenset(operation_ids(text_at(toolset.body, "openApiToolset", "openApiSchema")))


def _finding(file: ResourceFile, path: FieldPath, tool_id: str, toolset: str, known: frozenset[str]) -> Finding:
    return Finding(
        code="CES057",
        file=file,
        path=path,
        summary=f"{toolset} has no operation `{shown(tool_id)}`",
        detail=f"Its operations are: {some_of([f'`{name}`' for name in sorted(known)], 8)}.",
        meant=guess(tool_id, known),
    )
