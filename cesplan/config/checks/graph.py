"""CES080, CES081, CES083: a missing root agent, unreachable agents, and unused resources."""

from cesplan.config.checks.facts import Fact
from cesplan.config.checks.references import is_running, references_of, running_files
from cesplan.config.checks.walking import inside
from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.domain.field_path import FieldPath
from cesplan.domain.settings import Ownership
from cesplan.model.kinds import AGENTS, RUNNING_KINDS
from cesplan.model.reachable import reachable

_ROOT = "rootAgent"


def _targets(file: ResourceFile) -> list[str]:
    return sorted({item.target for item in references_of(file)}) if is_running(file) else []


_TARGETS = Fact("targets", _targets)


def check_root_agent(tree: AppTree) -> list[Finding]:
    """An app without a root agent cannot hold a conversation."""
    left_alone = tree.app.ownership is Ownership.DECLARED or FieldPath((_ROOT,)) in tree.app.ignore
    is_null = _ROOT in tree.app.body and tree.app.body[_ROOT] is None
    if inside(tree.app.body, _ROOT) or not tree.of("agents") or (left_alone and not is_null):
        return []
    return [
        Finding(
            code="CES080",
            file=tree.app,
            path=FieldPath((_ROOT,)) if is_null else FieldPath(),
            summary="the app has no `rootAgent`",
            detail="Conversations start with the root agent: name one of the agents.",
        )
    ]


def check_use(tree: AppTree) -> list[Finding]:
    """Agents that no conversation can reach, and tools, toolsets, and guardrails without references."""
    targets = {file.address.within_app: {*_TARGETS.of(file)} for file in running_files(tree)}
    used = frozenset(target for source, found in targets.items() for target in found if target != source)
    reached = reachable([tree.app.address.within_app], lambda name: targets.get(name, ()))
    has_root = bool(inside(tree.app.body, _ROOT))
    return [
        _unreached(file) if file.address.kind == AGENTS else _unused(file)
        for file in tree.resources
        if file.address.kind in RUNNING_KINDS
        and file.address.within_app not in (reached if file.address.kind == AGENTS else used)
        and (has_root or file.address.kind != AGENTS)
    ]


def _unreached(file: ResourceFile) -> Finding:
    return Finding(
        code="CES081",
        file=file,
        path=FieldPath(),
        summary=f"no conversation reaches the agent {file.address.key}",
        detail="No child agents, transfer rules, agent tools, or guardrails lead to it from the root agent.",
    )


def _unused(file: ResourceFile) -> Finding:
    return Finding(
        code="CES083",
        file=file,
        path=FieldPath(),
        summary=f"nothing uses {file.address.within_app}",
        detail="Add it to an agent (or, for a guardrail, to the app), or remove the file.",
    )
