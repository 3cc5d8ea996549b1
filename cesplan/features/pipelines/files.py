"""The files with which a service plans a pull request and applies what was reviewed."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from string import Template

from cesplan.config.files import Files
from cesplan.config.project.file import FILE_NAME, ProjectFile, read_project_file
from cesplan.config.project.project import find_root
from cesplan.config.project.variables import SECRET_PREFIX
from cesplan.config.report import Report
from cesplan.config.writing.outputs import check_output_folder
from cesplan.config.writing.saving import save
from cesplan.config.writing.whole_files import PRIVATE, write_whole
from cesplan.domain.errors import InvalidConfiguration, UsageError
from cesplan.render.services.parts import SUMMARY_BYTES, markdown_parts

NO_ENVIRONMENT = "default"
"""What the pipeline calls the place of a tree without environments."""

_SUMMARIES = 8
"""Parts of a plan that a job on GitHub shows, each in the summary of its own step; GitHub shows 20 of a job."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
"""Names that all three services take for a job, a stage and an environment."""
_BRANCH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*")
_FOLDER = re.compile(r"[A-Za-z0-9_./-]+")


class Service(StrEnum):
    """Who runs the pipeline."""

    GITHUB = "github"
    GITLAB = "gitlab"
    CLOUDBUILD = "cloudbuild"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """The files that were written, relative to `repository`, and what to set up next, as a text."""

    repository: Path
    files: tuple[Path, ...]
    next: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tree:
    """The properties of a tree for a pipeline; `folder` is its path in the repository."""

    folder: str
    names: tuple[str, ...]
    secrets: tuple[str, ...]
    has_environments: bool


class _Places(Template):
    """`@@name@@`: the services' own languages are full of `$` and braces."""

    delimiter = "@@"
    pattern = r"@@(?:(?P<named>[a-z_]+)@@|(?P<escaped>\b\B)|(?P<braced>\b\B)|(?P<invalid>))"  # type: ignore[assignment]


_FILES: Mapping[Service, Mapping[str, str]] = {
    Service.GITHUB: {"workflow.yaml": ".github/workflows/cesplan.yaml"},
    Service.GITLAB: {"gitlab-ci.yaml": ".gitlab-ci.yml"},
    Service.CLOUDBUILD: {
        "plan.yaml": "cloudbuild.cesplan-plan.yaml",
        "apply.yaml": "cloudbuild.cesplan-apply.yaml",
    },
}


def write_pipeline(
    service: Service, root: Path, *, environments: Iterable[str] = (), branch: str = "main"
) -> Pipeline:
    """
    Write a service's pipeline into the repository around a tree.

    `environments` are those to apply to, in this order; without any, all of cesplan.yaml in theirs. `branch` is
    the one whose state is applied. Raises UsageError, before anything is written, for a file that exists and a
    name that is unknown or that the service does not take, and InvalidConfiguration for a broken cesplan.yaml.
    """
    found = find_root(root)
    if found is None:
        raise UsageError(summary="There is no cesplan.yaml here.", detail="Create one:\n\n    cesplan init")
    if not _BRANCH.fullmatch(branch):
        raise UsageError(summary=f"`{branch}` is not a valid branch name for a pipeline.")
    repository = _repository(found)
    tree = _tree(found, repository, tuple(environments))
    values = _values(service, tree, branch)
    texts = {Path(path): _filled(service, name, values) for name, path in _FILES[service].items()}
    _write(repository, texts)
    return Pipeline(repository=repository, files=tuple(sorted(texts)), next=_filled(service, "next", values))


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


def _repository(root: Path) -> Path:
    """The folder of git around a tree, or the tree itself."""
    return next((item for item in (root, *root.parents) if (item / ".git").exists()), root)


def _tree(root: Path, repository: Path, environments: tuple[str, ...]) -> _Tree:
    folder = root.relative_to(repository).as_posix()
    if not _FOLDER.fullmatch(folder):
        raise UsageError(summary=f"A pipeline cannot work in the folder `{folder}`: rename it.")
    project = _project(root)
    unknown = [name for name in environments if name not in project.environments]
    if unknown:
        known = ", ".join(project.environments) or "none"
        raise UsageError(
            summary=f"cesplan.yaml has no environment `{unknown[0]}`.", detail=f"Environments: {known}."
        )
    names = tuple(dict.fromkeys(environments)) or tuple(project.environments)
    unfit = [name for name in names if not _NAME.fullmatch(name)]
    if unfit:
        raise UsageError(summary=f"`{unfit[0]}` cannot be the name of a job: use letters, digits, `-` and `_`.")
    sections = (project.top, *(project.environments[name] for name in names))
    secrets = {item.name for section in sections for item in section.variables.values() if item.secret}
    return _Tree(
        folder=folder,
        names=names or (NO_ENVIRONMENT,),
        secrets=tuple(sorted(secrets)),
        has_environments=bool(names),
    )


