"""
Building blocks for custom pipelines: a composite action for GitHub, a component for GitLab.

They are written into the user's own repository: cesplan publishes none that a pipeline could reference.
"""

from collections.abc import Mapping
from pathlib import Path
from textwrap import indent

from cesplan.domain.errors import UsageError
from cesplan.features.pipelines.files import Pipeline, PipelineService
from cesplan.features.pipelines.templates import filled, write_texts
from cesplan.features.pipelines.tree import repository_around

_FILES: Mapping[PipelineService, tuple[str, str]] = {
    PipelineService.GITHUB: ("action.yaml", ".github/actions/cesplan/action.yml"),
    PipelineService.GITLAB: ("component.yaml", "templates/cesplan.yml"),
}
"""The template, and where the service looks for the file."""
_INDENTS = {PipelineService.GITHUB: 8, PipelineService.GITLAB: 6}
"""The column at which a script begins in the file of a service."""


def write_reusable(service: PipelineService, folder: Path) -> Pipeline:
    """
    Write the building block of a service into the repository around a folder; no tree is needed there.

    Raises UsageError, before anything is written, for a file that exists, and for a service that has none.
    """
    if service not in _FILES:
        raise UsageError(
            summary="Cloud Build has no building blocks.", detail="--reusable works only for github and gitlab."
        )
    template, path = _FILES[service]
    script = indent(filled("", "reusable", {}), " " * _INDENTS[service]).rstrip("\n")
    before = filled(service, "before", {}).rstrip("\n") if service is PipelineService.GITLAB else ""
    repository = repository_around(folder.resolve())
    write_texts(repository, {Path(path): filled(service, template, {"script": script, "before": before})})
    return Pipeline(repository=repository, files=(Path(path),), next=filled(service, "reusable_next", {}))
