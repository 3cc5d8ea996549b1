"""The files with which a service runs the drift alarm on a schedule."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from textwrap import indent

from cesplan.config.project.variables import SECRET_PREFIX
from cesplan.config.writing.outputs import check_output_folder
from cesplan.domain.errors import UsageError
from cesplan.features.pipelines.files import BRANCH, Pipeline
from cesplan.features.pipelines.templates import filled, write_texts
from cesplan.features.pipelines.tree import PipelineTree, pipeline_tree

_FIELD = r"[0-9A-Za-z*/,-]+"
_SCHEDULE = re.compile(rf"{_FIELD}(?: {_FIELD}){{4}}")
"""Five fields, as all three services accept them; the service validates the numbers."""


class Scheduler(StrEnum):
    """The service that starts the alarm."""

    KUBERNETES = "kubernetes"
    CLOUDRUN = "cloudrun"
    GITHUB = "github"


_FILES: Mapping[Scheduler, Mapping[str, str]] = {
    Scheduler.KUBERNETES: {"cronjob.yaml": "cesplan-drift.cronjob.yaml"},
    Scheduler.CLOUDRUN: {"job.yaml": "cesplan-drift.job.yaml", "setup.sh": "cesplan-drift.setup.sh"},
    Scheduler.GITHUB: {"workflow.yaml": ".github/workflows/cesplan-drift.yaml"},
}
_INDENTS = {Scheduler.KUBERNETES: 18, Scheduler.CLOUDRUN: 18, Scheduler.GITHUB: 0}
"""The column at which a script begins in the YAML."""


def write_schedule(
    scheduler: Scheduler,
    root: Path,
    *,
    environments: Iterable[str] = (),
    shards: int = 1,
    schedule: str = "17 * * * *",
    branch: str = "main",
    out: Path | None = None,
    force: bool = False,
) -> Pipeline:
    """
    Write the files of a schedule; into `out`, or else into the repository around a tree.

    `environments` are those to check; without any, all of cesplan.yaml. With more than one shard, the apps are
    checked concurrently, and one more task merges the reports. Raises UsageError, before anything is written,
    for a file that exists (unless `force` replaces it), an invalid schedule, and a name that the service does
    not accept, and InvalidConfiguration for a broken cesplan.yaml.
    """
    if not _SCHEDULE.fullmatch(schedule):
        raise UsageError(
            summary=f"`{schedule}` is not a valid schedule.",
            detail="Write five fields, such as `17 * * * *`, in UTC.",
        )
    if not BRANCH.fullmatch(branch):
        raise UsageError(summary=f"`{branch}` is not a valid branch name for a schedule.")
    repository, tree = pipeline_tree(root, environments)
    values = _values(scheduler, tree, tuple(environments), shards)
    values |= {"schedule": schedule, "branch": branch}
    folder = f"cron/{scheduler}"
    texts = {Path(path): filled(folder, name, values) for name, path in _FILES[scheduler].items()}
    where = repository
    if out is not None:
        check_output_folder(out)
        where = out
        texts = {Path(path.name): text for path, text in texts.items()}
    write_texts(where, texts, force=force)
    return Pipeline(repository=where, files=tuple(sorted(texts)), next=filled(folder, "next", values))


def _values(
    scheduler: Scheduler, tree: PipelineTree, environments: tuple[str, ...], shards: int
) -> dict[str, str]:
    tasks = shards + 1 if shards > 1 else 1
    numbers = [str(number) for number in range(1, shards + 1)]
    values = {
        "folder": tree.folder,
        "flags": _flags(tree, environments),
        "shards": str(shards),
        "shard_numbers": ", ".join(numbers),
        "shard_words": " ".join(numbers),
        "tasks": str(tasks),
        "tasks_in_words": f"{shards} tasks that check, and one that merges their reports"
        if shards > 1
        else "one task checks all apps",
        "access_mode": "ReadWriteMany" if shards > 1 else "ReadWriteOnce",
    }
    values |= _secrets(scheduler, tree.secrets)
    match scheduler:
        case Scheduler.GITHUB:
            values["install"] = filled("github", "install", {})
        case Scheduler.KUBERNETES:
            values["volume_words"] = _VOLUME_WORDS if shards > 1 else ""
        case Scheduler.CLOUDRUN:
            values["mounts"] = filled("cron/cloudrun", "mounts", {}).rstrip() if shards > 1 else ""
    script = filled("cron", "shards" if shards > 1 else "one", values)
    if scheduler is Scheduler.CLOUDRUN and shards > 1:
        script = f"{_TASK_OF_CLOUD_RUN}{script}"
    return {**values, "script": indent(script.rstrip("\n"), " " * _INDENTS[scheduler])}


_TASK_OF_CLOUD_RUN = 'INDEX="$CLOUD_RUN_TASK_INDEX"\nRUN="$CLOUD_RUN_EXECUTION"\n'
"""Kubernetes sets both by fields of the pod."""

_VOLUME_WORDS = """
The tasks share a volume (ReadWriteMany): in `storageClassName` of the claim, name a storage class that
supports it, such as Filestore on GKE.
"""


def _flags(tree: PipelineTree, environments: tuple[str, ...]) -> str:
    if not tree.has_environments:
        return ""
    if not environments:
        return " --all-environments"
    return "".join(f" -e {name}" for name in tree.names)


def _secrets(scheduler: Scheduler, names: tuple[str, ...]) -> dict[str, str]:
    """The lines that give the job its secret variables."""
    variables = [f"{SECRET_PREFIX}{name}" for name in names]
    words = "a secret variable of the tree: a placeholder is enough if the service never returns the value"
    rows = "".join(
        filled(f"cron/{scheduler}", "secret", {"name": item, "upper": item.upper()}) for item in variables
    )
    match scheduler:
        case Scheduler.GITHUB:
            lines = "".join(f"  secret    {item.upper():<36} {words}\n" for item in variables)
            return {"secrets": f"        env:\n{rows}" if rows else "", "secret_lines": lines}
        case Scheduler.KUBERNETES:
            return {
                "secrets": rows,
                "secret_lines": "".join(f"  {item}   {words}\n" for item in variables),
                "secret_words": "".join(f" \\\n    --from-file {item}=FILE" for item in variables),
            }
        case Scheduler.CLOUDRUN:
            secrets = ["cesplan-drift-notify", "cesplan-drift-git-token", *variables]
            return {
                "secrets": rows,
                "secret_names": " ".join(secrets),
                "secret_names_listed": ", ".join(secrets),
            }
