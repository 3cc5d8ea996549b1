"""CES091 to CES094: resources and references that the service never takes from a file."""

import re
from collections.abc import Iterator

from cesplan.config.checks.references import references_of
from cesplan.config.checks.walking import all_files
from cesplan.config.tree import AppTree, Finding
from cesplan.domain.field_path import FieldPath

_TOOL_TYPES = {
    "mcpTool": (
        "CES091",
        "an MCP tool cannot be written on its own",
        "It comes with its server: write a toolset with `mcpToolset`, and choose by `toolIds` in the agent.",
    ),
    "systemTool": (
        "CES092",
        "a system tool is there already",
        "Every app has it. Name it in the `tools` of an agent, and remove this file.",
    ),
}
_DRAFT = re.compile(r"(?:.*/)?versions/-|-")
_TOOLSET_TOOL = re.compile(r"(?:.*/)?toolsets/[^/]+/tools/[^/]+")


def check_refused_tools(tree: AppTree) -> list[Finding]:
    """Tools that nobody can create."""
    return [
        Finding(code=code, file=file, path=FieldPath((name,)), summary=what, detail=detail, at_key=True)
        for file in tree.of("tools")
        for name, (code, what, detail) in _TOOL_TYPES.items()
        if file.body.get(name) is not None
    ]


def check_refused_references(tree: AppTree) -> list[Finding]:
    """The draft as a version, and the tools of a toolset as tools."""
    return list(_refused_references(tree))


def _refused_references(tree: AppTree) -> Iterator[Finding]:
    for reference in references_of(*all_files(tree)):
        kinds = reference.visit.field.reference.kinds if reference.visit.field.reference else ()
        if reference.file.address.kind == "deployments" and _DRAFT.fullmatch(reference.target):
            what = "the draft cannot be deployed as a version"
            detail = (
                "The reference offers `versions/-`, and the service refuses it: add a file under versions/."
            )
            code = "CES093"
        elif "tools" in kinds and _TOOLSET_TOOL.fullmatch(reference.target):
            what = "a tool of a toolset is no tool of its own"
            detail = "Agents name the toolset under `toolsets`; calls name it under `toolsetTool`."
            code = "CES094"
        else:
            continue
        yield Finding(code=code, file=reference.file, path=reference.path, summary=what, detail=detail)
