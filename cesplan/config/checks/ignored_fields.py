"""CES077: fields that the service ignores because of other fields."""

from collections.abc import Iterator

from cesplan.config.checks.walking import FileWalk, inside
from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.domain.field_path import FieldPath

_KEPT = frozenset({"displayName", "description", "remoteDialogflowAgent"})
_POLICIES = FileWalk(
    lambda message, field: message == "Guardrail.LlmPromptSecurity" and field.name == "failOpen"
)


def check_ignored_fields(tree: AppTree) -> list[Finding]:
    """Fields without effect (API reference of Agent and of LlmPromptSecurity)."""
    found = [finding for agent in tree.of("agents") for finding in _beside_remote_agent(agent)]
    for visit in _POLICIES.over(*tree.of("guardrails")):
        if visit.holder.get("customPolicy") is not None:
            detail = "A custom policy has its own `failOpen`. Set it under `customPolicy`."
            found.append(
                _finding(visit.file, visit.path, "`failOpen` has no effect with `customPolicy`", detail)
            )
    return found


def _beside_remote_agent(file: ResourceFile) -> Iterator[Finding]:
    if inside(file.body, "remoteDialogflowAgent") is None:
        return
    detail = (
        "The Dialogflow agent handles everything, so no other field of this agent is used. Remove the field."
    )
    for name, value in file.body.items():
        if name not in _KEPT and value not in (None, [], {}, "", False):
            yield _finding(
                file, FieldPath((name,)), f"`{name}` has no effect with `remoteDialogflowAgent`", detail
            )


def _finding(file: ResourceFile, path: FieldPath, summary: str, detail: str) -> Finding:
    return Finding(code="CES077", file=file, path=path, summary=summary, detail=detail, at_key=True)