def _project(root: Path) -> ProjectFile:
    report = Report()
    found = Files(root, report).mapping(FILE_NAME)
    project = read_project_file(*found, report) if found else None
    if project is None or report.diagnostics:
        raise InvalidConfiguration(
            summary="cesplan.yaml has errors. Nothing was written.", detail="Show them:\n\n    cesplan validate"
        )
    return project


def _values(service: Service, tree: _Tree, branch: str) -> Mapping[str, str]:
    values = {
        "branch": branch,
        "folder": tree.folder,
        "flag": "",
        "apply_flag": "",
        "names": " ".join(tree.names),
        "names_listed": ", ".join(tree.names),
        "first": tree.names[0],
        "stages": "".join(f"  - apply {name}\n" for name in tree.names),
        "trigger_lines": "".join(
            f"  a push to {branch}           cloudbuild.cesplan-apply.yaml   _NAME={name}: an account that may "
            "write there\n"
            for name in tree.names
        ),
        **_secrets(service, tree.secrets),
    }
    if tree.has_environments:
        flag = ' -e "$name"' if service is Service.CLOUDBUILD else ' -e "$NAME"'
        values |= {"flag": flag, "apply_flag": ' -e "$_NAME"'}
    return {**values, **_repeated(service, values, tree.names)}


def _repeated(service: Service, values: Mapping[str, str], names: tuple[str, ...]) -> Mapping[str, str]:
    """What a pipeline has more than once: installing, a job for each environment, a step for each part."""
    match service:
        case Service.GITHUB:
            numbers = range(2, _SUMMARIES + 1)
            parts = "".join(_filled(service, "part", {"number": str(number)}) for number in numbers)
            common = {**values, "install": _filled(service, "install", values), "parts": parts}
        case Service.GITLAB:
            common = dict(values)
        case Service.CLOUDBUILD:
            return {"install": _filled(service, "install", values)}
    applies = (_apply(service, common, names, number) for number in range(len(names)))
    return {**common, "applies": "".join(applies).rstrip("\n")}


def _apply(service: Service, values: Mapping[str, str], names: tuple[str, ...], number: int) -> str:
    """The job of one environment; each but the first waits for the one before, and for a person."""
    before = [f"apply-{name}" for name in names[max(0, number - 1) : number]]
    own = {
        "name": names[number],
        "needs": ", ".join(["review", *before]),
        "condition": " && ".join(f"needs.{job}.result == 'success'" for job in ["review", *before]),
        "when": "manual" if number else "on_success",
    }
    return _filled(service, "apply", {**values, **own})


def _secrets(service: Service, names: tuple[str, ...]) -> Mapping[str, str]:
    """Where the pipeline gets secret variables from, and the lines that say so."""
    variables = [f"{SECRET_PREFIX}{name}" for name in names]
    match service:
        case Service.GITHUB:
            rows = [f"          {item}: ${{{{ secrets.{item.upper()} }}}}\n" for item in variables]
            lines = {
                "secret_lines": "planning only needs a placeholder if the service never returns the value",
                "environment_secret_lines": "its value, which overrides that of the repository",
            }
            return {
                # `secrets` adds to the `env` of the step of planning and of that of applying.
                "secrets": "".join(["        env:\n", *rows]) if rows else "",
                **{
                    key: "".join(f"  secret    {item.upper():<36} {words}\n" for item in variables)
                    for key, words in lines.items()
                },
            }
        case Service.GITLAB:
            words = (
                "masked, protected, in the scope of each environment; for planning a placeholder in the scope *"
            )
            return {"secret_lines": "".join(f"  {item:<36} {words}\n" for item in variables)}
        case Service.CLOUDBUILD:
            where = "projects/$PROJECT_ID/secrets/{}/versions/latest"
            row = f"    - versionName: {where}\n      env: {{}}\n"
            return {
                "secrets": "".join(row.format(item, item) for item in variables),
                "plan_secrets": "".join(row.format(f"{item}-plan", item) for item in variables),
                "secret_env": f"    secretEnv: [{', '.join(variables)}]\n" if variables else "",
                "secret_lines": "".join(
                    f"  {item:<36} the value of a secret variable\n"
                    f"  {item + '-plan':<36} for planning: a placeholder, where the service never shows it\n"
                    for item in variables
                ),
            }


def _filled(service: Service, name: str, values: Mapping[str, str]) -> str:
    path = files("cesplan.features.pipelines") / service / f"{name}.txt"
    return _Places(path.read_text(encoding="utf-8")).substitute(values)


def _write(repository: Path, texts: Mapping[Path, str]) -> None:
    taken = [f"    {repository / path}" for path in sorted(texts) if os.path.lexists(repository / path)]
    if taken:
        raise UsageError(
            summary="Nothing was written: a pipeline already exists.",
            detail="Move it away, then copy your own changes back:\n\n" + "\n".join(taken),
        )
    save(repository, {path.as_posix(): text for path, text in texts.items()})
