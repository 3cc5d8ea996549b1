"""
The permissions of a pipeline's accounts: two roles, and the commands that grant them.

CES names its permissions `ces.<collection>.<verb>`
(https://docs.cloud.google.com/iam/docs/roles-permissions/ces). The roles contain only the permissions that
cesplan uses: Google's `roles/ces.viewer` and `roles/ces.admin` contain more, such as reading conversations.
"""

from collections.abc import Iterable, Iterator, Mapping

from cesplan.features.pipelines.tree import PipelineTree
from cesplan.model.kinds import KINDS, Kind

_READING = ("changelogs.get", "changelogs.list", "evaluationResults.get", "evaluationResults.list")
_RUNS = ("evaluationRuns.get", "evaluationRuns.list")
_WRITING = ("operations.get",)
_RELEASING = ("apps.runEvaluation", "sessions.runSession", "conversations.get", "conversations.list")
"""
The additional permissions of releases: evaluation runs, smoke tests, and counting a canary's conversations.
"""
_IN_A_ROW = 4
_ACCOUNT_IDS = 30
"""The longest id of a service account (https://docs.cloud.google.com/iam/docs/service-accounts-create)."""
PLAN_ACCOUNT = "cesplan-plan"
_APPLY_ACCOUNT = "cesplan-apply"


def reading_permissions() -> list[str]:
    """What planning, comparing, and the drift alarm call."""
    found = [f"{kind.permissions}.{verb}" for kind in KINDS.values() for verb in _reading_verbs(kind)]
    return sorted([*found, *(f"ces.{item}" for item in (*_READING, *_RUNS))])


def writing_permissions(*, releases: bool) -> list[str]:
    """The additional permissions of an apply; deleting an app is not one of them."""
    found = [f"{kind.permissions}.{verb}" for kind in KINDS.values() for verb in _writing_verbs(kind)]
    return sorted([*found, *(f"ces.{item}" for item in (*_WRITING, *(_RELEASING if releases else ())))])


def apply_accounts(names: Iterable[str]) -> dict[str, str]:
    """The id of the account that applies to each environment: its name, shortened to the limit of ids."""
    found: dict[str, str] = {}
    for name in names:
        base = f"{_APPLY_ACCOUNT}-{name.lower().replace('_', '-')}"[:_ACCOUNT_IDS].rstrip("-")
        account, number = base, 1
        while account in found.values():
            number += 1
            account = f"{base[: _ACCOUNT_IDS - 3].rstrip('-')}-{number}"
        found[name] = account
    return found


def permission_lines(tree: PipelineTree) -> str:
    """The shell variables READ and WRITE, wrapped into readable lines."""
    writing = writing_permissions(releases=bool(tree.releases))
    return "".join((*_assigned("READ", reading_permissions()), *_assigned("WRITE", writing)))


def projects_of(tree: PipelineTree) -> Mapping[str, str]:
    """The project of each environment as a shell word: its id, or a placeholder to replace."""
    unknown = {name: f"PROJECT_OF_{name.upper().replace('-', '_')}" for name in tree.names}
    return {name: tree.projects.get(name, unknown[name]) for name in tree.names}


def _assigned(name: str, permissions: list[str]) -> Iterator[str]:
    for at in range(0, len(permissions), _IN_A_ROW):
        row = ",".join(permissions[at : at + _IN_A_ROW])
        yield f"{name}+=,{row}\n" if at else f"{name}={row}\n"


def _reading_verbs(kind: Kind) -> tuple[str, ...]:
    return ("get",) if kind.is_singleton else ("get", "list")


def _writing_verbs(kind: Kind) -> Iterator[str]:
    if not kind.is_singleton:
        yield "create"
    if kind.updatable:
        yield "update"
    if kind.deletable and not kind.container:
        yield "delete"
