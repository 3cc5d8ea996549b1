"""CES091 to CES093: resources and references that the service never accepts from a file."""

import re

from cesplan.config.checks.references import references_of
from cesplan.config.manifest import AppTree, Finding
from cesplan.domain.field_path import FieldPath

_TOOL_TYPES = {
    "mcpTool": (
        "CES091",
        "an MCP tool cannot be a resource",
        (
            "MCP tools come from their server. Add a toolset with `mcpToolset` and select tools with "
            "`toolIds` in the agent."
        ),
    ),
    "systemTool": (
        "CES092",
        "a system tool cannot be a resource",
        "Every app has the system tools. List the tool in the `tools` of an agent and remove this file.",
    ),
}
_DRAFT = re.compile(r"(?:.*/)?versions/-")


def check_refused_tools(tree: AppTree) -> list[Finding]:
    """Tools that cannot be created."""
    return [
        Finding(code=code, file=file, path=FieldPath((name,)), summary=what, detail=detail, at_key=True)
        for file in tree.of("tools")
        for name, (code, what, detail) in _TOOL_TYPES.items()
        if file.body.get(name) is not None
    ]


def check_draft_deployments(tree: AppTree) -> list[Finding]:
    """The draft as the version of a deployment."""
    return [
        Finding(
            code="CES093",
            file=reference.file,
            path=reference.path,
            summary="the draft cannot be deployed as a version",
            detail="The API reference mentions `versions/-`, but the service rejects it. Add a file in "
            "versions/.",
        )
        for reference in references_of(*tree.of("deployments"))
        if _DRAFT.fullmatch(reference.target)
    ]
