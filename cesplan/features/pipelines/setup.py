"""The commands that set a pipeline up: accounts, roles, who may act as them, and what a command can set."""

from cesplan.config.project.variables import SECRET_PREFIX
from cesplan.features.pipelines.permissions import (
    PLAN_ACCOUNT,
    apply_accounts,
    permission_lines,
    projects_of,
)
from cesplan.features.pipelines.templates import filled
from cesplan.features.pipelines.tree import PipelineTree

_TOKEN = "cesplan-github-token"
"""The secret with the token that Cloud Build writes comments with."""


def setup_commands(service: str, tree: PipelineTree, branch: str) -> str:
    """
    A bash script to paste; unknown values are uppercase variables at its top.

    It calls gcloud, and for GitHub also gh. `branch` is the one that is applied. Names of environments,
    projects, branches, and secrets must already be safe shell words.
    """
    projects, accounts = projects_of(tree), apply_accounts(tree.names)
    secrets = [f"{SECRET_PREFIX}{name}" for name in tree.secrets]
    planning = [f"{name}-plan" for name in secrets]
    common = {"plan_account": PLAN_ACCOUNT, "branch": branch}
    applies = (
        filled(
            service,
            "setup_apply",
            {
                **common,
                "name": name,
                "account": accounts[name],
                "project": projects[name],
                "secret_grants": _grants([_TOKEN, *secrets]),
            },
        ).rstrip("\n")
        + "\n"
        for name in tree.names
    )
    values = {
        **common,
        "permission_lines": permission_lines(tree),
        "roles": "".join(
            filled("", "roles", {**common, "project": item}) for item in dict.fromkeys(projects.values())
        ),
        "apply_setups": "".join(applies).rstrip("\n"),
        "secret_creates": _creates([_TOKEN, *secrets, *planning]),
        "secret_grants": _grants([_TOKEN, *planning]),
    }
    return filled(service, "setup", values).rstrip("\n") + "\n"


def asking_commands(service: str, tree: PipelineTree) -> tuple[str, ...]:
    """Commands that prompt for a secret value: each would read text pasted after it as the answer."""
    secrets = [f"{SECRET_PREFIX}{name}" for name in tree.secrets]
    match service:
        case "github":
            names = [name.upper() for name in secrets]
            whole = [f'gh secret set {name} --repo "$REPOSITORY"' for name in names]
            environments = [(name, place) for place in tree.names for name in names]
            apart = [f'gh secret set {name} --repo "$REPOSITORY" --env {place}' for name, place in environments]
            return (*whole, *apart)
        case "cloudbuild":
            return tuple(
                f'read -r -s value && printf %s "$value" | gcloud secrets versions add {name} --data-file=- '
                '--project "$PROJECT"'
                for name in (_TOKEN, *secrets, *(f"{name}-plan" for name in secrets))
            )
    return ()


def _creates(names: list[str]) -> str:
    """The commands that create secrets in Secret Manager, without a value."""
    return "".join(
        f'gcloud secrets create {name} --project "$PROJECT" --replication-policy automatic\n' for name in names
    )


def _grants(names: list[str]) -> str:
    """The commands that let the current account read these secrets."""
    return "".join(
        f'gcloud secrets add-iam-policy-binding {name} --project "$PROJECT" \\\n'
        '  --role roles/secretmanager.secretAccessor --member "$account"\n'
        for name in names
    )
