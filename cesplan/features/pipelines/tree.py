"""What a pipeline needs to know about a tree and the repository around it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path

from cesplan.config.discovery import ENVIRONMENTS, RELEASES
from cesplan.config.files import Files
from cesplan.config.project.file import FILE_NAME, ProjectFile, read_project_file
from cesplan.config.project.project import find_root
from cesplan.config.report import Report
from cesplan.config.resource.values import EXCLUDE
from cesplan.domain.errors import InvalidConfiguration, UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import PROJECT_PATTERN

NO_ENVIRONMENT = "default"
"""The pipeline's name for the target of a tree without environments."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
"""Names that all services take for a job, a stage, and an environment."""
_RELEASE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*/[A-Za-z0-9_][A-Za-z0-9_-]*")
"""A release as a safe word in a script."""
_FOLDER = re.compile(r"[A-Za-z0-9_./-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineTree:
    """The properties of a tree for a pipeline; `folder` is its path in the repository."""

    folder: str
    names: tuple[str, ...]
    secrets: tuple[str, ...]
    has_environments: bool
    releases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The releases of each environment that has some: `<app>/<name>`."""
    projects: Mapping[str, str] = field(default_factory=dict)
    """The Google Cloud project of each environment, where cesplan.yaml says it."""


def pipeline_tree(root: Path, environments: Iterable[str]) -> tuple[Path, PipelineTree]:
    """
    The repository around a tree, and the properties of the tree.

    `environments` are those that the pipeline is about; without any, all of cesplan.yaml. Raises UsageError and
    InvalidConfiguration.
    """
    found = find_root(root)
    if found is None:
        raise UsageError(summary="There is no cesplan.yaml here.", detail="Create one:\n\n    cesplan init")
    repository = repository_around(found)
    return repository, _tree(found, repository, tuple(environments))


def repository_around(root: Path) -> Path:
    """The git repository around a tree, or the tree itself."""
    return next((item for item in (root, *root.parents) if (item / ".git").exists()), root)


def _tree(root: Path, repository: Path, environments: tuple[str, ...]) -> PipelineTree:
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
        raise UsageError(
            summary=f"`{unfit[0]}` cannot be the name of a job: use letters, digits, `-`, and `_`."
        )
    sections = (project.top, *(project.environments[name] for name in names))
    secrets = {item.name for section in sections for item in section.variables.values() if item.secret}
    return PipelineTree(
        folder=folder,
        names=names or (NO_ENVIRONMENT,),
        secrets=tuple(sorted(secrets)),
        has_environments=bool(names),
        releases=_releases(root, names),
        projects=_projects(project, names),
    )


def _projects(project: ProjectFile, names: tuple[str, ...]) -> dict[str, str]:
    """
    The project of each environment, else of the top level; names that are unsafe in a script are left out.
    """
    top = project.top.settings.get("project")
    found = {
        name: str(project.environments[name].settings.get("project", top)) if names else str(top)
        for name in names or (NO_ENVIRONMENT,)
    }
    return {name: text for name, text in found.items() if PROJECT_PATTERN.fullmatch(text) and ":" not in text}


def _releases(root: Path, names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """By the files of the tree; one that an environment leaves out is not among its own."""
    base = _release_files(root)
    found = {}
    for name in names or (NO_ENVIRONMENT,):
        over = _release_files(root / ENVIRONMENTS / name) if names else {}
        mine = [key for key, path in sorted({**base, **over}.items()) if not _is_left_out(path)]
        if mine:
            found[name] = tuple(mine)
    return found


def _release_files(root: Path) -> dict[str, Path]:
    """The release files below a folder, by `<app>/<name>`; names that a shell would not take are left out."""
    return {
        key: path
        for path in sorted(root.glob(f"**/{RELEASES}/*.y*ml"))
        if ENVIRONMENTS not in path.relative_to(root).parts
        and _RELEASE.fullmatch(key := f"{path.parent.parent.name}/{path.stem}")
    }


def _is_left_out(path: Path) -> bool:
    try:
        return f"{EXCLUDE}: true" in path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False


def _project(root: Path) -> ProjectFile:
    report = Report()
    found = Files(root, report).mapping(FILE_NAME)
    project = read_project_file(*found, report) if found else None
    if project is None or report.diagnostics:
        raise InvalidConfiguration(
            summary="cesplan.yaml has errors. Nothing was written.", detail="Show them:\n\n    cesplan validate"
        )
    return project
