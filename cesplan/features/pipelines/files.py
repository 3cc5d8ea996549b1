"""The files with which a service plans a pull request and applies what was reviewed."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from textwrap import indent

from cesplan.config.project.variables import SECRET_PREFIX
from cesplan.config.writing.outputs import check_output_folder
from cesplan.config.writing.whole_files import PRIVATE, write_whole
from cesplan.domain.errors import UsageError
from cesplan.domain.frozen import dataclass
from cesplan.features.pipelines.permissions import PLAN_ACCOUNT, apply_accounts
from cesplan.features.pipelines.setup import asking_commands, setup_commands
from cesplan.features.pipelines.templates import filled, write_texts
from cesplan.features.pipelines.tree import PipelineTree, pipeline_tree, repository_around
from cesplan.render.services.parts import SUMMARY_BYTES, markdown_parts

_SUMMARIES = 8
"""
The most parts of a plan that a GitHub job shows, each in the summary of its own step; GitHub shows 20 per job.
"""

BRANCH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*")


class PipelineService(StrEnum):
    """The service that runs the pipeline."""

    GITHUB = "github"
    GITLAB = "gitlab"
    CLOUDBUILD = "cloudbuild"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """
    The files that were written, relative to `repository`, and what to set up next: a text, and the commands.
    """

    repository: Path
    files: tuple[Path, ...]
    next: str
    commands: str = ""
    interactive: tuple[str, ...] = ()
    """Commands that ask for something, to be typed one at a time."""


_FILES: Mapping[PipelineService, Mapping[str, str]] = {
    PipelineService.GITHUB: {"workflow.yaml": ".github/workflows/cesplan.yaml"},
    PipelineService.GITLAB: {"gitlab-ci.yaml": ".gitlab-ci.yml"},
    PipelineService.CLOUDBUILD: {
        "plan.yaml": "cloudbuild.cesplan-plan.yaml",
        "apply.yaml": "cloudbuild.cesplan-apply.yaml",
    },
}


_RELEASE_FILES: Mapping[PipelineService, Mapping[str, str]] = {
    PipelineService.GITHUB: {"release.yaml": ".github/workflows/cesplan-release.yaml"},
    PipelineService.CLOUDBUILD: {"release.yaml": "cloudbuild.cesplan-release.yaml"},
}
"""Written for a tree with release files; GitLab has its job in the one file."""
_INDENTS = {PipelineService.GITHUB: 10, PipelineService.GITLAB: 6, PipelineService.CLOUDBUILD: 6}
"""The column at which a script begins in the file of a service."""
_BLOCKS: Mapping[PipelineService, tuple[str, str]] = {
    PipelineService.GITHUB: ("action.yaml", ".github/actions/cesplan/action.yml"),
    PipelineService.GITLAB: ("component.yaml", "templates/cesplan.yml"),
}
"""The template, and where the service looks for the file."""
_BLOCK_INDENTS = {PipelineService.GITHUB: 8, PipelineService.GITLAB: 6}
"""The same in a building block."""


def write_pipeline(
    service: PipelineService, root: Path, *, environments: Iterable[str] = (), branch: str = "main"
) -> Pipeline:
    """
    Write a service's pipeline into the repository around a tree.

    `environments` are those to apply to, in this order; without any, all of cesplan.yaml in theirs. `branch` is
    the one whose state is applied. Raises UsageError, before anything is written, for a file that exists and a
    name that is unknown or that the service does not take, and InvalidConfiguration for a broken cesplan.yaml.
    """
    if not BRANCH.fullmatch(branch):
        raise UsageError(summary=f"`{branch}` is not a valid branch name for a pipeline.")
    repository, tree = pipeline_tree(root, environments)
    values = _values(service, tree, branch)
    names = {**_FILES[service], **(_RELEASE_FILES.get(service, {}) if tree.releases else {})}
    texts = {Path(path): filled(service, name, values) for name, path in names.items()}
    write_texts(repository, texts)
    return Pipeline(
        repository=repository,
        files=tuple(sorted(texts)),
        next=filled(service, "next", values),
        commands=setup_commands(service, tree, branch),
        interactive=asking_commands(service, tree),
    )


def write_parts(file: Path, folder: Path, *, title: str, limit: int = SUMMARY_BYTES) -> int:
    """
    Write all of a text file as pages of Markdown into a new folder, `part-1.md` and so on; return their number.

    Raises UsageError for a file that cannot be read, and a folder that is there or cannot be written.
    """
    try:
        pages = markdown_parts(file.read_text(encoding="utf-8", errors="replace"), title=title, limit=limit)
        check_output_folder(folder)
        folder.mkdir()
        for number, page in enumerate(pages, 1):
            write_whole(folder / f"part-{number}.md", page, mode=PRIVATE)
    except OSError as error:
        raise UsageError(summary=f"Cannot split {file} into {folder}: {error.strerror or error}.") from error
    return len(pages)


def write_reusable(service: PipelineService, folder: Path) -> Pipeline:
    """
    Write the building block of a service into the repository around a folder; no tree is needed there.

    It is the user's own copy: cesplan publishes none that a pipeline could reference.

    Raises UsageError, before anything is written, for a file that exists, and for a service that has none.
    """
    if service not in _BLOCKS:
        raise UsageError(
            summary="Cloud Build has no building blocks.", detail="--reusable works only for github and gitlab."
        )
    template, path = _BLOCKS[service]
    script = indent(filled("", "reusable", {}), " " * _BLOCK_INDENTS[service]).rstrip("\n")
    before = filled(service, "before", {}).rstrip("\n") if service is PipelineService.GITLAB else ""
    repository = repository_around(folder.resolve())
    write_texts(repository, {Path(path): filled(service, template, {"script": script, "before": before})})
    return Pipeline(repository=repository, files=(Path(path),), next=filled(service, "reusable_next", {}))


def _values(service: PipelineService, tree: PipelineTree, branch: str) -> Mapping[str, str]:
    values = {
        "branch": branch,
        "folder": tree.folder,
        "flag": "",
        "apply_flag": "",
        "plan_account": PLAN_ACCOUNT,
        "names": " ".join(tree.names),
        "names_listed": ", ".join(tree.names),
        "first": tree.names[0],
        "stages": "".join(f"  - apply {name}\n" for name in tree.names),
        "trigger_lines": "".join(
            f"  a push to {branch}           cloudbuild.cesplan-apply.yaml   _NAME={name}, {account}: "
            "writes there\n"
            for name, account in apply_accounts(tree.names).items()
        ),
        **_secrets(service, tree.secrets),
    }
    if tree.has_environments:
        flag = ' -e "$name"' if service is PipelineService.CLOUDBUILD else ' -e "$NAME"'
        values |= {"flag": flag, "apply_flag": ' -e "$_NAME"'}
    values |= _releases(service, tree, values)
    return {**values, **_repeated(service, values, tree.names)}


def _releases(service: PipelineService, tree: PipelineTree, values: Mapping[str, str]) -> Mapping[str, str]:
    """The parts of a pipeline that move traffic; all empty for a tree without release files."""
    texts = dict.fromkeys(
        ("release", "release_stage", "release_source", "release_plan_rules", "release_never"), ""
    )
    if not tree.releases:
        return texts
    cases = "".join(f'  {name}) releases="{" ".join(found)}" ;;\n' for name, found in tree.releases.items())
    flag = ' -e "$place"' if tree.has_environments else ""
    loop = filled("", "release_loop", {"release_cases": cases, "release_flag": flag})
    indent = " " * _INDENTS[service]
    secrets = values.get("secrets", "") if service is PipelineService.CLOUDBUILD else ""
    texts |= {
        "release_names": ", ".join(tree.releases),
        "release_first": next(iter(tree.releases)),
        "release_loop": "".join(f"{indent}{row}\n" for row in loop.splitlines()),
        "release_secrets": f"availableSecrets:\n  secretManager:\n{secrets}\n" if secrets else "",
    }
    if service is PipelineService.GITLAB:
        never = '    - if: $CI_PIPELINE_SOURCE == "schedule"\n      when: never\n'
        texts |= {
            "release_stage": "  - release\n",
            "release_source": "    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH"
            ' && $CI_PIPELINE_SOURCE == "schedule"\n',
            "release_plan_rules": f"  rules:\n{never}    - when: on_success\n",
            "release_never": never,
        }
        texts["release"] = filled(service, "release", {**values, **texts}).rstrip("\n")
    return texts


def _repeated(service: PipelineService, values: Mapping[str, str], names: tuple[str, ...]) -> Mapping[str, str]:
    """The repeated parts of a pipeline: installing, a job for each environment, a step for each part."""
    match service:
        case PipelineService.GITHUB:
            numbers = range(2, _SUMMARIES + 1)
            parts = "".join(filled(service, "part", {"number": str(number)}) for number in numbers)
            common = {**values, "install": filled(service, "install", values), "parts": parts}
        case PipelineService.GITLAB:
            common = {**values, "before": filled(service, "before", {})}
        case PipelineService.CLOUDBUILD:
            return {"install": filled(service, "install", values)}
    applies = (_apply(service, common, names, number) for number in range(len(names)))
    return {**common, "applies": "".join(applies).rstrip("\n")}


def _apply(service: PipelineService, values: Mapping[str, str], names: tuple[str, ...], number: int) -> str:
    """The job of one environment; each but the first waits for the one before, and for a person."""
    before = [f"apply-{name}" for name in names[max(0, number - 1) : number]]
    own = {
        "name": names[number],
        "needs": ", ".join(["review", *before]),
        "condition": " && ".join(f"needs.{job}.result == 'success'" for job in ["review", *before]),
        "when": "manual" if number else "on_success",
    }
    return filled(service, "apply", {**values, **own})


def _secrets(service: PipelineService, names: tuple[str, ...]) -> Mapping[str, str]:
    """The lines that give the pipeline its secret variables."""
    variables = [f"{SECRET_PREFIX}{name}" for name in names]
    match service:
        case PipelineService.GITHUB:
            rows = [f"          {item}: ${{{{ secrets.{item.upper()} }}}}\n" for item in variables]
            lines = {
                "secret_lines": "planning needs only a placeholder if the service never returns the value",
                "environment_secret_lines": "its value, which overrides that of the repository",
            }
            return {
                # `secrets` extends the `env` of the planning step and of the applying step.
                "secrets": "".join(["        env:\n", *rows]) if rows else "",
                **{
                    key: "".join(f"  secret    {item.upper():<36} {words}\n" for item in variables)
                    for key, words in lines.items()
                },
            }
        case PipelineService.GITLAB:
            words = (
                "masked, protected, in the scope of each environment; for planning a placeholder in the scope *"
            )
            return {"secret_lines": "".join(f"  {item:<36} {words}\n" for item in variables)}
        case PipelineService.CLOUDBUILD:
            where = "projects/$PROJECT_ID/secrets/{}/versions/latest"
            row = f"    - versionName: {where}\n      env: {{}}\n"
            return {
                "secrets": "".join(row.format(item, item) for item in variables),
                "plan_secrets": "".join(row.format(f"{item}-plan", item) for item in variables),
                "secret_env": f"    secretEnv: [{', '.join(variables)}]\n" if variables else "",
                "secret_lines": "".join(
                    f"  {item:<36} the value of a secret variable\n"
                    f"  {item + '-plan':<36} for planning: a placeholder, if the service never returns the"
                    " value\n"
                    for item in variables
                ),
            }
